//! What a file's bytes are: line ends, the byte order mark, and the type of what is no text. Pure.

/// The UTF-8 byte order mark, as bytes.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";
/// The same, as a character.
pub(crate) const BOM_CHAR: char = '\u{feff}';

/// How many lines end in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    pub(crate) lf: u64,
    pub(crate) crlf: u64,
}

impl LineEnds {
    /// Of a text.
    pub(crate) fn of(text: &str) -> Self {
        let all = text.matches('\n').count() as u64;
        let crlf = text.matches("\r\n").count() as u64;
        Self {
            lf: all - crlf,
            crlf,
        }
    }

    fn is_mixed(self) -> bool {
        self.lf > 0 && self.crlf > 0
    }

    /// The kind that most lines have; `None` without any line end.
    pub(crate) fn prevailing(self) -> Option<LineEnd> {
        match (self.lf, self.crlf) {
            (0, 0) => None,
            (lf, crlf) if crlf > lf => Some(LineEnd::Crlf),
            _ => Some(LineEnd::Lf),
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    Crlf,
}

impl LineEnd {
    /// Its name in results.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::Crlf => "crlf",
        }
    }
}

/// The text with the line ends of the file it goes over; a text that is mixed, over a file that is
/// mixed, is taken as it is. Gives the kind besides when it changed anything.
pub(crate) fn with_line_ends_of(old: LineEnds, text: &str) -> (String, Option<LineEnd>) {
    let given = LineEnds::of(text);
    let as_given = old.is_mixed() && given.is_mixed();
    let Some(end) = old.prevailing().filter(|_| !as_given) else {
        return (text.to_owned(), None);
    };
    let plain = text.replace("\r\n", "\n");
    let converted = match end {
        LineEnd::Lf => plain,
        LineEnd::Crlf => plain.replace('\n', "\r\n"),
    };
    let changed = (converted != text).then_some(end);
    (converted, changed)
}

/// The format of a picture that the window can show, from its first bytes.
pub(crate) fn picture_format(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("PNG"),
        [0xff, 0xd8, 0xff, ..] => Some("JPEG"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("GIF"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("WebP"),
        // The four bytes after the size are zero; without them these two letters begin many a text.
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some("BMP"),
        _ => None,
    }
}

/// Known first bytes of what is no text.
const SIGNATURES: [(&[u8], &str); 20] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF file (WebP, WAV or AVI)"),
    (b"BM", "a BMP picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"\xca\xfe\xba\xbe", "a program or a Java class"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// What a file that is no UTF-8 text seems to be, from its first bytes.
pub(crate) fn type_of(head: &[u8], has_nul: bool) -> &'static str {
    SIGNATURES
        .iter()
        .find(|(signature, _)| head.starts_with(signature))
        .map_or(
            if has_nul {
                "binary data (it holds NUL bytes)"
            } else {
                "not UTF-8 (text in another encoding, or binary data)"
            },
            |(_, name)| name,
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(old: &str, text: &str) -> (String, Option<LineEnd>) {
        with_line_ends_of(LineEnds::of(old), text)
    }

    #[test]
    fn line_ends_of_the_old_text_prevail() {
        assert_eq!(
            over("a\r\n", "x\ny\n"),
            ("x\r\ny\r\n".into(), Some(LineEnd::Crlf))
        );
        assert_eq!(
            over("a\r\n", "x\r\ny\n"),
            ("x\r\ny\r\n".into(), Some(LineEnd::Crlf))
        );
        assert_eq!(over("a\n", "x\r\n"), ("x\n".into(), Some(LineEnd::Lf)));
        assert_eq!(over("a\n", "x\n"), ("x\n".into(), None));
        assert_eq!(over("a", "x\r\ny\n"), ("x\r\ny\n".into(), None));
        assert_eq!(over("a\r\nb\nc\r\n", "x\r\ny\n"), ("x\r\ny\n".into(), None));
        assert_eq!(
            over("a\r\nb\nc\r\n", "x\n"),
            ("x\r\n".into(), Some(LineEnd::Crlf))
        );
        assert_eq!(over("a\r\nb\nc\n", "x\n"), ("x\n".into(), None));
    }

    #[test]
    fn a_lone_cr_is_an_ordinary_character() {
        assert_eq!(over("a\r\n", "x\ry\n").0, "x\ry\r\n");
        assert_eq!(LineEnds::of("a\rb\r\r\n\n"), LineEnds { lf: 1, crlf: 1 });
    }

    #[test]
    fn pictures_are_known_by_more_than_two_letters() {
        assert_eq!(picture_format(b"\x89PNG\r\n\x1a\n...."), Some("PNG"));
        assert_eq!(picture_format(b"RIFF1234WEBPVP8 "), Some("WebP"));
        assert_eq!(picture_format(b"RIFF1234WAVEfmt "), None);
        assert_eq!(picture_format(b"BM1234\0\0\0\0"), Some("BMP"));
        assert_eq!(picture_format(b"BMW is a car"), None);
        assert_eq!(picture_format(b""), None);
    }

    #[test]
    fn types_are_named() {
        assert_eq!(type_of(b"%PDF-1.7", false), "a PDF document");
        assert!(type_of(b"x", true).contains("NUL"));
        assert!(type_of(b"\xc4\xe3", false).contains("not UTF-8"));
    }
}
