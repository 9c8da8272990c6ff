//! What the program is and what it is made of.

use std::sync::OnceLock;

use eframe::egui::{Id, Label, RichText, Ui};

use crate::i18n::fill;
use crate::settings::path_ui;
use crate::text::lines::Lines;
use crate::theme::fonts;
use crate::theme::style::{ROW, STEP, TEXT, TEXT_LINE};
use crate::widgets::text_view::TextView;
use crate::window::page;
use crate::window::scene::Scene;

/// The typefaces and icons, who made them, under which licence.
const MADE_BY: [(&str, &str); 3] = [
    ("Inter", "The Inter Project Authors, OFL 1.1"),
    (
        "JetBrains Mono",
        "The JetBrains Mono Project Authors, OFL 1.1",
    ),
    ("Lucide", "Lucide Contributors, ISC"),
];
/// How high the texts of licences are, in points.
const TEXTS: f32 = 240.0;

/// The texts of all licences, made once when somebody looks.
fn texts() -> &'static (usize, Lines) {
    static TEXTS: OnceLock<(usize, Lines)> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let syntaxes = two_face::acknowledgement::listing();
        let count = syntaxes.for_syntaxes().len();
        let text = [
            include_str!("../../../LICENSE"),
            include_str!("../../../assets/fonts/OFL.txt"),
            include_str!("../../../assets/fonts/Lucide-LICENSE.txt"),
            &syntaxes.to_md(),
        ]
        .join("\n\n");
        (count, Lines::of(text))
    })
}

/// Draws it.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let title = scene.words.common.app;
    page::show(ui, scene, title, |ui, scene| {
        let words = &scene.words.about;
        let palette = scene.palette;
        let line = |ui: &mut Ui, text: &str| {
            let text = RichText::new(text)
                .color(palette.text_dim)
                .line_height(Some(TEXT_LINE));
            ui.add(Label::new(text).wrap().selectable(true));
        };
        let heading = |ui: &mut Ui, text: &str| {
            ui.add_space(5.0 * STEP);
            ui.label(
                RichText::new(text)
                    .font(fonts::semibold(TEXT))
                    .color(palette.text),
            );
        };
        line(
            ui,
            &fill(words.version, &[("version", env!("CARGO_PKG_VERSION"))]),
        );
        line(ui, words.what);
        heading(ui, words.data);
        let home = scene.state.settings.home.clone();
        path_ui(ui, scene, &home);
        heading(ui, words.licence);
        line(ui, words.licence_text);
        heading(ui, words.fonts);
        for (name, who) in MADE_BY {
            let text = fill(words.by, &[("name", name), ("who", who)]);
            ui.label(RichText::new(text).size(ROW).color(palette.text_dim));
        }
        let (count, texts) = texts();
        heading(ui, words.syntaxes);
        line(ui, &fill(words.syntaxes_text, &[("n", &count.to_string())]));
        heading(ui, words.texts);
        TextView::new(Id::unique("licences"), texts, TEXTS).ui(ui, palette, scene.words);
    });
}
