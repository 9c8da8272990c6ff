//! Questions about pages: whether to keep a download, whether to leave what was typed into one.

use eframe::egui::{Align, Key, Label, Layout, RichText, Ui};
use wisp_engine::protocol::{TabId, TicketId};

use super::super::dialogs::heading;
use super::super::scene::Scene;
use crate::commands::{PageWish, UiCommand};
use crate::i18n::fill;
use crate::pages::Download;
use crate::text::{listing, visible};
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::ROW;
use crate::widgets::button::{Button, Kind};

/// The width of a question, in points.
const WIDTH: f32 = 420.0;

/// Whether a download may go into the session's downloads. Tells whether it is answered. Enter does nothing here:
/// a page can ask at any moment, also while somebody types.
pub(in crate::window) fn download(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    tab: &TabId,
    download: &Download,
) -> bool {
    let (palette, words) = (scene.palette, &scene.words.pages);
    ui.set_width(WIDTH);
    heading(ui, scene, words.download_title);
    let mut name = visible::line(&download.name);
    if let Some(bytes) = download.bytes {
        name = format!("{name} · {}", listing::size(bytes));
    }
    let name = RichText::new(name).font(fonts::mono()).color(palette.text);
    ui.add(Label::new(name).wrap());
    let text = fill(
        words.download_text,
        &[("url", &visible::line(&download.url))],
    );
    ui.add(Label::new(RichText::new(text).size(ROW).color(palette.text_dim)).wrap());
    ui.add_space(8.0);
    let answer = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let keep = Button::new(words.download)
            .icon(Icon::Download)
            .kind(Kind::Primary);
        let yes = keep.show(ui, palette).clicked();
        let no = Button::new(words.download_no).show(ui, palette).clicked();
        yes.then_some(true).or(no.then_some(false))
    });
    if let Some(allow) = answer.inner {
        scene.send(answer_download(tab, download, allow));
    }
    answer.inner.is_some()
}

/// The answer to a download.
pub(in crate::window) fn answer_download(
    tab: &TabId,
    download: &Download,
    allow: bool,
) -> UiCommand {
    UiCommand::Page {
        tab: tab.clone(),
        wish: PageWish::Download {
            download: download.download,
            allow,
        },
    }
}

/// Whether to close a page that something was typed into. Keep is what Enter does. Tells whether it is answered.
pub(in crate::window) fn leave(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    tab: &TabId,
    ticket: Option<&TicketId>,
) -> bool {
    let (palette, words) = (scene.palette, &scene.words.pages);
    ui.set_width(WIDTH);
    heading(ui, scene, words.leave_title);
    if ticket.is_some() {
        let text = RichText::new(words.leave_tool).size(ROW);
        ui.add(Label::new(text.color(palette.text)).wrap());
    }
    let text = RichText::new(words.leave_text).size(ROW);
    ui.add(Label::new(text.color(palette.text_dim)).wrap());
    ui.add_space(8.0);
    let enter = ui.input(|input| input.key_pressed(Key::Enter));
    let answer = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let keep = Button::new(words.keep)
            .kind(Kind::Primary)
            .show(ui, palette);
        if ui.memory(|memory| memory.focused().is_none()) {
            keep.request_focus();
        }
        let leave = Button::new(words.leave).kind(Kind::Danger);
        let leaves = leave.show(ui, palette);
        let by_enter = enter && !leaves.has_focus();
        if leaves.clicked() {
            Some(true)
        } else {
            (keep.clicked() || by_enter).then_some(false)
        }
    });
    if let Some(leave) = answer.inner {
        scene.send(answer_leave(tab, ticket, leave));
    }
    answer.inner.is_some()
}

/// The answer to whether to leave a page.
pub(in crate::window) fn answer_leave(
    tab: &TabId,
    ticket: Option<&TicketId>,
    leave: bool,
) -> UiCommand {
    UiCommand::Page {
        tab: tab.clone(),
        wish: PageWish::Leave {
            ticket: ticket.cloned(),
            leave,
        },
    }
}
