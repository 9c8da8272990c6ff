//! The page.

use eframe::egui::{
    CornerRadius, Frame, Id, Key, Label, Margin, Modifiers, RichText, Role, ScrollArea, Sense,
    Stroke, Ui, Vec2, WidgetInfo,
};

use super::licences::LICENCES;
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::settings::{form, path};
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CARD_CORNER, CODE_LINE, META, ROW, STEP, TEXT_LINE};
use crate::widgets::button::{Button, Kind};
use crate::window::page;
use crate::window::scene::Scene;

/// What is built in: its name, its licence, where it is.
const PARTS: [(&str, &str, &str); 3] = [
    ("Inter", "OFL 1.1", "https://github.com/rsms/inter"),
    (
        "JetBrains Mono",
        "OFL 1.1",
        "https://github.com/JetBrains/JetBrainsMono",
    ),
    ("Lucide", "ISC, MIT", "https://lucide.dev"),
];
/// What colours code.
const SYNTAXES: [(&str, &str, &str); 2] = [
    ("syntect", "MIT", "https://github.com/trishume/syntect"),
    (
        "two-face",
        "MIT, Apache-2.0",
        "https://github.com/CosmicHorrorDev/two-face",
    ),
];
/// The licence of the program.
const LICENCE: &str = "https://www.apache.org/licenses/LICENSE-2.0";
/// The height of the texts of the licences, in points.
const TEXTS: f32 = 260.0;

/// Draws the page.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let title = scene.words.commands.about;
    page::show(ui, scene, title, |ui, scene| {
        let (palette, words) = (scene.palette, &scene.words.about);
        let version = fill(words.version, &[("version", env!("CARGO_PKG_VERSION"))]);
        ui.label(RichText::new(version).size(META).color(palette.text_faint));
        ui.add_space(STEP);
        let what = RichText::new(words.what)
            .color(palette.text)
            .line_height(Some(TEXT_LINE));
        ui.add(Label::new(what).wrap());
        form::section(ui, scene, words.licence, |ui, scene| {
            link(ui, scene, words.licence_text, LICENCE);
        });
        form::section(ui, scene, words.data, |ui, scene| {
            path(ui, scene, words.data, &scene.state.settings.home);
        });
        form::section(ui, scene, words.fonts, |ui, scene| parts(ui, scene, &PARTS));
        form::section(ui, scene, words.syntaxes, |ui, scene| {
            let count = LICENCES.of_syntaxes.to_string();
            let text = RichText::new(fill(words.syntaxes_text, &[("n", &count)]))
                .size(ROW)
                .color(palette.text_dim);
            ui.add(Label::new(text).wrap());
            parts(ui, scene, &SYNTAXES);
        });
        form::section(ui, scene, words.texts, texts);
    });
}

/// Names with their licences, each a link to where it comes from.
fn parts(ui: &mut Ui, scene: &mut Scene<'_>, parts: &[(&str, &str, &str)]) {
    for (name, licence, address) in parts {
        ui.horizontal_wrapped(|ui| {
            link(ui, scene, name, address);
            ui.label(
                RichText::new(*licence)
                    .size(META)
                    .color(scene.palette.text_faint),
            );
        });
    }
}

fn link(ui: &mut Ui, scene: &mut Scene<'_>, name: &str, address: &str) {
    let button = Button::new(name).icon(Icon::ExternalLink).kind(Kind::Plain);
    if button.show(ui, scene.palette).clicked() {
        scene.send(UiCommand::AskLink(address.to_owned()));
    }
}

/// The texts of the licences, scrolled. With the focus in them the arrows and Page Up and Down scroll.
fn texts(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    let name = scene.words.about.texts;
    let id = Id::unique("licence-texts");
    let focused = ui.memory(|memory| memory.has_focus(id));
    let line = if focused {
        palette.accent
    } else {
        palette.line
    };
    let shown = Frame::new()
        .fill(palette.code)
        .stroke(Stroke::new(1.0, line))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::same(10))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ScrollArea::both()
                .id_salt("licences")
                .max_height(TEXTS)
                .auto_shrink(false)
                .show_rows(ui, CODE_LINE, LICENCES.lines.len(), |ui, rows| {
                    if focused {
                        scroll_by_keys(ui);
                    }
                    for line in LICENCES.lines.get(rows).unwrap_or_default() {
                        let text = RichText::new(line)
                            .font(fonts::mono())
                            .color(palette.text_dim)
                            .line_height(Some(CODE_LINE));
                        ui.add(Label::new(text).extend().selectable(true));
                    }
                });
        });
    let response = ui.interact(shown.response.rect, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, name));
}

fn scroll_by_keys(ui: &mut Ui) {
    let leaps = [
        (Key::ArrowDown, -CODE_LINE),
        (Key::ArrowUp, CODE_LINE),
        (Key::PageDown, -TEXTS * 0.9),
        (Key::PageUp, TEXTS * 0.9),
    ];
    for (key, by) in leaps {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta(Vec2::new(0.0, by));
        }
    }
}
