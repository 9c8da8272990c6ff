//! Where the tabs stand: beside the conversation, or before it where there is no room for both.

use eframe::egui::{Frame, Margin, Panel, Stroke, Ui, UiBuilder};

use super::view::PreviewView;
use super::{strip, tab_diff, tab_file, tab_folder, tab_new, tab_web};
use crate::commands::UiCommand;
use crate::state::Page;
use crate::state::preferences::{PREVIEWS, Preferences};
use crate::state::tabs::{Content, Tabs};
use crate::window::scene::Scene;

/// The least width that the conversation keeps beside the tabs, in points.
const CHAT: f32 = 360.0;

/// Draws the tabs at the right. Tells whether they are to be drawn in the conversation's place instead, by
/// [`show_whole`].
pub fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut PreviewView,
    tabs: Option<&mut Tabs>,
) -> bool {
    let tabs = tabs.filter(|tabs| !tabs.is_empty() && scene.state.page == Page::Chat);
    let Some(tabs) = tabs else {
        view.leave();
        return false;
    };
    view.there = true;
    let room = ui.available_width();
    view.narrow = room < CHAT + PREVIEWS.start();
    if view.narrow {
        if !view.in_front {
            view.give_back_focus(ui.ctx());
        }
        return view.in_front;
    }
    let palette = scene.palette;
    let most = (room - CHAT).min(*PREVIEWS.end());
    let width = scene.state.preferences.preview_width.min(most);
    let panel = Panel::right("preview").resizable(true);
    // A width that comes from the settings is set once; after that it is the person's to drag.
    let settled = view.width.replace(width) == Some(width);
    let panel = if settled {
        panel.size_range(*PREVIEWS.start()..=most)
    } else {
        panel.exact_size(width)
    };
    let panel = panel
        .show_separator_line(false)
        .frame(Frame::new().fill(palette.window).inner_margin(Margin::ZERO))
        .show(ui, |ui| {
            let area = ui.max_rect();
            inside(ui, scene, view, tabs);
            let line = Stroke::new(1.0, palette.line);
            ui.painter().vline(area.left(), area.y_range(), line);
            ui.advance_cursor_after_rect(area);
        });
    let rect = panel.response.rect;
    view.note_focus(ui.ctx(), rect);
    // Kept once it is let go, not while it is dragged.
    let dragged = rect.width().round();
    if ui.input(|input| input.pointer.any_down()) {
        view.dragging |= settled && (dragged - width).abs() > 0.5;
    } else if std::mem::take(&mut view.dragging) {
        scene.send(UiCommand::Prefer(Preferences {
            preview_width: dragged,
            ..scene.state.preferences.clone()
        }));
    }
    false
}

/// Draws the tabs over the whole of the room there is.
pub fn show_whole(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut PreviewView,
    tabs: Option<&mut Tabs>,
) {
    if let Some(tabs) = tabs {
        let area = ui.max_rect();
        inside(ui, scene, view, tabs);
        view.note_focus(ui.ctx(), area);
    }
}

/// The strip, and below it what the tab in front shows.
fn inside(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut PreviewView, tabs: &mut Tabs) {
    view.forget_gone(tabs);
    ui.spacing_mut().item_spacing.y = 0.0;
    strip::show(ui, scene, view, tabs);
    let area = ui.available_rect_before_wrap();
    let mut focus = std::mem::take(&mut view.wants_focus);
    let Some(tab) = tabs.active_mut() else {
        return;
    };
    let id = tab.id.clone();
    let mut inner = ui.new_child(UiBuilder::new().id_salt(&id).max_rect(area));
    inner.shrink_clip_rect(area);
    let ui = &mut inner;
    match &mut tab.content {
        Content::File(file) => {
            let before = file.edit.as_ref().map(|edit| edit.changes);
            let took = tab_file::show(ui, scene, view, &id, file, focus);
            view.wants_focus |= focus && !took;
            if before != file.edit.as_ref().map(|edit| edit.changes) {
                tab.version += 1;
            }
            focus = false;
        }
        Content::Folder(folder) => {
            tab_folder::show(ui, scene, &id, folder, focus);
            focus = false;
        }
        Content::Diff(diff) => tab_diff::show(ui, scene, view, &id, diff),
        Content::New(_) => {
            let mut content = std::mem::replace(&mut tab.content, Content::new_tab());
            if let Content::New(new) = &mut content {
                new.focus |= focus;
                tab_new::show(ui, scene, &id, new, tabs.recent());
            }
            if let Some(tab) = tabs.get_mut(&id) {
                tab.content = content;
            }
            focus = false;
        }
        Content::Web(web) => {
            tab_web::show(ui, scene, &mut view.web, &id, web, focus);
            focus = false;
        }
    }
    if focus {
        view.strip.focus();
        ui.request_repaint();
    }
}
