//! Settings that are typed: kept when the field is left or Enter is pressed, never while it makes no sense.

use std::ops::RangeInclusive;

use eframe::egui::{Label, Margin, RichText, TextEdit, Ui, WidgetInfo};

use super::{hint, setting};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::state::settings::SettingsInfo;
use crate::theme::style::META;
use crate::window::scene::Scene;

/// The texts of the fields, as they are typed.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) base_url: String,
    pub(super) model: String,
    pub(super) max_steps: String,
    pub(super) idle_seconds: String,
    pub(super) max_tries: String,
}

impl Texts {
    pub(super) fn of(info: &SettingsInfo) -> Self {
        Self {
            base_url: info.base_url.clone(),
            model: info.model.clone(),
            max_steps: info.max_steps.to_string(),
            idle_seconds: info.idle_seconds.to_string(),
            max_tries: info.max_tries.to_string(),
        }
    }
}

/// One such setting.
pub(super) struct Field<'a> {
    /// Its name on the page.
    pub(super) name: &'a str,
    /// What it is for.
    pub(super) hint: &'a str,
    /// Its key in the settings file.
    pub(super) key: &'a str,
    /// The variable of the environment that is above it.
    pub(super) variable: Option<&'static str>,
    /// Its value in the file.
    pub(super) kept: &'a str,
    /// Why what is typed makes no sense.
    pub(super) wrong: Option<String>,
}

/// Draws a setting that is typed into `text`.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, field: &Field<'_>, text: &mut String) {
    let fixed = (field.variable).filter(|variable| scene.state.settings.is_fixed(variable));
    setting(ui, scene, field.name, field.hint, |ui, scene| {
        let edit = TextEdit::singleline(text)
            .desired_width(360.0)
            .margin(Margin::symmetric(8, 5));
        let response = ui.add_enabled(fixed.is_none(), edit);
        response.widget_info(|| {
            let mut info = WidgetInfo::text_edit(fixed.is_none(), "", text.as_str(), "");
            info.label = Some(field.name.to_owned());
            info
        });
        if response.lost_focus() && field.wrong.is_none() && text.trim() != field.kept {
            let value = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            scene.send(UiCommand::ChangeSettings(vec![(
                field.key.to_owned(),
                value,
            )]));
        }
        if let Some(variable) = fixed {
            hint(
                ui,
                scene,
                &fill(scene.words.settings.fixed, &[("variable", variable)]),
            );
        }
        if let Some(wrong) = &field.wrong {
            let wrong = RichText::new(wrong).size(META).color(scene.palette.bad);
            ui.add(Label::new(wrong).wrap());
        }
    });
}

/// Why a text is no whole number within the limits.
pub(super) fn not_whole(
    scene: &Scene<'_>,
    text: &str,
    limits: &RangeInclusive<u64>,
) -> Option<String> {
    let within = |number: u64| limits.contains(&number);
    if text.trim().parse().is_ok_and(within) {
        return None;
    }
    Some(fill(
        scene.words.settings.bad_whole,
        &[
            ("least", &limits.start().to_string()),
            ("most", &limits.end().to_string()),
        ],
    ))
}

/// Why a text is no address of a model server. An empty one is the usual one.
pub(super) fn not_an_address(scene: &Scene<'_>, text: &str) -> Option<String> {
    let text = text.trim();
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .map(|rest| rest.split('/').next().unwrap_or_default());
    let good = text.is_empty()
        || host.is_some_and(|host| {
            !host.is_empty() && !host.contains('@') && !host.contains(char::is_whitespace)
        });
    (!good).then(|| scene.words.settings.bad_address.to_owned())
}
