//! A tab with a file: what was read of it, and what the person changes in it.

use std::sync::Arc;

use wisp_engine::protocol::{Failure, Preview, PreviewLineEnds, PreviewText};

/// A file of the session's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileTab {
    /// Its path inside the folder, `/`-separated.
    pub path: String,
    /// What is shown of it.
    pub shown: Shown,
    /// Counts the readings that were asked for, so that the answer to an older one is passed over.
    pub reading: u64,
    /// The change that is being written, while the tab is in its writing state.
    pub edit: Option<Edit>,
    /// A line to scroll to as soon as it can be shown, counted from 1.
    pub go_to: Option<usize>,
}

/// What is shown of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shown {
    /// Nothing was asked for yet.
    #[default]
    Nothing,
    /// The first reading goes on.
    Reading,
    /// What was read. `again`: it is being read once more.
    Read {
        /// What it is.
        what: Arc<Preview>,
        /// Whether another reading goes on.
        again: bool,
    },
    /// It could not be read.
    Failed(Failure),
}

/// A change that is being written.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The text in the field.
    pub text: String,
    /// The text as it was read, and its digest, by which a change on disk is found out.
    pub base: Arc<Preview>,
    /// Whether the text is another one than what was read.
    pub dirty: bool,
    /// Counts the changes of the text.
    pub changes: u64,
    /// What keeping it is at.
    pub save: Save,
}

/// What keeping a change is at.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Save {
    /// Nothing was asked for.
    #[default]
    Idle,
    /// The engine writes this text.
    Going(Arc<str>),
    /// The file has changed on disk since it was read, to what has this digest; the person is asked.
    Conflict(Option<String>),
}

impl FileTab {
    /// One that has yet to be read.
    pub fn new(path: impl Into<String>, go_to: Option<usize>) -> Self {
        Self {
            path: path.into(),
            go_to,
            ..Self::default()
        }
    }

    /// Its name without the folders.
    pub fn name(&self) -> &str {
        name_of(&self.path)
    }

    /// The text that was read, if it is one.
    pub fn text(&self) -> Option<&PreviewText> {
        match &self.shown {
            Shown::Read { what, .. } => text_of(what),
            _ => None,
        }
    }

    /// Whether a change is not kept yet.
    pub fn is_dirty(&self) -> bool {
        self.edit.as_ref().is_some_and(|edit| edit.dirty)
    }

    /// Whether it is being changed, read or kept, so that nobody else may read or close it.
    pub fn is_busy(&self) -> bool {
        self.edit.is_some()
            || matches!(self.shown, Shown::Reading | Shown::Read { again: true, .. })
    }

    /// A reading begins: gives its number.
    pub fn begin_reading(&mut self) -> u64 {
        self.reading += 1;
        match &mut self.shown {
            Shown::Read { again, .. } => *again = true,
            shown => *shown = Shown::Reading,
        }
        self.reading
    }

    /// A reading has ended. One that was overtaken changes nothing; tells whether it was taken.
    pub fn end_reading(&mut self, reading: u64, outcome: Result<Preview, Failure>) -> bool {
        if reading != self.reading {
            return false;
        }
        self.shown = match outcome {
            Ok(preview) => Shown::Read {
                what: Arc::new(preview),
                again: false,
            },
            Err(failure) => Shown::Failed(failure),
        };
        true
    }

    /// Begins to write at the text that was read. Without one nothing happens.
    pub fn begin_edit(&mut self) -> bool {
        let Shown::Read { what, .. } = &self.shown else {
            return false;
        };
        let Some(text) = text_of(what).filter(|_| self.edit.is_none()) else {
            return false;
        };
        self.edit = Some(Edit {
            text: text.text.clone(),
            base: Arc::clone(what),
            dirty: false,
            changes: 0,
            save: Save::Idle,
        });
        true
    }

    /// Ends writing; what was not kept is lost.
    pub fn end_edit(&mut self) {
        self.edit = None;
    }

    /// The text to keep and the digest it goes over, when there is something to keep.
    pub fn begin_save(&mut self) -> Option<(String, String)> {
        let edit = self.edit.as_mut()?;
        if matches!(edit.save, Save::Going(_)) {
            return None;
        }
        let digest = text_of(&edit.base)?.sha256.clone();
        edit.save = Save::Going(edit.text.as_str().into());
        Some((edit.text.clone(), digest))
    }

    /// The text was kept: it is what the file holds now, with this digest, size and line ends. What was typed
    /// meanwhile is still to be kept.
    pub fn end_save(&mut self, sha256: String, bytes: u64, ends: PreviewLineEnds) {
        let Some(edit) = &mut self.edit else {
            return;
        };
        let (Save::Going(sent), Some(base)) = (std::mem::take(&mut edit.save), text_of(&edit.base))
        else {
            return;
        };
        edit.dirty = *sent != *edit.text;
        let what = Arc::new(Preview::Text(PreviewText {
            text: sent.as_ref().to_owned(),
            bytes,
            sha256,
            bom: base.bom,
            ends,
            read_only: base.read_only,
        }));
        edit.base = Arc::clone(&what);
        self.shown = Shown::Read { what, again: false };
    }

    /// The text was not kept. `conflict`: because the file has changed on disk, to what has this digest.
    pub fn fail_save(&mut self, conflict: Option<Option<String>>) {
        if let Some(edit) = &mut self.edit {
            edit.save = conflict.map_or(Save::Idle, Save::Conflict);
        }
    }

    /// The person wants the change to go over what is on disk by now. `false` when nothing is there to go over.
    pub fn write_over(&mut self) -> bool {
        let Some(edit) = &mut self.edit else {
            return false;
        };
        let Save::Conflict(Some(sha256)) = std::mem::take(&mut edit.save) else {
            return false;
        };
        if let Preview::Text(base) = Arc::make_mut(&mut edit.base) {
            base.sha256 = sha256;
        }
        true
    }

    /// The person puts the question about a conflict off.
    pub fn put_off(&mut self) {
        if let Some(edit) = &mut self.edit {
            edit.save = Save::Idle;
        }
    }

    /// Lets go of what can be read again, for a tab that is not on screen.
    pub fn forget_text(&mut self) {
        if self.edit.is_none() {
            self.reading += 1;
            self.shown = Shown::Nothing;
        }
    }
}

impl Edit {
    /// The text has changed: finds out whether it differs from what was read.
    pub fn look(&mut self) {
        self.changes += 1;
        self.dirty = text_of(&self.base).is_none_or(|base| base.text != self.text);
    }
}

fn text_of(preview: &Preview) -> Option<&PreviewText> {
    match preview {
        Preview::Text(text) => Some(text),
        _ => None,
    }
}

/// The last part of a path; `.` for the folder itself.
pub(super) fn name_of(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit('/').next() {
        Some(name) if !name.is_empty() => name,
        _ => ".",
    }
}
