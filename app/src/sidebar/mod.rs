//! The sidebar: new session, search, the sessions by folder, and what the program runs on.

mod rows;
mod search;

use eframe::egui::{
    Align, CornerRadius, Frame, Id, Label, Layout, Margin, Panel, Response, RichText, Role,
    ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::commands::{Command, UiCommand};
use crate::state::preferences::{Preferences, SIDEBARS};
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL_CORNER, META, ROW};
use crate::window::scene::Scene;
use crate::window::views::Shown;

/// The height of a row, in points.
pub(super) const ROW_HEIGHT: f32 = 32.0;

/// What is only on screen of it.
#[derive(Debug, Default)]
pub struct SidebarView {
    /// The words being searched for; `None` when the search is not open.
    pub(super) search: Option<String>,
    pub(super) wants_focus: bool,
    wants_list: bool,
    /// The width that was last set, in points.
    width: Option<f32>,
    dragging: bool,
    /// Folders whose sessions are folded away.
    pub(super) folded: Vec<Option<std::path::PathBuf>>,
}

impl SidebarView {
    /// Opens the search and gives it the focus.
    pub fn focus_search(&mut self, shown: &mut Shown) {
        shown.sidebar = true;
        self.search.get_or_insert_default();
        self.wants_focus = true;
    }

    /// Gives the focus to the list.
    pub fn focus_list(&mut self) {
        self.wants_list = true;
    }
}

/// Draws it.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SidebarView) {
    let palette = scene.palette;
    let width = scene.state.preferences.sidebar_width;
    let panel = Panel::left("sidebar").resizable(true);
    // A width that comes from the settings is set once; after that it is the person's to drag.
    let settled = view.width.replace(width) == Some(width);
    let panel = if settled {
        panel.size_range(*SIDEBARS.start()..=*SIDEBARS.end())
    } else {
        panel.exact_size(width)
    };
    let panel = panel
        .show_separator_line(false)
        .frame(
            Frame::new()
                .fill(palette.sidebar)
                .inner_margin(Margin::same(8)),
        )
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            command_row(ui, scene, Command::NewSession, Icon::SquarePen);
            if view.search.is_some() {
                search::field(ui, scene, view);
            } else {
                command_row(ui, scene, Command::SearchSessions, Icon::Search);
            }
            ui.add_space(12.0);
            foot(ui, scene);
            let wants_list = std::mem::take(&mut view.wants_list);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if view
                    .search
                    .as_ref()
                    .is_some_and(|words| !words.trim().is_empty())
                {
                    search::hits(ui, scene);
                } else {
                    rows::show(ui, scene, view, wants_list);
                }
            });
        });
    // Kept once it is let go, not while it is dragged.
    let dragged = panel.response.rect.width().round();
    let down = ui.input(|input| input.pointer.any_down());
    if down {
        view.dragging |= settled && (dragged - width).abs() > 0.5;
    } else if std::mem::take(&mut view.dragging) {
        scene.send(UiCommand::Prefer(Preferences {
            sidebar_width: dragged,
            ..scene.state.preferences.clone()
        }));
    }
}

/// What the program runs on, and the settings, at the lower edge.
fn foot(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    Panel::bottom("sidebar-foot")
        .resizable(false)
        .show_separator_line(false)
        .frame(Frame::new().inner_margin(Margin {
            top: 8,
            ..Margin::ZERO
        }))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if scene.state.engine == crate::state::EngineState::Simulated {
                let row = row(
                    ui,
                    scene,
                    scene.words.common.simulation_hint,
                    false,
                    |ui, _| {
                        ui.label(icon(Icon::FlaskConical, 16.0, palette.attention));
                        let text = RichText::new(scene.words.common.simulation_hint)
                            .size(ROW)
                            .color(palette.attention);
                        ui.add(Label::new(text).truncate());
                    },
                );
                if row.clicked() {
                    scene.send(UiCommand::Show(crate::state::Page::Welcome));
                }
                // Who works with the scripted model works on the program itself.
                command_row(ui, scene, Command::Qa, Icon::ListChecks);
            }
            command_row(ui, scene, Command::Settings, Icon::Settings);
        });
}

/// A command as a row: its icon, its name, its keys.
fn command_row(ui: &mut Ui, scene: &mut Scene<'_>, command: Command, what: Icon) {
    let palette = scene.palette;
    let title = command.title(scene.words);
    let keys = scene.keys(command);
    let response = row(ui, scene, title, false, |ui, _| {
        ui.label(icon(what, 16.0, palette.text_dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(
                RichText::new(&keys)
                    .size(META - 0.5)
                    .color(palette.text_faint),
            );
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(
                    Label::new(RichText::new(title).size(ROW + 0.5).color(palette.text)).truncate(),
                );
            });
        });
    });
    if response.clicked() {
        scene.run(command);
    }
}

/// A row over the whole width that can be pressed.
pub(super) fn row(
    ui: &mut Ui,
    scene: &Scene<'_>,
    name: &str,
    selected: bool,
    add: impl FnOnce(&mut Ui, &Response),
) -> Response {
    let palette = scene.palette;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, name));
    // Of hundreds of sessions a screenful is laid out.
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let ground = rect.shrink2(vec2(0.0, 1.0));
    let corner = CornerRadius::same(CONTROL_CORNER);
    if selected {
        ui.painter().rect_filled(ground, corner, palette.control);
    } else if response.hovered() {
        ui.painter().rect_filled(ground, corner, palette.field);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, palette.accent);
        ui.painter()
            .rect_stroke(ground, corner, ring, StrokeKind::Inside);
    }
    let mut inner = ui.new_child(
        UiBuilder::new()
            .id_salt(Id::unique(("row", name)))
            .max_rect(rect.shrink2(vec2(8.0, 0.0)))
            .layout(Layout::left_to_right(Align::Center)),
    );
    inner.spacing_mut().item_spacing.x = 8.0;
    inner.style_mut().interaction.selectable_labels = false;
    add(&mut inner, &response);
    response
}
