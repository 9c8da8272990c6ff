//! Text as what it is: characters that would steer a terminal or turn the reading order are shown
//! by their code instead of being obeyed.

/// Whether a character changes how others are shown instead of being shown.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// Whether a character joins or orders letters as scripts and emoji need it, and hides nothing.
fn joins(c: char) -> bool {
    matches!(c, '\u{200C}'..='\u{200F}' | '\u{061C}' | '\u{2060}')
}

/// An answer to read: line ends, tabs and joiners stay.
pub fn answer(text: &str) -> String {
    show(text, |c| matches!(c, '\n' | '\t') || joins(c))
}

/// Text to be judged, of several lines: line ends and tabs stay.
pub fn text(text: &str) -> String {
    show(text, |c| matches!(c, '\n' | '\t'))
}

/// Text that must stay on its line, such as a path.
pub fn line(text: &str) -> String {
    show(text, |_| false)
}

/// The last part of a folder's path, on its line.
pub fn folder_name(folder: &std::path::Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    line(&name.to_string_lossy())
}

fn show(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) && !stays(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_shown_and_what_is_text_stays() {
        assert_eq!(text("a\n\tb\u{1b}[2Jc\r"), "a\n\tb\\u{1b}[2Jc\\u{d}");
        assert_eq!(line("a\nb"), "a\\u{a}b");
        assert_eq!(line("x\u{202E}gpj.exe"), "x\\u{202e}gpj.exe");
        assert_eq!(text("字 é 👍"), "字 é 👍");
        assert_eq!(answer("👩\u{200D}💻\u{202E}"), "👩\u{200D}💻\\u{202e}");
        assert_eq!(text("a\u{200D}b"), "a\\u{200d}b");
    }
}
