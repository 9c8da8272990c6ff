//! The texts of the licences of what is built in, as lines.

use std::sync::LazyLock;

/// The licence of both typefaces.
const FONTS: &str = include_str!("../../../assets/fonts/OFL.txt");
/// The licence of the icons.
const ICONS: &str = include_str!("../../../assets/fonts/Lucide-LICENSE.txt");
/// The longest line, in characters: what fits into the column in the typeface of code.
const WIDEST: usize = 76;

/// The texts, made into lines that fit.
pub(super) struct Licences {
    /// Every line of every text.
    pub(super) lines: Vec<String>,
    /// How many of them are of syntaxes and themes.
    pub(super) of_syntaxes: usize,
}

/// They are unpacked at the first look.
pub(super) static LICENCES: LazyLock<Licences> = LazyLock::new(|| {
    let listing = two_face::acknowledgement::listing();
    let syntaxes: Vec<_> = (listing.for_syntaxes().iter())
        .chain(listing.for_themes())
        .collect();
    let mut lines = Vec::new();
    add(&mut lines, "Inter, JetBrains Mono", FONTS);
    add(&mut lines, "Lucide", ICONS);
    for licence in &syntaxes {
        add(
            &mut lines,
            &licence.rel_path.to_string_lossy(),
            &licence.text,
        );
    }
    Licences {
        lines,
        of_syntaxes: syntaxes.len(),
    }
});

fn add(lines: &mut Vec<String>, title: &str, text: &str) {
    if !lines.is_empty() {
        lines.extend([String::new(), String::new()]);
    }
    lines.extend([format!("── {title} ──"), String::new()]);
    for line in text.trim().lines() {
        wrap(lines, line.trim_end());
    }
}

/// Breaks a long line between its words.
fn wrap(lines: &mut Vec<String>, line: &str) {
    let mut now = String::new();
    let mut width = 0;
    for (place, word) in line.split(' ').enumerate() {
        let more = word.chars().count();
        if place > 0 && width + 1 + more > WIDEST && !now.trim().is_empty() {
            lines.push(std::mem::take(&mut now));
            width = 0;
        } else if place > 0 {
            now.push(' ');
            width += 1;
        }
        now.push_str(word);
        width += more;
    }
    lines.push(now);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notice_is_there_in_lines_that_fit() {
        let all = LICENCES.lines.join("\n");
        for notice in [
            "The Inter Project Authors",
            "The JetBrains Mono Project Authors",
            "SIL OPEN FONT LICENSE Version 1.1",
            "Lucide Icons and Contributors",
            "Cole Bemis",
        ] {
            assert!(all.contains(notice), "{notice}");
        }
        assert!(LICENCES.of_syntaxes > 50);
        let long = (LICENCES.lines.iter())
            .filter(|line| line.chars().count() > WIDEST && line.trim().contains(' '))
            .find(|line| !line.starts_with("──"));
        assert_eq!(long, None);
    }

    #[test]
    fn a_line_is_broken_between_words_and_loses_none() {
        let mut lines = Vec::new();
        let text = "word ".repeat(40);
        wrap(&mut lines, text.trim_end());
        assert!(lines.len() > 2);
        assert_eq!(lines.join(" "), text.trim_end());
        let mut lines = Vec::new();
        wrap(&mut lines, "");
        assert_eq!(lines, [""]);
    }
}
