//! Files and folders for the person to look at, and the person's own changes of them.
//!
//! The same folder, the same links not followed and the same private names as for the tools. No model sees any
//! of it, and none has a way to ask for it.

use std::io::Read;
use std::sync::Arc;

use cap_std::fs::File;
use tokio_util::sync::CancellationToken;

use crate::files::limits::{PREVIEW_PICTURE_BYTES, PREVIEW_TEXT_BYTES};
use crate::files::listing::list;
use crate::files::open::{open_file, read_up_to};
use crate::files::survey::Survey;
use crate::files::target::{Now, Target};
use crate::files::text::{BOM_CHAR, LineEnds, picture_format, with_line_ends_of};
use crate::files::{Kind, Place, RelPath, Stamp, Workspace, WriteLease, atomic, os, words};
use crate::protocol::{
    Answer, Failure, FailureKind, Preview, PreviewEntry, PreviewFolder, PreviewKind,
    PreviewLineEnds, PreviewPicture, PreviewText, Saved, SessionId, ToolErrorKind,
};
use crate::session::shared::Shared;
use crate::toolkit::{ToolError, ToolResult};

/// Bytes that tell a picture from a text.
const HEAD_BYTES: u64 = 4_096;

/// Reads what a path names.
pub(crate) async fn read(
    shared: &Shared,
    session: SessionId,
    path: String,
) -> Result<Answer, Failure> {
    let workspace = shared.workspace(session).await?;
    let cancel = shared.stopping.clone();
    blocking(move || look(&workspace, &path, &cancel))
        .await
        .map(|preview| Answer::Preview { preview })
}

/// Keeps the person's change of a text, when the file still has the digest it was read with.
pub(crate) async fn save(
    shared: &Shared,
    session: SessionId,
    path: String,
    text: String,
    sha256: String,
) -> Result<Answer, Failure> {
    let workspace = shared.workspace(session).await?;
    let cancel = shared.stopping.clone();
    let lease = (shared.writer.lease_for_person(&cancel).await).map_err(failure)?;
    blocking(move || keep(&lease, &workspace, &path, &text, &sha256, &cancel))
        .await
        .map(|saved| Answer::Saved { saved })
}

async fn blocking<T, F>(work: F) -> Result<T, Failure>
where
    T: Send + 'static,
    F: FnOnce() -> ToolResult<T> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(failure),
        Err(error) => Err(Failure::new(
            FailureKind::Internal,
            format!("Reading or keeping the file broke down ({error})."),
        )),
    }
}

/// What a tool would be told, for a person: without the names of tools.
fn failure(error: ToolError) -> Failure {
    let ToolError::Model(told) = error else {
        return Failure::new(FailureKind::Internal, "The engine stops.")
            .with_advice("Start the program again.");
    };
    let path = told.message.rsplit(": ").next().unwrap_or_default();
    let message = match told.kind {
        ToolErrorKind::NotFound => format!("There is nothing at this path: {path}"),
        _ => told.message,
    };
    Failure::new(FailureKind::Folder, message)
        .with_advice("Look at what is in the folder, then try again.")
}

fn look(workspace: &Workspace, path: &str, cancel: &CancellationToken) -> ToolResult<Preview> {
    let path = RelPath::parse(path)?;
    if path.split().is_none() {
        return folder(workspace, &path, cancel);
    }
    let place = workspace.place(&path)?;
    match place.must_look()?.kind {
        Kind::Directory => folder(workspace, &path, cancel),
        Kind::Link => Ok(Preview::Special(PreviewKind::Link)),
        Kind::Other => Ok(Preview::Special(PreviewKind::Other)),
        Kind::File => {
            let (mut opened, stamp) = open_file(&place)?;
            file(&mut opened, &stamp, &place, cancel)
        }
    }
}

fn folder(
    workspace: &Workspace,
    path: &RelPath,
    cancel: &CancellationToken,
) -> ToolResult<Preview> {
    let listing = list(workspace, path, cancel)?;
    let entries = listing.entries.into_iter().map(|entry| PreviewEntry {
        name: entry.name,
        kind: match entry.kind {
            Kind::File => PreviewKind::File,
            Kind::Directory => PreviewKind::Folder,
            Kind::Link => PreviewKind::Link,
            Kind::Other => PreviewKind::Other,
        },
        bytes: entry.bytes,
    });
    Ok(Preview::Folder(PreviewFolder {
        entries: entries.collect(),
        truncated: listing.truncated,
        unnamed: listing.unnamed,
    }))
}

fn file(
    file: &mut File,
    stamp: &Stamp,
    place: &Place,
    cancel: &CancellationToken,
) -> ToolResult<Preview> {
    let path = &place.path;
    let mut bytes = Vec::new();
    file.take(HEAD_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| words::explain(&error, "Reading", words::UNCHANGED, path))?;
    let format = picture_format(&bytes);
    let most = if format.is_some() {
        PREVIEW_PICTURE_BYTES
    } else {
        PREVIEW_TEXT_BYTES
    };
    // The size that the system tells may be old by the time it is read, and that of some files is never true.
    let rest = if stamp.bytes > most as u64 {
        None
    } else {
        read_up_to(file, most.saturating_sub(bytes.len()), path, cancel)?
    };
    let Some(rest) = rest else {
        let binary = bytes.contains(&0) && format.is_none();
        return Ok(if binary {
            Preview::Binary {
                bytes: stamp.bytes,
                seems: Survey::of(&bytes).not_text.unwrap_or_default().to_owned(),
            }
        } else {
            Preview::TooLarge {
                bytes: stamp.bytes,
                most: most as u64,
                picture: format.is_some(),
            }
        });
    };
    bytes.extend_from_slice(&rest);
    drop(rest);
    if let Some(format) = format {
        let format = format.to_owned();
        return Ok(Preview::Picture(PreviewPicture { bytes, format }));
    }
    let survey = Survey::of(&bytes);
    match String::from_utf8(bytes) {
        Ok(text) if survey.not_text.is_none() => {
            let locked =
                stamp.is_read_only() || os::check_writable(&place.dir, &place.name).is_err();
            Ok(Preview::Text(text_of(text, survey, locked)))
        }
        _ => Ok(Preview::Binary {
            bytes: survey.bytes,
            seems: survey.not_text.unwrap_or_default().to_owned(),
        }),
    }
}

fn text_of(mut text: String, survey: Survey, read_only: bool) -> PreviewText {
    if survey.bom {
        text.drain(..BOM_CHAR.len_utf8());
    }
    let ends = ends_of(survey.ends);
    if ends == PreviewLineEnds::CrLf {
        text = text.replace("\r\n", "\n");
    }
    PreviewText {
        text,
        bytes: survey.bytes,
        sha256: survey.sha256,
        bom: survey.bom,
        ends,
        read_only,
    }
}

fn ends_of(ends: LineEnds) -> PreviewLineEnds {
    match (ends.lf, ends.crlf) {
        (0, 0) => PreviewLineEnds::None,
        (_, 0) => PreviewLineEnds::Lf,
        (0, _) => PreviewLineEnds::CrLf,
        _ => PreviewLineEnds::Mixed,
    }
}

fn keep(
    lease: &WriteLease,
    workspace: &Arc<Workspace>,
    path: &str,
    text: &str,
    sha256: &str,
    cancel: &CancellationToken,
) -> ToolResult<Saved> {
    let path = RelPath::parse(path)?;
    path.for_file()?;
    if text.contains('\0') {
        return Err(ToolError::bad_arguments(format!(
            "The text has a NUL character, which a text file can't hold: {path}"
        )));
    }
    let (target, place) = Target::bind(workspace, &path, PREVIEW_TEXT_BYTES, cancel)?;
    let Now::File { stamp, survey } = &target.now else {
        return Ok(Saved::Conflict { sha256: None });
    };
    if survey.sha256 != sha256 {
        // What is no text any more is not written over by an answer to a question about texts.
        let text = survey.not_text.is_none();
        let sha256 = text.then(|| survey.sha256.clone());
        return Ok(Saved::Conflict { sha256 });
    }
    if stamp.is_read_only() {
        return Err(words::read_only(&path));
    }
    let (mut text, _) = with_line_ends_of(survey.ends, text.trim_start_matches(BOM_CHAR));
    if survey.bom {
        text.insert(0, BOM_CHAR);
    }
    if text.len() > PREVIEW_TEXT_BYTES {
        return Err(words::file_too_large(
            text.len() as u64,
            PREVIEW_TEXT_BYTES,
            &path,
        ));
    }
    let new = Survey::of(text.as_bytes());
    if new.sha256 != survey.sha256 {
        match atomic::replace(lease, &place, stamp, text.as_bytes()) {
            Err(ToolError::Model(told)) if told.kind == ToolErrorKind::Conflict => {
                return Ok(Saved::Conflict { sha256: None });
            }
            done => done?,
        }
    }
    Ok(Saved::Kept {
        sha256: new.sha256,
        bytes: new.bytes,
        ends: ends_of(new.ends),
    })
}

#[cfg(test)]
mod tests;
