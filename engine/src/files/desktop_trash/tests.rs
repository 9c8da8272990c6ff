use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use super::*;
use crate::files::RelPath;
use crate::files::testing::{Mount, Yard};
use crate::protocol::ToolErrorKind::{Failed, Unsupported};

fn place(yard: &Yard, name: &str) -> (Place, PathBuf) {
    let workspace = yard.context.workspace().unwrap();
    let place = workspace.place(&RelPath::parse(name).unwrap()).unwrap();
    let folder = os::path_of(&place.dir).unwrap().canonicalize().unwrap();
    (place, folder)
}

fn throw(yard: &Yard, name: &str, data_home: Option<&Path>) -> Result<(), Refusal> {
    let (place, folder) = place(yard, name);
    put_with(&place, &folder, data_home)
}

fn cans_of(yard: &Yard, data_home: Option<&Path>) -> Vec<Can> {
    let (place, folder) = place(yard, "x");
    cans(os::disk_of(&place.dir).unwrap(), &folder, data_home)
}

fn own() -> String {
    format!(".Trash-{}", rustix::process::getuid().as_raw())
}

#[test]
fn the_trash_of_the_home_comes_first_on_its_disk() {
    let yard = Yard::new();
    let home = yard.outside("data/not/there/yet");
    let found = cans_of(&yard, Some(&home));
    assert_eq!(found.first(), Some(&Can::Home(home.join("Trash"))));
    let found = cans_of(&yard, None);
    assert!(!found.iter().any(|can| matches!(can, Can::Home(_))));
    // A link that leads nowhere is no place to make a trash in.
    symlink("/none/of/it", yard.outside("link")).unwrap();
    let found = cans_of(&yard, Some(&yard.outside("link")));
    assert!(!found.iter().any(|can| matches!(can, Can::Home(_))));
}

#[test]
fn things_of_one_name_go_side_by_side_with_a_note_each() {
    let yard = Yard::new();
    let home = yard.outside("data");
    for round in 0..NAMES_TRIED + 2 {
        yard.write("a b%ä/x", round.to_string());
        throw(&yard, "a b%ä", Some(&home)).unwrap();
    }
    let trash = home.join("Trash");
    assert_eq!(std::fs::read(trash.join("files/a b%ä/x")).unwrap(), b"0");
    assert_eq!(std::fs::read(trash.join("files/a b%ä.2/x")).unwrap(), b"1");
    let count = |name: &str| std::fs::read_dir(trash.join(name)).unwrap().count();
    let all = usize::try_from(NAMES_TRIED).unwrap() + 2;
    assert_eq!((count("files"), count("info")), (all, all));
    let note = std::fs::read_to_string(trash.join("info/a b%ä.2.trashinfo")).unwrap();
    let lines: Vec<_> = note.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "[Trash Info]"));
    let path = lines[1].strip_prefix("Path=/").unwrap();
    assert!(path.ends_with("/in/a%20b%25%C3%A4"), "{path}");
    let date = lines[2].strip_prefix("DeletionDate=").unwrap();
    assert!(date.parse::<jiff::civil::DateTime>().is_ok(), "{date}");
    let rights = std::fs::metadata(&trash).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, FOLDER_RIGHTS);
}

#[test]
fn the_longest_name_leaves_room_for_its_note() {
    for name in ["x".repeat(NAME_BYTES), "ä".repeat(NAME_BYTES / 2)] {
        for number in 1..=NAMES_TRIED {
            let there = name_in_trash(&name, number).len() + NOTE_END.len();
            assert!((NAME_BYTES - 1..=NAME_BYTES).contains(&there), "{there}");
        }
        let yard = Yard::new();
        yard.write(&name, "x");
        throw(&yard, &name, Some(&yard.outside("data"))).unwrap();
        assert!(yard.names("").is_empty());
    }
}

#[test]
fn what_does_not_go_leaves_no_note() {
    let yard = Yard::new();
    yard.write("d/x", "x");
    // A folder can't be renamed into itself.
    let refusal = throw(&yard, "d", Some(&yard.inside("d"))).unwrap_err();
    assert_eq!(refusal.kind, Failed);
    assert_eq!(yard.names("d/Trash/info"), [""; 0]);
    assert_eq!(yard.names("d/Trash/files"), [""; 0]);
    assert_eq!(yard.read("d/x"), b"x");
}

#[test]
fn on_another_disk_its_own_trash_is_taken_and_never_the_home() {
    let yard = Yard::new();
    let home = yard.outside("data");
    let Some(_mount) = Mount::tmpfs(&yard.inside("disk")) else {
        return;
    };
    yard.write("disk/sub/a", "a");
    throw(&yard, "disk/sub/a", Some(&home)).unwrap();
    let own = format!("disk/{}", own());
    assert_eq!(yard.read(&format!("{own}/files/a")), b"a");
    let note = String::from_utf8(yard.read(&format!("{own}/info/a.trashinfo"))).unwrap();
    assert!(note.contains("\nPath=sub/a\n"), "{note}");

    // What stands in the place of the disk's trash takes nothing: a file, a link, another's folder.
    let top = yard.inside(&own);
    let stay = |case: &str| {
        yard.write("disk/sub/a", case);
        let refusal = throw(&yard, "disk/sub/a", Some(&home)).unwrap_err();
        assert_eq!(refusal.kind, Unsupported, "{case}");
        assert_eq!(yard.read("disk/sub/a"), case.as_bytes());
        assert!(!home.exists(), "{case}");
    };
    std::fs::remove_dir_all(&top).unwrap();
    std::fs::write(&top, "").unwrap();
    stay("file");
    std::fs::remove_file(&top).unwrap();
    symlink(yard.outside(""), &top).unwrap();
    stay("link");
    std::fs::remove_file(&top).unwrap();
    std::fs::create_dir(&top).unwrap();
    std::os::unix::fs::chown(&top, Some(65_534), None).unwrap();
    stay("another's");

    // The trash for all is taken when it is sticky.
    let shared = yard.inside("disk/.Trash");
    std::fs::create_dir(&shared).unwrap();
    stay("not sticky");
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o1777)).unwrap();
    throw(&yard, "disk/sub/a", Some(&home)).unwrap();
    let uid = rustix::process::getuid().as_raw();
    assert!(shared.join(format!("{uid}/files/a")).exists());
}

/// One device, two mounts: the system renames nothing from one to the other.
#[test]
fn a_second_mount_of_the_same_disk_is_another_disk() {
    let yard = Yard::new();
    yard.write("real/sub/a", "a");
    let Some(_mount) = Mount::bind(&yard.inside("real"), &yard.inside("again")) else {
        return;
    };
    let home = yard.outside("data");
    throw(&yard, "again/sub/a", Some(&home)).unwrap();
    assert!(!home.exists());
    assert_eq!(yard.read(&format!("real/{}/files/a", own())), b"a");
}

/// A disk whose top belongs to somebody else, and a home on another disk: nothing may move.
#[test]
fn where_no_trash_can_be_made_nothing_moves() {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let yard = Yard::new();
    let Some(_mount) = Mount::tmpfs(&yard.inside("disk")) else {
        return;
    };
    for (name, text) in [("w/d/x", "x"), ("w/d/y/z", "z")] {
        yard.write(&format!("disk/{name}"), text);
    }
    let top = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(yard.inside("disk"), top.clone()).unwrap();
    std::fs::set_permissions(yard.folder.path(), top).unwrap();
    let home = yard.outside("data");
    std::fs::create_dir(&home).unwrap();
    // Whoever is nobody can't enter the build folder perhaps, so the program is where they can.
    let program = yard.outside("program");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    for name in ["w", "w/d", "w/d/x", "w/d/y", "w/d/y/z"] {
        std::os::unix::fs::chown(yard.inside("disk").join(name), Some(NOBODY), None).unwrap();
    }
    std::os::unix::fs::chown(&home, Some(NOBODY), None).unwrap();
    let done = Command::new(&program)
        .args(["--ignored", "--exact"])
        .arg("files::desktop_trash::tests::as_nobody")
        .env("XDG_DATA_HOME", &home)
        .env("WISP_TEST_FOLDER", yard.inside("disk/w"))
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(yard.read("disk/w/d/x"), b"x");
    assert_eq!(yard.read("disk/w/d/y/z"), b"z");
    assert_eq!(yard.names("disk"), ["w"]);
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0);
}

#[tokio::test]
#[ignore = "started by the test above, as another user"]
async fn as_nobody() {
    use crate::files::testing::{context, failure};
    use crate::permission::{Access, Permit};
    use crate::toolkit::Tool;
    use crate::tools::files_trash::{FilesTrash, Input};
    let folder = std::env::var_os("WISP_TEST_FOLDER").unwrap();
    let context = context(Path::new(&folder));
    let input: Input = serde_json::from_str(r#"{"path": "d"}"#).unwrap();
    let ready = FilesTrash.prepare(input, &context).await.unwrap();
    let permit = Permit::for_test(Access::ChangeInside);
    let failure = failure(FilesTrash.run(ready.plan, permit, &context).await);
    assert_eq!(failure.kind, Unsupported);
    assert!(
        failure.message.contains("nothing was moved"),
        "{}",
        failure.message
    );
}
