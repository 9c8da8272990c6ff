//! Placeholders: how a scripted reply speaks of what really happened.
//!
//! Small on purpose. A scenario that needs more logic than "quote this" is two scenarios.

use serde_json::Value;

/// What stands for something that the last results don't hold.
const NOTHING: &str = "(nothing)";
/// A longer text of a result is not quoted whole: 500 characters.
const QUOTE_CHARS: usize = 500;

/// What placeholders stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values<'a> {
    /// `{{round}}`
    pub(crate) round: u32,
    /// `{{copy}}`
    pub(crate) copy: u32,
    /// `{{result.…}}`: what the last batch's tools gave back, in order.
    pub(crate) results: &'a [Value],
    /// `{{tags}}`: the tags of all scenarios, as a list.
    pub(crate) tags: &'a str,
    /// `{{server}}`: the address of the server itself, without a path.
    pub(crate) server: &'a str,
}

/// Whether a text quotes a result.
pub(crate) fn uses_results(text: &str) -> bool {
    text.contains("{{result.")
}

/// Puts values in place of the placeholders.
pub(crate) fn fill(text: &str, values: &Values<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((key, behind)) = after.split_once("}}") else {
            break;
        };
        out.push_str(before);
        match value(key.trim(), values) {
            Value::String(text) => out.push_str(&text),
            other => out.push_str(&other.to_string()),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The same for each text inside a JSON value. A text that is nothing but `{{=key}}` becomes the value
/// itself, a number for instance.
pub(crate) fn fill_json(json: &Value, values: &Values<'_>) -> Value {
    match json {
        Value::String(text) => whole_placeholder(text).map_or_else(
            || Value::String(fill(text, values)),
            |key| value(key, values),
        ),
        Value::Array(items) => items.iter().map(|item| fill_json(item, values)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, item)| (key.clone(), fill_json(item, values)))
            .collect(),
        other => other.clone(),
    }
}

fn whole_placeholder(text: &str) -> Option<&str> {
    let key = text.strip_prefix("{{=")?.strip_suffix("}}")?;
    (!key.contains("{{")).then(|| key.trim())
}

/// The value of the first of the keys, which `|` parts, that has one.
fn value(keys: &str, values: &Values<'_>) -> Value {
    keys.split('|')
        .find_map(|key| one_value(key.trim(), values))
        .unwrap_or_else(|| NOTHING.into())
}

fn one_value(key: &str, values: &Values<'_>) -> Option<Value> {
    if let Some(path) = key.strip_prefix("result.") {
        return result(path, values.results);
    }
    match key {
        "tags" => return Some(values.tags.into()),
        "server" => return Some(values.server.into()),
        _ => {}
    }
    let (name, plus) = key.split_once('+').unwrap_or((key, "0"));
    let base = match name.trim() {
        "round" => values.round,
        "copy" => values.copy,
        _ => return None,
    };
    let plus: u32 = plus.trim().parse().ok()?;
    Some(base.saturating_add(plus).into())
}

fn result(path: &str, results: &[Value]) -> Option<Value> {
    let mut steps = path.split('.');
    let mut at = results.get(steps.next()?.parse::<usize>().ok()?)?;
    for step in steps {
        at = match at {
            Value::Array(items) if step == "length" => return Some(items.len().into()),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Object(fields) => fields.get(step)?,
            _ => return None,
        };
    }
    Some(match at {
        Value::String(text) => text.chars().take(QUOTE_CHARS).collect::<String>().into(),
        Value::Null | Value::Object(_) => return None,
        Value::Array(items) => items.len().into(),
        other => other.clone(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_results_are_filled_in() {
        let results = [
            json!({"path": "a.md", "hits": [{"line": 3}]}),
            json!("plain"),
        ];
        let values = Values {
            round: 4,
            copy: 2,
            results: &results,
            tags: "- one",
            server: "http://127.0.0.1:1",
        };
        let fill = |text| fill(text, &values);
        assert_eq!(fill("round {{round}} of {{ copy }}"), "round 4 of 2");
        assert_eq!(fill("{{round+9}}"), "13");
        assert_eq!(fill("{{result.0.path}}"), "a.md");
        assert_eq!(fill("{{result.0.hits.length}}"), "1");
        assert_eq!(fill("{{result.0.hits.0.line}}"), "3");
        assert_eq!(fill("{{result.1}}"), "plain");
        assert_eq!(fill("{{tags}}"), "- one");
        assert_eq!(fill("{{server}}/a"), "http://127.0.0.1:1/a");
        assert_eq!(fill("{{result.0.text|result.0.path}}"), "a.md");
    }

    #[test]
    fn what_is_missing_is_said_in_plain_words() {
        let values = Values::default();
        for text in ["{{result.0.path}}", "{{other}}", "{{round+x}}"] {
            assert_eq!(fill(text, &values), NOTHING, "{text}");
        }
        assert_eq!(fill("open {{round", &values), "open {{round");
    }

    #[test]
    fn a_long_quote_is_cut_by_characters() {
        for (chars, kept) in [(QUOTE_CHARS, QUOTE_CHARS), (QUOTE_CHARS + 1, QUOTE_CHARS)] {
            let results = [json!({"text": "é".repeat(chars)})];
            let values = Values {
                results: &results,
                ..Values::default()
            };
            assert_eq!(fill("{{result.0.text}}", &values).chars().count(), kept);
        }
    }

    #[test]
    fn a_value_keeps_its_type_where_it_is_asked_for() {
        let values = Values {
            round: 4,
            ..Values::default()
        };
        let filled = fill_json(
            &json!({"a": "{{=round}}", "b": "{{round}}", "c": ["{{=round+1}}"]}),
            &values,
        );
        assert_eq!(filled, json!({"a": 4, "b": "4", "c": [5]}));
    }
}
