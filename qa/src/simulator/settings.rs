//! The fields of a request beside its messages.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::log::{Rule, Violation};

/// The longest tool name that providers accept.
const MAX_TOOL_NAME: usize = 64;

/// What the fields before and behind the messages say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    model: bool,
    stream: bool,
    usage: bool,
    /// What `thinking` says; without the field the provider's default holds.
    pub(super) thinking: Option<bool>,
    /// A digest of the tools; 0 is none.
    pub(super) tools: u64,
}

#[derive(Deserialize)]
struct Kind<'a> {
    r#type: &'a str,
}

#[derive(Deserialize)]
struct Tool<'a> {
    r#type: &'a str,
    #[serde(borrow)]
    function: Function<'a>,
}

#[derive(Deserialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

impl Settings {
    /// Takes one field. `checked` is the digest of tools that were found good before.
    pub(super) fn field(&mut self, key: &str, raw: &str, checked: u64) -> Result<(), Violation> {
        match key {
            "model" => {
                self.model = serde_json::from_str::<String>(raw).is_ok_and(|name| !name.is_empty());
            }
            "stream" => self.stream = raw == "true",
            "stream_options" => {
                self.usage = serde_json::from_str::<StreamOptions>(raw)
                    .is_ok_and(|options| options.include_usage);
            }
            "thinking" => {
                let kind = serde_json::from_str::<Kind<'_>>(raw).map(|kind| kind.r#type);
                self.thinking = match kind {
                    Ok("enabled") => Some(true),
                    Ok("disabled") => Some(false),
                    _ => {
                        let words = "thinking has the type \"enabled\" or \"disabled\"";
                        return Err(Violation::new(Rule::Settings, words));
                    }
                };
            }
            "tools" => {
                let mut hasher = DefaultHasher::new();
                raw.hash(&mut hasher);
                self.tools = hasher.finish();
                if self.tools != checked {
                    check_tools(raw).map_err(|words| Violation::new(Rule::Tools, words))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether all that must be there is there.
    pub(super) fn check(&self) -> Result<(), Violation> {
        let words = if !self.model {
            "the model has no name"
        } else if !self.stream {
            "stream isn't true"
        } else if !self.usage {
            "stream_options.include_usage isn't true"
        } else {
            return Ok(());
        };
        Err(Violation::new(Rule::Settings, words))
    }
}

fn check_tools(raw: &str) -> Result<(), String> {
    let tools: Vec<Tool<'_>> =
        serde_json::from_str(raw).map_err(|error| format!("tools aren't well formed: {error}"))?;
    if tools.is_empty() {
        return Err("an empty list of tools is left out".to_owned());
    }
    let mut names = HashSet::new();
    for tool in &tools {
        let name = tool.function.name;
        if tool.r#type != "function" {
            return Err(format!("the tool {name} has the type {}", tool.r#type));
        }
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !(1..=MAX_TOOL_NAME).contains(&name.len()) || !name.bytes().all(allowed) {
            return Err(format!("\"{name}\" is no name for a tool"));
        }
        if !names.insert(name) {
            return Err(format!("two tools are called {name}"));
        }
        let object = tool.function.parameters.is_none_or(|schema| {
            serde_json::from_str::<Kind<'_>>(schema.get()).is_ok_and(|kind| kind.r#type == "object")
        });
        if !object {
            return Err(format!("the parameters of {name} are no object's schema"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(raw: &str) -> Result<(), Violation> {
        Settings::default().field("tools", raw, 0)
    }

    #[test]
    fn a_tool_name_has_at_most_64_characters() {
        for (length, good) in [(0, false), (1, true), (64, true), (65, false)] {
            let name = "a".repeat(length);
            let raw = format!(r#"[{{"type":"function","function":{{"name":"{name}"}}}}]"#);
            assert_eq!(tools(&raw).is_ok(), good, "{length}");
        }
    }

    #[test]
    fn tools_are_functions_with_names_of_their_own_and_an_objects_schema() {
        let one = r#"{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}"#;
        assert!(tools(&format!("[{one}]")).is_ok());
        for bad in [
            "[]".to_owned(),
            "{}".to_owned(),
            format!("[{one},{one}]"),
            format!("[{}]", one.replace(":\"function\"", ":\"other\"")),
            format!("[{}]", one.replace("\"object\"", "\"array\"")),
            format!("[{}]", one.replace("\"a\"", "\"a b\"")),
        ] {
            assert_eq!(tools(&bad).unwrap_err().rule, Rule::Tools, "{bad}");
        }
    }
}
