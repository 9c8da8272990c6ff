//! Walking over a request's JSON without taking it apart.
//!
//! A request repeats the whole conversation. The checks need to know where each message ends and to
//! look only into the new ones, so the body is walked value by value instead of being parsed.

use serde_json::value::RawValue;

/// A place in a JSON text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// How many bytes lie behind it.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Steps over `byte` and the blanks before it, if it is the next thing.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        if trimmed.as_bytes().first() == Some(&byte) {
            self.at += rest.len() - trimmed.len() + 1;
            true
        } else {
            false
        }
    }

    /// Steps over `byte`, or says that it is missing.
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.eat(byte) {
            return Ok(());
        }
        Err(format!(
            "expected `{}` at byte {}",
            char::from(byte),
            self.at
        ))
    }

    /// Steps over the next value and gives its text.
    pub(super) fn value(&mut self) -> Result<&'a str, String> {
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter::<&RawValue>();
        let value = match values.next() {
            Some(Ok(value)) => value.get(),
            Some(Err(error)) => return Err(format!("{error}, after byte {}", self.at)),
            None => return Err(format!("the body ends at byte {}", self.at)),
        };
        self.at += values.byte_offset();
        Ok(value)
    }

    /// Steps over `"key":` and gives the key.
    pub(super) fn key(&mut self) -> Result<String, String> {
        let raw = self.value()?;
        let key = serde_json::from_str(raw).map_err(|_| format!("{raw} is no key"))?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Whether only blanks follow.
    pub(super) fn at_end(&self) -> bool {
        self.rest().trim().is_empty()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_walks_over_keys_and_values() {
        let text = r#" { "a" : [1, {"b": "]"}] , "é" : -1.5e3 } "#;
        let mut cursor = Cursor::new(text, 0);
        assert!(cursor.eat(b'{'));
        assert_eq!(cursor.key().unwrap(), "a");
        assert_eq!(cursor.value().unwrap(), r#"[1, {"b": "]"}]"#);
        assert!(cursor.eat(b','));
        assert_eq!(cursor.key().unwrap(), "é");
        assert_eq!(cursor.value().unwrap(), "-1.5e3");
        assert!(!cursor.at_end());
        cursor.expect(b'}').unwrap();
        assert!(cursor.at_end());
    }

    #[test]
    fn what_is_no_json_is_said() {
        assert!(Cursor::new("{,", 1).value().is_err());
        assert!(Cursor::new("", 0).value().is_err());
        assert!(Cursor::new("1 2", 0).key().is_err());
        assert!(Cursor::new("x", 0).expect(b'{').unwrap_err().contains('{'));
    }
}
