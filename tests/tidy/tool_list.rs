//! Every file in `engine/src/tools` is a tool, named as the model names it, and listed once.

use crate::rust_text::mask;
use crate::tree::{self, Source};

const FOLDER: &str = "engine/src/tools/";

fn broken(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let mut tools: Vec<&str> = Vec::new();
    for source in sources {
        let Some(name) = tool_name(&source.path) else {
            continue;
        };
        tools.push(name);
        let code: String = mask(&source.text).with_strings.split_whitespace().collect();
        if !code.contains(&format!("constNAME:&'staticstr=\"{name}\";")) {
            found.push(format!("{} is no tool named {name}", source.path));
        }
    }
    tools.sort_unstable();
    let index = sources
        .iter()
        .find(|source| source.path == format!("{FOLDER}mod.rs"));
    let code = index.map_or_else(String::new, |index| mask(&index.text).code);
    let declared = declared(&code);
    if declared != tools {
        found.push(format!(
            "mod.rs declares {declared:?}, the files in order are {tools:?}"
        ));
    }
    let listed = listed(&code, &tools);
    if listed != tools {
        found.push(format!(
            "mod.rs lists {listed:?}, the files in order are {tools:?}"
        ));
    }
    found
}

/// The tool that a file holds: `NAME.rs`, or `NAME/mod.rs` where its tests made it a folder.
fn tool_name(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(FOLDER)?;
    let name = match rest.split_once('/') {
        Some((name, "mod.rs")) => name,
        Some(_) => return None,
        None => rest.strip_suffix(".rs")?,
    };
    (name != "mod" && name != "tests").then_some(name)
}

fn declared(code: &str) -> Vec<&str> {
    code.lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.rsplit_once("mod "))
        .map(|(_, name)| name)
        .filter(|name| *name != "tests")
        .collect()
}

/// The tools in the order in which the code names a thing of theirs.
fn listed<'a>(code: &str, tools: &[&'a str]) -> Vec<&'a str> {
    let mut uses: Vec<(usize, &str)> = Vec::new();
    for tool in tools {
        let path = format!("{tool}::");
        let whole = |at: usize| {
            !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        };
        uses.extend(
            code.match_indices(&path)
                .filter(|(at, _)| whole(*at))
                .map(|(at, _)| (at, *tool)),
        );
    }
    uses.sort_unstable();
    uses.into_iter().map(|(_, tool)| tool).collect()
}

#[test]
fn each_file_is_a_tool_and_listed_once_in_order() {
    assert_eq!(broken(tree::sources()), Vec::<String>::new());
}

#[test]
fn a_gap_a_double_and_a_wrong_name_are_seen() {
    let tool = |path: &str, name: &str| {
        let text = format!("impl Tool for X {{\n    const NAME: &'static str = \"{name}\";\n}}\n");
        Source::sample(&format!("{FOLDER}{path}"), &text)
    };
    let index = |text: &str| Source::sample(&format!("{FOLDER}mod.rs"), text);
    let good = "mod alpha;\nmod beta;\nfn all() { [of(alpha::Alpha), of(beta::Beta)] }";
    let with = |text: &str| {
        broken(&[
            tool("alpha.rs", "alpha"),
            tool("beta/mod.rs", "beta"),
            index(text),
        ])
    };
    assert_eq!(with(good), Vec::<String>::new());
    assert_eq!(
        with("mod beta;\nmod alpha;\nfn all() { [of(alpha::Alpha), of(beta::Beta)] }").len(),
        1
    );
    assert_eq!(
        with("mod alpha;\nmod beta;\nfn all() { [of(beta::Beta), of(alpha::Alpha)] }").len(),
        1
    );
    assert_eq!(
        with("mod alpha;\nmod beta;\nfn all() { [of(alpha::Alpha)] }").len(),
        1
    );
    assert_eq!(
        with("mod alpha;\nmod beta;\nfn all() { [a(alpha::A), a(beta::B), a(beta::B)] }").len(),
        1
    );
    let wrong = [
        tool("alpha.rs", "alfa"),
        index("mod alpha;\nfn all() { [of(alpha::Alpha)] }"),
    ];
    assert_eq!(broken(&wrong).len(), 1);
}
