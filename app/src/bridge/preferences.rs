//! How the person wants the window, between the settings file and the window's own type.

use wisp_engine::{
    Change, Contrast, Extent, Language as FileLanguage, Motion, PreviewState,
    SendWith as FileSendWith, SettingValue, Theme, WindowSettings,
};

use crate::i18n::Language;
use crate::state::preferences::{
    PREVIEW, PREVIEWS, Preferences, SIDEBAR, SIDEBARS, SIZE, SendWith, ThemeChoice, ZOOM,
    sensible_size,
};

/// Those of the settings file, for a window that is not open yet; the usual ones where there are none. Blocks for a
/// read of a small file. What is wrong with the file is told once the window is open.
pub fn first_preferences() -> Preferences {
    wisp_engine::home().map_or_else(
        |_| Preferences::default(),
        |home| preferences(WindowSettings::load(&home).0),
    )
}

/// As the window knows them.
pub(super) fn preferences(file: WindowSettings) -> Preferences {
    Preferences {
        theme: match file.theme {
            Theme::System => ThemeChoice::System,
            Theme::Dark => ThemeChoice::Dark,
            Theme::Light => ThemeChoice::Light,
        },
        high_contrast: file.contrast == Contrast::High,
        language: match file.language {
            FileLanguage::System => None,
            FileLanguage::English => Some(Language::English.tag()),
            FileLanguage::SimplifiedChinese => Some(Language::Chinese.tag()),
        },
        zoom: file.zoom.clamp(*ZOOM.start(), *ZOOM.end()),
        send_with: match file.send_with {
            FileSendWith::Enter => SendWith::Enter,
            FileSendWith::ModEnter => SendWith::ModEnter,
        },
        still: file.motion == Motion::Off,
        last_folder: file.last_folder,
        size: sensible_size([
            file.width.unwrap_or(SIZE[0]),
            file.height.unwrap_or(SIZE[1]),
        ]),
        maximized: file.extent == Extent::Maximized,
        sidebar_width: (file.sidebar_width).map_or(SIDEBAR, |width| {
            width.clamp(*SIDEBARS.start(), *SIDEBARS.end())
        }),
        preview_width: (file.preview_width).map_or(PREVIEW, |width| {
            width.clamp(*PREVIEWS.start(), *PREVIEWS.end())
        }),
        preview_hidden: file.preview == PreviewState::Hidden,
    }
}

/// What has to change in the file so that it says `new` where it said `old`. What is as usual is not written.
pub(super) fn changes(old: &Preferences, new: &Preferences) -> Vec<Change> {
    let (old, new) = (values(old), values(new));
    (old.into_iter().zip(new))
        .filter(|((_, old), (_, new))| old != new)
        .map(|(_, (key, value))| Change {
            key: format!("window.{key}"),
            value,
        })
        .collect()
}

/// Every key with its value; `None` where it is the usual one.
fn values(preferences: &Preferences) -> [(&'static str, Option<SettingValue>); 13] {
    let Preferences {
        theme,
        high_contrast,
        language,
        zoom,
        send_with,
        still,
        last_folder,
        size: [width, height],
        maximized,
        sidebar_width,
        preview_width,
        preview_hidden,
    } = preferences;
    let word = |word: &str| Some(SettingValue::from(word));
    let number =
        |value: &f32, usual: f32| ((value - usual).abs() > f32::EPSILON).then(|| (*value).into());
    [
        (
            "theme",
            match theme {
                ThemeChoice::System => None,
                ThemeChoice::Dark => word("dark"),
                ThemeChoice::Light => word("light"),
            },
        ),
        ("contrast", high_contrast.then(|| "high".into())),
        ("language", language.and_then(word)),
        ("zoom", number(zoom, 1.0)),
        (
            "send_with",
            match send_with {
                SendWith::Enter => None,
                SendWith::ModEnter => word("mod-enter"),
            },
        ),
        ("motion", still.then(|| "off".into())),
        (
            "last_folder",
            // A path that is no Unicode can't be written down.
            (last_folder.as_ref())
                .and_then(|folder| folder.to_str())
                .and_then(word),
        ),
        ("width", number(width, SIZE[0])),
        ("height", number(height, SIZE[1])),
        ("extent", maximized.then(|| "maximized".into())),
        ("sidebar_width", number(sidebar_width, SIDEBAR)),
        ("preview_width", number(preview_width, PREVIEW)),
        ("preview", preview_hidden.then(|| "hidden".into())),
    ]
}

/// Whether these changes are of the window's size alone, which nobody asked to be kept.
pub(super) fn are_of_size(changes: &[Change]) -> bool {
    (changes.iter()).all(|change| {
        ["window.width", "window.height", "window.extent"].contains(&change.key.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_usual_leaves_the_file() {
        let home = tempfile::tempdir().unwrap();
        let file = wisp_engine::SettingsFile::of(home.path());
        let usual = Preferences::default();
        let wanted = Preferences {
            theme: ThemeChoice::Light,
            high_contrast: true,
            language: Some("zh-CN"),
            zoom: 1.1,
            send_with: SendWith::ModEnter,
            still: true,
            last_folder: Some("papers".into()),
            size: [1400.0, 900.0],
            maximized: true,
            sidebar_width: 300.0,
            preview_width: 500.0,
            preview_hidden: true,
        };
        file.change(&changes(&usual, &wanted)).unwrap();
        let (read, warnings) = WindowSettings::load(home.path());
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(preferences(read), wanted);
        file.change(&changes(&wanted, &usual)).unwrap();
        let (read, _) = WindowSettings::load(home.path());
        assert_eq!(read, WindowSettings::default());
        assert!(changes(&wanted, &wanted).is_empty());
    }
}
