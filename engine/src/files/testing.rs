//! Helpers for the tests of files and file tools.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::permission::{Access, Permit};
use crate::preview::Previews;
use crate::protocol::{Detail, DetailLabel, RunId, SessionId, ToolErrorKind};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolError, ToolResult};

use super::limits::CHUNK_BYTES;
use super::{Workspace, Writer};

/// A folder `in` to work in, beside a folder `out` that nothing may touch.
pub(crate) struct Yard {
    pub(crate) folder: TempDir,
    pub(crate) context: ToolContext,
}

impl Yard {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// In memory where the system has such a place: syncing costs nothing there.
    pub(crate) fn fast() -> Self {
        let shm = Path::new("/dev/shm");
        Self::at(if shm.is_dir() {
            tempfile::tempdir_in(shm).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        })
    }

    fn at(folder: TempDir) -> Self {
        std::fs::create_dir(folder.path().join("in")).unwrap();
        std::fs::create_dir(folder.path().join("out")).unwrap();
        let context = context(&folder.path().join("in"));
        Self { folder, context }
    }

    pub(crate) fn inside(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("in").join(name)
    }

    pub(crate) fn outside(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("out").join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.inside(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.inside(name)).unwrap()
    }

    /// Writes a file of ten thousand million bytes that begins with lines of text, more of them than
    /// are read at once. It takes no room on the disk.
    pub(crate) fn write_huge(&self, name: &str) {
        self.write(name, "a\n".repeat(CHUNK_BYTES));
        let mut options = std::fs::File::options();
        let file = options.write(true).open(self.inside(name)).unwrap();
        file.set_len(10_000_000_000).unwrap();
    }

    /// What comes within a time in which nothing huge is read; without it the call is cancelled.
    pub(crate) async fn soon<T>(&self, call: impl Future<Output = T>) -> T {
        let deadline = std::time::Duration::from_secs(10);
        let done = tokio::time::timeout(deadline, call).await;
        self.context.cancel.cancel();
        done.expect("it takes too long")
    }

    /// Names in the work folder, sorted.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(self.inside(name))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Prepares a call.
    pub(crate) async fn prepare<T: Tool>(
        &self,
        tool: &T,
        arguments: serde_json::Value,
    ) -> ToolResult<Prepared<T::Plan>> {
        let input = serde_json::from_value(arguments)
            .map_err(|error| ToolError::bad_arguments(error.to_string()))?;
        tool.prepare(input, &self.context).await
    }

    /// Runs a prepared call.
    pub(crate) async fn run<T: Tool>(
        &self,
        tool: &T,
        prepared: Prepared<T::Plan>,
    ) -> ToolResult<serde_json::Value> {
        let output = tool
            .run(prepared.plan, Permit::for_test(T::ACCESS), &self.context)
            .await?;
        Ok(serde_json::to_value(output).unwrap())
    }

    /// Prepares and runs a call.
    pub(crate) async fn call<T: Tool>(
        &self,
        tool: &T,
        arguments: serde_json::Value,
    ) -> ToolResult<serde_json::Value> {
        let prepared = self.prepare(tool, arguments).await?;
        assert_eq!(
            prepared.card.is_some(),
            T::ACCESS == Access::ChangeInside,
            "a changing tool has a card, a reading one none"
        );
        self.run(tool, prepared).await
    }
}

pub(crate) fn context(folder: &Path) -> ToolContext {
    ToolContext {
        session: SessionId::new("s"),
        run: RunId::new("r"),
        previews: Previews::default(),
        workspace: Some(Arc::new(Workspace::open(folder, &[]).unwrap())),
        writer: Writer::new(None),
        tools: Arc::from([]),
        cancel: CancellationToken::new(),
    }
}

/// The class of the error that it must be.
pub(crate) fn kind<T>(result: ToolResult<T>) -> ToolErrorKind {
    failure(result).kind
}

/// The words of the error that it must be.
pub(crate) fn message<T>(result: ToolResult<T>) -> String {
    failure(result).message
}

pub(crate) fn failure<T>(result: ToolResult<T>) -> crate::protocol::ToolFailure {
    match result {
        Err(ToolError::Model(failure)) => failure,
        Err(ToolError::Cancelled) => panic!("cancelled"),
        Ok(_) => panic!("it went well"),
    }
}

/// The card's fact or text under a label.
pub(crate) fn detail(card: &Card, wanted: DetailLabel) -> Option<&str> {
    card.details.iter().find_map(|detail| match detail {
        Detail::Fact { label, value } if *label == wanted => Some(value.as_str()),
        Detail::Text { label, text } if *label == wanted => Some(text.as_str()),
        _ => None,
    })
}

/// Says that a test is skipped for what the system lacks, in what a test run captures. What root may
/// do as a rule must be possible where checks run by themselves (`CI` is set): there it fails.
#[track_caller]
pub(crate) fn skip_for_lack_of(what: &str) {
    let set = |ci: String| !matches!(ci.as_str(), "" | "0" | "false");
    let by_itself = std::env::var("CI").is_ok_and(set);
    let root = rustix::process::geteuid().is_root();
    assert!(
        !(by_itself && root),
        "not possible here, though this is root: {what}"
    );
    println!("skipped, not possible here: {what}");
}

/// A file system mounted for a test, gone with it. Only root may mount, so the tests that take one
/// are skipped where it isn't allowed; they are, by their files:
///
/// - `files/desktop_trash/tests.rs`: another disk's trash, a second mount, a disk without a trash
/// - `tools/files_move/tests.rs`: a move over two devices
/// - `tools/files_write/tests.rs`: a full disk
///
/// Beside them `tools/files_move/tests.rs` has one that takes the immutable mark (`chattr +i`), which
/// is root's too and not on every file system, and `tools/files_write/tests.rs` one that is not for
/// root, whom nothing is denied: no one user can run all of them.
pub(crate) struct Mount(std::path::PathBuf);

impl Mount {
    /// Memory, at a folder that is made for it.
    pub(crate) fn tmpfs(at: &Path) -> Option<Self> {
        Self::with(&["-t", "tmpfs"], Path::new("none"), at)
    }

    /// A second mount of a folder.
    pub(crate) fn bind(from: &Path, at: &Path) -> Option<Self> {
        Self::with(&["--bind"], from, at)
    }

    /// With options of `mount`; `None`, and a line that says so, where that isn't allowed.
    pub(crate) fn with(options: &[&str], what: &Path, at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let done = std::process::Command::new("mount")
            .args(options)
            .args([what, at])
            .output();
        if done.is_ok_and(|done| done.status.success()) {
            return Some(Self(at.to_owned()));
        }
        skip_for_lack_of("mounting a file system");
        None
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let done = std::process::Command::new("umount").arg(&self.0).status();
        if !std::thread::panicking() {
            assert!(done.unwrap().success(), "unmounting {}", self.0.display());
        }
    }
}
