//! Code: a text with the places of its lines, which grows without being looked through again.

/// A code block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The language as written after the fence; empty when none is.
    pub language: String,
    /// The code.
    pub text: CodeText,
    /// Whether its end has been seen. What is still open grows.
    pub closed: bool,
}

/// Text in lines, without a line end after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeText {
    text: String,
    starts: Vec<usize>,
    /// Cells of the widest finished line, and of the last one.
    widest: usize,
    last: usize,
}

impl Default for CodeText {
    fn default() -> Self {
        Self {
            text: String::new(),
            starts: vec![0],
            widest: 0,
            last: 0,
        }
    }
}

impl From<&str> for CodeText {
    fn from(text: &str) -> Self {
        let mut code = Self::default();
        code.push(text);
        code
    }
}

impl CodeText {
    /// Adds to the end.
    pub fn push(&mut self, piece: &str) {
        for (n, line) in piece.split('\n').enumerate() {
            if n > 0 {
                self.text.push('\n');
                self.starts.push(self.text.len());
                self.widest = self.widest.max(self.last);
                self.last = 0;
            }
            self.text.push_str(line);
            self.last = self.last.saturating_add(cells(line));
        }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many lines there are; an empty text has one.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// A line by its number from 0, without its end; empty past the last.
    pub fn line(&self, number: usize) -> &str {
        let Some(&start) = self.starts.get(number) else {
            return "";
        };
        let end = (self.starts.get(number + 1)).map_or(self.text.len(), |next| next - 1);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The width of the widest line in cells of a fixed-width typeface, about: a tab is four, a wide letter two.
    pub fn widest(&self) -> usize {
        self.widest.max(self.last)
    }
}

fn cells(line: &str) -> usize {
    if line.is_ascii() && !line.contains('\t') {
        return line.len();
    }
    (line.chars())
        .map(|c| match c {
            '\t' => 4,
            '\u{1100}'.. => 2,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_grows_knows_its_lines() {
        let mut code = CodeText::default();
        assert_eq!((code.lines(), code.line(0)), (1, ""));
        for piece in ["fn a", "() {\n", "\tgo();\n", "}"] {
            code.push(piece);
        }
        assert_eq!(code, CodeText::from("fn a() {\n\tgo();\n}"));
        assert_eq!(code.lines(), 3);
        assert_eq!(code.line(1), "\tgo();");
        assert_eq!(code.line(3), "");
        assert_eq!(code.widest(), 9);
        assert_eq!(CodeText::from("字字").widest(), 4);
    }
}
