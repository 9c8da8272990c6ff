//! Where the key of a model server is kept: in the system's secret store, else in a file that only its
//! owner may read.
//!
//! The store is another program, which may be missing, locked or stuck. It is asked on one thread of its
//! own with a deadline, so that nobody waits for it without end. A key in the file is above one in the
//! store: it was put there because the store did not take it.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of keys, and of the file they are kept in where there is no secret store"
)]

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use keyring::{Entry, Error};

use crate::models::is_loopback_host;
use crate::protocol::{Failure, FailureKind};
use crate::session::store::DataFolder;

/// The keys' file in the data folder.
pub const KEYS_FILE: &str = "keys.toml";
/// The variable that switches the secret store off with `off`: keys are then kept in the file.
pub const KEYRING_VARIABLE: &str = "WISP_KEYRING";
/// What the entries are filed under in the secret store.
const SERVICE: &str = "wisp";
/// How long the secret store may take for an answer.
const DEADLINE: Duration = Duration::from_secs(3);
/// Requests that may wait for it.
const QUEUE: usize = 8;
/// A keys' file over this is none, in bytes.
const MAX_FILE_BYTES: u64 = 100_000;
/// The longest key that is taken, in bytes.
const MAX_KEY_BYTES: usize = 4096;

/// Where a key is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// In the system's secret store.
    SecretStore,
    /// In this file, readable by its owner only.
    File(PathBuf),
}

/// The keys of one data folder, one a host. All calls block, for three seconds at the longest where the
/// secret store does not answer: they are for a worker thread, never for a window's.
#[derive(Clone, Debug)]
pub struct KeyStore {
    home: PathBuf,
    with_secret_store: bool,
}

impl KeyStore {
    /// Of this data folder, which need not be there. `WISP_KEYRING=off` leaves the secret store out.
    pub fn of(home: &Path) -> Self {
        let off = std::env::var_os(KEYRING_VARIABLE).is_some_and(|value| value == "off");
        Self {
            home: home.to_owned(),
            with_secret_store: !off,
        }
    }

    /// The same with keys in the file only.
    #[must_use]
    pub fn in_file_only(mut self) -> Self {
        self.with_secret_store = false;
        self
    }

    /// The key for a host, as [`Settings::key_host`](crate::Settings::key_host) names it, and where it was
    /// found; `None` where there is none. A secret store that is there and does not answer, or stays locked,
    /// is a failure.
    pub fn read(&self, host: &str) -> Result<Option<(String, KeyPlace)>, Failure> {
        if let Some(key) = self.keys()?.remove(host) {
            return Ok(Some((key, KeyPlace::File(self.file()))));
        }
        if !self.may_ask_the_store(host) {
            return Ok(None);
        }
        let user = self.user(host);
        match ask_the_store(move || Entry::new(SERVICE, &user)?.get_password())? {
            StoreAnswer::Done(key) => Ok(Some((key, KeyPlace::SecretStore))),
            StoreAnswer::NoEntry | StoreAnswer::NoStore => Ok(None),
        }
    }

    /// Keeps a key for a host in place of the one before, and says where: in the secret store, or in the
    /// file where there is no such store, it doesn't answer, or the host is this machine.
    pub fn write(&self, host: &str, key: &str) -> Result<KeyPlace, Failure> {
        let key = key.trim();
        check_key(key)?;
        if host.is_empty() {
            return Err(failed("A key belongs to a host, and none is named."));
        }
        if self.may_ask_the_store(host) {
            let (user, secret) = (self.user(host), key.to_owned());
            let kept = ask_the_store(move || Entry::new(SERVICE, &user)?.set_password(&secret));
            match kept {
                Ok(StoreAnswer::Done(())) => {
                    self.change(|keys| keys.remove(host).is_some())?;
                    return Ok(KeyPlace::SecretStore);
                }
                Ok(StoreAnswer::NoEntry | StoreAnswer::NoStore) => {}
                Err(failure) => {
                    tracing::warn!(%failure, "the key goes to the file instead of the secret store");
                }
            }
        }
        self.change(|keys| {
            keys.insert(host.to_owned(), key.to_owned());
            true
        })?;
        Ok(KeyPlace::File(self.file()))
    }

    /// Forgets the key for a host, wherever it is kept. A secret store that does not answer is a failure, as
    /// the key may still be in it. Nothing to forget is no failure.
    pub fn remove(&self, host: &str) -> Result<(), Failure> {
        self.change(|keys| keys.remove(host).is_some())?;
        if self.may_ask_the_store(host) {
            let user = self.user(host);
            ask_the_store(move || Entry::new(SERVICE, &user)?.delete_credential())?;
        }
        Ok(())
    }

    fn may_ask_the_store(&self, host: &str) -> bool {
        self.with_secret_store && !is_loopback_host(host)
    }

    /// Folder and host, so that the keys of two folders or two servers never mix.
    fn user(&self, host: &str) -> String {
        let home = self
            .home
            .canonicalize()
            .unwrap_or_else(|_| self.home.clone());
        format!("{host} {}", home.display())
    }

    fn file(&self) -> PathBuf {
        self.home.join(KEYS_FILE)
    }

    fn keys(&self) -> Result<BTreeMap<String, String>, Failure> {
        let path = self.file();
        let wrong = |why: &dyn std::fmt::Display| {
            failed(format!(
                "The file of keys can't be read ({why}): {}.",
                path.display()
            ))
            .with_advice("Mend it or delete it, then set the key again.")
        };
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(wrong(&error)),
            Ok(file) if !file.is_file() => return Err(wrong(&"it is no file")),
            Ok(_) => {}
        }
        let mut text = String::new();
        std::fs::File::open(&path)
            .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text))
            .map_err(|error| wrong(&error))?;
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(wrong(&"it is too large"));
        }
        // Without the parser's words, which may hold a key.
        toml::from_str(&text).map_err(|_| wrong(&"it holds something else than keys"))
    }

    /// Changes the file in one step. `change` says whether there is something to write.
    fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, String>) -> bool,
    ) -> Result<(), Failure> {
        let mut keys = self.keys()?;
        if !change(&mut keys) {
            return Ok(());
        }
        let path = self.file();
        let written = if keys.is_empty() {
            std::fs::remove_file(&path)
        } else {
            DataFolder::prepare(&self.home)?;
            let text = toml::to_string(&keys)
                .map_err(|_| failed("The key can't be written in a file of keys."))?;
            put_in_place(&path, &text, 0o600)
        };
        written.map_err(|error| {
            failed(format!(
                "The file of keys can't be written ({error}): {}.",
                path.display()
            ))
            .with_advice("Mend the rights of the data folder, or free some space.")
        })
    }
}

/// Whether this can be a key.
pub(crate) fn check_key(key: &str) -> Result<(), Failure> {
    let fits =
        (1..=MAX_KEY_BYTES).contains(&key.len()) && key.chars().all(|c| c.is_ascii_graphic());
    if fits {
        return Ok(());
    }
    Err(failed(format!(
        "That is no key: a key has 1 to {MAX_KEY_BYTES} letters, digits and signs, and no space or line end."
    ))
    .with_advice("Copy the key again from the provider's page."))
}

/// Puts a whole text in place of a file in one step. It is its owner's alone until it gets these rights. A
/// link stays, and the file that it leads to is replaced.
pub(crate) fn put_in_place(path: &Path, text: &str, mode: u32) -> std::io::Result<()> {
    let path = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => {
            path.to_owned()
        }
        Err(error) => return Err(error),
    };
    let temp = path.with_extension(format!("{}.tmp", uuid::Uuid::now_v7().simple()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let written = options
        .open(&temp)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            set_mode(&file, mode)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&temp, &path));
    if written.is_err() {
        // It may not even have been made.
        drop(std::fs::remove_file(&temp));
    }
    written
}

#[cfg(unix)]
fn set_mode(file: &std::fs::File, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems' twin can fail")]
fn set_mode(_file: &std::fs::File, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

/// What the secret store said.
enum StoreAnswer<T> {
    Done(T),
    NoEntry,
    /// There is no secret store here.
    NoStore,
}

/// One request, and whether its asker has given up.
struct Job {
    work: Box<dyn FnOnce() + Send>,
    abandoned: Arc<AtomicBool>,
}

/// Asks the secret store on its thread, in order, and waits for the deadline at the longest. A request
/// whose asker is gone is not begun; one that was begun runs to its end.
fn ask_the_store<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<StoreAnswer<T>, Failure> {
    let silent = || {
        failed(format!(
            "The system's secret store gave no answer within {} seconds.",
            DEADLINE.as_secs()
        ))
        .with_advice("Unlock it and try again, or set WISP_KEYRING=off to keep the key in a file.")
    };
    let (answer, answered) = sync_channel(1);
    let abandoned = Arc::new(AtomicBool::new(false));
    let job = Job {
        work: Box::new(move || {
            // Nobody waits any more when it took too long.
            drop(answer.try_send(work()));
        }),
        abandoned: Arc::clone(&abandoned),
    };
    worker()?.try_send(job).map_err(|_| silent())?;
    let Ok(answer) = answered.recv_timeout(DEADLINE) else {
        abandoned.store(true, Ordering::Release);
        return Err(silent());
    };
    match answer {
        Ok(done) => Ok(StoreAnswer::Done(done)),
        Err(Error::NoEntry) => Ok(StoreAnswer::NoEntry),
        Err(Error::NoDefaultStore) => Ok(StoreAnswer::NoStore),
        // The store's own words are left out: some of its errors hold the secret.
        Err(Error::NoStorageAccess(_)) => Err(failed("The system's secret store stayed locked.")
            .with_advice(
                "Unlock it and try again, or set WISP_KEYRING=off to keep the key in a file.",
            )),
        Err(_) => Err(failed("The system's secret store refused the request.")
            .with_advice("Mend it, or set WISP_KEYRING=off to keep the key in a file.")),
    }
}

/// The way to the one thread that speaks to the secret store; made at the first request.
fn worker() -> Result<SyncSender<Job>, Failure> {
    static WORKER: OnceLock<Mutex<Option<SyncSender<Job>>>> = OnceLock::new();
    let mut worker = WORKER
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(queue) = &*worker {
        return Ok(queue.clone());
    }
    let (queue, jobs) = sync_channel::<Job>(QUEUE);
    std::thread::Builder::new()
        .name("wisp-secrets".to_owned())
        .spawn(move || {
            for job in jobs {
                if !job.abandoned.load(Ordering::Acquire) {
                    (job.work)();
                }
            }
        })
        .map_err(|error| {
            Failure::new(
                FailureKind::Internal,
                format!("The thread for the secret store could not start ({error})."),
            )
        })?;
    *worker = Some(queue.clone());
    Ok(queue)
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Settings, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(home: &Path) -> KeyStore {
        KeyStore::of(home).in_file_only()
    }

    #[test]
    fn keys_of_hosts_and_folders_do_not_mix_and_are_forgotten_one_by_one() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let keys = store(one.path());
        let place = keys.write("api.deepseek.com", " sk-one-key\n").unwrap();
        assert_eq!(place, KeyPlace::File(one.path().join(KEYS_FILE)));
        keys.write("other.example:8443", "sk-two-key").unwrap();
        let read = |keys: &KeyStore, host: &str| keys.read(host).unwrap().map(|(key, _)| key);
        assert_eq!(read(&keys, "api.deepseek.com").unwrap(), "sk-one-key");
        assert_eq!(read(&keys, "other.example:8443").unwrap(), "sk-two-key");
        assert_eq!(read(&keys, "other.example"), None);
        assert_eq!(read(&store(two.path()), "api.deepseek.com"), None);
        keys.write("api.deepseek.com", "sk-new-key").unwrap();
        assert_eq!(read(&keys, "api.deepseek.com").unwrap(), "sk-new-key");
        keys.remove("api.deepseek.com").unwrap();
        assert_eq!(read(&keys, "api.deepseek.com"), None);
        assert_eq!(read(&keys, "other.example:8443").unwrap(), "sk-two-key");
        keys.remove("other.example:8443").unwrap();
        keys.remove("other.example:8443").unwrap();
        assert_eq!(std::fs::read_dir(one.path()).unwrap().count(), 0);
        assert_ne!(keys.user("h"), store(two.path()).user("h"));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone_from_its_first_moment_and_after_each_change() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let keys = store(&home.path().join("data"));
        keys.write("h", "sk-one-key").unwrap();
        let path = home.path().join("data").join(KEYS_FILE);
        let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        keys.write("g", "sk-two-key").unwrap();
        assert_eq!(mode(), 0o600);
        assert_eq!(
            std::fs::read_dir(home.path().join("data")).unwrap().count(),
            1,
            "no temporary file stays"
        );
    }

    #[test]
    fn nonsense_is_said_without_a_key_and_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let keys = store(home.path());
        for key in ["", "  ", "two words", "line\nend", "schlüssel"] {
            let failure = keys.write("h", key).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Settings);
            assert!(key.trim().is_empty() || !failure.message.contains(key));
        }
        assert!(keys.write("", "sk-one-key").is_err());
        let path = home.path().join(KEYS_FILE);
        for text in ["h = 'sk-secret", "sk-secret", "h = ['sk-secret']"] {
            std::fs::write(&path, text).unwrap();
            for failure in [
                keys.read("h").unwrap_err(),
                keys.write("h", "sk-new-key").unwrap_err(),
                keys.remove("h").unwrap_err(),
            ] {
                assert!(!format!("{failure:?}").contains("sk-"), "{failure:?}");
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_store_that_is_missing_or_stuck_is_not_waited_for_without_end() {
        let missing = ask_the_store(|| Err::<(), _>(Error::NoDefaultStore)).unwrap();
        assert!(matches!(missing, StoreAnswer::NoStore));
        let (release, stuck) = sync_channel::<()>(1);
        let begun = Arc::new(AtomicBool::new(false));
        let waits = ask_the_store(move || stuck.recv().map_err(|_| Error::NoEntry));
        let failure = waits.err().unwrap();
        assert!(failure.message.contains("no answer"), "{failure}");
        let late = Arc::clone(&begun);
        let behind = ask_the_store(move || {
            late.store(true, Ordering::Release);
            Ok(())
        });
        assert!(behind.is_err(), "the one before still runs");
        release.send(()).unwrap();
        assert!(ask_the_store(|| Ok(())).is_ok(), "it answers again");
        assert!(
            !begun.load(Ordering::Acquire),
            "nobody waits for it any more"
        );
    }

    #[test]
    fn an_error_of_the_store_never_shows_the_secret() {
        let odd = || Error::BadEncoding(b"sk-secret\xff".to_vec());
        let failure = ask_the_store(move || Err::<(), _>(odd())).err().unwrap();
        assert!(!format!("{failure:?}").contains("115, 107"), "{failure:?}");
        assert!(!failure.message.contains("sk-secret"));
    }
}
