//! The sessions by folder.

use eframe::egui::{Label, Popup, RichText, Ui, pos2};
use wisp_engine::protocol::SessionSummary;

use super::{SidebarView, row};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::text::visible;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{META, ROW};
use crate::window::scene::Scene;

/// The menu of a session.
fn menu(ui: &mut Ui, scene: &mut Scene<'_>, session: &SessionSummary) {
    let words = &scene.words.common;
    ui.set_min_width(140.0);
    if ui.button(words.rename).clicked() {
        scene.send(UiCommand::AskRename(session.id.clone()));
        ui.close();
    }
    let delete = RichText::new(words.delete).color(scene.palette.bad);
    if ui.button(delete).clicked() {
        scene.send(UiCommand::Delete(session.id.clone()));
        ui.close();
    }
}

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SidebarView, wants_focus: bool) {
    let palette = scene.palette;
    let groups = scene.state.sessions.groups();
    if groups.is_empty() && scene.state.sessions.loaded {
        ui.add_space(8.0);
        let text = RichText::new(scene.words.sidebar.no_sessions)
            .size(ROW)
            .color(palette.text_dim);
        ui.add(Label::new(text).wrap());
    }
    let mut focus = wants_focus;
    for group in groups {
        let key = group.folder.cloned();
        let name = match &key {
            Some(folder) => visible::folder_name(folder),
            None => scene.words.sidebar.other_folder.to_owned(),
        };
        let open = !view.folded.contains(&key);
        let head = row(ui, scene, &name, false, |ui, _| {
            let chevron = if open {
                Icon::ChevronDown
            } else {
                Icon::ChevronRight
            };
            ui.label(icon(chevron, 13.0, palette.text_faint));
            ui.add(Label::new(RichText::new(&name).size(META).color(palette.text_dim)).truncate());
        });
        if head.clicked() {
            view.folded.retain(|folded| *folded != key);
            if open {
                view.folded.push(key.clone());
            }
        }
        let head = match &key {
            Some(folder) => head.on_hover_text(visible::line(&folder.to_string_lossy())),
            None => head,
        };
        let here = fill(scene.words.sidebar.new_here, &[("folder", &name)]);
        Popup::context_menu(&head).show(|ui| {
            if ui.button(here).clicked() {
                scene.send(UiCommand::NewSession {
                    folder: key.clone(),
                });
                ui.close();
            }
        });
        if !open {
            continue;
        }
        for session in group.sessions {
            one(ui, scene, session, std::mem::take(&mut focus));
        }
        ui.add_space(8.0);
    }
}

fn one(ui: &mut Ui, scene: &mut Scene<'_>, session: &SessionSummary, wants_focus: bool) {
    let palette = scene.palette;
    let words = &scene.words.sidebar;
    let selected = scene.state.current.as_ref() == Some(&session.id);
    let title = if session.title.is_empty() {
        words.untitled.to_owned()
    } else {
        visible::line(&session.title)
    };
    let asks = scene.state.approvals.of(&session.id).is_some();
    let (dot, said) = match (asks, session.running) {
        (true, _) => (Some(palette.attention), format!("{title}, {}", words.asks)),
        (false, true) => (Some(palette.accent), format!("{title}, {}", words.running)),
        _ => (None, title.clone()),
    };
    let response = ui
        .push_id(&session.id, |ui| {
            row(ui, scene, &said, selected, |ui, response| {
                if let Some(colour) = dot {
                    let at = pos2(response.rect.left() + 11.0, response.rect.center().y);
                    ui.painter().circle_filled(at, 3.0, colour);
                }
                ui.add_space(14.0);
                let colour = if selected {
                    palette.text
                } else {
                    palette.text_dim
                };
                ui.add(Label::new(RichText::new(&title).size(ROW).color(colour)).truncate());
            })
        })
        .inner;
    if wants_focus {
        response.request_focus();
    }
    if response.clicked() {
        scene.send(UiCommand::OpenSession(session.id.clone()));
    }
    Popup::context_menu(&response).show(|ui| menu(ui, scene, session));
}
