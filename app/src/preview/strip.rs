//! The tabs in a row, as the strip draws them.

use eframe::egui::{Id, Ui};

use super::view::PreviewView;
use crate::commands::{Command, TabCommand, UiCommand};
use crate::i18n::fill;
use crate::state::tabs::{Content, Tab, Tabs};
use crate::text::visible;
use crate::theme::icons::Icon;
use crate::widgets::button::{Button, Kind, icon_button};
use crate::widgets::tab_strip::{self, Asked, StripWords, TabItem, in_strip};
use crate::window::scene::Scene;

/// Draws the row.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut PreviewView, tabs: &Tabs) {
    let words = &scene.words.preview;
    let items: Vec<TabItem> = tabs.iter().map(|tab| item(scene, tab)).collect();
    let front = (tabs.active()).and_then(|tab| tabs.place(&tab.id));
    let new = with_keys(scene, words.new, Command::NewTab);
    let strip_words = StripWords {
        label: words.tabs,
        all: words.all_tabs,
        new: &new,
    };
    let asked = in_strip(ui, |ui| {
        if view.narrow {
            back(ui, scene);
        }
        tab_strip::ui(
            ui,
            scene.palette,
            strip_words,
            &mut view.strip,
            &items,
            front,
        )
    });
    let id = |place: usize| tabs.iter().nth(place).map(|tab| tab.id.clone());
    let command = match asked {
        None => None,
        Some(Asked::New) => {
            scene.run(Command::NewTab);
            None
        }
        Some(Asked::Show(place)) => id(place).map(TabCommand::Show),
        Some(Asked::Close(place)) => id(place).map(TabCommand::Close),
        Some(Asked::Move(from, to)) => id(from).map(|tab| TabCommand::Move { tab, place: to }),
    };
    if let Some(command) = command {
        scene.send(UiCommand::Tab(command));
    }
}

/// The way back to the conversation, which the tabs cover. A question there is said.
fn back(ui: &mut Ui, scene: &mut Scene<'_>) {
    let session = scene.state.current.as_ref();
    let asks = session.is_some_and(|id| scene.state.approvals.of(id).is_some());
    if asks {
        let label = scene.words.chat.waits_for_you;
        let button = Button::new(label).kind(Kind::Primary).icon(Icon::ArrowLeft);
        if button.show(ui, scene.palette).clicked() {
            scene.run(Command::GoToApproval);
        }
    } else {
        let name = scene.words.preview.to_chat;
        if icon_button(ui, scene.palette, Icon::ArrowLeft, name).clicked() {
            scene.run(Command::FocusMessage);
        }
    }
}

/// A name with its keys.
pub(super) fn with_keys(scene: &Scene<'_>, name: &str, command: Command) -> String {
    let keys = scene.keys(command);
    if keys.is_empty() {
        name.to_owned()
    } else {
        format!("{name} · {keys}")
    }
}

fn item(scene: &Scene<'_>, tab: &Tab) -> TabItem {
    let words = &scene.words.preview;
    let name = visible::line(tab.content.name().unwrap_or(words.new));
    let (icon, hint) = match &tab.content {
        Content::New(_) => (Icon::Plus, words.new.to_owned()),
        Content::File(file) => (
            icon_of(&file.path),
            format!("{} · {}", words.file_kind, file.path),
        ),
        Content::Folder(folder) => (
            Icon::Folder,
            format!("{} · {}", words.folder_kind, folder.path),
        ),
        Content::Diff(diff) => (
            Icon::FileDiff,
            format!("{} · {}", words.change_kind, diff.path),
        ),
        Content::Web(web) => (Icon::Globe, format!("{} · {}", words.page_kind, web.url)),
    };
    TabItem {
        id: Id::unique(("tab", &tab.id)),
        close: fill(words.close_this, &[("name", &name)]),
        unsaved: tab.content.is_dirty().then_some(words.unsaved),
        hint: visible::line(&hint),
        name,
        icon,
    }
}

/// The picture of a file, by its name.
pub(super) fn icon_of(path: &str) -> Icon {
    let end = path
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    match end.as_deref() {
        Some("png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "svg" | "ico") => Icon::FileImage,
        Some("md" | "txt" | "rst" | "log" | "csv") | None => Icon::FileText,
        Some("json" | "toml" | "yaml" | "yml" | "xml") => Icon::FileCog,
        Some("zip" | "gz" | "xz" | "zst" | "tar" | "7z") => Icon::FileArchive,
        Some(_) => Icon::FileCode,
    }
}
