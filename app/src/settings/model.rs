//! The model, its key, and how far a run goes.

use eframe::egui::{Margin, TextEdit, Ui, WidgetInfo};

use super::field::{self, Field};
use super::{SettingsView, hint, section, setting};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::state::EngineState;
use crate::state::settings::KeyInfo;
use crate::theme::icons::Icon;
use crate::widgets::button::{Button, toggle_button};
use crate::widgets::choice;
use crate::window::scene::Scene;

/// The largest budget of a run, in steps.
const MOST_STEPS: u64 = 50;
/// The longest silence that can be set, in seconds.
const MOST_IDLE: u64 = 86_400;
/// The most tries that can be set.
const MOST_TRIES: u64 = 100;
/// The longest key, in bytes.
const LONGEST_KEY: usize = 4_096;

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SettingsView) {
    let words = &scene.words.settings;
    let info = scene.state.settings.clone();
    section(ui, scene, words.model_section);
    if scene.state.engine == EngineState::Simulated {
        hint(ui, scene, words.of_simulation);
    }
    let wrong = field::not_an_address(scene, &view.texts.base_url);
    let base_url = Field {
        name: words.base_url,
        hint: words.base_url_hint,
        key: "base_url",
        variable: Some("WISP_BASE_URL"),
        kept: &info.base_url,
        wrong,
    };
    field::show(ui, scene, &base_url, &mut view.texts.base_url);
    provider(ui, scene);
    let model = Field {
        name: words.model,
        hint: words.model_hint,
        key: "model",
        variable: Some("WISP_MODEL"),
        kept: &info.model,
        wrong: None,
    };
    field::show(ui, scene, &model, &mut view.texts.model);
    key(ui, scene, &mut view.key, &mut view.show_key);

    section(ui, scene, words.runs_section);
    let most = |sentence: &str, most: u64| fill(sentence, &[("most", &most.to_string())]);
    for (name, hint, key, variable, kept, limit, text) in [
        (
            words.steps,
            most(words.steps_hint, MOST_STEPS),
            "max_steps",
            None,
            u64::from(info.max_steps),
            MOST_STEPS,
            &mut view.texts.max_steps,
        ),
        (
            words.idle,
            most(words.idle_hint, MOST_IDLE),
            "idle_seconds",
            Some("WISP_IDLE_SECONDS"),
            info.idle_seconds,
            MOST_IDLE,
            &mut view.texts.idle_seconds,
        ),
        (
            words.tries,
            most(words.tries_hint, MOST_TRIES),
            "max_tries",
            None,
            u64::from(info.max_tries),
            MOST_TRIES,
            &mut view.texts.max_tries,
        ),
    ] {
        let wrong = field::not_whole(scene, text, &(1..=limit));
        let kept = kept.to_string();
        let setting = Field {
            name,
            hint: &hint,
            key,
            variable,
            kept: &kept,
            wrong,
        };
        field::show(ui, scene, &setting, text);
    }
}

fn provider(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    setting(
        ui,
        scene,
        words.provider,
        words.provider_hint,
        |ui, scene| {
            let now = scene.state.settings.provider.as_deref();
            let selected = match now {
                None => Some(0),
                Some("deepseek") => Some(1),
                Some("openai") => Some(2),
                Some(_) => None,
            };
            let options = [words.automatic, "DeepSeek", "OpenAI"];
            if let Some(chosen) = choice::ui(ui, scene.palette, words.provider, &options, selected)
            {
                let value = [None, Some("deepseek"), Some("openai")]
                    .get(chosen)
                    .copied()
                    .flatten();
                let change = ("provider".to_owned(), value.map(str::to_owned));
                scene.send(UiCommand::ChangeSettings(vec![change]));
            }
            if let (None, Some(other)) = (selected, now) {
                hint(
                    ui,
                    scene,
                    &format!("{}: {}", words.other, crate::text::visible::line(other)),
                );
            }
        },
    );
}

/// Where the key is kept, and a field for another one.
fn key(ui: &mut Ui, scene: &mut Scene<'_>, text: &mut String, shown: &mut bool) {
    let words = &scene.words.settings;
    let info = scene.state.settings.clone();
    let host = info.host.clone().unwrap_or_default();
    let place = match &info.key {
        _ if !info.needs_key => words.key_not_needed.to_owned(),
        KeyInfo::None => fill(words.key_none, &[("host", &host)]),
        KeyInfo::Environment => words.key_environment.to_owned(),
        KeyInfo::SettingsFile => words.key_in_settings.to_owned(),
        KeyInfo::SecretStore => fill(words.key_in_store, &[("host", &host)]),
        KeyInfo::File(path) => fill(
            words.key_in_file,
            &[("host", &host), ("path", &path.display().to_string())],
        ),
    };
    setting(ui, scene, words.key, &place, |ui, scene| {
        ui.horizontal(|ui| {
            let edit = TextEdit::singleline(text)
                .password(!*shown)
                .hint_text(words.key_hint)
                .desired_width(240.0)
                .margin(Margin::symmetric(8, 5));
            let response = ui.add(edit);
            response.widget_info(|| {
                WidgetInfo::labeled(eframe::egui::Role::PasswordInput, true, words.key_hint)
            });
            let eye = if *shown {
                words.key_hide
            } else {
                words.key_show
            };
            if toggle_button(ui, scene.palette, Icon::Eye, eye, *shown).clicked() {
                *shown = !*shown;
            }
            let key = text.trim();
            let good = !key.is_empty()
                && key.len() <= LONGEST_KEY
                && key.chars().all(|c| c.is_ascii_graphic());
            let save = Button::new(words.key_save).enabled(good);
            if save.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::SetKey(key.to_owned()));
            }
            if !key.is_empty() && !good {
                hint(ui, scene, words.bad_key);
            }
        });
        if matches!(info.key, KeyInfo::SecretStore | KeyInfo::File(_))
            && Button::new(words.key_remove)
                .show(ui, scene.palette)
                .clicked()
        {
            scene.send(UiCommand::SetKey(String::new()));
        }
    });
}
