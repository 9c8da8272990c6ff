//! What the sections are put together from: a title, and rows of a name, a control and a hint.

use eframe::egui::{Align, Color32, Label, Layout, RichText, Ui};

use crate::theme::fonts;
use crate::theme::style::{CONTROL, META, ROW, STEP};
use crate::theme::tokens::Palette;
use crate::window::scene::Scene;

/// The width of the names, in points.
const NAMES: f32 = 176.0;
/// A narrower page has its controls below their names.
const NARROW: f32 = 480.0;
/// The size of a section's title, in points.
const SECTION: f32 = 15.0;

/// A section under its title.
pub(crate) fn section(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    title: &str,
    add: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    ui.add_space(5.0 * STEP);
    ui.label(
        RichText::new(title)
            .font(fonts::semibold(SECTION))
            .color(scene.palette.text),
    );
    ui.add_space(STEP);
    add(ui, scene);
}

/// A row: its name at the left, its control beside it, or below where the page is narrow.
pub(super) fn row(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    name: &str,
    add: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    let palette = scene.palette;
    let text = RichText::new(name).size(ROW + 0.5).color(palette.text_dim);
    if ui.available_width() < NARROW {
        ui.add(Label::new(text).wrap());
        add(ui, scene);
    } else {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let column = Layout::left_to_right(Align::Center).with_main_wrap(true);
            ui.allocate_ui_with_layout([NAMES, CONTROL].into(), column, |ui| {
                ui.set_width(NAMES);
                ui.add(Label::new(text).wrap());
            });
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing = [2.0 * STEP, STEP].into();
                ui.set_width(ui.available_width());
                add(ui, scene);
            });
        });
    }
    ui.add_space(STEP);
}

/// A quiet line below a control.
pub(super) fn hint(ui: &mut Ui, palette: &Palette, text: &str) {
    note(ui, text, palette.text_faint);
}

/// A line below a control, in this colour.
pub(crate) fn note(ui: &mut Ui, text: &str, colour: Color32) {
    let text = RichText::new(text).size(META).color(colour);
    ui.add(Label::new(text).wrap().selectable(true));
}
