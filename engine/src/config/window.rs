//! What the window looks like and how it behaves: the table `[window]` of the settings file.
//!
//! Nothing here keeps the program from starting: what is unknown or wrong is passed over with a warning.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Value;

use super::file::{self, File, SETTINGS_FILE};

/// The smallest zoom of the window.
pub const MIN_ZOOM: f32 = 0.5;
/// The largest zoom of the window.
pub const MAX_ZOOM: f32 = 3.0;
/// The narrowest sidebar, in points.
pub const MIN_SIDEBAR_WIDTH: f32 = 100.0;
/// The widest sidebar, in points.
pub const MAX_SIDEBAR_WIDTH: f32 = 1000.0;

/// The narrowest preview, in points.
pub const MIN_PREVIEW_WIDTH: f32 = 200.0;
/// The widest preview, in points.
pub const MAX_PREVIEW_WIDTH: f32 = 3000.0;
/// The narrowest window, in points.
pub const MIN_WIDTH: f32 = 640.0;
/// The lowest window, in points.
pub const MIN_HEIGHT: f32 = 480.0;
/// The widest and the highest window, in points: wider than any screen, and what a graphics card can still draw.
pub const MAX_SIDE: f32 = 8192.0;

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// As the system's.
    #[default]
    System,
    /// Light on dark.
    Dark,
    /// Dark on light.
    Light,
}

/// How far colours stand apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contrast {
    /// As designed.
    #[default]
    Normal,
    /// Further apart.
    High,
}

/// The words' language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    /// The system's, or English where there are no words in it.
    #[default]
    #[serde(rename = "system")]
    System,
    /// English.
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    SimplifiedChinese,
}

/// Which keys send a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SendWith {
    /// Enter; Shift Enter begins a line.
    #[default]
    Enter,
    /// Ctrl Enter or ⌘ Enter; Enter begins a line.
    ModEnter,
}

/// Whether things move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// As the system's setting.
    #[default]
    System,
    /// They don't.
    Off,
}

/// Whether the tabs at the right are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewState {
    /// They are, where there are some.
    #[default]
    Shown,
    /// They are folded away.
    Hidden,
}

/// How much of the screen the window takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// Its own size.
    #[default]
    Normal,
    /// All of it.
    Maximized,
}

/// Where web pages are shown. Asked on Linux alone: elsewhere they always share the window's process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PagesIn {
    /// In a process of their own, which may break down alone and is started by the first page.
    #[default]
    OwnProcess,
    /// In the window's process.
    InProcess,
}

/// The window's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowSettings {
    /// Which colours.
    pub theme: Theme,
    /// How far they stand apart.
    pub contrast: Contrast,
    /// The words' language.
    pub language: Language,
    /// How large everything is, [`MIN_ZOOM`] to [`MAX_ZOOM`]; 1 is as designed.
    pub zoom: f32,
    /// Which keys send a message.
    pub send_with: SendWith,
    /// Whether things move.
    pub motion: Motion,
    /// The window's width in points while it does not fill the screen, [`MIN_WIDTH`] to [`MAX_SIDE`]; `None` is
    /// the usual one.
    pub width: Option<f32>,
    /// Its height in points, [`MIN_HEIGHT`] to [`MAX_SIDE`]; `None` is the usual one.
    pub height: Option<f32>,
    /// How much of the screen it takes.
    pub extent: Extent,
    /// The sidebar's width in points, [`MIN_SIDEBAR_WIDTH`] to [`MAX_SIDEBAR_WIDTH`]; `None` is the usual one.
    pub sidebar_width: Option<f32>,
    /// The preview's width in points, [`MIN_PREVIEW_WIDTH`] to [`MAX_PREVIEW_WIDTH`]; `None` is the usual one.
    pub preview_width: Option<f32>,
    /// Whether the preview is there.
    pub preview: PreviewState,
    /// Where web pages are shown; holds from the next start.
    pub pages: PagesIn,
    /// The folder of the last session that was made.
    pub last_folder: Option<PathBuf>,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            contrast: Contrast::default(),
            language: Language::default(),
            zoom: 1.0,
            send_with: SendWith::default(),
            motion: Motion::default(),
            width: None,
            height: None,
            extent: Extent::default(),
            sidebar_width: None,
            preview_width: None,
            preview: PreviewState::default(),
            pages: PagesIn::default(),
            last_folder: None,
        }
    }
}

impl WindowSettings {
    /// Reads them from a data folder's settings file, with warnings for the person about what was passed
    /// over. Blocks for a read of a small file. A file that can't be understood gives the defaults without
    /// a warning: [`Settings::load`](super::Settings::load) says what is wrong with it.
    pub fn load(home: &Path) -> (Self, Vec<String>) {
        let path = home.join(SETTINGS_FILE);
        match file::read(&path).and_then(|text| File::parse(&text.unwrap_or_default(), &path)) {
            Ok(file) => Self::of(file.window),
            Err(_) => (Self::default(), Vec::new()),
        }
    }

    /// From the table, with warnings about what was passed over.
    pub(super) fn of(table: Option<Value>) -> (Self, Vec<String>) {
        let mut window = Self::default();
        let mut warnings = Vec::new();
        let table = match table {
            None => return (window, warnings),
            Some(Value::Table(table)) => table,
            Some(_) => {
                warnings.push("The setting `window` is no table and was passed over.".to_owned());
                return (window, warnings);
            }
        };
        for (key, value) in table {
            match key.as_str() {
                "theme" => word(&mut window.theme, &key, value, &mut warnings),
                "contrast" => word(&mut window.contrast, &key, value, &mut warnings),
                "language" => word(&mut window.language, &key, value, &mut warnings),
                "send_with" => word(&mut window.send_with, &key, value, &mut warnings),
                "motion" => word(&mut window.motion, &key, value, &mut warnings),
                "extent" => word(&mut window.extent, &key, value, &mut warnings),
                "width" => {
                    window.width = number(&key, &value, MIN_WIDTH, MAX_SIDE, &mut warnings);
                }
                "height" => {
                    window.height = number(&key, &value, MIN_HEIGHT, MAX_SIDE, &mut warnings);
                }
                "pages" => word(&mut window.pages, &key, value, &mut warnings),
                "preview" => word(&mut window.preview, &key, value, &mut warnings),
                "preview_width" => {
                    let (least, most) = (MIN_PREVIEW_WIDTH, MAX_PREVIEW_WIDTH);
                    window.preview_width = number(&key, &value, least, most, &mut warnings);
                }
                "zoom" => {
                    if let Some(zoom) = number(&key, &value, MIN_ZOOM, MAX_ZOOM, &mut warnings) {
                        window.zoom = zoom;
                    }
                }
                "sidebar_width" => {
                    let (least, most) = (MIN_SIDEBAR_WIDTH, MAX_SIDEBAR_WIDTH);
                    window.sidebar_width = number(&key, &value, least, most, &mut warnings);
                }
                "last_folder" => match value {
                    Value::String(folder) if !folder.is_empty() => {
                        window.last_folder = Some(folder.into());
                    }
                    _ => warnings.push(passed_over(&key, "it takes a folder's path")),
                },
                _ => warnings.push(format!(
                    "The setting `window.{key}` is unknown and was passed over."
                )),
            }
        }
        (window, warnings)
    }
}

fn word<'de, T: Deserialize<'de>>(
    place: &mut T,
    key: &str,
    value: Value,
    warnings: &mut Vec<String>,
) {
    match value.try_into() {
        Ok(known) => *place = known,
        Err(_) => warnings.push(passed_over(key, "it takes none but its own words")),
    }
}

fn number(
    key: &str,
    value: &Value,
    least: f32,
    most: f32,
    warnings: &mut Vec<String>,
) -> Option<f32> {
    let given: Option<f32> = match value {
        Value::Float(_) | Value::Integer(_) => value.clone().try_into().ok(),
        _ => None,
    };
    let fits = given.filter(|given| (least..=most).contains(given));
    if fits.is_none() {
        warnings.push(passed_over(key, &format!("it takes {least} to {most}")));
    }
    fits
}

fn passed_over(key: &str, takes: &str) -> String {
    format!("The setting `window.{key}` was passed over: {takes}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> (WindowSettings, Vec<String>) {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(SETTINGS_FILE), text).unwrap();
        WindowSettings::load(home.path())
    }

    #[test]
    fn every_key_is_read() {
        let (window, warnings) = load(
            "[window]\ntheme = 'light'\ncontrast = 'high'\nlanguage = 'zh-CN'\nzoom = 2\nsend_with = 'mod-enter'\n\
             motion = 'off'\nwidth = 640\nheight = 8192.0\nextent = 'maximized'\nsidebar_width = 240.5\npreview = 'hidden'\n\
             preview_width = 500\npages = 'in_process'\nlast_folder = 'papers'\n",
        );
        assert!(warnings.is_empty(), "{warnings:?}");
        let expected = WindowSettings {
            theme: Theme::Light,
            contrast: Contrast::High,
            language: Language::SimplifiedChinese,
            zoom: 2.0,
            send_with: SendWith::ModEnter,
            motion: Motion::Off,
            width: Some(640.0),
            height: Some(8192.0),
            extent: Extent::Maximized,
            sidebar_width: Some(240.5),
            preview_width: Some(500.0),
            preview: PreviewState::Hidden,
            pages: PagesIn::InProcess,
            last_folder: Some("papers".into()),
        };
        assert_eq!(window, expected);
    }

    #[test]
    fn what_is_wrong_falls_to_the_default_with_a_word_and_keeps_the_rest() {
        for wrong in [
            "theme = 'pink'",
            "theme = 3",
            "contrast = true",
            "language = 'de'",
            "zoom = 0.49",
            "zoom = 3.01",
            "zoom = 'big'",
            "zoom = nan",
            "send_with = []",
            "motion = ''",
            "width = 639.9",
            "width = 8192.5",
            "width = 'wide'",
            "height = 479.9",
            "height = 8192.5",
            "height = nan",
            "extent = 'all'",
            "extent = true",
            "sidebar_width = -1",
            "sidebar_width = inf",
            "preview_width = 100",
            "preview = 'x'",
            "pages = 'in-process'",
            "last_folder = 5",
            "last_folder = ''",
            "colour = 'red'",
        ] {
            let (window, warnings) = load(&format!("[window]\n{wrong}\n"));
            assert_eq!(window, WindowSettings::default(), "{wrong}");
            let key = wrong.split(' ').next().unwrap();
            assert!(
                warnings.len() == 1 && warnings[0].contains(key),
                "{warnings:?}"
            );
            if key != "motion" {
                let (window, _) = load(&format!("[window]\n{wrong}\nmotion = 'off'\n"));
                assert_eq!(window.motion, Motion::Off, "{wrong}");
            }
        }
        assert_eq!(load("window = 3").1.len(), 1);
        for zoom in ["0.5", "3.0", "1"] {
            assert!(load(&format!("[window]\nzoom = {zoom}")).1.is_empty());
        }
        for side in [
            "width = 640",
            "width = 8192",
            "height = 480",
            "height = 8192",
        ] {
            assert!(load(&format!("[window]\n{side}")).1.is_empty(), "{side}");
        }
        for nonsense in ["{{{", "max_steps = 'x'"] {
            assert_eq!(load(nonsense), (WindowSettings::default(), Vec::new()));
        }
    }
}
