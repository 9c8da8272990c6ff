//! English.

use super::keys::*;

pub(super) const WORDS: Words = Words {
    common: CommonWords {
        app: "Wisp",
        simulation: "Simulation",
        simulation_hint: "Simulation: no model is called",
        close: "Close",
        cancel: "Cancel",
        copy: "Copy",
        copied: "Copied",
        retry: "Try again",
        undo: "Undo",
        save: "Save",
        delete: "Delete",
        rename: "Rename",
        open: "Open",
        more: "More",
        back: "Back",
        seconds: "{n} s",
        minutes: "{n} min",
        today: "Today",
        yesterday: "Yesterday",
        show_all: "Show all",
        show_less: "Show less",
        loading: "Loading…",
        nothing_here: "Nothing here",
        no_folder: "No folder",
    },
    markdown: MarkdownWords {
        copy_code: "Copy code",
        code_text: "text",
        picture_outside: "Picture not loaded: {address}",
        task_done: "done",
        task_open: "open",
    },
    body: BodyWords {
        unchanged_lines: "{n} unchanged lines",
        more_lines: "{n} more lines",
        long_line: "…the line goes on for {n} characters",
        no_hits: "Nothing was found.",
        empty_text: "The text is empty.",
        empty_folder: "The folder is empty.",
        truncated: "The tool gave only a part.",
    },
};
