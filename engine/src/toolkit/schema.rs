//! The JSON schema of a tool's arguments, in the short form that models are given.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Keys that say nothing to a model and cost tokens in every request.
const NOISE: &[&str] = &[
    "$schema",
    "title",
    "format",
    "additionalProperties",
    "default",
];

/// `{type: object, properties, required}`, without references, titles, formats and the null type of
/// optional arguments.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    tidy(&mut schema);
    if let Value::Object(map) = &mut schema {
        // The doc comment of the input struct is for the reader of the code.
        map.remove("description");
        map.entry("properties").or_insert_with(|| json!({}));
        map.entry("required").or_insert_with(|| json!([]));
    }
    schema
}

/// The names of arguments that a schema doesn't have.
pub(crate) fn unknown_arguments(schema: &Value, arguments: &Map<String, Value>) -> Vec<String> {
    let known = schema.get("properties").and_then(Value::as_object);
    arguments
        .keys()
        .filter(|name| known.is_none_or(|known| !known.contains_key(*name)))
        .cloned()
        .collect()
}

fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => {
            // A property may itself be named like a keyword, so `properties` is entered by value only.
            for key in NOISE {
                if map.get(*key).is_some_and(|value| !value.is_object()) {
                    map.remove(*key);
                }
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(alternatives) = map.get_mut("anyOf").and_then(Value::as_array_mut) {
                alternatives.retain(|one| one.get("type").is_none_or(|kind| kind != "null"));
                if let [Value::Object(only)] = alternatives.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    for (key, value) in only {
                        map.entry(key).or_insert(value);
                    }
                }
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For the reader of the code only.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Input {
        /// Where.
        path: String,
        /// From here.
        start_line: Option<u32>,
        /// How.
        mode: Option<Way>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Way {
        Name,
        Content,
    }

    #[test]
    fn the_short_form() {
        assert_eq!(
            of::<Input>(),
            json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Where."},
                    "startLine": {"type": "integer", "minimum": 0, "description": "From here."},
                    "mode": {"type": "string", "enum": ["name", "content"], "description": "How."},
                },
                "required": ["path"],
            })
        );
    }

    #[test]
    fn unknown_names_are_found() {
        let Value::Object(arguments) = json!({"path": 1, "line": 2}) else {
            unreachable!()
        };
        assert_eq!(unknown_arguments(&of::<Input>(), &arguments), ["line"]);
    }
}
