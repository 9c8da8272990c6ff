//! What differs between providers, as data.
//!
//! It must not know how a request is sent. A new provider is one more entry; a new kind of difference
//! is one more field, never a branch on a name elsewhere.

use crate::protocol::{Failure, FailureKind};

use super::endpoint::Endpoint;

/// One provider's ways.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Provider {
    /// Its name in the settings.
    pub(super) name: &'static str,
    /// Its host; every host below it counts too. Empty for "any other".
    host: &'static str,
    /// The field for the output limit and its value in tokens. `None` sends none.
    pub(super) output_limit: Option<(&'static str, u64)>,
    /// The field and the JSON that switch thinking off. `None` where there is no such switch.
    pub(super) thinking_off: Option<(&'static str, &'static str)>,
    /// JSON for the `content` of a turn that only made calls.
    pub(super) content_without_text: &'static str,
    /// Beginnings of model names that refuse `temperature` and `top_p`.
    no_sampling: &'static [&'static str],
    /// Beginnings of model names and the tokens that such a model's window holds; the first that fits.
    windows: &'static [(&'static str, u64)],
}

/// What is known of a model. `None` is "not known".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelFacts {
    /// How many tokens its window holds, request and answer together.
    pub context_tokens: Option<u64>,
    /// What it costs.
    pub price: Option<Price>,
}

/// What a model costs, in US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Tokens that are read anew.
    pub input: f64,
    /// Tokens that the provider's prefix cache held.
    pub cached: f64,
    /// Tokens that the model writes.
    pub output: f64,
}

/// Whether a provider of that name is known.
pub(crate) fn check_provider(name: &str) -> Result<(), Failure> {
    Provider::by_name(name).map(|_| ())
}

/// What is known of a model at a server. Prices are left out for now: DeepSeek's depend on the hour and
/// have changed several times within a year, and a wrong price is worse than none.
pub(crate) fn facts(base_url: &str, provider: Option<&str>, model: &str) -> ModelFacts {
    let provider = match provider {
        Some(name) => Provider::named(name),
        None => Endpoint::parse(base_url)
            .ok()
            .map(|endpoint| Provider::of_host(&endpoint.host)),
    };
    let window = provider.and_then(|provider| {
        let fits = |(beginning, _): &&(&str, u64)| model.trim().starts_with(*beginning);
        provider.windows.iter().find(fits)
    });
    ModelFacts {
        context_tokens: window.map(|(_, tokens)| *tokens),
        price: None,
    }
}

/// How freely the model chooses its words (contract B12).
pub(super) const TEMPERATURE: &str = "0.7";
/// Which share of likely words it chooses from (contract B12).
pub(super) const TOP_P: &str = "0.9";

/// DeepSeek. Output limit: contract B12 (200 K; the service itself allows more). Thinking is on by
/// default and switched by `thinking.type`: DeepSeek's guide "Thinking Mode". Sampling values are taken
/// and ignored while it thinks: the same guide. Windows: its page "Models & Pricing", the older names as of
/// DeepSeek-V3.2 and the others as of DeepSeek-V4.
const DEEPSEEK: Provider = Provider {
    name: "deepseek",
    host: "deepseek.com",
    output_limit: Some(("max_tokens", 200_000)),
    thinking_off: Some(("thinking", r#"{"type":"disabled"}"#)),
    content_without_text: "null",
    no_sampling: &[],
    windows: &[
        ("deepseek-v4", 1_000_000),
        ("deepseek-chat", 128_000),
        ("deepseek-reasoner", 128_000),
    ],
};

/// OpenAI. Output limit: contract B12 (32 K). The field is `max_completion_tokens`, as `max_tokens` is
/// deprecated there and refused by reasoning models; those refuse sampling values too: OpenAI's API
/// reference and its guide on reasoning models. `thinking` is unknown there (contract B12).
const OPENAI: Provider = Provider {
    name: "openai",
    host: "openai.com",
    output_limit: Some(("max_completion_tokens", 32_000)),
    thinking_off: None,
    content_without_text: "null",
    no_sampling: &["o1", "o3", "o4", "gpt-5"],
    windows: &[],
};

/// OpenRouter. It serves models of every limit, so none is sent. Reasoning is switched by
/// `reasoning.enabled`, and values that a model doesn't take are dropped there: OpenRouter's guide
/// "Reasoning Tokens" and its parameter reference.
const OPENROUTER: Provider = Provider {
    name: "openrouter",
    host: "openrouter.ai",
    output_limit: None,
    thinking_off: Some(("reasoning", r#"{"enabled":false}"#)),
    content_without_text: "null",
    no_sampling: &[],
    windows: &[],
};

/// Any other server, one on this machine included: neither `thinking` nor an output limit
/// (contract C24).
const OTHER: Provider = Provider {
    name: "other",
    host: "",
    output_limit: None,
    thinking_off: None,
    content_without_text: "null",
    no_sampling: &[],
    windows: &[],
};

/// All of them; the last one is for hosts that no other one has.
static PROVIDERS: [Provider; 4] = [DEEPSEEK, OPENAI, OPENROUTER, OTHER];
static ANY_OTHER: Provider = OTHER;

impl Provider {
    /// The provider of that name in the settings.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        let name = name.trim();
        PROVIDERS
            .iter()
            .find(|provider| provider.name.eq_ignore_ascii_case(name))
    }

    /// The same, or the words for a name that none has.
    pub(super) fn by_name(name: &str) -> Result<&'static Self, Failure> {
        Self::named(name).ok_or_else(|| {
            Failure::new(FailureKind::Settings, "The model's provider is not known.")
                .with_advice(format!("Choose one of: {}.", Self::names()))
        })
    }

    /// The provider whose host it is.
    pub(super) fn of_host(host: &str) -> &'static Self {
        PROVIDERS
            .iter()
            .find(|provider| {
                !provider.host.is_empty()
                    && host
                        .strip_suffix(provider.host)
                        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            })
            .unwrap_or(&ANY_OTHER)
    }

    /// All names, for an error about an unknown one.
    fn names() -> String {
        let names: Vec<_> = PROVIDERS.iter().map(|provider| provider.name).collect();
        names.join(", ")
    }

    /// Whether that model takes `temperature` and `top_p`.
    pub(super) fn takes_sampling(&self, model: &str) -> bool {
        !self
            .no_sampling
            .iter()
            .any(|beginning| model.starts_with(beginning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_by_whole_labels() {
        for (host, name) in [
            ("api.deepseek.com", "deepseek"),
            ("deepseek.com", "deepseek"),
            ("notdeepseek.com", "other"),
            ("deepseek.com.evil.example", "other"),
            ("api.openai.com", "openai"),
            ("openrouter.ai", "openrouter"),
            ("127.0.0.1", "other"),
            ("", "other"),
        ] {
            assert_eq!(Provider::of_host(host).name, name, "{host}");
        }
    }

    #[test]
    fn names_choose_and_unknown_names_do_not() {
        assert_eq!(Provider::named(" DeepSeek ").unwrap(), &DEEPSEEK);
        assert!(Provider::named("nobody").is_none());
        assert_eq!(Provider::names(), "deepseek, openai, openrouter, other");
    }

    #[test]
    fn reasoning_models_of_openai_get_no_sampling() {
        assert!(!OPENAI.takes_sampling("o3-mini"));
        assert!(!OPENAI.takes_sampling("gpt-5"));
        assert!(OPENAI.takes_sampling("gpt-4.1"));
        assert!(OTHER.takes_sampling("o3-mini"));
    }

    #[test]
    fn a_window_is_known_by_the_provider_and_the_names_beginning() {
        let window = |url: &str, provider: Option<&str>, model: &str| {
            facts(url, provider, model).context_tokens
        };
        let deepseek = "https://api.deepseek.com";
        assert_eq!(window(deepseek, None, "deepseek-chat"), Some(128_000));
        assert_eq!(window(deepseek, None, " deepseek-v4-pro"), Some(1_000_000));
        assert_eq!(window(deepseek, None, "deepseek-new"), None);
        assert_eq!(window("http://127.0.0.1:1", None, "deepseek-chat"), None);
        assert_eq!(
            window("http://127.0.0.1:1", Some("deepseek"), "deepseek-chat"),
            Some(128_000)
        );
        assert_eq!(window(deepseek, Some("nobody"), "deepseek-chat"), None);
        assert_eq!(window("nonsense", None, "deepseek-chat"), None);
    }
}
