//! The line above the conversation: its title, its folder, the model, how full its window is.

use eframe::egui::{
    Align, Button, CursorIcon, Layout, Popup, RichText, Role, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo,
};

use super::context_ring;
use crate::commands::{Command, TabCommand, UiCommand};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL, META, ROW, TEXT};
use crate::widgets::button::icon_button;
use crate::window::scene::Scene;

/// How high the menu is at most, in points.
const MENU: f32 = 520.0;

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    ui.allocate_ui_with_layout(
        [ui.available_width(), CONTROL].into(),
        Layout::right_to_left(Align::Center),
        |ui| {
            menu(ui, scene);
            if scene.preview_away {
                let toggle = Command::TogglePreview;
                let name = format!("{} · {}", toggle.title(scene.words), scene.keys(toggle));
                if icon_button(ui, palette, Icon::PanelRight, &name).clicked() {
                    scene.run(toggle);
                }
            }
            context_ring::show(ui, scene);
            let model = visible::line(&scene.state.model.name);
            if !model.is_empty() {
                let label = RichText::new(model).size(ROW).color(palette.text_dim);
                let model = Button::new(label).frame_when_inactive(false);
                if ui
                    .add(model)
                    .on_hover_text(scene.words.commands.settings)
                    .clicked()
                {
                    scene.run(Command::Settings);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| left(ui, scene));
        },
    );
}

/// Every command, by group.
fn menu(ui: &mut Ui, scene: &mut Scene<'_>) {
    let button = icon_button(ui, scene.palette, Icon::Ellipsis, scene.words.common.more);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(260.0);
        let list = ScrollArea::vertical()
            .max_height(MENU)
            .min_scrolled_height(MENU);
        list.show(ui, |ui| {
            let mut group = None;
            for command in Command::ALL {
                if group.is_some_and(|before| before != command.group()) {
                    ui.separator();
                }
                group = Some(command.group());
                let keys = RichText::new(scene.keys(*command)).size(META);
                let item = Button::new(command.title(scene.words))
                    .shortcut_text(keys.color(scene.palette.text_faint))
                    .frame_when_inactive(false);
                if ui.add(item).clicked() {
                    scene.run(*command);
                    ui.close();
                }
            }
        });
    });
}

fn left(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    let summary = (scene.state.current.as_ref()).and_then(|id| scene.state.sessions.summary(id));
    let title = match summary {
        Some(summary) if !summary.title.is_empty() => visible::line(&summary.title),
        _ => scene.words.sidebar.untitled.to_owned(),
    };
    let folder = match summary {
        Some(summary) => summary.folder.clone(),
        None => scene.state.new_folder.clone(),
    };
    let name = folder.as_ref().map_or_else(
        || scene.words.common.no_folder.to_owned(),
        |folder| visible::folder_name(folder),
    );
    ui.spacing_mut().item_spacing.x = 6.0;
    // The folder's name keeps its room; a long title is cut.
    let room = (ui.available_width() - 40.0 - 7.0 * f32_of(name.chars().count().min(30))).max(60.0);
    ui.scope(|ui| {
        ui.set_max_width(room);
        let text = RichText::new(&title)
            .font(fonts::semibold(TEXT))
            .color(palette.text);
        ui.add(eframe::egui::Label::new(text).truncate())
            .on_hover_text(&title);
    });
    ui.add_space(8.0);
    ui.label(icon(Icon::Folder, 15.0, palette.text_dim));
    let text = RichText::new(&name).size(ROW).color(palette.text_dim);
    let opens = summary.is_some() && folder.is_some();
    let label = eframe::egui::Label::new(text).truncate();
    let label = if opens {
        label.selectable(false).sense(Sense::click())
    } else {
        label
    };
    let mut label = ui.add(label);
    if opens {
        let browse = scene.words.preview.browse;
        label.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{browse}: {name}")));
        if label.has_focus() || label.hovered() {
            let line = Stroke::new(1.0, palette.accent);
            let rect = label.rect;
            ui.painter()
                .hline(rect.x_range(), rect.bottom() + 1.0, line);
        }
        label = label.on_hover_cursor(CursorIcon::PointingHand);
        if label.clicked() {
            scene.send(UiCommand::Tab(TabCommand::OpenFolder(".".to_owned())));
        }
    }
    if let Some(folder) = folder {
        label.on_hover_text(visible::line(&folder.to_string_lossy()));
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few characters")]
fn f32_of(n: usize) -> f32 {
    n as f32
}
