//! The text of a file, or of some of its lines.
//!
//! A file that is larger than what may be given is looked through in pieces, whole, since the digest
//! and the number of lines are those of all of it; only the lines asked for are kept.

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::toolkit::{ToolError, ToolResult};

use super::limits::READ_BYTES;
use super::open::open_file;
use super::survey::{Survey, Surveyor, read_in_pieces};
use super::text::BOM;
use super::{RelPath, Workspace, words};

/// Lines to give, both counted from 1; without an end to the file's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    first: u64,
    last: Option<u64>,
}

impl Range {
    /// From the model's numbers; `None` when neither is given.
    pub(crate) fn new(start: Option<i64>, end: Option<i64>) -> ToolResult<Option<Self>> {
        let number = |name: &str, line: i64| {
            u64::try_from(line)
                .ok()
                .filter(|line| *line > 0)
                .ok_or_else(|| {
                    ToolError::bad_arguments(format!("{name} is {line}; lines are counted from 1."))
                })
        };
        if start.is_none() && end.is_none() {
            return Ok(None);
        }
        let first = start.map_or(Ok(1), |line| number("startLine", line))?;
        let last = end.map(|line| number("endLine", line)).transpose()?;
        if let Some(last) = last.filter(|last| *last < first) {
            return Err(ToolError::bad_arguments(format!(
                "endLine ({last}) is before startLine ({first})."
            )));
        }
        Ok(Some(Self { first, last }))
    }
}

/// A file's text and what is known of the whole file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reading {
    pub(crate) path: String,
    /// As it is, line ends included; without a byte order mark.
    pub(crate) text: String,
    /// The first line of the text.
    pub(crate) start_line: u64,
    /// The last line of the text; before the first one when there is none.
    pub(crate) end_line: u64,
    pub(crate) total_lines: u64,
    /// Of the whole file.
    pub(crate) bytes: u64,
    /// Of the whole file.
    pub(crate) sha256: String,
    /// Whether the file begins with a UTF-8 byte order mark.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) bom: bool,
}

/// Reads it.
pub(crate) fn read(
    workspace: &Workspace,
    path: &RelPath,
    range: Option<Range>,
    cancel: &CancellationToken,
) -> ToolResult<Reading> {
    let place = workspace.place(path.for_file()?)?;
    let (mut file, stamp) = open_file(&place)?;
    let lines = range.unwrap_or(Range {
        first: 1,
        last: None,
    });
    let mut surveyor = Surveyor::new();
    let mut keeper = Keeper::new(lines);
    // Without a range the first piece is enough to tell text that is too long from what is no text.
    // A byte order mark is not given, so with one there may be more; the keeper knows.
    let too_long = range.is_none() && stamp.bytes > (READ_BYTES + BOM.len()) as u64;
    let mut cut_short = false;
    read_in_pieces(&mut file, path, cancel, |piece| {
        surveyor.add(piece);
        keeper.add(piece);
        cut_short = too_long || !surveyor.may_be_text();
        !cut_short
    })?;
    let may_be_text = surveyor.may_be_text();
    let mut survey = surveyor.finish();
    if cut_short {
        survey.bytes = stamp.bytes;
    }
    if !may_be_text || !cut_short {
        survey.must_be_text(path)?;
    }
    if keeper.overflow || too_long {
        return Err(too_large(path, &survey, range));
    }
    if lines.first > survey.lines.max(1) {
        return Err(ToolError::bad_arguments(format!(
            "startLine is {}, but the file has {} lines (totalLines): {path}",
            lines.first, survey.lines
        )));
    }
    let end_line = lines.last.unwrap_or(u64::MAX).min(survey.lines);
    Ok(Reading {
        path: path.to_string(),
        text: keeper.text(path)?,
        start_line: lines.first,
        end_line,
        total_lines: survey.lines,
        bytes: survey.bytes,
        sha256: survey.sha256,
        bom: survey.bom,
    })
}

fn too_large(path: &RelPath, survey: &Survey, range: Option<Range>) -> ToolError {
    ToolError::too_large(if range.is_some() {
        format!(
            "These lines have more than {READ_BYTES} bytes. Ask for fewer of the file's {} lines: {path}",
            survey.lines
        )
    } else {
        format!(
            "The file has {} bytes; {READ_BYTES} are given at once. Ask for a part by startLine and endLine: {path}",
            survey.bytes
        )
    })
}

/// Keeps the bytes of the lines asked for, up to the limit.
struct Keeper {
    lines: Range,
    line: u64,
    bytes: Vec<u8>,
    overflow: bool,
}

impl Keeper {
    fn new(lines: Range) -> Self {
        Self {
            lines,
            line: 1,
            bytes: Vec::new(),
            overflow: false,
        }
    }

    fn add(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let wanted = self.line >= self.lines.first
                && self.lines.last.is_none_or(|last| self.line <= last);
            if wanted && !self.overflow {
                self.bytes.extend_from_slice(part);
                self.overflow = self.bytes.len() - self.mark() > READ_BYTES;
            }
            if part.ends_with(b"\n") {
                self.line += 1;
            }
        }
    }

    /// Bytes of the byte order mark, which is not part of the text.
    fn mark(&self) -> usize {
        if self.lines.first == 1 && self.bytes.starts_with(BOM) {
            BOM.len()
        } else {
            0
        }
    }

    fn text(self, path: &RelPath) -> ToolResult<String> {
        let mark = self.mark();
        let mut bytes = self.bytes;
        bytes.drain(..mark);
        // The whole file is text and the pieces are whole lines, so this doesn't fail.
        String::from_utf8(bytes).map_err(|_| words::changed(path))
    }
}
