//! A field of one line whose value is kept when it is left.

use eframe::egui::{
    Frame, Key, Margin, Response, Stroke, StrokeKind, TextEdit, Ui, text_edit::TextEditState,
};
use wisp_engine::Settings;

use super::form::note;
use crate::i18n::{Words, fill};
use crate::theme::fonts;
use crate::theme::style::{CONTROL_CORNER, ROW};
use crate::theme::tokens::Palette;
use crate::window::scene::Scene;

/// The longest value that can be typed, in characters.
const LONGEST: usize = 2_000;
/// The longest key, in bytes.
const LONGEST_KEY: usize = 4_096;

/// What a value must be. An empty one is always taken: then the usual one holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Where a server is.
    Address,
    /// Any words.
    Words,
    /// A whole number within these limits.
    Whole(u64, u64),
    /// A key.
    Key,
}

impl Rule {
    /// Why this is no such value; `None` when it is one.
    pub(crate) fn refusal(self, text: &str, words: &Words) -> Option<String> {
        let words = &words.settings;
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        match self {
            Self::Words => None,
            Self::Address => {
                let settings = Settings {
                    base_url: text.to_owned(),
                    ..Settings::default()
                };
                let fits = settings.key_host().is_some();
                (!fits).then(|| words.bad_address.to_owned())
            }
            Self::Whole(least, most) => {
                let fits = text
                    .parse()
                    .is_ok_and(|number: u64| (least..=most).contains(&number));
                let limits = [("least", &*least.to_string()), ("most", &most.to_string())];
                (!fits).then(|| fill(words.bad_whole, &limits))
            }
            Self::Key => {
                let fits = text.len() <= LONGEST_KEY && text.chars().all(|c| c.is_ascii_graphic());
                (!fits).then(|| words.bad_key.to_owned())
            }
        }
    }
}

/// A setting in a field.
#[derive(Debug)]
pub(super) struct Field {
    key: &'static str,
    rule: Rule,
    text: String,
    /// Whether the text is another one than the setting's value.
    is_changed: bool,
    /// The reading of the settings at which the text was handed over to be kept.
    handed_over: Option<u64>,
    refusal: Option<String>,
}

impl Field {
    /// For the setting of this key.
    pub(super) fn new(key: &'static str, rule: Rule) -> Self {
        Self {
            key,
            rule,
            text: String::new(),
            is_changed: false,
            handed_over: None,
            refusal: None,
        }
    }

    /// Draws it as wide as this. `value` is the setting's. Gives the change when there is one to keep.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        scene: &Scene<'_>,
        name: &str,
        width: f32,
        value: &str,
    ) -> Option<(String, Option<String>)> {
        self.follow(scene.state.settings.revision, value);
        let response = edit(
            ui,
            scene.palette,
            Look {
                name,
                hint: "",
                width,
                secret: false,
                is_bad: self.refusal.is_some(),
            },
            &mut self.text,
        );
        if response.changed() {
            self.is_changed = self.text.trim() != value;
            self.refusal = None;
        }
        let mut change = None;
        if response.lost_focus() {
            let (escape, enter) = ui.input(|input| {
                (
                    input.key_pressed(Key::Escape),
                    input.key_pressed(Key::Enter),
                )
            });
            if escape {
                self.give_up(value);
            } else {
                change = self.hand_over(scene.state.settings.revision, scene.words);
            }
            if enter {
                // The keyboard goes on from here.
                response.request_focus();
            }
        }
        if let Some(refusal) = &self.refusal {
            note(ui, refusal, scene.palette.bad);
        }
        change
    }

    /// Takes the setting's value unless another one is being typed or kept.
    fn follow(&mut self, revision: u64, value: &str) {
        if self.handed_over.is_some_and(|then| then != revision) {
            self.give_up(value);
        }
        if !self.is_changed && self.text != value {
            value.clone_into(&mut self.text);
        }
    }

    fn give_up(&mut self, value: &str) {
        value.clone_into(&mut self.text);
        self.is_changed = false;
        self.handed_over = None;
        self.refusal = None;
    }

    fn hand_over(&mut self, revision: u64, words: &Words) -> Option<(String, Option<String>)> {
        if !self.is_changed || self.handed_over.is_some() {
            return None;
        }
        self.refusal = self.rule.refusal(&self.text, words);
        if self.refusal.is_some() {
            return None;
        }
        self.handed_over = Some(revision);
        Some(self.change())
    }

    fn change(&self) -> (String, Option<String>) {
        let text = self.text.trim();
        let value = Some(text.to_owned()).filter(|text| !text.is_empty());
        (self.key.to_owned(), value)
    }

    /// The page is left: the change that was not handed over, when it makes sense.
    pub(super) fn leave(&mut self) -> Option<(String, Option<String>)> {
        let fits = self
            .rule
            .refusal(&self.text, crate::i18n::Language::English.words())
            .is_none();
        let change = (self.is_changed && self.handed_over.is_none() && fits).then(|| self.change());
        self.is_changed = false;
        self.handed_over = None;
        self.refusal = None;
        change
    }
}

/// How a field of one line looks.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    /// Its accessible name.
    pub(crate) name: &'a str,
    /// What stands in it while it is empty.
    pub(crate) hint: &'a str,
    /// Its width, in points.
    pub(crate) width: f32,
    /// Whether dots stand for what is typed.
    pub(crate) secret: bool,
    /// Whether its value makes no sense.
    pub(crate) is_bad: bool,
}

/// Draws a field of one line.
pub(crate) fn edit(ui: &mut Ui, palette: &Palette, look: Look<'_>, text: &mut String) -> Response {
    let line = if look.is_bad {
        palette.bad
    } else {
        palette.line
    };
    let margin = Margin::symmetric(8, 5);
    let hint = eframe::egui::RichText::new(look.hint)
        .size(ROW)
        .color(palette.text_faint);
    let field = TextEdit::singleline(text)
        .id_salt(look.name)
        .frame(
            Frame::new()
                .fill(palette.field)
                .stroke(Stroke::new(1.0, line))
                .corner_radius(CONTROL_CORNER)
                .inner_margin(margin),
        )
        .font(fonts::text(ROW))
        .text_color(palette.text)
        .hint_text(hint)
        .password(look.secret)
        .char_limit(LONGEST.max(LONGEST_KEY + 1))
        .desired_width(look.width);
    let response = ui.add(field);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(look.name));
    if response.has_focus() {
        let ring = Stroke::new(1.5, palette.accent);
        ui.painter()
            .rect_stroke(response.rect, CONTROL_CORNER, ring, StrokeKind::Inside);
    }
    response
}

/// Forgets what was typed in a field, so that no undo brings a key back.
pub(crate) fn forget(ui: &Ui, field: &Response, text: &mut String) {
    text.clear();
    TextEditState::default().store(ui.ctx(), field.id);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    fn words() -> &'static Words {
        Language::English.words()
    }

    #[test]
    fn limits_hold_on_both_sides_and_are_said() {
        let steps = Rule::Whole(1, 50);
        for good in ["1", " 50 ", ""] {
            assert_eq!(steps.refusal(good, words()), None, "{good}");
        }
        for bad in ["0", "51", "-1", "2.5", "many"] {
            let refusal = steps.refusal(bad, words()).unwrap();
            assert!(refusal.contains('1') && refusal.contains("50"), "{refusal}");
        }
        for good in ["https://api.example/v1", "http://127.0.0.1:11434"] {
            assert_eq!(Rule::Address.refusal(good, words()), None, "{good}");
        }
        for bad in ["api.example", "ftp://a", "https://", "https://me:pw@a"] {
            assert!(Rule::Address.refusal(bad, words()).is_some(), "{bad}");
        }
        assert!(Rule::Key.refusal("sk 1", words()).is_some());
        assert_eq!(Rule::Key.refusal("sk-1\n", words()), None);
    }

    #[test]
    fn a_value_that_is_refused_comes_back_to_what_is_kept() {
        let mut field = Field::new("max_steps", Rule::Whole(1, 50));
        field.follow(1, "8");
        field.text = "12".to_owned();
        field.is_changed = true;
        let change = field.hand_over(1, words());
        assert_eq!(
            change,
            Some(("max_steps".to_owned(), Some("12".to_owned())))
        );
        assert_eq!(field.hand_over(1, words()), None);
        field.follow(1, "8");
        assert_eq!(field.text, "12");
        field.follow(2, "8");
        assert_eq!(field.text, "8");
    }

    #[test]
    fn what_makes_no_sense_is_not_kept_when_the_page_is_left() {
        let mut field = Field::new("max_steps", Rule::Whole(1, 50));
        field.follow(1, "8");
        (field.text, field.is_changed) = ("51".to_owned(), true);
        assert_eq!(field.leave(), None);
        field.follow(1, "8");
        assert_eq!(field.text, "8");
        (field.text, field.is_changed) = ("9".to_owned(), true);
        assert_eq!(
            field.leave(),
            Some(("max_steps".to_owned(), Some("9".to_owned())))
        );
        (field.text, field.is_changed) = (String::new(), true);
        assert_eq!(field.leave(), Some(("max_steps".to_owned(), None)));
    }
}
