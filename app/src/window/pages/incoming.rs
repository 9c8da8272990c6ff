//! What comes in from the pages' host.

use eframe::egui::{ColorImage, Context, TextureOptions};
use wisp_engine::protocol::{SessionId, TabId, TicketId};

use super::super::app::WindowApp;
use super::super::dialogs::Dialog;
use super::Wait;
use crate::commands::{self, UiCommand};
use crate::i18n::fill;
use crate::pages::{PageCommand, PageEvent, PageId, Pixels};
use crate::state::tabs::Content;
use crate::state::toasts::ToastKind;
use crate::text::visible;

/// What is taken in before a frame is drawn; the rest waits for the next one.
const AT_ONCE: usize = 500;

impl WindowApp {
    /// Takes in what has come. Gives the wishes that keys in pages stand for.
    pub(in crate::window) fn take_page_events(&mut self, context: &Context) -> Vec<UiCommand> {
        let mut wishes = Vec::new();
        for _ in 0..AT_ONCE {
            let Some(event) = self.pages.host.as_mut().and_then(|host| host.try_next()) else {
                if !wishes.is_empty() {
                    // What a key in a page changes is drawn after this frame: the window itself got no key.
                    context.request_repaint();
                }
                return wishes;
            };
            self.state.previews.take_page_event(&event);
            self.take_page_event(context, event, &mut wishes);
        }
        context.request_repaint();
        wishes
    }

    fn take_page_event(
        &mut self,
        context: &Context,
        event: PageEvent,
        wishes: &mut Vec<UiCommand>,
    ) {
        match event {
            PageEvent::Read { request, outcome } => {
                if let Some(Wait::Read(ticket)) = self.pages.waits.remove(&request) {
                    self.take_read(&ticket, outcome);
                }
            }
            PageEvent::Unsaved { request, unsaved } => {
                if let Some(Wait::Unsaved {
                    session,
                    tab,
                    ticket,
                }) = self.pages.waits.remove(&request)
                {
                    self.take_unsaved(&session, tab, ticket, unsaved);
                }
            }
            PageEvent::Picture { request, picture } => {
                if let Some(Wait::Picture(page)) = self.pages.waits.remove(&request) {
                    self.take_page_picture(context, page, picture.as_ref());
                }
            }
            PageEvent::Focus { page, held, turn } => {
                self.take_page_focus(context, page, held, turn);
            }
            PageEvent::Pressed { page, chord } => {
                if self.state.previews.owner_of(page).is_some()
                    && let Some(command) = commands::of_chord(&chord)
                {
                    wishes.push(UiCommand::Run(command));
                }
            }
            PageEvent::WantsTab { page, url } => {
                if let Some((session, _)) = self.state.previews.owner_of(page) {
                    self.open_address(&session, url);
                }
            }
            PageEvent::DownloadAsked { page, download } => match self.state.previews.owner_of(page)
            {
                Some((_, tab)) if self.views.dialog.is_none() => {
                    self.views.dialog = Some(Dialog::Download { tab, download });
                }
                // One question at a time: a page that asks for many gets no for the others.
                _ => self.pages.send(PageCommand::Download {
                    page,
                    download: download.download,
                    allow: false,
                }),
            },
            PageEvent::Downloaded { outcome, .. } => self.take_downloaded(outcome),
            PageEvent::Died { .. } => self.host_is_gone(),
            PageEvent::Moved { .. }
            | PageEvent::Progress { .. }
            | PageEvent::Title { .. }
            | PageEvent::Finished { .. }
            | PageEvent::Failed { .. }
            | PageEvent::History { .. }
            | PageEvent::Found { .. } => {}
        }
    }

    fn take_downloaded(&mut self, outcome: Result<std::path::PathBuf, String>) {
        let words = &self.words().pages;
        let (kind, text) = match outcome {
            Ok(path) => {
                let path = visible::line(&path.to_string_lossy());
                (ToastKind::Good, fill(words.downloaded, &[("path", &path)]))
            }
            Err(reason) => {
                let reason = visible::line(&reason);
                let text = fill(words.not_downloaded, &[("reason", &reason)]);
                (ToastKind::Bad, text)
            }
        };
        self.state.toasts.show(kind, text, self.now);
    }

    /// All pages are gone. Each tab says so already; what waited for them is answered.
    fn host_is_gone(&mut self) {
        self.pages.told.clear();
        self.pages.told_keys = false;
        self.pages.cover = None;
        self.pages.focused = None;
        self.pages.wants_focus = None;
        for (_, wait) in std::mem::take(&mut self.pages.waits) {
            match wait {
                Wait::Read(ticket) => {
                    self.take_read(&ticket, Err(crate::pages::ReadFailure::Failed));
                }
                Wait::Unsaved {
                    session,
                    tab,
                    ticket,
                } => self.take_unsaved(&session, tab, ticket, false),
                Wait::Picture(_) => {}
            }
        }
    }

    fn take_page_picture(&mut self, context: &Context, page: PageId, picture: Option<&Pixels>) {
        let Some(cover) = self.pages.cover.as_mut().filter(|cover| cover.page == page) else {
            return;
        };
        let image = picture.and_then(image_of);
        cover.picture =
            image.map(|image| context.load_texture("page", image, TextureOptions::LINEAR));
        self.hide_covered();
    }

    /// Whether something would be lost when a tab is closed: then the person is asked.
    fn take_unsaved(
        &mut self,
        session: &SessionId,
        tab: TabId,
        ticket: Option<TicketId>,
        unsaved: bool,
    ) {
        if unsaved
            && self
                .state
                .previews
                .of(session)
                .is_some_and(|tabs| tabs.get(&tab).is_some())
        {
            self.views.dialog = Some(Dialog::LeavePage { tab, ticket });
            return;
        }
        self.close_tab_now(session, &tab);
        if let Some(ticket) = ticket {
            self.take_close_answer(&ticket, true);
        }
    }

    /// The person's answer to whether a page is to be left.
    pub(in crate::window) fn answer_leave(
        &mut self,
        session: &SessionId,
        tab: &TabId,
        ticket: Option<&TicketId>,
        leave: bool,
    ) {
        if leave {
            self.close_tab_now(session, tab);
        }
        if let Some(ticket) = ticket {
            self.take_close_answer(ticket, leave);
        }
    }

    /// The person's answer to a download.
    pub(super) fn answer_download(&mut self, tab: &TabId, download: u64, allow: bool) {
        if let Some(page) = self.page_of(tab) {
            self.pages.send(PageCommand::Download {
                page,
                download,
                allow,
            });
        }
    }

    /// The page of a tab.
    pub(super) fn page_of(&self, tab: &TabId) -> Option<PageId> {
        self.state
            .previews
            .find(tab)
            .and_then(|(_, tab)| match &tab.content {
                Content::Web(web) => web.page,
                _ => None,
            })
    }
}

/// A picture as egui takes it; `None` for one whose size isn't what it says.
fn image_of(pixels: &Pixels) -> Option<ColorImage> {
    let (width, height) = (
        usize::try_from(pixels.width).ok()?,
        usize::try_from(pixels.height).ok()?,
    );
    let whole = width.checked_mul(height)?.checked_mul(4)?;
    if whole == 0 || pixels.rgba.len() != whole {
        return None;
    }
    Some(ColorImage::from_rgba_unmultiplied(
        [width, height],
        &pixels.rgba,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_not_as_large_as_it_says_is_none() {
        let of = |width, height, bytes| {
            image_of(&Pixels {
                width,
                height,
                rgba: vec![255; bytes],
            })
        };
        assert_eq!(of(2, 3, 24).unwrap().size, [2, 3]);
        for (width, height, bytes) in [(2, 3, 23), (2, 3, 25), (0, 3, 0), (u32::MAX, u32::MAX, 4)] {
            assert!(of(width, height, bytes).is_none(), "{width}x{height}");
        }
    }
}
