//! JSON in one canonical form, for comparing and for stable bytes.

use serde_json::Value;

/// The value as text with the keys of every object sorted, whatever order it was read in. Equal
/// values give equal text, also when a dependency switches serde_json to insertion order.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_keys_does_not_matter() {
        let a: Value = serde_json::from_str(r#"{"b":[1,{"y":null,"x":"\n"}],"a":1.5}"#).unwrap();
        let b: Value = serde_json::from_str(r#"{"a":1.5,"b":[1,{"x":"\n","y":null}]}"#).unwrap();
        assert_eq!(canonical(&a), r#"{"a":1.5,"b":[1,{"x":"\n","y":null}]}"#);
        assert_eq!(canonical(&a), canonical(&b));
    }
}
