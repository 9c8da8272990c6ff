//! Names of downloads: what a stranger proposes, made safe as the name of a file.

use std::collections::HashSet;
use std::ffi::OsString;

/// The longest name, in bytes: file systems allow 255, and a number may be added.
const MOST_BYTES: usize = 200;
/// The longest part behind the last dot that is kept when a name is cut.
const MOST_ENDING: usize = 20;
/// What a file is called that has no name of its own.
const NAMELESS: &str = "download";
/// Names that are devices on Windows, whatever follows their first dot.
const DEVICES: [&str; 22] = [
    "aux", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "nul", "prn",
];

/// The name without folders, control characters, what a shell or a file system takes for something else, leading
/// dots and dashes; never a device, never empty, never too long.
pub(crate) fn safe(proposed: &str) -> String {
    let last = proposed.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .filter(|letter| !letter.is_control() && !is_invisible(*letter))
        .map(|letter| match letter {
            ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            other => other,
        })
        .collect();
    let plain = plain
        .trim_start_matches(|letter: char| letter == '.' || letter == '-' || letter.is_whitespace())
        .trim_end_matches(|letter: char| letter == '.' || letter.is_whitespace());
    let mut name = shortened(plain);
    let stem = name.split('.').next().unwrap_or_default().trim();
    if name.is_empty() {
        NAMELESS.clone_into(&mut name);
    } else if DEVICES.contains(&stem.to_ascii_lowercase().as_str()) {
        name.insert(0, '_');
    }
    name
}

/// The name with a number, where it is taken. Case doesn't tell names apart: on some systems it doesn't either.
pub(crate) fn free(name: &str, taken: &HashSet<OsString>) -> String {
    let taken: HashSet<String> = taken
        .iter()
        .map(|name| name.to_string_lossy().to_lowercase())
        .collect();
    if !taken.contains(&name.to_lowercase()) {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    (2..=u64::MAX)
        .map(|number| format!("{stem} ({number}){ending}"))
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or_else(|| name.to_owned())
}

/// Letters that turn the order of others around or are not seen.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

fn shortened(name: &str) -> String {
    if name.len() <= MOST_BYTES {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    let ending = if ending.len() > MOST_ENDING {
        ""
    } else {
        ending
    };
    let mut end = MOST_BYTES - ending.len();
    while !stem.is_char_boundary(end.min(stem.len())) {
        end -= 1;
    }
    let stem = stem.get(..end.min(stem.len())).unwrap_or_default();
    format!("{}{ending}", stem.trim_end())
}

/// The name before its last dot, and the rest with the dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_in_its_folder() {
        for (proposed, name) in [
            ("../../x", "x"),
            ("..\\..\\x.exe", "x.exe"),
            ("/etc/passwd", "passwd"),
            ("report.pdf", "report.pdf"),
            ("bericht für müller.pdf", "bericht für müller.pdf"),
            ("报告.pdf", "报告.pdf"),
            (".bashrc", "bashrc"),
            ("...", "download"),
            ("", "download"),
            ("a/", "download"),
            ("-rf", "rf"),
            ("a\0b\nc", "abc"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("what?.txt", "what_.txt"),
            ("x. . ", "x"),
        ] {
            assert_eq!(safe(proposed), name, "{proposed:?}");
        }
    }

    #[test]
    fn a_long_name_is_cut_between_letters_and_keeps_its_ending() {
        let name = safe(&format!("{}.pdf", "报".repeat(200)));
        assert!(
            name.len() <= MOST_BYTES && name.ends_with("报.pdf"),
            "{name}"
        );
        let name = safe(&format!("a.{}", "é".repeat(300)));
        assert!(name.len() <= MOST_BYTES && !name.is_empty(), "{name}");
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let taken: HashSet<OsString> = ["x.tar.gz", "X.tar (2).gz", "y"].map(Into::into).into();
        assert_eq!(free("x.tar.gz", &taken), "x.tar (3).gz");
        assert_eq!(free("Y", &taken), "Y (2)");
        assert_eq!(free("z", &taken), "z");
    }
}
