//! Changing the settings file: a few keys at a time, with the comments and the order of the person who
//! wrote it, and never by halves.

use std::fmt;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::models::{Endpoint, check_provider};
use crate::protocol::Failure;
use crate::secrets::{check_key, put_in_place};
use crate::session::store::DataFolder;

use super::file::{self, File, SETTINGS_FILE, line_at, wrong};
use super::window::WindowSettings;

/// The table of the window's own settings.
const WINDOW: &str = "window";
/// What begins the key of a window's setting.
const WINDOW_DOT: &str = "window.";
/// The keys whose values are words.
const TEXTS: [&str; 4] = ["base_url", "api_key", "model", "provider"];
/// The keys whose values are whole numbers.
const WHOLES: [&str; 5] = [
    "max_steps",
    "idle_seconds",
    "max_tries",
    "max_wait_seconds",
    "context_tokens",
];
/// Those of them that are counted in 32 bits.
const SMALL: [&str; 2] = ["max_steps", "max_tries"];
/// Damaged files that are kept beside each other.
const MAX_BROKEN: u32 = 1000;

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// Words.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// Any number.
    Number(f64),
}

impl From<&str> for SettingValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for SettingValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for SettingValue {
    fn from(whole: u64) -> Self {
        Self::Whole(whole)
    }
}

impl From<u32> for SettingValue {
    fn from(whole: u32) -> Self {
        Self::Whole(whole.into())
    }
}

impl From<f32> for SettingValue {
    fn from(number: f32) -> Self {
        // By way of its decimal digits, so that 1.1 is written as 1.1.
        Self::Number(number.to_string().parse().unwrap_or_else(|_| number.into()))
    }
}

/// One setting that changes.
#[derive(Clone, PartialEq)]
pub struct Change {
    /// The key as it is written in the file: `model`, or `window.theme`.
    pub key: String,
    /// Its new value; `None` takes the key out, so that the default holds.
    pub value: Option<SettingValue>,
}

impl Change {
    /// Sets a key.
    pub fn set(key: impl Into<String>, value: impl Into<SettingValue>) -> Self {
        Self {
            key: key.into(),
            value: Some(value.into()),
        }
    }

    /// Takes a key out.
    pub fn unset(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            value: None,
        }
    }
}

impl fmt::Debug for Change {
    /// Without a key for a model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Change");
        shown.field("key", &self.key);
        if self.key == "api_key" {
            shown.field("value", &self.value.as_ref().map(|_| "[key]"));
        } else {
            shown.field("value", &self.value);
        }
        shown.finish()
    }
}

/// The settings file of a data folder, for changing it. All calls block for a small file: they are for a
/// worker thread.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    home: PathBuf,
}

impl SettingsFile {
    /// Of this data folder, which need not be there.
    pub fn of(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
        }
    }

    /// The file, which need not be there.
    pub fn path(&self) -> PathBuf {
        self.home.join(SETTINGS_FILE)
    }

    /// Whether the file itself holds a key, which is then above the one that a
    /// [`KeyStore`](crate::KeyStore) keeps.
    pub fn has_key(&self) -> Result<bool, Failure> {
        let path = self.path();
        let text = file::read(&path)?.unwrap_or_default();
        Ok(File::parse(&text, &path)?.api_key.is_some())
    }

    /// Makes all the changes in one step, or none: each value must be one that
    /// [`Settings::load`](super::Settings::load) takes and that makes sense to the model's client. A file
    /// that can't be understood is refused and left as it is; [`SettingsFile::move_aside`] makes way.
    /// Comments, order and unknown keys stay. The file keeps its rights, and is its owner's alone when it is
    /// new or holds a key.
    pub fn change(&self, changes: &[Change]) -> Result<(), Failure> {
        let path = self.path();
        let before = file::read(&path)?;
        let text = before.as_deref().unwrap_or_default();
        let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
            let line = error.span().map_or(0, |span| line_at(text, span.start));
            wrong(format!(
                "The settings file can't be understood: line {line}: {}. It was left as it is: {}.",
                error.message(),
                path.display()
            ))
            .with_advice("Mend that line, or move the file aside to begin with the defaults.")
        })?;
        for change in changes {
            check(change)?;
            apply(&mut document, change)?;
        }
        let after = document.to_string();
        let understood = File::parse(&after, &path)?;
        understood.check(&path)?;
        if before.as_deref() == Some(after.as_str()) || (before.is_none() && after.is_empty()) {
            return Ok(());
        }
        if after.len() as u64 > file::MAX_FILE_BYTES {
            return Err(wrong("The settings would grow too large."));
        }
        DataFolder::prepare(&self.home)?;
        if file::read(&path)? != before {
            return Err(
                wrong("Another program changed the settings file at the same moment.")
                    .with_advice("Look at what it says now, then try again."),
            );
        }
        put_in_place(&path, &after, mode(&path, understood.api_key.is_some())).map_err(|error| {
            wrong(format!(
                "The settings file can't be written ({error}). It is as it was: {}.",
                path.display()
            ))
            .with_advice("Mend the rights of the data folder, or free some space.")
        })
    }

    /// Moves the file to `settings.toml.broken-N`, N being the first number that is free, and gives that
    /// path. From then on the defaults hold.
    pub fn move_aside(&self) -> Result<PathBuf, Failure> {
        let path = self.path();
        let cant = |why: &dyn fmt::Display| {
            wrong(format!(
                "The settings file can't be moved aside ({why}): {}.",
                path.display()
            ))
        };
        let free = (1..=MAX_BROKEN)
            .map(|number| self.home.join(format!("{SETTINGS_FILE}.broken-{number}")))
            .find(|aside| aside.symlink_metadata().is_err())
            .ok_or_else(|| cant(&"too many lie there already"))?;
        std::fs::rename(&path, &free).map_err(|error| cant(&error))?;
        Ok(free)
    }
}

/// The rights that a file is to have: its own, without those of others where it holds a key.
fn mode(path: &Path, has_key: bool) -> u32 {
    const OWNER_ONLY: u32 = 0o600;
    #[cfg(unix)]
    if !has_key && let Ok(there) = path.metadata() {
        use std::os::unix::fs::PermissionsExt;
        return there.permissions().mode() & 0o777;
    }
    #[cfg(not(unix))]
    let _ = (path, has_key);
    OWNER_ONLY
}

/// Whether a value is one of its key's kind, and makes sense.
fn check(change: &Change) -> Result<(), Failure> {
    use SettingValue::{Number, Text, Whole};
    let key = change.key.as_str();
    let no_sense = |takes: &str| Err(wrong(format!("The setting {key} takes {takes}.")));
    if let Some(name) = key.strip_prefix(WINDOW_DOT) {
        let Some(value) = &change.value else {
            return Ok(());
        };
        let mut table = toml::Table::new();
        let value = match value {
            Text(text) => toml::Value::String(text.clone()),
            Number(number) => toml::Value::Float(*number),
            Whole(whole) => match i64::try_from(*whole) {
                Ok(whole) => toml::Value::Integer(whole),
                Err(_) => return no_sense("no such large number"),
            },
        };
        table.insert(name.to_owned(), value);
        let (_, warnings) = WindowSettings::of(Some(toml::Value::Table(table)));
        return warnings
            .into_iter()
            .next()
            .map_or(Ok(()), |warning| Err(wrong(warning)));
    }
    match &change.value {
        _ if !TEXTS.contains(&key) && !WHOLES.contains(&key) => {
            Err(wrong(format!("There is no setting {key}.")))
        }
        None => Ok(()),
        Some(Text(text)) if TEXTS.contains(&key) => match key {
            "base_url" => Endpoint::parse(text).map(|_| ()),
            "provider" => check_provider(text),
            "api_key" => check_key(text),
            _ if text.trim().is_empty() => no_sense("a model's name"),
            _ => Ok(()),
        },
        Some(_) if TEXTS.contains(&key) => no_sense("words"),
        Some(Whole(number)) if SMALL.contains(&key) && u32::try_from(*number).is_err() => {
            no_sense("no such large number")
        }
        Some(Whole(number)) if i64::try_from(*number).is_ok() => Ok(()),
        Some(_) => no_sense("a whole number"),
    }
}

fn apply(document: &mut DocumentMut, change: &Change) -> Result<(), Failure> {
    let Some(name) = change.key.strip_prefix(WINDOW_DOT) else {
        let orphans = set_in(document.as_table_mut(), &change.key, change.value.as_ref());
        keep_comments(document, orphans);
        return Ok(());
    };
    if !document.contains_key(WINDOW) {
        if change.value.is_none() {
            return Ok(());
        }
        document.insert(WINDOW, Item::Table(Table::new()));
    }
    let table = document
        .get_mut(WINDOW)
        .and_then(Item::as_table_like_mut)
        .ok_or_else(|| {
            wrong("The setting `window` in the settings file is no table.")
                .with_advice("Mend it, or move the file aside to begin with the defaults.")
        })?;
    let orphans = set_in(table, name, change.value.as_ref());
    keep_comments(document, orphans);
    Ok(())
}

/// Sets a key in its place, or takes it out. Gives the comments above a key that is gone, where no key
/// follows that could have them.
fn set_in(table: &mut dyn TableLike, key: &str, value: Option<&SettingValue>) -> Option<String> {
    let Some(value) = value else {
        let above = table
            .key(key)
            .and_then(|key| key.leaf_decor().prefix())
            .and_then(|prefix| prefix.as_str())
            .filter(|prefix| !prefix.trim().is_empty())
            .map(str::to_owned);
        let next = table
            .iter()
            .skip_while(|(name, _)| *name != key)
            .skip(1)
            .find(|(_, item)| item.is_value())
            .map(|(name, _)| name.to_owned());
        table.remove(key)?;
        let above = above?;
        let Some(mut heir) = next.and_then(|next| table.key_mut(&next)) else {
            return Some(above);
        };
        let decor = heir.leaf_decor_mut();
        let own = decor.prefix().and_then(|prefix| prefix.as_str());
        let both = format!("{above}{}", own.unwrap_or_default());
        decor.set_prefix(both);
        return None;
    };
    let mut value = match value {
        SettingValue::Text(text) => Value::from(text.as_str()),
        SettingValue::Number(number) => Value::from(*number),
        SettingValue::Whole(whole) => Value::from(i64::try_from(*whole).unwrap_or(i64::MAX)),
    };
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            // The comment behind a value stands in its decor.
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
    None
}

fn keep_comments(document: &mut DocumentMut, orphans: Option<String>) {
    if let Some(orphans) = orphans {
        let end = document.trailing().as_str().unwrap_or_default();
        let both = format!("{orphans}{end}");
        document.set_trailing(both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::protocol::FailureKind;

    fn file(text: Option<&str>) -> (tempfile::TempDir, SettingsFile) {
        let home = tempfile::tempdir().unwrap();
        let file = SettingsFile::of(home.path());
        if let Some(text) = text {
            std::fs::write(file.path(), text).unwrap();
        }
        (home, file)
    }

    fn text(file: &SettingsFile) -> String {
        std::fs::read_to_string(file.path()).unwrap()
    }

    const WRITTEN: &str = "# My settings.\n\nmodel = \"m\"   # the small one\n# Not too many.\nmax_steps = 5\nodd = [1, 2] # kept\n\n# How it looks.\n[window]\n# At night.\ntheme = 'dark' # always\nzoom = 1.5\n";

    #[test]
    fn comments_order_and_strangers_stay() {
        let (_home, file) = file(Some(WRITTEN));
        file.change(&[
            Change::set("model", "other"),
            Change::set("max_steps", 50_u32),
            Change::set("provider", "deepseek"),
            Change::set("window.theme", "light"),
            Change::set("window.motion", "off"),
            Change::set("window.zoom", 1.1_f32),
        ])
        .unwrap();
        assert_eq!(
            text(&file),
            "# My settings.\n\nmodel = \"other\"   # the small one\n# Not too many.\nmax_steps = 50\nodd = [1, 2] # kept\nprovider = \"deepseek\"\n\n# How it looks.\n[window]\n# At night.\ntheme = \"light\" # always\nzoom = 1.1\nmotion = \"off\"\n"
        );
        let home = file.path().parent().unwrap().to_owned();
        let (settings, _) = Settings::load_for(&home, Some("http://127.0.0.1:1")).unwrap();
        assert_eq!((settings.model.as_str(), settings.max_steps), ("other", 50));
        assert_eq!(std::fs::read_dir(home).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_goes_leaves_the_comments_above_it() {
        let (_home, file) = file(Some(WRITTEN));
        file.change(&[
            Change::unset("max_steps"),
            Change::unset("window.theme"),
            Change::unset("window.language"),
            Change::unset("provider"),
        ])
        .unwrap();
        let left = text(&file);
        assert!(
            !left.contains("max_steps") && !left.contains("theme"),
            "{left}"
        );
        for comment in [
            "# My settings.",
            "# Not too many.\nodd",
            "# At night.\nzoom",
        ] {
            assert!(left.contains(comment), "{left}");
        }
        file.change(&[Change::unset("window.zoom")]).unwrap();
        assert!(text(&file).ends_with("# At night.\n"), "{}", text(&file));
    }

    #[test]
    fn a_key_in_the_file_is_known_of() {
        let (_home, none) = file(None);
        assert!(!none.has_key().unwrap());
        let (_home, with) = file(Some("api_key = 'sk-one-key'\n"));
        assert!(with.has_key().unwrap());
        with.change(&[Change::unset("api_key")]).unwrap();
        assert!(!with.has_key().unwrap());
        let (_home, broken) = file(Some("{{{"));
        assert_eq!(broken.has_key().unwrap_err().kind, FailureKind::Settings);
    }

    #[test]
    fn a_first_change_makes_the_file_and_no_change_makes_none() {
        let (home, file) = file(None);
        file.change(&[Change::unset("model"), Change::unset("window.zoom")])
            .unwrap();
        assert!(!file.path().exists());
        let deep = SettingsFile::of(&home.path().join("a/b"));
        deep.change(&[Change::set("window.zoom", 2_u32), Change::set("model", "m")])
            .unwrap();
        assert_eq!(text(&deep), "model = \"m\"\n\n[window]\nzoom = 2\n");
    }

    #[test]
    fn values_that_load_or_the_client_would_refuse_change_nothing() {
        let (_home, file) = file(Some(WRITTEN));
        for change in [
            Change::set("max_steps", 0_u32),
            Change::set("max_steps", 51_u32),
            Change::set("max_steps", u64::MAX),
            Change::set("max_steps", "many"),
            Change::set("max_steps", 2.5_f32),
            Change::set("idle_seconds", 0_u32),
            Change::set("idle_seconds", u64::MAX),
            Change::set("max_tries", 0_u32),
            Change::set("context_tokens", 999_u32),
            Change::set("base_url", "api.deepseek.com"),
            Change::set("base_url", "https://key@host"),
            Change::set("provider", "nobody"),
            Change::set("model", " "),
            Change::set("model", 3_u32),
            Change::set("api_key", "two words"),
            Change::set("colour", "red"),
            Change::set("window", "red"),
            Change::unset("colour"),
            Change::set("window.theme", "pink"),
            Change::set("window.colour", "red"),
            Change::set("window.zoom", 0.4_f32),
            Change::set("window.zoom", 3.1_f32),
            Change::set("window.zoom", f32::NAN),
        ] {
            let failure = file
                .change(&[Change::set("model", "new"), change.clone()])
                .unwrap_err();
            assert_eq!(failure.kind, FailureKind::Settings, "{change:?}");
            assert_eq!(text(&file), WRITTEN, "{change:?}");
        }
        for change in [
            Change::set("max_steps", 1_u32),
            Change::set("max_steps", 50_u32),
            Change::set("window.zoom", 0.5_f32),
            Change::set("window.zoom", 3.0_f32),
            Change::set("context_tokens", 1000_u32),
        ] {
            file.change(&[change]).unwrap();
        }
    }

    #[test]
    fn nonsense_is_left_alone_until_it_is_moved_aside() {
        let broken = "model = 'm'\napi_key = 'sk-secret\n";
        let (home, file) = file(Some(broken));
        let failure = file.change(&[Change::set("model", "n")]).unwrap_err();
        assert!(failure.message.contains("line 2"), "{failure}");
        assert!(!failure.to_string().contains("sk-secret"), "{failure}");
        assert_eq!(text(&file), broken);
        let aside = file.move_aside().unwrap();
        assert_eq!(aside, home.path().join("settings.toml.broken-1"));
        file.change(&[Change::set("model", "n")]).unwrap();
        let aside = file.move_aside().unwrap();
        assert_eq!(aside, home.path().join("settings.toml.broken-2"));
        assert!(file.move_aside().is_err(), "there is none any more");
        let first = std::fs::read_to_string(home.path().join("settings.toml.broken-1"));
        assert_eq!(first.unwrap(), broken);
    }

    #[test]
    fn a_wrong_value_in_the_file_can_be_mended_and_one_elsewhere_is_named() {
        let (_home, file) = file(Some("max_steps = 99\n"));
        let failure = file.change(&[Change::set("model", "n")]).unwrap_err();
        assert!(failure.message.contains("max_steps"), "{failure}");
        file.change(&[Change::set("max_steps", 9_u32)]).unwrap();
        assert_eq!(text(&file), "max_steps = 9\n");
        std::fs::write(file.path(), "window = 3\n").unwrap();
        assert!(file.change(&[Change::set("window.zoom", 1_u32)]).is_err());
        std::fs::write(file.path(), "window = { zoom = 1 }\nwindow.x = 1").unwrap();
        assert!(file.change(&[Change::set("window.zoom", 1_u32)]).is_err());
        std::fs::write(file.path(), "window = { zoom = 1 }\n").unwrap();
        file.change(&[Change::set("window.theme", "dark")]).unwrap();
        let home = file.path().parent().unwrap().to_owned();
        assert_eq!(WindowSettings::load(&home).1, Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay_and_a_key_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (home, file) = file(None);
        let real = home.path().join("real.toml");
        std::fs::write(&real, "model = 'm'\n").unwrap();
        std::os::unix::fs::symlink(&real, file.path()).unwrap();
        let set = |mode| {
            std::fs::set_permissions(&real, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let mode = || real.metadata().unwrap().permissions().mode() & 0o777;
        set(0o644);
        file.change(&[Change::set("model", "n")]).unwrap();
        assert_eq!(mode(), 0o644);
        let change = Change::set("api_key", "sk-secret");
        assert!(!format!("{change:?}").contains("sk-secret"));
        file.change(&[change]).unwrap();
        assert_eq!(mode(), 0o600);
        assert!(file.path().is_symlink());
        assert_eq!(
            std::fs::read_to_string(&real).unwrap(),
            "model = \"n\"\napi_key = \"sk-secret\"\n"
        );
    }
}
