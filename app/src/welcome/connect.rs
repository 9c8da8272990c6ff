//! The way to a model: its address, its name and a key, kept one after another.

use eframe::egui::{Label, RichText, Ui};

use wisp_engine::Settings;

use crate::commands::UiCommand;
use crate::settings::field::{self, Look, Rule};
use crate::settings::model::{KeyField, fixed_note};
use crate::settings::note;
use crate::state::settings::{KeyInfo, SettingsInfo};
use crate::theme::style::{ROW, STEP};
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

/// What is typed.
#[derive(Debug)]
pub(super) struct ConnectView {
    base_url: String,
    model: String,
    key: KeyField,
    refusal: Option<String>,
    step: Step,
}

/// How far it is. Each step waits for the reading of the settings after the one before, so that a key is kept
/// for no other server than the one that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It is typed.
    Typing,
    /// Address and name are handed over, at this reading.
    Settings(u64),
    /// The key is handed over, at this reading.
    Key(u64),
}

impl ConnectView {
    /// Beginning with what is kept.
    pub(super) fn of(info: &SettingsInfo) -> Self {
        Self {
            base_url: info.base_url.clone(),
            model: info.model.clone(),
            key: KeyField::default(),
            refusal: None,
            step: Step::Typing,
        }
    }

    /// Takes the next step when the one before is done. Gives what to ask for.
    fn go_on(&mut self, info: &SettingsInfo) -> Option<UiCommand> {
        let start = UiCommand::StartEngine { simulate: false };
        match self.step {
            Step::Settings(before) if before != info.revision => {
                let is = |kept: &str, typed: &str| typed.is_empty() || kept == typed;
                let kept =
                    is(&info.base_url, self.base_url.trim()) && is(&info.model, self.model.trim());
                if !kept {
                    // It was refused, and said so.
                    self.step = Step::Typing;
                    return None;
                }
                let key = self.key.text.trim();
                if key.is_empty() {
                    self.step = Step::Typing;
                    return Some(start);
                }
                let key = UiCommand::SetKey(key.to_owned());
                self.step = Step::Key(info.revision);
                Some(key)
            }
            Step::Key(before) if before != info.revision => {
                self.step = Step::Typing;
                info.is_usable().then_some(start)
            }
            _ => None,
        }
    }

    /// Looks at what was typed. Gives the first change to ask for when all of it makes sense.
    fn begin(&mut self, scene: &Scene<'_>) -> Option<UiCommand> {
        let words = scene.words;
        let info = &scene.state.settings;
        self.refusal = Rule::Address.refusal(&self.base_url, words);
        self.key.refusal = Rule::Key.refusal(&self.key.text, words);
        let usual = Settings::default();
        let settings = match self.base_url.trim() {
            "" => usual,
            typed => Settings {
                base_url: typed.to_owned(),
                ..usual
            },
        };
        let same_host = settings.key_host() == info.host;
        let has_key = same_host && info.key != KeyInfo::None;
        if self.key.text.trim().is_empty() && !has_key && !is_local(&self.base_url) {
            self.key.refusal = Some(words.welcome.key_missing.to_owned());
        }
        if self.refusal.is_some() || self.key.refusal.is_some() {
            return None;
        }
        self.step = Step::Settings(info.revision);
        let value = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let changes = [
            ("base_url", "WISP_BASE_URL", &self.base_url),
            ("model", "WISP_MODEL", &self.model),
        ];
        let changes = changes
            .into_iter()
            .filter(|(_, variable, _)| !info.is_fixed(variable));
        let changes = changes.map(|(key, _, text)| (key.to_owned(), value(text)));
        Some(UiCommand::ChangeSettings(changes.collect()))
    }
}

/// Draws the form.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut ConnectView) {
    if let Some(next) = view.go_on(&scene.state.settings) {
        scene.send(next);
    }
    let (palette, words) = (scene.palette, scene.words);
    let waits = view.step != Step::Typing;
    ui.add_space(STEP);
    let enter = ui
        .add_enabled_ui(!waits, |ui| fields(ui, scene, view))
        .inner;
    ui.add_space(STEP);
    let label = if waits {
        words.welcome.starting
    } else {
        words.welcome.start
    };
    let start = Button::new(label).kind(Kind::Primary).enabled(!waits);
    let pressed = start.show(ui, palette).clicked();
    if (pressed || enter)
        && !waits
        && let Some(first) = view.begin(scene)
    {
        scene.send(first);
    }
}

/// The three fields. Tells whether Enter was pressed in one.
fn fields(ui: &mut Ui, scene: &Scene<'_>, view: &mut ConnectView) -> bool {
    let (palette, words) = (scene.palette, &scene.words.settings);
    let mut enter = false;
    let usual = Settings::default();
    let address = (words.base_url, usual.base_url.as_str());
    let is_bad = view.refusal.is_some();
    enter |= own_text(ui, scene, "WISP_BASE_URL", |ui| {
        text(ui, scene, address, &mut view.base_url, is_bad)
    });
    if let Some(refusal) = &view.refusal {
        note(ui, refusal, palette.bad);
    }
    let model = (words.model, usual.model.as_str());
    enter |= own_text(ui, scene, "WISP_MODEL", |ui| {
        text(ui, scene, model, &mut view.model, false)
    });
    name(ui, scene, words.key);
    let kept = scene.state.settings.key != KeyInfo::None;
    let hint = if kept {
        scene.words.welcome.key_kept
    } else {
        words.key_hint
    };
    enter | view.key.show(ui, scene, hint).0
}

/// A field that can't be changed where this variable of the environment is above it.
fn own_text(
    ui: &mut Ui,
    scene: &Scene<'_>,
    variable: &str,
    add: impl FnOnce(&mut Ui) -> bool,
) -> bool {
    let fixed = scene.state.settings.is_fixed(variable);
    let enter = ui.add_enabled_ui(!fixed, add).inner;
    if fixed {
        fixed_note(ui, scene, variable);
    }
    enter
}

fn text(
    ui: &mut Ui,
    scene: &Scene<'_>,
    (label, hint): (&str, &str),
    value: &mut String,
    is_bad: bool,
) -> bool {
    name(ui, scene, label);
    let look = Look {
        name: label,
        hint,
        width: f32::INFINITY,
        secret: false,
        is_bad,
    };
    let field = field::edit(ui, scene.palette, look, value);
    field.lost_focus() && ui.input(|input| input.key_pressed(eframe::egui::Key::Enter))
}

fn name(ui: &mut Ui, scene: &Scene<'_>, name: &str) {
    let text = RichText::new(name).size(ROW).color(scene.palette.text_dim);
    ui.add(Label::new(text));
}

/// A server on this computer needs no key.
fn is_local(address: &str) -> bool {
    let settings = Settings {
        base_url: address.trim().to_owned(),
        ..Settings::default()
    };
    !settings.needs_key()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(revision: u64, base_url: &str) -> SettingsInfo {
        SettingsInfo {
            revision,
            base_url: base_url.to_owned(),
            model: "m".to_owned(),
            host: Some("api.example".to_owned()),
            needs_key: true,
            ..SettingsInfo::default()
        }
    }

    fn typed(step: Step) -> ConnectView {
        let mut view = ConnectView::of(&info(1, "https://api.example"));
        view.key.text = "sk-1".to_owned();
        view.step = step;
        view
    }

    #[test]
    fn a_key_is_kept_for_the_server_that_was_typed_and_for_no_other() {
        let mut view = typed(Step::Settings(1));
        assert_eq!(view.go_on(&info(1, "https://old.example")), None);
        assert_eq!(view.step, Step::Settings(1));
        assert_eq!(view.go_on(&info(2, "https://old.example")), None);
        assert_eq!(view.step, Step::Typing);
        let mut view = typed(Step::Settings(1));
        let next = view.go_on(&info(2, "https://api.example"));
        assert_eq!(next, Some(UiCommand::SetKey("sk-1".to_owned())));
    }

    #[test]
    fn the_engine_starts_when_the_key_is_kept_and_not_when_it_was_refused() {
        let mut view = typed(Step::Key(2));
        assert_eq!(view.go_on(&info(3, "https://api.example")), None);
        let mut view = typed(Step::Key(2));
        let mut kept = info(3, "https://api.example");
        kept.key = KeyInfo::SecretStore;
        let start = UiCommand::StartEngine { simulate: false };
        assert_eq!(view.go_on(&kept), Some(start));
    }
}
