//! The window's words in every language it speaks.
//!
//! A language is one file that fills the whole of [`Words`], with the words of a large part of the window in a file
//! of their own in the folder of its name, so a missing word doesn't compile. To add one, copy `en.rs` and `en/`,
//! translate, and add a line to [`Language`].

mod en;
mod keys;
mod zh_cn;

pub use keys::*;

/// A language of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Every language, in the order a menu shows them.
    pub const ALL: &[Self] = &[Self::English, Self::Chinese];

    /// Its name for itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Chinese => "简体中文",
        }
    }

    /// Its tag (BCP 47).
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language for a tag such as `zh-Hans-CN` or `en_GB.UTF-8`; English for what isn't there.
    pub fn of_tag(tag: &str) -> Self {
        if tag.to_ascii_lowercase().starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// The system's language.
    pub fn of_system() -> Self {
        sys_locale::get_locale().map_or(Self::English, |tag| Self::of_tag(&tag))
    }

    /// Its words.
    pub fn words(self) -> &'static Words {
        match self {
            Self::English => &en::WORDS,
            Self::Chinese => &zh_cn::WORDS,
        }
    }
}

/// A sentence with its `{name}` places filled. A place that nothing is given for stays as it is.
pub fn fill(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(sentence.len() + 16);
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, left)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, left))
        });
        if let Some((value, left)) = value {
            filled.push_str(value);
            rest = left;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

/// A number of things: the first sentence for one, the second for any other number; `{n}` is the number.
pub fn count(one: &str, many: &str, n: usize) -> String {
    fill(if n == 1 { one } else { many }, &[("n", &n.to_string())])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn places(sentence: &str) -> BTreeSet<&str> {
        sentence
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}').map(|(name, _)| name))
            .collect()
    }

    #[test]
    fn every_language_says_everything_with_the_same_places() {
        let english = Language::English.words().all();
        assert!(english.len() > 20);
        for language in Language::ALL {
            let words = language.words().all();
            for ((name, english), (_, word)) in english.iter().zip(&words) {
                assert!(!word.trim().is_empty(), "{language:?}: {name}");
                assert_eq!(places(english), places(word), "{language:?}: {name}");
            }
        }
    }

    #[test]
    fn what_is_translated_is_in_its_own_script() {
        let same: Vec<_> = (Language::English.words().all().into_iter())
            .zip(Language::Chinese.words().all())
            .filter(|((_, english), (_, chinese))| {
                english == chinese && english.chars().filter(|c| c.is_alphabetic()).count() > 4
            })
            .map(|((name, english), _)| format!("{name}: {english}"))
            .collect();
        assert!(same.is_empty(), "not translated: {same:?}");
    }

    #[test]
    fn a_system_tag_leads_to_a_language() {
        assert_eq!(Language::of_tag("zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(Language::of_tag("zh-Hans"), Language::Chinese);
        assert_eq!(Language::of_tag("de-CH"), Language::English);
    }

    #[test]
    fn places_are_filled_and_unknown_ones_stay() {
        assert_eq!(fill("{n} of {m}", &[("n", "1"), ("m", "{n}")]), "1 of {n}");
        assert_eq!(fill("a {b} {", &[]), "a {b} {");
        assert_eq!(count("{n} tool", "{n} tools", 1), "1 tool");
        assert_eq!(count("{n} tool", "{n} tools", 0), "0 tools");
    }
}
