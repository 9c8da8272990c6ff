//! The scenarios that come with the program: every file of `qa/scenarios`, built in.

use super::Scenario;

macro_rules! scenarios {
    ($($name:literal),* $(,)?) => {
        /// Every scenario by name, sorted.
        const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../scenarios/", $name, ".toml")))),*
        ];
    };
}

scenarios![
    "batch-200",
    "bench-loop",
    "chat",
    "demo-escape",
    "demo-guard",
    "demo-invalid",
    "demo-loop",
    "demo-mkdir",
    "demo-move",
    "demo-multi",
    "demo-openweb",
    "demo-read",
    "demo-readpage",
    "demo-replace",
    "demo-search",
    "demo-tabs",
    "demo-trash",
    "demo-write",
    "fault-429",
    "fault-500",
    "fault-comments",
    "fault-cut",
    "fault-cut-late",
    "fault-empty",
    "fault-filter",
    "fault-interleaved",
    "fault-keepalive",
    "fault-key",
    "fault-length",
    "fault-malformed",
    "fault-overloaded",
    "fault-reasoning",
    "fault-unfinished",
    "fault-utf8",
    "hello",
];

/// All built-in scenarios, sorted by name.
pub fn builtin() -> Vec<Scenario> {
    // A file that doesn't parse fails this module's test, so none is ever left out.
    FILES
        .iter()
        .filter_map(|(_, text)| Scenario::parse(text).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, fs, path::Path};

    use super::*;
    use crate::{
        scenario::{Outcome, Repeat, find_tag},
        workspace,
    };

    /// What the mode asks about before it runs.
    const CHANGING: [&str; 6] = [
        "open_webpage",
        "files_write",
        "files_replace",
        "files_mkdir",
        "files_move",
        "files_trash",
    ];

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the list is compared with the folder of the sources"
    )]
    fn every_file_is_listed_and_the_list_is_sorted() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let mut files: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .map(|name| name.strip_suffix(".toml").unwrap_or(&name).to_owned())
            .collect();
        files.sort();
        let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, files);
    }

    #[test]
    fn every_file_parses_and_has_its_own_name_and_tag() {
        let mut tags = HashSet::new();
        for (name, text) in FILES {
            let scenario = Scenario::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(scenario.name, *name);
            assert!(tags.insert(scenario.tag), "{name} has another's tag");
        }
    }

    #[test]
    fn a_prompt_plays_its_own_scenario_only() {
        let scenarios = builtin();
        for scenario in &scenarios {
            for other in &scenarios {
                let found = other
                    .tag
                    .as_deref()
                    .is_some_and(|tag| find_tag(&scenario.prompt, tag).is_some());
                assert_eq!(
                    found,
                    scenario.name == other.name && scenario.tag.is_some(),
                    "{} and {}",
                    scenario.name,
                    other.name
                );
            }
        }
    }

    #[test]
    fn expectations_are_complete() {
        for scenario in builtin() {
            let (name, expect) = (&scenario.name, &scenario.expect);
            let rounds = scenario
                .tag
                .as_deref()
                .and_then(|tag| find_tag(&scenario.prompt, tag))
                .map_or(0, |(_, rounds)| rounds);
            let expected: u32 = expect.calls.iter().map(|call| call.times).sum();
            if expect.outcome == Outcome::Done {
                assert!(!expect.answer.is_empty(), "{name}: the answer");
                let made: u32 = scenario
                    .turns
                    .iter()
                    .map(|turn| {
                        let copies: u32 = turn.calls.iter().map(|call| call.copies).sum();
                        copies * turn.repeat.count(rounds)
                    })
                    .sum();
                assert_eq!(expected, made, "{name}: calls");
                let last = scenario.turns.last().unwrap();
                assert!(last.calls.is_empty(), "{name}: ends with a text");
                assert_eq!(last.repeat, Repeat::Times(1), "{name}: ends once");
            }
            for call in &expect.calls {
                let changes = CHANGING.contains(&call.tool.as_str());
                let runs = call.status == wisp_engine::protocol::CallStatus::Done;
                assert_eq!(
                    call.when_denied.is_some() && changes,
                    changes && runs,
                    "{name}: a change that runs says what a denial makes of it"
                );
            }
            if !expect.calls.is_empty() {
                let files = scenario.workspace.as_deref().unwrap_or_default();
                assert!(!workspace::parse(files).unwrap().is_empty(), "{name}");
            }
        }
    }
}
