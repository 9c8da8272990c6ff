//! Files and folders in tabs: what is asked of the engine for them, and what is made of its answers.

use std::sync::Arc;

use wisp_engine::protocol::{
    CallStatus, Event, EventMsg, Failure, FailureKind, Op, Preview, Refusal, Saved, SessionId,
    TabAction, TabId, TicketOutcome,
};

use super::app::WindowApp;
use super::dialogs::Dialog;
use crate::bridge::{Asked, FileAsked, Job};
use crate::commands::TabCommand;
use crate::i18n::fill;
use crate::preview::EDIT_BYTES;
use crate::state::tabs::{Content, FileTab, FolderTab, Save, Shown, Tab, Tabs};
use crate::state::toasts::ToastKind;
use crate::text::listing::size;
use crate::text::visible;

/// The tools that change files.
const CHANGING: [&str; 5] = [
    "files_write",
    "files_replace",
    "files_mkdir",
    "files_move",
    "files_trash",
];

impl WindowApp {
    /// Asks for what the tab in front shows and has not read yet.
    pub(super) fn read_tabs(&mut self) {
        if !self.preview_is_shown() || !self.state.engine.is_ready() {
            return;
        }
        let Some(session) = self.state.current.clone() else {
            return;
        };
        let mut wanted = Vec::new();
        match self.tabs_mut().and_then(Tabs::active_mut) {
            Some(Tab {
                id,
                content: Content::File(file),
                ..
            }) if file.shown == Shown::Nothing => {
                let reading = file.begin_reading();
                wanted.push((true, id.clone(), file.path.clone(), reading));
            }
            Some(Tab {
                id,
                content: Content::Folder(folder),
                ..
            }) => {
                let folders = folder.wanted().into_iter();
                wanted.extend(folders.map(|(path, reading)| (false, id.clone(), path, reading)));
            }
            Some(Tab {
                id,
                content: Content::Web(web),
                ..
            }) if web.page.is_none() && web.failure.is_none() => {
                let tab = id.clone();
                self.load_page(&session, &tab);
            }
            _ => {}
        }
        for (is_file, tab, path, reading) in wanted {
            self.read(&session, is_file, tab, path, reading);
        }
    }

    fn read(&mut self, session: &SessionId, is_file: bool, tab: TabId, path: String, reading: u64) {
        let op = Op::ReadPreview {
            session: session.clone(),
            path: path.clone(),
        };
        let asked = FileAsked {
            session: session.clone(),
            tab,
            path,
            reading,
        };
        let asked = if is_file {
            Asked::File(asked)
        } else {
            Asked::Folder(asked)
        };
        self.ask(op, asked);
    }

    /// Reads the tab again. One that is written in is left as it is.
    pub(super) fn reload_tab(&mut self, tab: &TabId) {
        if let Some(session) = self.state.current.clone() {
            self.reload_tab_of(&session, tab);
        }
    }

    /// What a tool wants done with a file or a folder.
    pub(super) fn act_on_file(
        &mut self,
        session: &SessionId,
        tab: &TabId,
        action: TabAction,
    ) -> Result<TicketOutcome, Refusal> {
        let tabs = self.state.previews.of(session).ok_or(Refusal::NoTab)?;
        let busy = match &tabs.get(tab).ok_or(Refusal::NoTab)?.content {
            Content::File(file) => file.is_busy(),
            Content::Folder(folder) => folder.is_reading(),
            Content::Diff(_) | Content::New(_) | Content::Web(_) => false,
        };
        match action {
            TabAction::Reload | TabAction::Close if busy => Err(Refusal::Busy),
            TabAction::Reload => {
                self.reload_tab_of(session, tab);
                Ok(TicketOutcome::Reloaded)
            }
            TabAction::Close => {
                self.close_tab_now(session, tab);
                Ok(TicketOutcome::Closed)
            }
            TabAction::Back | TabAction::Forward => Err(Refusal::WrongKind),
        }
    }

    fn reload_tab_of(&mut self, session: &SessionId, tab: &TabId) {
        let tabs = self.state.previews.of_mut(session);
        let Some(found) = tabs.and_then(|tabs| tabs.get_mut(tab)) else {
            return;
        };
        let mut wanted = Vec::new();
        let is_file = matches!(found.content, Content::File(_));
        match &mut found.content {
            Content::File(file) if file.edit.is_none() => {
                wanted.push((file.path.clone(), file.begin_reading()));
            }
            Content::Folder(folder) => wanted = folder.read_again(),
            _ => return,
        }
        found.bump();
        for (path, reading) in wanted {
            self.read(session, is_file, tab.clone(), path, reading);
        }
    }

    /// What a path names was read, or could not be.
    pub(super) fn take_preview(&mut self, asked: &FileAsked, outcome: Result<Preview, Failure>) {
        let tabs = self.state.previews.of_mut(&asked.session);
        let Some(tab) = tabs.and_then(|tabs| tabs.get_mut(&asked.tab)) else {
            return;
        };
        match (&mut tab.content, outcome) {
            // What was typed as a file may be a folder.
            (Content::File(file), Ok(Preview::Folder(folder))) if file.reading == asked.reading => {
                let mut shown = FolderTab::new(&asked.path, file.name());
                for (path, reading) in shown.wanted() {
                    shown.end_reading(&path, reading, Ok(folder.clone()));
                }
                tab.content = Content::Folder(Box::new(shown));
                tab.bump();
            }
            (Content::File(file), outcome) => {
                let had = file.text().map(|text| text.sha256.clone());
                if file.end_reading(asked.reading, outcome) {
                    // Whoever took theirs after a conflict goes on with it.
                    if had != file.text().map(|text| text.sha256.clone()) {
                        tab.bump();
                    }
                }
            }
            (Content::Folder(folder), outcome) => {
                let outcome = outcome.and_then(|preview| match preview {
                    Preview::Folder(folder) => Ok(folder),
                    _ => Err(
                        Failure::new(FailureKind::Folder, "This is no folder any more.")
                            .with_advice("Reload the tab."),
                    ),
                });
                folder.end_reading(&asked.path, asked.reading, outcome);
            }
            _ => {}
        }
        self.decode_picture(asked);
    }

    fn decode_picture(&mut self, asked: &FileAsked) {
        let tabs = self.state.previews.of(&asked.session);
        let tab = tabs.and_then(|tabs| tabs.get(&asked.tab));
        if let Some(Content::File(file)) = tab.map(|tab| &tab.content)
            && let Shown::Read { what, .. } = &file.shown
            && matches!(**what, Preview::Picture(_))
        {
            let (tab, what) = (asked.tab.clone(), Arc::clone(what));
            self.job(Job::DecodePicture { tab, what });
        }
    }

    /// A question is to be seen. A call that changes files has ended: clean tabs of its session read again what they
    /// show.
    pub(super) fn take_tab_event(&mut self, event: &Event) {
        let here = self.state.current.as_ref() == Some(&event.session);
        if here && matches!(event.msg, EventMsg::ApprovalRequested { .. }) {
            // A file or folder is only read; in all else something may be being typed.
            let front = self.tabs().and_then(Tabs::active);
            let typing = front.is_some_and(|tab| match &tab.content {
                Content::File(file) => file.edit.is_some(),
                Content::Folder(_) | Content::Diff(_) => false,
                Content::New(_) | Content::Web(_) => true,
            });
            self.views.preview.let_card_be_seen(typing);
        }
        let EventMsg::CallFinished { tool, report, .. } = &event.msg else {
            return;
        };
        if report.status != CallStatus::Done || !CHANGING.contains(&tool.as_str()) {
            return;
        }
        let Some(tabs) = self.state.previews.of_mut(&event.session) else {
            return;
        };
        let front = tabs.active().map(|tab| tab.id.clone());
        let mut again = None;
        for tab in tabs.iter_mut() {
            let in_front = here && Some(&tab.id) == front.as_ref();
            match &mut tab.content {
                Content::File(file) if file.edit.is_some() => {}
                Content::File(_) | Content::Folder(_) if in_front => again.clone_from(&front),
                Content::File(file) => file.forget_text(),
                Content::Folder(folder) => folder.forget(),
                _ => {}
            }
        }
        if let Some(tab) = again {
            self.reload_tab(&tab);
        }
    }

    /// Does something to a file's tab that makes it show something else.
    pub(super) fn with_file(&mut self, tab: &TabId, change: impl FnOnce(&mut FileTab, &mut u64)) {
        let found = self.tabs_mut().and_then(|tabs| tabs.get_mut(tab));
        if let Some(Tab {
            version,
            content: Content::File(file),
            ..
        }) = found
        {
            change(file, version);
        }
    }

    /// Does something to a folder's tab.
    pub(super) fn with_folder(&mut self, tab: &TabId, change: impl FnOnce(&mut FolderTab)) {
        let found = self.tabs_mut().and_then(|tabs| tabs.get_mut(tab));
        if let Some(Content::Folder(folder)) = found.map(|tab| &mut tab.content) {
            change(folder);
        }
    }

    fn file(&self, tab: &TabId) -> Option<&FileTab> {
        match &self.tabs()?.get(tab)?.content {
            Content::File(file) => Some(file),
            _ => None,
        }
    }

    pub(super) fn edit_or_end(&mut self, tab: &TabId) {
        if self.file(tab).is_some_and(|file| file.edit.is_some()) {
            self.end_edit(tab);
        } else {
            self.edit_file(tab);
        }
    }

    /// Begins to write, where that can be; says why where it can't.
    pub(super) fn edit_file(&mut self, tab: &TabId) {
        let words = &self.words().preview;
        let Some(text) = self.file(tab).and_then(FileTab::text) else {
            return;
        };
        let refusal = if text.read_only {
            Some(words.edit_read_only.to_owned())
        } else if text.text.len() > EDIT_BYTES {
            let most = size(EDIT_BYTES as u64);
            Some(fill(words.edit_too_large, &[("most", &most)]))
        } else {
            None
        };
        if let Some(refusal) = refusal {
            self.state.toasts.show(ToastKind::Note, refusal, self.now);
            return;
        }
        self.with_file(tab, |file, version| {
            if file.begin_edit() {
                *version += 1;
            }
        });
        self.views.preview.take_focus();
    }

    /// Ends writing; what isn't kept is asked about first.
    pub(super) fn end_edit(&mut self, tab: &TabId) {
        match self.file(tab) {
            Some(file) if file.is_dirty() => {
                self.views.dialog = Some(Dialog::Unsaved {
                    then: TabCommand::EndEditAnyway(tab.clone()),
                    name: file.name().to_owned(),
                });
            }
            _ => self.end_edit_anyway(tab),
        }
    }

    pub(super) fn end_edit_anyway(&mut self, tab: &TabId) {
        self.with_file(tab, |file, version| {
            file.end_edit();
            *version += 1;
        });
        self.views.preview.take_focus();
    }

    /// Keeps what was written.
    pub(super) fn save_file(&mut self, tab: &TabId) {
        let Some(session) = self.state.current.clone() else {
            return;
        };
        let mut wanted = None;
        self.with_file(tab, |file, _| {
            let again = matches!(&file.edit, Some(edit) if !matches!(edit.save, Save::Conflict(_)));
            if again && file.is_dirty() {
                wanted = file
                    .begin_save()
                    .map(|(text, sha256)| (file.path.clone(), text, sha256));
            }
        });
        if let Some((path, text, sha256)) = wanted {
            let op = Op::SavePreview {
                session: session.clone(),
                path,
                text,
                sha256,
            };
            let tab = tab.clone();
            self.ask(op, Asked::Save { session, tab });
        }
    }

    pub(super) fn write_over(&mut self, tab: &TabId) {
        let mut can = false;
        self.with_file(tab, |file, _| can = file.write_over());
        if can {
            self.save_file(tab);
            self.views.preview.take_focus();
        }
    }

    pub(super) fn take_theirs(&mut self, tab: &TabId) {
        self.with_file(tab, |file, _| file.end_edit());
        self.reload_tab(tab);
        self.views.preview.take_focus();
    }

    /// What became of a change that was to be kept.
    pub(super) fn take_saved(&mut self, session: &SessionId, tab: &TabId, saved: Saved) {
        let words = &self.words().preview;
        let tabs = self.state.previews.of_mut(session);
        let Some(tab) = tabs.and_then(|tabs| tabs.get_mut(tab)) else {
            return;
        };
        let Content::File(file) = &mut tab.content else {
            return;
        };
        match saved {
            Saved::Kept {
                sha256,
                bytes,
                ends,
            } => {
                file.end_save(sha256, bytes, ends);
                let path = visible::line(&file.path);
                let text = fill(words.saved, &[("path", &path)]);
                tab.bump();
                self.state.toasts.show(ToastKind::Good, text, self.now);
            }
            Saved::Conflict { sha256 } => file.fail_save(Some(sha256)),
        }
    }

    /// A change could not be kept; it is still there to be tried again.
    pub(super) fn not_saved(&mut self, session: &SessionId, tab: &TabId) {
        let tabs = self.state.previews.of_mut(session);
        if let Some(Content::File(file)) =
            (tabs.and_then(|tabs| tabs.get_mut(tab))).map(|tab| &mut tab.content)
        {
            file.fail_save(None);
        }
    }
}
