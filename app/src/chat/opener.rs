//! From the conversation to the tabs beside it: what a call has read or changed, opened by a click.

use eframe::egui::{CursorIcon, Label, RichText, Role, Sense, Ui, WidgetInfo};

use crate::commands::{TabCommand, UiCommand};
use crate::i18n::fill;
use crate::state::opens::Opens;
use crate::state::qa::is_sample;
use crate::state::tabs::DiffTab;
use crate::state::transcript::{Call, Run, Step};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::STEP;
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

fn command(opens: &Opens) -> UiCommand {
    UiCommand::Tab(if opens.folder {
        TabCommand::OpenFolder(opens.path.clone())
    } else {
        TabCommand::OpenFile {
            path: opens.path.clone(),
            line: opens.line,
        }
    })
}

/// What a call works on, as a link that opens it.
pub(super) fn subject(ui: &mut Ui, scene: &mut Scene<'_>, subject: &str, opens: &Opens) {
    let palette = scene.palette;
    let text = |colour| RichText::new(subject).font(fonts::mono()).color(colour);
    let label = Label::new(text(palette.text_dim))
        .truncate()
        .selectable(false);
    let response = ui.add(label.sense(Sense::click()));
    let path = visible::line(&opens.path);
    let name = fill(scene.words.preview.open_file, &[("path", &path)]);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &name));
    if response.hovered() || response.has_focus() {
        let line = eframe::egui::Stroke::new(1.0, palette.accent);
        let rect = response.rect;
        ui.painter()
            .hline(rect.x_range(), rect.bottom() + 1.0, line);
    }
    let response = response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(name);
    if response.clicked() {
        scene.send(command(opens));
    }
}

/// The buttons of an open call: what it was about, and what it has changed there.
pub(super) fn buttons(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, step: &Step, call: &Call) {
    // A sample's changes are nowhere but in the conversation.
    let sample = scene.state.current.as_ref().is_some_and(is_sample);
    let Some(opens) = call.opened().filter(|_| !sample) else {
        return;
    };
    let (palette, words) = (scene.palette, &scene.words.preview);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = STEP;
        if opens.change {
            let change = Button::new(words.open_change)
                .kind(Kind::Quiet)
                .icon(Icon::FileDiff);
            if change.show(ui, palette).clicked() {
                scene.send(UiCommand::Tab(TabCommand::OpenDiff(DiffTab {
                    path: opens.path.clone(),
                    run: run.id.clone(),
                    step: step.number,
                    call: call.id.clone(),
                })));
            }
        }
    });
}

/// Something that was found or listed. `base`: the folder that was listed.
pub(super) fn found(scene: &mut Scene<'_>, base: Option<&str>, path: &str, line: Option<usize>) {
    let folder = path.ends_with('/');
    let path = match base {
        Some(base) if base != "." => format!("{}/{path}", base.trim_end_matches('/')),
        _ => path.to_owned(),
    };
    scene.send(UiCommand::Tab(if folder {
        TabCommand::OpenFolder(path.trim_end_matches('/').to_owned())
    } else {
        TabCommand::OpenFile { path, line }
    }));
}
