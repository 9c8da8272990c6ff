//! Looks through a file of any size without keeping it: digest, lines, line ends, and whether it is text.

use std::io::{self, Read};

use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::protocol::ToolErrorKind;
use crate::toolkit::{ToolError, ToolResult};

use super::limits::CHUNK_BYTES;
use super::text::{BOM, LineEnds, type_of};
use super::{RelPath, words};

/// Bytes kept from the start to tell the type by; the longest signature is shorter.
const HEAD_BYTES: usize = 16;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Of the whole file, in hexadecimal.
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
    /// Lines as an editor counts them that shows no last empty one.
    pub(crate) lines: u64,
    pub(crate) ends: LineEnds,
    /// Whether a UTF-8 byte order mark comes first.
    pub(crate) bom: bool,
    /// What it is, if it is no UTF-8 text.
    pub(crate) not_text: Option<&'static str>,
}

impl Survey {
    /// Of bytes at hand.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut surveyor = Surveyor::new();
        surveyor.add(bytes);
        surveyor.finish()
    }

    /// An error for what is no text.
    pub(crate) fn must_be_text(&self, path: &RelPath) -> ToolResult<()> {
        match self.not_text {
            None => Ok(()),
            Some(what) => Err(ToolError::new(
                ToolErrorKind::Binary,
                format!(
                    "This is no UTF-8 text but {what}, {} bytes; only UTF-8 text can be used here: {path}",
                    self.bytes
                ),
            )),
        }
    }
}

/// Takes a file piece by piece.
pub(crate) struct Surveyor {
    hash: Sha256,
    bytes: u64,
    ends: LineEnds,
    last: Option<u8>,
    head: Vec<u8>,
    nul: bool,
    valid: bool,
    /// The start of a character whose end has not come yet.
    open: Vec<u8>,
}

impl Surveyor {
    /// Before the first piece.
    pub(crate) fn new() -> Self {
        Self {
            hash: Sha256::new(),
            bytes: 0,
            ends: LineEnds::default(),
            last: None,
            head: Vec::new(),
            nul: false,
            valid: true,
            open: Vec::new(),
        }
    }

    /// The next piece.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(missing));
        for &byte in piece {
            match byte {
                0 => self.nul = true,
                b'\n' if self.last == Some(b'\r') => self.ends.crlf += 1,
                b'\n' => self.ends.lf += 1,
                _ => {}
            }
            self.last = Some(byte);
        }
        self.check(piece);
    }

    /// Whether what came so far can be the start of a text.
    pub(crate) fn may_be_text(&self) -> bool {
        self.valid && !self.nul
    }

    fn check(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while self.valid && !self.open.is_empty() {
            let Some((&first, after)) = rest.split_first() else {
                return;
            };
            self.open.push(first);
            rest = after;
            match std::str::from_utf8(&self.open) {
                Ok(_) => self.open.clear(),
                Err(error) if error.error_len().is_some() => self.valid = false,
                Err(_) => {}
            }
        }
        if let Err(error) = std::str::from_utf8(rest) {
            if error.error_len().is_some() {
                self.valid = false;
            } else {
                self.open
                    .extend_from_slice(rest.get(error.valid_up_to()..).unwrap_or_default());
            }
        }
    }

    /// After the last piece.
    pub(crate) fn finish(self) -> Survey {
        let text = self.valid && self.open.is_empty() && !self.nul;
        let ended = self.ends.lf + self.ends.crlf;
        Survey {
            sha256: hex(&self.hash.finalize()),
            bytes: self.bytes,
            lines: ended + u64::from(self.last.is_some_and(|byte| byte != b'\n')),
            ends: self.ends,
            bom: self.head.starts_with(BOM),
            not_text: (!text).then(|| type_of(&self.head, self.nul)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing into a string can't fail.
        if write!(out, "{byte:02x}").is_err() {
            out.clear();
        }
        out
    })
}

/// Reads a file to its end in pieces and looks at the token between them. `keep` sees each piece and
/// says whether to go on.
pub(crate) fn read_in_pieces(
    file: &mut impl Read,
    path: &RelPath,
    cancel: &CancellationToken,
    mut keep: impl FnMut(&[u8]) -> bool,
) -> ToolResult<()> {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        if cancel.is_cancelled() {
            return Err(ToolError::Cancelled);
        }
        let count = match file.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(words::explain(&error, "Reading", words::UNCHANGED, path)),
        };
        let piece = buffer.get(..count).unwrap_or_default();
        if piece.is_empty() || !keep(piece) {
            return Ok(());
        }
    }
}

/// Looks through a whole file.
pub(crate) fn survey(
    file: &mut impl Read,
    path: &RelPath,
    cancel: &CancellationToken,
) -> ToolResult<Survey> {
    let mut surveyor = Surveyor::new();
    read_in_pieces(file, path, cancel, |piece| {
        surveyor.add(piece);
        true
    })?;
    Ok(surveyor.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_those_of_an_editor() {
        for (text, lines) in [
            ("", 0),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("\n\n", 2),
            ("a\r\nb\r\n", 2),
        ] {
            assert_eq!(Survey::of(text.as_bytes()).lines, lines, "{text:?}");
        }
    }

    #[test]
    fn text_is_told_from_what_is_none() {
        assert_eq!(Survey::of("ä€😀".as_bytes()).not_text, None);
        assert!(Survey::of(b"a\0").not_text.is_some());
        assert!(
            Survey::of(b"\xe2\x82").not_text.is_some(),
            "an unfinished character"
        );
        assert!(
            Survey::of(b"\xff\xfea\0")
                .not_text
                .unwrap()
                .contains("UTF-16")
        );
        assert!(Survey::of(b"\xef\xbb\xbfa").bom);
    }

    #[test]
    fn digest_is_sha256() {
        assert_eq!(
            Survey::of(b"abc").sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    /// Lines of text without an end, that cancel the call after some reads.
    struct Endless {
        cancel: CancellationToken,
        left: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.left == 0 {
                self.cancel.cancel();
            }
            self.left = self.left.saturating_sub(1);
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_file_without_an_end_can_be_left() {
        let cancel = CancellationToken::new();
        let mut file = Endless {
            cancel: cancel.clone(),
            left: 3,
        };
        let path = RelPath::parse("a").unwrap();
        let mut pieces = 0;
        let done = read_in_pieces(&mut file, &path, &cancel, |_| {
            pieces += 1;
            true
        });
        assert!(matches!(done, Err(ToolError::Cancelled)));
        assert_eq!(pieces, 4);
    }

    proptest! {
        #[test]
        fn pieces_give_what_the_whole_gives(bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..60),
            "[a€😀\r\n]{0,30}".prop_map(String::into_bytes),
        ], cuts in proptest::collection::vec(0usize..60, 0..6)) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut surveyor = Surveyor::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                surveyor.add(&bytes[from..cut]);
                from = cut;
            }
            let found = surveyor.finish();
            prop_assert_eq!(&found, &Survey::of(&bytes));
            let text = std::str::from_utf8(&bytes).is_ok() && !bytes.contains(&0);
            prop_assert_eq!(found.not_text.is_none(), text);
        }
    }
}
