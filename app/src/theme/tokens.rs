//! The colours by role, read from `assets/theme/tokens.json`. The only place that makes a colour.

use anyhow::Context as _;
use eframe::egui::{Color32, Theme};
use serde_json::Value;

const TOKENS: &str = include_str!("../../../assets/theme/tokens.json");

/// The colours of one theme, each by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The window's ground.
    pub window: Color32,
    /// The sidebar's ground.
    pub sidebar: Color32,
    /// The ground of what one types into.
    pub field: Color32,
    /// The ground of a card.
    pub card: Color32,
    /// The ground of a button.
    pub control: Color32,
    /// A thin line between things.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Text of the second rank.
    pub text_dim: Color32,
    /// Text of the third rank: times, counts, hints.
    pub text_faint: Color32,
    /// The one accent.
    pub accent: Color32,
    /// The accent under the pointer.
    pub accent_hover: Color32,
    /// A ground of the accent's tint.
    pub accent_soft: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// What went well.
    pub good: Color32,
    /// What wants a look.
    pub attention: Color32,
    /// What failed.
    pub bad: Color32,
    /// The ground of an added line.
    pub added: Color32,
    /// The ground of an added word.
    pub added_word: Color32,
    /// The ground of a removed line.
    pub removed: Color32,
    /// The ground of a removed word.
    pub removed_word: Color32,
    /// The ground of code.
    pub code: Color32,
    /// The shadow under what floats.
    pub shadow: Color32,
    /// A keyword in code.
    pub code_keyword: Color32,
    /// A string in code.
    pub code_string: Color32,
    /// A function's name in code.
    pub code_function: Color32,
    /// A number in code.
    pub code_number: Color32,
}

/// How far text stands out from its ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contrast {
    /// At least 4.5 to 1: WCAG 2.2, level AA.
    #[default]
    Normal,
    /// At least 7 to 1: level AAA.
    High,
}

impl Palette {
    /// Reads the colours of one theme. Fails when a role is missing or no colour.
    pub fn read(theme: Theme, contrast: Contrast) -> anyhow::Result<Self> {
        let name = match (theme, contrast) {
            (Theme::Dark, Contrast::Normal) => "dark",
            (Theme::Light, Contrast::Normal) => "light",
            (Theme::Dark, Contrast::High) => "dark_high",
            (Theme::Light, Contrast::High) => "light_high",
        };
        let tokens: Value = serde_json::from_str(TOKENS).context("theme/tokens.json is no JSON")?;
        let role = |role: &str| colour(&tokens, name, role);
        Ok(Self {
            window: role("window")?,
            sidebar: role("sidebar")?,
            field: role("field")?,
            card: role("card")?,
            control: role("control")?,
            line: role("line")?,
            text: role("text")?,
            text_dim: role("text_dim")?,
            text_faint: role("text_faint")?,
            accent: role("accent")?,
            accent_hover: role("accent_hover")?,
            accent_soft: role("accent_soft")?,
            on_accent: role("on_accent")?,
            good: role("good")?,
            attention: role("attention")?,
            bad: role("bad")?,
            added: role("added")?,
            added_word: role("added_word")?,
            removed: role("removed")?,
            removed_word: role("removed_word")?,
            code: role("code")?,
            shadow: role("shadow")?,
            code_keyword: role("code_keyword")?,
            code_string: role("code_string")?,
            code_function: role("code_function")?,
            code_number: role("code_number")?,
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the home of colours")]
fn colour(tokens: &Value, theme: &str, role: &str) -> anyhow::Result<Color32> {
    let text = tokens
        .get(theme)
        .and_then(|theme| theme.get(role))
        .and_then(Value::as_str)
        .with_context(|| format!("theme/tokens.json has no colour {role} in {theme}"))?;
    Color32::from_hex(text)
        .ok()
        .with_context(|| format!("theme/tokens.json: {theme}, {role} is no colour: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least contrast of text on its ground: WCAG 2.2, level AA.
    const LEAST_CONTRAST: f64 = 4.5;
    /// The same, level AAA.
    const HIGH_CONTRAST: f64 = 7.0;

    fn luminance(colour: Color32) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    const ALL: [(Theme, Contrast); 4] = [
        (Theme::Dark, Contrast::Normal),
        (Theme::Light, Contrast::Normal),
        (Theme::Dark, Contrast::High),
        (Theme::Light, Contrast::High),
    ];

    #[test]
    fn every_text_can_be_read_on_every_ground_it_stands_on() {
        for (theme, wanted) in ALL {
            let p = Palette::read(theme, wanted).unwrap();
            let least = match wanted {
                Contrast::Normal => LEAST_CONTRAST,
                Contrast::High => HIGH_CONTRAST,
            };
            let grounds = [p.window, p.sidebar, p.field, p.card, p.control, p.code];
            let texts = [p.text, p.text_dim, p.text_faint, p.good, p.attention, p.bad];
            let changed = [p.added, p.added_word, p.removed, p.removed_word];
            let code = [
                p.code_keyword,
                p.code_string,
                p.code_function,
                p.code_number,
            ];
            let pairs = (texts
                .iter()
                .flat_map(|t| grounds.iter().map(move |g| (*t, *g))))
            .chain(changed.iter().map(|g| (p.text, *g)))
            .chain(code.iter().map(|t| (*t, p.code)))
            .chain([
                (p.on_accent, p.accent),
                (p.on_accent, p.accent_hover),
                (p.text, p.accent_soft),
            ]);
            let mut pairs_seen = 0;
            for (text, ground) in pairs {
                let seen = contrast(text, ground);
                assert!(
                    seen >= least,
                    "{theme:?} {wanted:?}: {text:?} on {ground:?} is {seen:.2}"
                );
                pairs_seen += 1;
            }
            assert_eq!(pairs_seen, 47);
        }
    }

    #[test]
    fn no_role_is_left_unread() {
        let tokens: Value = serde_json::from_str(TOKENS).unwrap();
        let fields = format!(
            "{:?}",
            Palette::read(Theme::Dark, Contrast::Normal).unwrap()
        );
        for theme in ["dark", "light", "dark_high", "light_high"] {
            let roles = tokens[theme].as_object().unwrap();
            assert!(roles.len() > 20);
            for role in roles.keys() {
                assert!(fields.contains(&format!(" {role}: ")), "{role} of {theme}");
            }
        }
    }

    #[test]
    fn a_missing_or_broken_colour_is_named() {
        let tokens = serde_json::json!({"dark": {"text": "blue-ish"}});
        let error = colour(&tokens, "dark", "text").unwrap_err().to_string();
        assert!(error.contains("blue-ish"), "{error}");
        let error = colour(&tokens, "dark", "line").unwrap_err().to_string();
        assert!(error.contains("line"), "{error}");
    }
}
