use wisp_engine::protocol::{
    Failure, FailureKind, Preview, PreviewEntry, PreviewFolder, PreviewKind, PreviewLineEnds,
    PreviewText, SessionId, TabId, TabKind,
};

use super::*;
use crate::pages::PageId;

fn file(path: &str) -> Content {
    Content::file(path, None)
}

fn names(tabs: &Tabs) -> Vec<String> {
    let front = tabs.active().map(|tab| tab.id.clone());
    tabs.iter()
        .map(|tab| {
            let name = tab.content.name().unwrap_or("+");
            if Some(&tab.id) == front.as_ref() {
                format!("[{name}]")
            } else {
                name.to_owned()
            }
        })
        .collect()
}

fn of(paths: &[&str]) -> (Tabs, Vec<TabId>) {
    let mut tabs = Tabs::default();
    let ids = paths
        .iter()
        .map(|path| tabs.open(file(path)).unwrap().tab)
        .collect();
    (tabs, ids)
}

#[test]
fn what_is_open_comes_to_the_front() {
    let (mut tabs, ids) = of(&["a", "b"]);
    let again = tabs.open(Content::file("a", Some(7))).unwrap();
    assert_eq!((again.tab.clone(), again.new), (ids[0].clone(), false));
    let Content::File(shown) = &tabs.get(&again.tab).unwrap().content else {
        panic!("a file");
    };
    assert_eq!(shown.go_to, Some(7));
    assert_eq!(names(&tabs), ["[a]", "b"]);
    tabs.open(Content::web("http://x.test")).unwrap();
    assert!(!tabs.open(Content::web("http://X.test/")).unwrap().new);
    assert!(tabs.open(Content::folder("a", "root")).unwrap().new);
    assert_eq!(names(&tabs), ["a", "b", "x.test", "[a]"]);
    assert!(tabs.open(Content::new_tab()).unwrap().new);
    assert!(tabs.open(Content::new_tab()).unwrap().new);
}

#[test]
fn closing_selects_the_right_neighbour_else_the_left_one() {
    let (mut tabs, ids) = of(&["a", "b", "c", "d"]);
    tabs.show(&ids[1]);
    tabs.close(&ids[1]).unwrap();
    assert_eq!(names(&tabs), ["a", "[c]", "d"]);
    tabs.close(&ids[0]).unwrap();
    assert_eq!(names(&tabs), ["[c]", "d"], "a tab behind is closed");
    tabs.show(&ids[3]);
    tabs.close(&ids[3]).unwrap();
    assert_eq!(names(&tabs), ["[c]"]);
    assert!(tabs.close(&ids[3]).is_none());
    tabs.close(&ids[2]).unwrap();
    assert!(tabs.is_empty() && tabs.active().is_none());
}

#[test]
fn closed_tabs_come_back_where_they_were_with_a_new_name() {
    let (mut tabs, ids) = of(&["a", "b", "c"]);
    let front = tabs.open(Content::new_tab()).unwrap().tab;
    tabs.close(&front);
    tabs.close(&ids[1]);
    tabs.close(&ids[0]);
    let back = tabs.reopen().unwrap().unwrap();
    assert!(back.new && back.tab != ids[0]);
    assert_eq!(names(&tabs), ["[a]", "c"]);
    tabs.open(file("b")).unwrap();
    tabs.show(&ids[2]);
    assert!(
        !tabs.reopen().unwrap().unwrap().new,
        "it is open again already"
    );
    assert_eq!(names(&tabs), ["a", "c", "[b]"]);
    assert_eq!(tabs.reopen().unwrap(), None, "a new tab is not kept");
    for number in 0..50 {
        let tab = tabs.open(file(&number.to_string())).unwrap().tab;
        tabs.close(&tab);
    }
    let mut back = 0;
    while tabs.reopen().unwrap().is_some() {
        back += 1;
    }
    assert_eq!(back, 20);
}

#[test]
fn a_session_has_no_more_tabs_than_it_may() {
    let mut tabs = Tabs::default();
    for number in 0..MOST_TABS {
        tabs.open(file(&number.to_string())).unwrap();
    }
    assert_eq!(tabs.open(file("x")), Err(Full));
    assert!(
        !tabs.open(file("3")).unwrap().new,
        "what is open still comes to the front"
    );
    let last = tabs.active().unwrap().id.clone();
    tabs.close(&last);
    tabs.open(file("x")).unwrap();
    assert_eq!(tabs.reopen(), Err(Full));
    assert!(tabs.can_reopen(), "it is not lost by the refusal");
}

#[test]
fn tabs_are_moved_and_gone_through() {
    let (mut tabs, ids) = of(&["a", "b", "c"]);
    tabs.move_to(&ids[2], 0);
    assert_eq!(names(&tabs), ["[c]", "a", "b"]);
    tabs.move_to(&ids[0], 99);
    assert_eq!(names(&tabs), ["[c]", "b", "a"]);
    tabs.previous();
    assert_eq!(names(&tabs), ["c", "b", "[a]"]);
    tabs.next();
    assert_eq!(names(&tabs), ["[c]", "b", "a"]);
    tabs.nth(2);
    assert_eq!(names(&tabs), ["c", "[b]", "a"]);
    tabs.nth(7);
    tabs.nth(0);
    assert_eq!(names(&tabs), ["c", "[b]", "a"]);
    tabs.nth(9);
    assert_eq!(names(&tabs), ["c", "b", "[a]"]);
    Tabs::default().next();
}

#[test]
fn a_new_tab_becomes_what_was_chosen_in_it() {
    let (mut tabs, ids) = of(&["a"]);
    let new = tabs.open(Content::new_tab()).unwrap().tab;
    let before = tabs.get(&new).unwrap().version;
    let filled = tabs.fill(&new, file("b")).unwrap();
    assert_eq!((filled.tab, filled.new), (new.clone(), false));
    assert!(tabs.get(&new).unwrap().version > before);
    let other = tabs.open(Content::new_tab()).unwrap().tab;
    assert_eq!(tabs.fill(&other, file("a")).unwrap().tab, ids[0]);
    assert_eq!(names(&tabs), ["[a]", "b"]);
    assert_eq!(tabs.fill(&other, file("c")), None);
    let recent: Vec<_> = tabs.recent().iter().filter_map(Content::name).collect();
    assert_eq!(recent, ["a", "b"]);
}

#[test]
fn tools_are_told_what_is_there_in_order() {
    let (mut tabs, _) = of(&["src/a.rs"]);
    tabs.open(Content::web("http://x.test/p?q")).unwrap();
    tabs.open(Content::folder("notes/", "root")).unwrap();
    tabs.open(Content::folder(".", "root")).unwrap();
    tabs.open(Content::new_tab()).unwrap();
    tabs.nth(2);
    let list = tabs.list();
    let kinds: Vec<_> = list.iter().map(|tab| tab.kind).collect();
    assert_eq!(
        kinds,
        [
            TabKind::File,
            TabKind::Web,
            TabKind::Directory,
            TabKind::Directory,
            TabKind::New
        ]
    );
    let titles: Vec<_> = list.iter().map(|tab| tab.title.as_str()).collect();
    assert_eq!(titles, ["a.rs", "x.test/p?q", "notes", "root", "New tab"]);
    assert_eq!(list[0].path.as_deref(), Some("src/a.rs"));
    assert_eq!(list[2].path.as_deref(), Some("notes"));
    assert_eq!(list[1].url.as_deref(), Some("http://x.test/p?q"));
    assert!(list[1].active && list.iter().filter(|tab| tab.active).count() == 1);
}

#[test]
fn sessions_see_none_of_each_other_and_leaving_makes_lists_old() {
    let (one, two) = (SessionId::new("1"), SessionId::new("2"));
    let mut previews = Previews::default();
    assert!(previews.switch(Some(&one)));
    let tab = previews.of_or_new(&one).open(file("a")).unwrap().tab;
    let page = previews
        .of_or_new(&one)
        .open(Content::web("http://x.test"))
        .unwrap()
        .tab;
    if let Content::Web(web) = &mut previews
        .of_mut(&one)
        .unwrap()
        .get_mut(&page)
        .unwrap()
        .content
    {
        web.page = Some(PageId(4));
    }
    assert!(previews.of(&two).is_none());
    assert_eq!(previews.owner_of(PageId(4)), Some((one.clone(), page)));
    assert_eq!(previews.pages().collect::<Vec<_>>(), [PageId(4)]);
    assert!(!previews.switch(Some(&one)));
    let version = previews.of(&one).unwrap().get(&tab).unwrap().version;
    previews.switch(Some(&two));
    previews.switch(Some(&one));
    assert!(previews.of(&one).unwrap().get(&tab).unwrap().version > version);
    previews.forget(&one);
    assert_eq!(previews.owner_of(PageId(4)), None);
}

fn text(text: &str) -> PreviewText {
    PreviewText {
        text: text.to_owned(),
        bytes: text.len() as u64,
        sha256: format!("digest of {text}"),
        bom: false,
        ends: PreviewLineEnds::Lf,
        read_only: false,
    }
}

fn read(tab: &mut FileTab, of: &str) {
    let reading = tab.begin_reading();
    assert!(tab.end_reading(reading, Ok(Preview::Text(text(of)))));
}

#[test]
fn of_two_readings_the_later_one_counts() {
    let mut tab = FileTab::new("a", None);
    let first = tab.begin_reading();
    let second = tab.begin_reading();
    assert!(tab.is_busy());
    assert!(tab.end_reading(second, Ok(Preview::Text(text("new")))));
    assert!(!tab.end_reading(first, Ok(Preview::Text(text("old")))));
    assert_eq!(tab.text().unwrap().text, "new");
    let third = tab.begin_reading();
    assert!(tab.is_busy() && tab.text().is_some(), "it stays in view");
    let failure = Failure::new(FailureKind::Folder, "Gone.");
    assert!(tab.end_reading(third, Err(failure)));
    assert!(!tab.begin_edit());
}

#[test]
fn what_is_typed_while_a_change_is_kept_is_still_to_be_kept() {
    let mut tab = FileTab::new("a", None);
    read(&mut tab, "old");
    assert!(tab.begin_edit() && !tab.begin_edit());
    let edit = tab.edit.as_mut().unwrap();
    edit.text = "new".to_owned();
    edit.look();
    assert!(tab.is_dirty());
    assert_eq!(
        tab.begin_save(),
        Some(("new".to_owned(), "digest of old".to_owned()))
    );
    assert_eq!(tab.begin_save(), None, "one after the other");
    let edit = tab.edit.as_mut().unwrap();
    edit.text = "newer".to_owned();
    tab.end_save("digest of new".to_owned(), 3, PreviewLineEnds::None);
    assert!(tab.is_dirty());
    assert_eq!(tab.begin_save().unwrap().1, "digest of new");
    tab.end_save("digest of newer".to_owned(), 5, PreviewLineEnds::None);
    assert!(!tab.is_dirty() && tab.is_busy());
    tab.end_edit();
    assert_eq!(tab.text().unwrap().text, "newer");
}

#[test]
fn a_conflict_is_settled_by_the_person() {
    let mut tab = FileTab::new("a", None);
    read(&mut tab, "old");
    tab.begin_edit();
    tab.edit.as_mut().unwrap().text = "mine".to_owned();
    tab.begin_save();
    tab.fail_save(Some(Some("digest of theirs".to_owned())));
    assert!(tab.write_over());
    assert_eq!(
        tab.begin_save(),
        Some(("mine".to_owned(), "digest of theirs".to_owned()))
    );
    tab.fail_save(Some(None));
    assert!(!tab.write_over(), "nothing is there to go over");
    assert!(tab.begin_save().is_some());
    tab.fail_save(None);
    assert_eq!(tab.edit.as_ref().unwrap().text, "mine");
}

#[test]
fn what_is_being_changed_is_not_let_go() {
    let mut tab = FileTab::new("a", None);
    read(&mut tab, "old");
    tab.begin_edit();
    tab.forget_text();
    assert!(tab.text().is_some());
    tab.end_edit();
    let reading = tab.begin_reading();
    tab.forget_text();
    assert!(!tab.end_reading(reading, Ok(Preview::Text(text("late")))));
    assert_eq!(tab.shown, Shown::Nothing);
}

fn folder(names: &[&str]) -> PreviewFolder {
    PreviewFolder {
        entries: names
            .iter()
            .map(|name| {
                let folder = name.ends_with('/');
                PreviewEntry {
                    name: name.trim_end_matches('/').to_owned(),
                    kind: if folder {
                        PreviewKind::Folder
                    } else {
                        PreviewKind::File
                    },
                    bytes: (!folder).then_some(1),
                }
            })
            .collect(),
        ..PreviewFolder::default()
    }
}

fn drawn(tab: &FolderTab) -> Vec<String> {
    tab.rows()
        .iter()
        .map(|row| match row {
            Row::Entry { depth, path, .. } => format!("{depth} {path}"),
            Row::Reading { depth } => format!("{depth} …"),
            Row::Empty { depth } => format!("{depth} none"),
            Row::Failed { depth, .. } => format!("{depth} failed"),
            Row::More { depth } => format!("{depth} more"),
        })
        .collect()
}

#[test]
fn a_tree_reads_what_is_open_once() {
    let mut tab = FolderTab::new(".", "root");
    let wanted = tab.wanted();
    assert_eq!(wanted, [(".".to_owned(), 1)]);
    assert!(tab.wanted().is_empty() && tab.is_reading());
    assert_eq!(drawn(&tab), ["0 …"]);
    assert!(tab.end_reading(".", 1, Ok(folder(&["a.md", "src/", "z/"]))));
    assert_eq!(drawn(&tab), ["0 src", "0 z", "0 a.md"]);
    tab.set_open("src", true);
    assert_eq!(tab.wanted(), [("src".to_owned(), 2)]);
    assert!(tab.end_reading("src", 2, Ok(folder(&[]))));
    assert_eq!(drawn(&tab), ["0 src", "1 none", "0 z", "0 a.md"]);
    tab.set_open("z", true);
    let failure = Failure::new(FailureKind::Folder, "Gone.");
    assert_eq!(tab.wanted(), [("z".to_owned(), 3)]);
    assert!(tab.end_reading("z", 3, Err(failure)));
    assert_eq!(
        drawn(&tab),
        ["0 src", "1 none", "0 z", "1 failed", "0 a.md"]
    );
    tab.set_open("src", false);
    let again = tab.read_again();
    assert_eq!(
        again
            .iter()
            .map(|(path, _)| path.as_str())
            .collect::<Vec<_>>(),
        [".", "z"],
        "what is folded is read when it is opened"
    );
    assert!(!tab.end_reading(".", 1, Ok(folder(&[]))), "an old answer");
    assert!(tab.end_reading(".", again[0].1, Ok(folder(&["b"]))));
    assert_eq!(drawn(&tab), ["0 b"]);
}
