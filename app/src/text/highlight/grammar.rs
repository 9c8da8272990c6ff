//! Reads code by the grammars of two-face.

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::spans::{Spans, Token};

/// Code longer than this, in bytes, stays plain.
pub(super) const LONGEST: usize = 200 * 1024;
/// A line longer than this, in bytes, stays plain: grammars take their time with such lines.
const LONGEST_LINE: usize = 2000;

/// The grammars, and what the names of their parts mean.
pub(super) struct Grammars {
    syntaxes: SyntaxSet,
    tokens: Vec<(Scope, Token)>,
}

/// The innermost name decides; within one, the first of these that fits.
const TOKENS: &[(&str, Token)] = &[
    ("comment", Token::Comment),
    ("punctuation.definition.comment", Token::Comment),
    ("punctuation.section.interpolation", Token::Keyword),
    ("meta.interpolation", Token::Plain),
    ("source.embedded", Token::Plain),
    ("constant.character.escape", Token::Number),
    ("string.unquoted", Token::Plain),
    ("string", Token::String),
    ("markup.raw", Token::String),
    ("markup.heading", Token::Keyword),
    ("markup.inserted", Token::String),
    ("markup.deleted", Token::Keyword),
    ("constant.numeric", Token::Number),
    ("constant", Token::Number),
    ("keyword.operator.word", Token::Keyword),
    ("keyword.operator", Token::Plain),
    ("keyword", Token::Keyword),
    ("storage.type.numeric", Token::Number),
    ("storage", Token::Keyword),
    ("variable.language", Token::Keyword),
    ("variable.function", Token::Function),
    ("entity.name.function", Token::Function),
    ("entity.other.attribute-name", Token::Function),
    ("support.function", Token::Function),
    ("support.macro", Token::Function),
    ("entity.name.tag", Token::Keyword),
    ("entity.name.section", Token::Keyword),
    ("entity.name", Token::Type),
    ("entity.other.inherited-class", Token::Type),
    ("support.type.property-name", Token::Function),
    ("support.type", Token::Type),
    ("support.class", Token::Type),
    ("support.constant", Token::Number),
];

impl Grammars {
    /// Reads the grammars, which takes a while.
    pub(super) fn read() -> Self {
        Self {
            syntaxes: two_face::syntax::extra_newlines(),
            tokens: (TOKENS.iter())
                .filter_map(|(name, token)| Some((Scope::new(name).ok()?, *token)))
                .collect(),
        }
    }

    /// The parts of a code. Empty when the language isn't known.
    pub(super) fn spans(&self, language: &str, text: &str) -> Spans {
        let mut spans = Spans::default();
        let Some(syntax) = self.syntax(language) else {
            return spans;
        };
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        // A grammar that stumbles leaves the lines from there on plain.
        for line in text.split('\n') {
            if line.len() > LONGEST_LINE {
                spans.end_line();
                continue;
            }
            let Ok(operations) = state.parse_line(&format!("{line}\n"), &self.syntaxes) else {
                return spans;
            };
            let mut at = 0;
            for (next, operation) in operations {
                spans.push(at..next.min(line.len()), self.token(&stack));
                at = next;
                if stack.apply(&operation).is_err() {
                    return spans;
                }
            }
            spans.push(at.min(line.len())..line.len(), self.token(&stack));
            spans.end_line();
        }
        spans
    }

    fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let language = language.trim().to_ascii_lowercase();
        let name = match language.as_str() {
            "" | "text" | "txt" | "plain" | "plaintext" => return None,
            "shell" | "console" | "shell-session" | "zsh" => "bash",
            "jsonc" | "json5" => "json",
            "golang" => "go",
            "c++" => "cpp",
            "c#" | "csharp" => "cs",
            "objective-c" => "m",
            other => other,
        };
        self.syntaxes.find_syntax_by_token(name)
    }

    fn token(&self, stack: &ScopeStack) -> Token {
        (stack.as_slice().iter().rev())
            .find_map(|scope| {
                let (_, token) =
                    (self.tokens.iter()).find(|(name, _)| name.is_prefix_of(*scope))?;
                Some(*token)
            })
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(language: &str, text: &str) -> Vec<Vec<(String, Token)>> {
        let spans = Grammars::read().spans(language, text);
        (text.split('\n').enumerate())
            .map(|(number, line)| {
                (spans.line(number).iter())
                    .map(|piece| {
                        let text = line.get(piece.range.clone()).unwrap();
                        (text.trim().to_owned(), piece.token)
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn parts_of_code_are_told_apart() {
        let lines = seen(
            "rust",
            "fn main() { let a = \"x\\n\"; // note\n    return 12;\n}",
        );
        let has = |line: usize, text: &str, token| lines[line].contains(&(text.to_owned(), token));
        assert!(has(0, "fn", Token::Keyword), "{lines:?}");
        assert!(has(0, "main", Token::Function), "{lines:?}");
        assert!(has(0, "\"x", Token::String), "{lines:?}");
        assert!(has(0, "// note", Token::Comment), "{lines:?}");
        assert!(has(1, "12", Token::Number), "{lines:?}");
        assert!(lines[2].is_empty(), "{lines:?}");
    }

    #[test]
    fn the_usual_names_lead_to_a_grammar() {
        let grammars = Grammars::read();
        for name in [
            "rust",
            "rs",
            "Python",
            "py",
            "js",
            "javascript",
            "ts",
            "typescript",
            "tsx",
            "json",
            "jsonc",
            "toml",
            "yaml",
            "yml",
            "bash",
            "sh",
            "shell",
            "console",
            "c",
            "cpp",
            "c++",
            "go",
            "java",
            "kotlin",
            "swift",
            "html",
            "css",
            "sql",
            "diff",
            "dockerfile",
            "markdown",
            "md",
            "xml",
            "ruby",
            "php",
            "lua",
            "cs",
            "csharp",
            "makefile",
        ] {
            assert!(grammars.syntax(name).is_some(), "{name}");
        }
        assert!(grammars.syntax("text").is_none());
        assert!(grammars.syntax("no-such-language").is_none());
    }

    #[test]
    fn a_very_long_line_stays_plain_and_the_next_one_does_not() {
        let lines = seen("json", &format!("\"{}\"\n12", "a".repeat(3000)));
        assert!(lines[0].is_empty());
        assert_eq!(lines[1], [("12".to_owned(), Token::Number)]);
    }
}
