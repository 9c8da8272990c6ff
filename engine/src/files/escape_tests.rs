//! Every tool against every way out of the folder, and against a folder that changes under its feet.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, Mode, RenameFlags, mkfifoat, renameat_with};
use serde_json::{Value, json};

use super::desktop_trash::put_with;
use super::discard::Discard;
use super::testing::Yard;
use super::{RelPath, Workspace};
use crate::permission::{Access, Permit};
use crate::protocol::ToolErrorKind::{self, BadArguments, Conflict, NotFound, Refused};
use crate::toolkit::{Tool, ToolError};
use crate::tools::files_list::FilesList;
use crate::tools::files_mkdir::FilesMkdir;
use crate::tools::files_move::FilesMove;
use crate::tools::files_read::FilesRead;
use crate::tools::files_replace::FilesReplace;
use crate::tools::files_search::FilesSearch;
use crate::tools::files_trash::FilesTrash;
use crate::tools::files_write::FilesWrite;

const TOOLS: [&str; 9] = [
    "list",
    "mkdir",
    "move from",
    "move to",
    "read",
    "replace",
    "search",
    "trash",
    "write",
];

async fn attempt(yard: &Yard, tool: &str, path: &str) -> Result<Value, ToolErrorKind> {
    let done = match tool {
        "list" => yard.call(&FilesList, json!({"path": path})).await,
        "mkdir" => yard.call(&FilesMkdir, json!({"path": path})).await,
        "move from" => {
            yard.call(&FilesMove, json!({"from": path, "to": "new"}))
                .await
        }
        "move to" => {
            yard.call(&FilesMove, json!({"from": "plain", "to": path}))
                .await
        }
        "read" => yard.call(&FilesRead, json!({"path": path})).await,
        "replace" => {
            yard.call(
                &FilesReplace,
                json!({"path": path, "oldText": "secret", "newText": "x"}),
            )
            .await
        }
        "search" => {
            yard.call(
                &FilesSearch,
                json!({"path": path, "query": "secret", "mode": "content"}),
            )
            .await
        }
        // The real trash is never reached by a path that is refused.
        "trash" => match yard.prepare(&FilesTrash, json!({"path": path})).await {
            Ok(_) => panic!("{path} could be put into the trash"),
            Err(error) => Err(error),
        },
        _ => {
            yard.call(&FilesWrite, json!({"path": path, "content": "x"}))
                .await
        }
    };
    match done {
        Ok(value) => Ok(value),
        Err(ToolError::Model(failure)) => {
            assert!(!failure.message.contains("secret"), "{}", failure.message);
            Err(failure.kind)
        }
        Err(ToolError::Cancelled) => panic!("cancelled"),
    }
}

fn yard_with_traps() -> Yard {
    let yard = Yard::new();
    let link = |target: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(target, yard.inside(name)).unwrap();
    };
    std::fs::write(yard.outside("file"), "secret").unwrap();
    std::fs::create_dir(yard.outside("sub")).unwrap();
    std::fs::write(yard.outside("sub/file"), "secret").unwrap();
    yard.write("plain", "plain");
    yard.write("dir/file", "secret");
    yard.write(".git/config", "secret");
    yard.write("dir/.ssh", "secret");
    link(&yard.outside("file"), "to_file");
    link(&yard.outside(""), "to_folder");
    link(&yard.outside("none"), "dangling");
    link(std::path::Path::new("to_file"), "chain");
    link(std::path::Path::new("to_folder"), "folder_chain");
    link(std::path::Path::new("plain"), "to_plain");
    link(std::path::Path::new("dir"), "to_dir");
    link(std::path::Path::new("loop"), "loop");
    link(std::path::Path::new("/proc/self/root"), "dir/root");
    std::fs::hard_link(yard.outside("file"), yard.inside("hard")).unwrap();
    mkfifoat(CWD, yard.inside("pipe"), Mode::from_bits_truncate(0o600)).unwrap();
    std::os::unix::net::UnixListener::bind(yard.inside("socket")).unwrap();
    yard
}

#[tokio::test]
async fn no_way_leads_out() {
    let yard = yard_with_traps();
    let absolute = yard.inside("plain").to_string_lossy().into_owned();
    let before = snapshot(&yard);
    for path in [
        "..",
        "../out/file",
        "dir/../../out/file",
        "/etc/passwd",
        &absolute,
        "a\\..\\b",
        "a\0b",
        ".git/config",
        ".GIT",
        "dir/.ssh",
        ".codepapr/x",
        "to_folder/file",
        "to_folder/none",
        "to_folder/sub/file",
        "folder_chain/file",
        "to_dir/file",
        "dir/root/etc/passwd",
        "loop/x",
        "to_file",
        "chain",
        "to_folder",
        "folder_chain",
        "dangling",
        "to_plain",
        "to_dir",
        "loop",
        "dir/root",
        "hard",
        "pipe",
        "socket",
    ] {
        for tool in TOOLS {
            let got = attempt(&yard, tool, path).await;
            let error = match got {
                Err(error) => error,
                Ok(value) => panic!("{tool} {path:?}: {value}"),
            };
            // Something there that is no target for making: it is taken, whatever it is. A file as a folder.
            let taken = matches!(tool, "mkdir" | "move to") && error == ToolErrorKind::Exists;
            let no_folder = tool == "list" && path == "hard" && error == BadArguments;
            assert!(
                error == Refused || taken || no_folder,
                "{tool} {path:?}: {error:?}"
            );
        }
    }
    assert_eq!(snapshot(&yard), before);
}

fn snapshot(yard: &Yard) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![yard.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            }
            let content = kind.is_file().then(|| std::fs::read(entry.path()).unwrap());
            found.push((entry.path().to_string_lossy().into_owned(), content));
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn names_that_are_too_long_are_told() {
    let yard = Yard::new();
    let long = "é".repeat(128);
    for tool in TOOLS {
        yard.write("plain", "");
        assert_eq!(
            attempt(&yard, tool, &long).await,
            Err(BadArguments),
            "{tool}"
        );
    }
}

#[tokio::test]
async fn a_folder_that_is_gone_is_told() {
    let yard = Yard::new();
    std::fs::remove_dir(yard.inside("")).unwrap();
    for tool in TOOLS {
        assert_eq!(
            attempt(&yard, tool, "a").await,
            Err(ToolErrorKind::Failed),
            "{tool}"
        );
    }
}

/// A folder inside that no tool may enter: not by its name, not within a tree, not in a listing.
#[tokio::test]
async fn denied_folders_are_as_if_private() {
    let mut yard = Yard::new();
    yard.write("plain", "plain");
    yard.write("data/file", "secret");
    yard.write("tree/data/file", "secret");
    let denied = [yard.inside("data"), yard.inside("tree/data")];
    let workspace = Workspace::open(&yard.inside(""), &denied).unwrap();
    yard.context.workspace = Some(Arc::new(workspace));
    let before = snapshot(&yard);
    for tool in TOOLS {
        for path in [
            "data",
            "data/file",
            "data/new",
            "DATA/file",
            "tree/data/file",
        ] {
            assert_eq!(
                attempt(&yard, tool, path).await,
                Err(Refused),
                "{tool} {path}"
            );
        }
    }
    for tool in ["move from", "trash"] {
        assert_eq!(attempt(&yard, tool, "tree").await, Err(Refused), "{tool}");
    }
    assert_eq!(snapshot(&yard), before);
    let listing = attempt(&yard, "list", "tree").await.unwrap();
    assert_eq!(listing["entries"], json!([]));
    let found = attempt(&yard, "search", ".").await.unwrap();
    assert_eq!(
        (&found["hits"], &found["skipped"]["private"]),
        (&json!([]), &json!(2))
    );
}

/// What the model is told of each tool goes along with every request.
#[test]
fn schemas_are_small_and_say_what_is_required() {
    fn check<T: Tool>(required: &[&str], optional: &[&str]) {
        let schema = schemars::schema_for!(T::Input).to_value();
        let properties = schema["properties"].as_object().unwrap();
        let all: Vec<_> = required.iter().chain(optional).collect();
        assert_eq!(properties.len(), all.len(), "{schema}");
        assert!(
            all.iter().all(|name| properties.contains_key(**name)),
            "{schema}"
        );
        let wanted = schema["required"].as_array().map_or(0, Vec::len);
        assert_eq!(wanted, required.len(), "{schema}");
        assert!(
            properties.values().all(|value| value["type"].is_string()),
            "{schema}"
        );
        let size = schema.to_string().len() + T::DESCRIPTION.len();
        assert!(size < 1_000, "{}: {size} bytes", T::NAME);
    }
    check::<FilesList>(&[], &["path"]);
    check::<FilesMkdir>(&["path"], &[]);
    check::<FilesMove>(&["from", "to"], &[]);
    check::<FilesRead>(&["path"], &["startLine", "endLine"]);
    check::<FilesReplace>(&["path", "oldText", "newText"], &["sha256"]);
    check::<FilesSearch>(&["path", "query", "mode"], &[]);
    check::<FilesTrash>(&["path"], &[]);
    check::<FilesWrite>(&["path", "content"], &[]);
}

/// Attempts against a folder that another program swaps for a link all the time.
const ATTEMPTS: usize = 10_000;
/// The same for the other tools, all of which are tried each time.
const OTHER_ATTEMPTS: usize = 1_000;
/// Folders that may be there at once: few enough to list and search quickly.
const FOLDERS_AT_ONCE: usize = 20;

/// A program that swaps the folder `dir` for a link that leads out, until it is stopped.
struct Swapper {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<u64>,
}

impl Swapper {
    fn start(yard: &Yard) -> Self {
        std::os::unix::fs::symlink(yard.outside(""), yard.inside("trap")).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, dir, trap) = (Arc::clone(&stop), yard.inside("dir"), yard.inside("trap"));
        let thread = std::thread::spawn(move || {
            let mut swaps = 0_u64;
            // An even number of swaps leaves the folder in its place.
            while !seen.load(Ordering::Relaxed) || swaps % 2 == 1 {
                renameat_with(CWD, &dir, CWD, &trap, RenameFlags::EXCHANGE).unwrap();
                swaps += 1;
            }
            swaps
        });
        Self { stop, thread }
    }

    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        let swaps = self.thread.join().unwrap();
        assert!(swaps > 1_000, "the other thread did its work");
    }
}

/// Whether it went well; what fails must fail cleanly.
fn went_well(done: Result<Value, ToolError>) -> bool {
    match done {
        Ok(_) => true,
        Err(ToolError::Model(failure)) => {
            assert!(
                matches!(
                    failure.kind,
                    Refused | Conflict | NotFound | ToolErrorKind::Exists
                ),
                "{failure:?}"
            );
            false
        }
        Err(ToolError::Cancelled) => panic!("cancelled"),
    }
}

#[tokio::test]
async fn a_swapped_folder_never_redirects_a_write() {
    let yard = Yard::fast();
    yard.write("dir/file", "text 0");
    std::fs::write(yard.outside("file"), "text 0").unwrap();
    let swapper = Swapper::start(&yard);
    let (mut done, mut now) = (0, 0);
    for attempt in 1..=ATTEMPTS {
        let new = format!("text {attempt}");
        let got = if attempt % 2 == 0 {
            let arguments =
                json!({"path": "dir/file", "oldText": format!("text {now}"), "newText": new});
            yard.call(&FilesReplace, arguments).await
        } else {
            yard.call(&FilesWrite, json!({"path": "dir/file", "content": new}))
                .await
        };
        if went_well(got) {
            done += 1;
            now = attempt;
        }
    }
    swapper.stop();
    assert!(done > 0, "some writes happened");
    assert_eq!(std::fs::read(yard.outside("file")).unwrap(), b"text 0");
    assert_eq!(yard.names("../out"), ["file"], "nothing new outside");
    assert_eq!(yard.read("dir/file"), format!("text {now}").as_bytes());
    assert_eq!(yard.names("dir"), ["file"], "no temporary file stays");
}

/// Puts it into a trash of the test's own.
async fn throw_away(yard: &Yard, path: &str) -> Result<Value, ToolError> {
    let context = &yard.context;
    let workspace = context.workspace()?;
    let job = Discard::bind(&workspace, RelPath::parse(path)?, &context.cancel)?;
    let permit = Permit::for_test(Access::ChangeInside);
    let lease = context.writer.lease(permit, &context.cancel).await?;
    let home = yard.folder.path().join("home");
    job.run(&lease, &workspace, &context.cancel, |place, folder| {
        put_with(place, folder, Some(&home))
    })?;
    Ok(Value::Null)
}

#[tokio::test]
async fn a_swapped_folder_shows_and_takes_nothing_outside() {
    let yard = Yard::fast();
    yard.write("dir/file", "inside");
    yard.write("dir/a/x", "inside");
    std::fs::write(yard.outside("file"), "outside").unwrap();
    std::fs::create_dir(yard.outside("a")).unwrap();
    std::fs::write(yard.outside("a/x"), "outside").unwrap();
    let swapper = Swapper::start(&yard);
    let (mut made, mut moved, mut name) = (Vec::new(), 0, "a");
    let (mut all_made, mut thrown) = (0, 0);
    for attempt in 0..OTHER_ATTEMPTS {
        let other = if name == "a" { "b" } else { "a" };
        let arguments = json!({"from": format!("dir/{name}"), "to": format!("dir/{other}")});
        if went_well(yard.call(&FilesMove, arguments).await) {
            name = other;
            moved += 1;
        }
        let path = format!("dir/new{attempt}");
        if went_well(yard.call(&FilesMkdir, json!({"path": path})).await) {
            made.push(path);
            all_made += 1;
        }
        if made.len() > FOLDERS_AT_ONCE
            && let Some(path) = made.last()
            && went_well(throw_away(&yard, path).await)
        {
            made.pop();
            thrown += 1;
        }
        let read = yard.call(&FilesRead, json!({"path": "dir/file"})).await;
        if let Ok(read) = &read {
            assert_eq!(read["text"], "inside");
        }
        went_well(read);
        let arguments = json!({"path": ".", "query": "outside", "mode": "content"});
        let found = yard.call(&FilesSearch, arguments).await;
        assert_eq!(found.unwrap()["hits"], json!([]));
        let listing = yard.call(&FilesList, json!({"path": "dir"})).await;
        if let Ok(listing) = &listing {
            assert_eq!(listing["entries"].as_array().unwrap().len(), made.len() + 2);
        }
        went_well(listing);
    }
    swapper.stop();
    let made = made.len();
    assert!(
        all_made > 0 && moved > 0 && thrown > 0,
        "some calls went well"
    );
    assert_eq!(
        yard.names("../out"),
        ["a", "file"],
        "nothing new outside, nothing gone"
    );
    assert_eq!(std::fs::read(yard.outside("a/x")).unwrap(), b"outside");
    assert_eq!(yard.read(&format!("dir/{name}/x")), b"inside");
    assert_eq!(yard.names("dir").len(), made + 2);
    assert_eq!(yard.names("../home/Trash/files").len(), thrown);
    assert_eq!(yard.names("../home/Trash/info").len(), thrown);
}
