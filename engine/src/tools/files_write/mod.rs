//! Writes a whole text file, new or over an old one. Makes no folders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::limits::{OVERWRITE_BYTES, WRITE_BYTES};
use crate::files::survey::Survey;
use crate::files::target::{Now, Target};
use crate::files::text::{BOM_CHAR, with_line_ends_of};
use crate::files::{RelPath, atomic, os, words};
use crate::permission::{Access, Permit};
use crate::protocol::{Detail, DetailLabel};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolError, ToolResult};

/// The tool.
pub(crate) struct FilesWrite;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// File, relative to the session's folder; its folder must exist.
    path: String,
    /// The whole new text.
    content: String,
}

/// What is written, and over what.
pub(crate) struct Plan {
    target: Target,
    text: String,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    path: String,
    bytes: usize,
    sha256: String,
    /// Whether the file held this text already, so that nothing was written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unchanged: bool,
    /// What was done differently from the letter of the call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for FilesWrite {
    type Input = Input;
    type Plan = Plan;
    type Output = Output;

    const NAME: &'static str = "files_write";
    const DESCRIPTION: &'static str = "Writes a whole UTF-8 text file of at most 200000 bytes, new or over an old one, whose line ends and byte order mark stay. For small changes use files_replace.";
    const ACCESS: Access = Access::ChangeInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        let workspace = context.workspace()?;
        let path = RelPath::parse(&input.path)?;
        path.for_file()?;
        check_size("content has", input.content.len(), &path)?;
        if input.content.contains('\0') {
            return Err(ToolError::bad_arguments(
                "content has a NUL character; a text has none.",
            ));
        }
        context
            .read_blocking(move |cancel| {
                let (target, place) = Target::bind(&workspace, &path, OVERWRITE_BYTES, cancel)?;
                let mut details = Vec::new();
                let mut notes = Vec::new();
                let mut text = input.content;
                let sentence = match &target.now {
                    Now::Absent => format!("Write the new file {path}."),
                    Now::File { stamp, survey } => {
                        survey.must_be_text(&path)?;
                        if stamp.is_read_only() {
                            return Err(words::read_only(&path));
                        }
                        os::check_writable(&place.dir, &place.name).map_err(|error| {
                            words::explain(&error, "Writing", "the file is unchanged", &path)
                        })?;
                        (text, notes) = as_the_old_one(survey, &text);
                        check_size("With the file's line ends content has", text.len(), &path)?;
                        details.push(Detail::Fact {
                            label: DetailLabel::Warning,
                            value: format!(
                                "This overwrites a file of {} bytes and {} lines.",
                                survey.bytes, survey.lines
                            ),
                        });
                        details.push(Detail::Fact {
                            label: DetailLabel::Digest,
                            value: survey.sha256.clone(),
                        });
                        format!("Overwrite the whole of {path}.")
                    }
                };
                details.push(Detail::Fact {
                    label: DetailLabel::Bytes,
                    value: text.len().to_string(),
                });
                details.push(Detail::Text {
                    label: DetailLabel::Content,
                    text: text.clone(),
                });
                let card = Card {
                    sentence,
                    target: workspace.real(&path),
                    details,
                };
                let plan = Plan {
                    target,
                    text,
                    notes,
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
                let bytes = plan.text.as_bytes();
                let sha256 = Survey::of(bytes).sha256;
                let mut unchanged = false;
                match &plan.target.now {
                    Now::Absent => atomic::create(&lease, &place, bytes)?,
                    Now::File { survey, .. } if survey.sha256 == sha256 => unchanged = true,
                    Now::File { stamp, .. } => atomic::replace(&lease, &place, stamp, bytes)?,
                }
                Ok(Output {
                    path: plan.target.path.to_string(),
                    bytes: bytes.len(),
                    sha256,
                    unchanged,
                    notes: plan.notes,
                })
            })
            .await
    }
}

/// The text with the byte order mark and the line ends of the file it goes over, and what that changed.
fn as_the_old_one(old: &Survey, content: &str) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let body = content.strip_prefix(BOM_CHAR).unwrap_or(content);
    let (mut text, converted) = with_line_ends_of(old.ends, body);
    if let Some(end) = converted {
        notes.push(format!(
            "The line ends were written as {}, as the file had them.",
            end.word().to_uppercase()
        ));
    }
    let given = body.len() != content.len();
    if old.bom {
        text.insert(0, BOM_CHAR);
    }
    if old.bom && !given {
        notes.push("The file's byte order mark was kept.".to_owned());
    }
    if given && !old.bom {
        notes.push("The byte order mark was left out, as the file had none.".to_owned());
    }
    (text, notes)
}

fn check_size(what: &str, bytes: usize, path: &RelPath) -> ToolResult<()> {
    if bytes > WRITE_BYTES {
        return Err(ToolError::too_large(format!(
            "{what} {bytes} bytes; {WRITE_BYTES} is the most. Split the text over several files: {path}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
