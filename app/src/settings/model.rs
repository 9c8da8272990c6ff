//! Which model is asked, where, and with which key.

use eframe::egui::{Align, Key, Layout, Ui};

use super::field::{self, Field, Look, Rule};
use super::form::{hint, note, row, section};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::state::EngineState;
use crate::state::settings::KeyInfo;
use crate::text::visible;
use crate::theme::icons::Icon;
use crate::theme::style::STEP;
use crate::widgets::button::{Button, Kind, toggle_button};
use crate::widgets::choice;
use crate::window::scene::Scene;

/// The providers that rules are known for, as the file names them and as they call themselves.
const PROVIDERS: [(&str, &str); 3] = [
    ("deepseek", "DeepSeek"),
    ("openai", "OpenAI"),
    ("openrouter", "OpenRouter"),
];
/// Any other provider, in the file.
const OTHER: &str = "other";

/// What is only on screen.
#[derive(Debug)]
pub(super) struct ModelView {
    base_url: Field,
    model: Field,
    key: KeyField,
}

impl Default for ModelView {
    fn default() -> Self {
        Self {
            base_url: Field::new("base_url", Rule::Address),
            model: Field::new("model", Rule::Words),
            key: KeyField::default(),
        }
    }
}

impl ModelView {
    pub(super) fn fields(&mut self) -> [&mut Field; 2] {
        [&mut self.base_url, &mut self.model]
    }

    pub(super) fn forget_key(&mut self) {
        self.key = KeyField::default();
    }
}

/// Draws the section.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut ModelView) {
    let words = &scene.words.settings;
    section(ui, scene, words.model_section, |ui, scene| {
        if scene.state.engine == EngineState::Simulated {
            note(ui, words.of_simulation, scene.palette.attention);
            ui.add_space(STEP);
        }
        let info = &scene.state.settings;
        text_row(
            ui,
            scene,
            &mut view.base_url,
            (words.base_url, words.base_url_hint),
            (&info.base_url, "WISP_BASE_URL"),
        );
        provider(ui, scene);
        text_row(
            ui,
            scene,
            &mut view.model,
            (words.model, words.model_hint),
            (&info.model, "WISP_MODEL"),
        );
        row(ui, scene, words.key, |ui, scene| {
            key(ui, scene, &mut view.key);
        });
    });
}

/// A row with words to type. `value` comes with the variable of the environment that may be above it.
fn text_row(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    field: &mut Field,
    (name, below): (&str, &str),
    (value, variable): (&str, &str),
) {
    row(ui, scene, name, |ui, scene| {
        let fixed = scene.state.settings.is_fixed(variable);
        let change = ui
            .add_enabled_ui(!fixed, |ui| {
                field.show(ui, scene, name, f32::INFINITY, value)
            })
            .inner;
        if let Some(change) = change {
            scene.send(UiCommand::ChangeSettings(vec![change]));
        }
        if fixed {
            fixed_note(ui, scene, variable);
        } else {
            hint(ui, scene.palette, below);
        }
    });
}

/// Says that the environment is above a setting.
pub(crate) fn fixed_note(ui: &mut Ui, scene: &Scene<'_>, variable: &str) {
    let text = fill(scene.words.settings.fixed, &[("variable", variable)]);
    note(ui, &text, scene.palette.attention);
}

fn provider(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    row(ui, scene, words.provider, |ui, scene| {
        let info = &scene.state.settings;
        let fixed = info.is_fixed("WISP_PROVIDER");
        let mut names = vec![words.automatic];
        names.extend(PROVIDERS.map(|(_, name)| name));
        names.push(words.other);
        let of_place = |place: usize| match place {
            0 => None,
            place => Some(PROVIDERS.get(place - 1).map_or(OTHER, |(key, _)| key)),
        };
        let now = info.provider.as_deref();
        let selected = (0..names.len()).find(|place| of_place(*place) == now);
        let chosen = ui
            .add_enabled_ui(!fixed, |ui| {
                choice::ui(ui, scene.palette, words.provider, &names, selected)
            })
            .inner;
        if let Some(place) = chosen {
            let change = ("provider".to_owned(), of_place(place).map(str::to_owned));
            scene.send(UiCommand::ChangeSettings(vec![change]));
        }
        if fixed {
            fixed_note(ui, scene, "WISP_PROVIDER");
        } else {
            hint(ui, scene.palette, words.provider_hint);
        }
    });
}

/// A key while it is typed. It never comes from where keys are kept.
#[derive(Default)]
pub(crate) struct KeyField {
    pub(crate) text: String,
    shown: bool,
    pub(crate) refusal: Option<String>,
}

impl std::fmt::Debug for KeyField {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyField").finish_non_exhaustive()
    }
}

impl KeyField {
    /// Draws the field and the eye beside it. Tells whether Enter was pressed in it, with the field.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        scene: &Scene<'_>,
        hint: &str,
    ) -> (bool, eframe::egui::Response) {
        let (palette, words) = (scene.palette, &scene.words.settings);
        let shown = ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = STEP;
            let (icon, name) = if self.shown {
                (Icon::EyeOff, words.key_hide)
            } else {
                (Icon::Eye, words.key_show)
            };
            if toggle_button(ui, palette, icon, name, self.shown).clicked() {
                self.shown = !self.shown;
            }
            let look = Look {
                name: words.key,
                hint,
                width: ui.available_width(),
                secret: !self.shown,
                is_bad: self.refusal.is_some(),
            };
            field::edit(ui, palette, look, &mut self.text)
        });
        let response = shown.inner;
        if response.changed() {
            self.refusal = None;
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(refusal) = &self.refusal {
            note(ui, refusal, palette.bad);
        }
        (enter, response)
    }
}

fn key(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut KeyField) {
    let words = &scene.words.settings;
    let info = &scene.state.settings;
    if info.key == KeyInfo::Environment {
        note(ui, words.key_environment, scene.palette.attention);
        return;
    }
    let (enter, field) = view.show(ui, scene, words.key_hint);
    let (text, colour) = where_kept(scene);
    note(ui, &text, colour);
    let typed = !view.text.trim().is_empty();
    let can_remove = matches!(
        info.key,
        KeyInfo::SettingsFile | KeyInfo::SecretStore | KeyInfo::File(_)
    );
    if !typed && !can_remove {
        return;
    }
    let mut keep = enter && typed;
    ui.horizontal_wrapped(|ui| {
        if typed {
            let button = Button::new(words.key_save).kind(Kind::Primary);
            keep |= button.show(ui, scene.palette).clicked();
        }
        if can_remove {
            let button = Button::new(words.key_remove).kind(Kind::Danger);
            if button.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::SetKey(String::new()));
            }
        }
    });
    if keep {
        view.refusal = Rule::Key.refusal(&view.text, scene.words);
        if view.refusal.is_none() {
            let key = view.text.trim().to_owned();
            field::forget(ui, &field, &mut view.text);
            scene.send(UiCommand::SetKey(key));
        }
    }
}

/// Where the key is, in words.
fn where_kept(scene: &Scene<'_>) -> (String, eframe::egui::Color32) {
    let (palette, words) = (scene.palette, &scene.words.settings);
    let info = &scene.state.settings;
    let host = info.host.as_deref().unwrap_or(&info.base_url);
    let host = ("host", host);
    match &info.key {
        KeyInfo::None if !info.needs_key => (words.key_not_needed.to_owned(), palette.text_faint),
        KeyInfo::None => (fill(words.key_none, &[host]), palette.attention),
        KeyInfo::Environment => (words.key_environment.to_owned(), palette.attention),
        KeyInfo::SettingsFile => (words.key_in_settings.to_owned(), palette.attention),
        KeyInfo::SecretStore => (fill(words.key_in_store, &[host]), palette.text_faint),
        KeyInfo::File(path) => {
            let path = visible::line(&path.to_string_lossy());
            let text = fill(words.key_in_file, &[host, ("path", &path)]);
            (text, palette.text_faint)
        }
    }
}
