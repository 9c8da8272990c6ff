//! A folder as a tree that is read as it is opened.

use eframe::egui::{Align, Id, Label, Layout, RichText, Ui};
use wisp_engine::protocol::{PreviewEntry, PreviewKind, TabId};

use super::file_bar;
use super::strip::with_keys;
use crate::commands::{Command, TabCommand, UiCommand};
use crate::state::tabs::{FolderTab, Row};
use crate::text::listing::size;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::STEP;
use crate::widgets::button::icon_button;
use crate::widgets::tree_rows::{self, TreeAsked, TreeKind, TreeRow};
use crate::window::scene::Scene;

/// Draws it. `focus`: gives it the keyboard.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    id: &TabId,
    folder: &FolderTab,
    focus: bool,
) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    file_bar::line(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = STEP / 2.0;
            let name = with_keys(scene, words.reload, Command::ReloadTab);
            if icon_button(ui, palette, Icon::RotateCw, &name).clicked() {
                scene.send(UiCommand::Tab(TabCommand::Reload(id.clone())));
            }
            if icon_button(ui, palette, Icon::Copy, words.copy_path).clicked() {
                scene.send(UiCommand::CopyPath(folder.path.clone()));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let path = match folder.path.as_str() {
                    "." => visible::line(&folder.name),
                    path => visible::line(path),
                };
                let text = RichText::new(path)
                    .font(fonts::mono())
                    .color(palette.text_dim);
                ui.add(Label::new(text).truncate());
            });
        });
    });
    let rows = folder.rows();
    let drawn: Vec<TreeRow> = rows.iter().map(|row| draw(scene, row)).collect();
    let path_of = |number: usize| match rows.get(number) {
        Some(Row::Entry { path, .. }) => Some(path.clone()),
        _ => None,
    };
    let selected = (folder.selected.as_ref())
        .and_then(|selected| (0..rows.len()).find(|row| path_of(*row).as_ref() == Some(selected)));
    let tree = Id::unique(("tree", id));
    let names = (words.tree, scene.words.body.folder);
    let asked = tree_rows::ui(ui, palette, tree, names, &drawn, selected, focus);
    let tab = id.clone();
    let (number, command) = match asked {
        None => return,
        Some(TreeAsked::Select(number)) => (number, None),
        Some(TreeAsked::Open(number)) => {
            let command = path_of(number).map(|path| TabCommand::OpenFile { path, line: None });
            (number, command)
        }
        Some(TreeAsked::Unfold(number, open)) => {
            let tab = tab.clone();
            let command = path_of(number).map(|path| TabCommand::Unfold { tab, path, open });
            (number, command)
        }
    };
    if let Some(path) = path_of(number) {
        scene.send(UiCommand::Tab(TabCommand::Select { tab, path }));
    }
    if let Some(command) = command {
        scene.send(UiCommand::Tab(command));
    }
}

fn draw(scene: &Scene<'_>, row: &Row<'_>) -> TreeRow {
    let words = scene.words;
    let note = |depth: usize, text: String| TreeRow {
        depth,
        name: text,
        note: String::new(),
        kind: TreeKind::Note,
    };
    match row {
        Row::Entry {
            depth, entry, open, ..
        } => TreeRow {
            depth: *depth,
            name: visible::line(&entry.name),
            note: entry.bytes.map(size).unwrap_or_default(),
            kind: kind_of(entry, *open),
        },
        Row::Reading { depth } => note(*depth, words.preview.loading.to_owned()),
        Row::Empty { depth } => note(*depth, words.body.empty_folder.to_owned()),
        Row::Failed { depth, failure } => note(*depth, visible::line(&failure.message)),
        Row::More { depth } => note(*depth, words.preview.more_entries.to_owned()),
    }
}

fn kind_of(entry: &PreviewEntry, open: bool) -> TreeKind {
    match entry.kind {
        PreviewKind::Folder => TreeKind::Folder(open),
        PreviewKind::File => TreeKind::File,
        PreviewKind::Link => TreeKind::Other(Icon::Link2),
        PreviewKind::Other => TreeKind::Other(Icon::FileX),
    }
}
