//! Changes one piece of a text file that occurs exactly once. Never merges, never guesses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::limits::{REPLACE_FILE_BYTES, REPLACE_PIECE_CHARS};
use crate::files::matching::{Mismatch, replace_once};
use crate::files::survey::Survey;
use crate::files::target::{Now, Target};
use crate::files::text::BOM_CHAR;
use crate::files::{RelPath, atomic, open, os, words};
use crate::permission::{Access, Permit};
use crate::protocol::{ChangedLines, Detail, DetailLabel, ToolErrorKind};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolError, ToolResult};

/// The tool.
pub(crate) struct FilesReplace;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Input {
    /// File, relative to the session's folder.
    path: String,
    /// The piece to replace, literally; it must occur exactly once.
    old_text: String,
    /// What takes its place.
    new_text: String,
    /// The file's sha256 as files_read gave it; another one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    sha256: Option<String>,
}

/// What is written, and over what.
pub(crate) struct Plan {
    target: Target,
    sha256_before: String,
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    path: String,
    sha256_before: String,
    sha256: String,
    bytes: usize,
}

/// Characters of a SHA-256 in hexadecimal.
const DIGEST_CHARS: usize = 64;

impl Tool for FilesReplace {
    type Input = Input;
    type Plan = Plan;
    type Output = Output;

    const NAME: &'static str = "files_replace";
    const DESCRIPTION: &'static str = "Replaces one piece of a UTF-8 text file. oldText must occur exactly once; LF and CRLF are taken as equal and the file's own line ends stay. Files up to 200000 bytes.";
    const ACCESS: Access = Access::ChangeInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        let workspace = context.workspace()?;
        let path = RelPath::parse(&input.path)?;
        path.for_file()?;
        check_pieces(&input)?;
        context
            .read_blocking(move |cancel| {
                let (target, place) = Target::bind(&workspace, &path, REPLACE_FILE_BYTES, cancel)?;
                let Now::File { stamp, survey } = &target.now else {
                    return Err(words::not_there(&path));
                };
                survey.must_be_text(&path)?;
                if stamp.is_read_only() {
                    return Err(words::read_only(&path));
                }
                os::check_writable(&place.dir, &place.name).map_err(|error| {
                    words::explain(&error, "Writing", "the file is unchanged", &path)
                })?;
                check_digest(input.sha256.as_deref(), survey, &path)?;
                let (mut file, _) = open::open_file(&place)?;
                let text = open::read_up_to(&mut file, REPLACE_FILE_BYTES, &path, cancel)?
                    .ok_or_else(|| words::changed(&path))?;
                if Survey::of(&text) != *survey {
                    return Err(words::changed(&path));
                }
                let text = String::from_utf8(text).map_err(|_| words::changed(&path))?;
                let new = changed(&text, &input, &path)?;
                if new.len() > REPLACE_FILE_BYTES {
                    return Err(too_large(new.len(), &path));
                }
                let card = Card {
                    sentence: format!("Replace one piece of {path}."),
                    target: workspace.real(&path),
                    details: vec![
                        Detail::Change {
                            old: input.old_text,
                            new: input.new_text,
                            lines: Some(changed_lines(&text, &new)),
                        },
                        Detail::Fact {
                            label: DetailLabel::Digest,
                            value: survey.sha256.clone(),
                        },
                    ],
                };
                let plan = Plan {
                    sha256_before: survey.sha256.clone(),
                    text: new,
                    target,
                };
                Ok(Prepared::asking(plan, card))
            })
            .await
    }

    async fn run(&self, plan: Plan, permit: Permit, context: &ToolContext) -> ToolResult<Output> {
        let workspace = context.workspace()?;
        let lease = context.writer.lease(permit, &context.cancel).await?;
        context
            .change_blocking(move |cancel| {
                let place = plan.target.check(&workspace, cancel)?;
                let Now::File { stamp, .. } = &plan.target.now else {
                    return Err(words::not_there(&plan.target.path));
                };
                atomic::replace(&lease, &place, stamp, plan.text.as_bytes())?;
                Ok(Output {
                    path: plan.target.path.to_string(),
                    sha256_before: plan.sha256_before,
                    sha256: Survey::of(plan.text.as_bytes()).sha256,
                    bytes: plan.text.len(),
                })
            })
            .await
    }
}

fn check_pieces(input: &Input) -> ToolResult<()> {
    let plain = |text: &str| text.trim_start_matches(BOM_CHAR).replace("\r\n", "\n");
    for (name, text) in [("oldText", &input.old_text), ("newText", &input.new_text)] {
        let count = text.chars().count();
        if count > REPLACE_PIECE_CHARS {
            return Err(ToolError::too_large(format!(
                "{name} has {count} characters; {REPLACE_PIECE_CHARS} is the most. Change a smaller piece."
            )));
        }
    }
    if plain(&input.old_text).is_empty() {
        return Err(ToolError::bad_arguments(
            "oldText is empty. Give the piece to replace, or use files_write for a whole file.",
        ));
    }
    if plain(&input.old_text) == plain(&input.new_text) {
        return Err(ToolError::bad_arguments(
            "oldText and newText are the same (line ends don't count), so nothing would change.",
        ));
    }
    if input.new_text.contains('\0') {
        return Err(ToolError::bad_arguments(
            "newText has a NUL character; a text has none.",
        ));
    }
    Ok(())
}

fn check_digest(given: Option<&str>, survey: &Survey, path: &RelPath) -> ToolResult<()> {
    let Some(given) = given else {
        return Ok(());
    };
    let given = given.trim().to_ascii_lowercase();
    if given.len() != DIGEST_CHARS || !given.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(ToolError::bad_arguments(format!(
            "sha256 must be {DIGEST_CHARS} hexadecimal digits, as files_read gives them."
        )));
    }
    if given != survey.sha256 {
        return Err(ToolError::conflict(format!(
            "The file has changed: its sha256 is {} now. Read it again: {path}",
            survey.sha256
        )));
    }
    Ok(())
}

/// The file's new text. Its byte order mark is none of the model's business and stays.
fn changed(text: &str, input: &Input, path: &RelPath) -> ToolResult<String> {
    let (mark, body) = match text.strip_prefix(BOM_CHAR) {
        Some(body) => (text.strip_suffix(body).unwrap_or_default(), body),
        None => ("", text),
    };
    let piece = |text: &'_ str| -> String {
        if mark.is_empty() {
            text.to_owned()
        } else {
            text.trim_start_matches(BOM_CHAR).to_owned()
        }
    };
    match replace_once(body, &piece(&input.old_text), &piece(&input.new_text)) {
        Ok(new) => Ok(format!("{mark}{new}")),
        Err(Mismatch::Nowhere { hint }) => Err(ToolError::not_found(format!(
            "oldText does not occur in the file. {hint} The file is {path}"
        ))),
        Err(Mismatch::Often { count, lines }) => Err(ToolError::new(
            ToolErrorKind::Ambiguous,
            format!(
                "oldText occurs {count} ({lines}), but must occur once. Give more of the text around it: {path}"
            ),
        )),
    }
}

/// Lines shown before and after a change.
const AROUND: usize = 3;

/// The lines in which two texts differ, and those around them.
fn changed_lines(old: &str, new: &str) -> ChangedLines {
    let lines = |text: &'_ str| -> usize { text.split_inclusive('\n').count() };
    let pairs = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let before = pairs.take_while(|(old, new)| old == new).count();
    let pairs = (old.split_inclusive('\n').rev()).zip(new.split_inclusive('\n').rev());
    let after = pairs.take_while(|(old, new)| old == new).count();
    // Where lines repeat, the same line may count at both ends.
    let most = lines(old).min(lines(new)) - before;
    let after = after.min(most);
    let window = |text: &str| -> String {
        let from = before.saturating_sub(AROUND);
        let to = lines(text) - after.saturating_sub(AROUND);
        text.split_inclusive('\n').take(to).skip(from).collect()
    };
    ChangedLines {
        first: before.saturating_sub(AROUND) + 1,
        old: window(old),
        new: window(new),
    }
}

fn too_large(bytes: usize, path: &RelPath) -> ToolError {
    ToolError::too_large(format!(
        "The result would have {bytes} bytes; {REPLACE_FILE_BYTES} is the most: {path}"
    ))
}

#[cfg(test)]
mod tests;
