//! Samples: every card and state of the conversation, written as the events that would lead to it. Nothing
//! here reads, runs or changes anything.

mod answer;
mod change;
mod ends;
mod found;
mod heavy;
mod pages;
mod phases;
mod story;
#[cfg(test)]
mod tests;

use crate::i18n::{Language, QaWords};
use crate::state::qa::Script;

use story::Stage;

/// One sample.
pub struct Sample {
    /// What it is known by.
    pub key: &'static str,
    /// What it is called.
    pub title: fn(&QaWords) -> &'static str,
    script: fn(&Stage) -> Script,
}

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)
    }
}

macro_rules! samples {
    ($($key:literal: $title:ident, $module:ident::$name:ident;)*) => {
        /// Every sample, in the order of the list.
        pub const SAMPLES: &[Sample] = &[
            $(Sample { key: $key, title: |words| words.$title, script: $module::$name }),*
        ];
    };
}

samples! {
    "replace": s_replace, change::replace;
    "write": s_write, change::write;
    "mkdir": s_mkdir, change::make_folder;
    "move": s_move, change::move_file;
    "trash": s_trash, change::trash;
    "two-cards": s_two_cards, change::two_cards;
    "hostile": s_hostile, change::hostile;
    "open-page": s_open_page, pages::open;
    "read-page": s_read_page, pages::read;
    "tab-action": s_tab_action, pages::act;
    "search": s_search, found::search;
    "list": s_list, found::list;
    "json": s_json, found::json;
    "text": s_text, found::text;
    "markdown": s_markdown, answer::markdown;
    "notices": s_notices, ends::notices;
    "budget": s_budget, ends::budget;
    "guard": s_guard, ends::guard;
    "failed-settings": s_failed_settings, ends::failed_settings;
    "failed-kept": s_failed_kept, ends::failed_kept;
    "failed-changed": s_failed_changed, ends::failed_changed;
    "failed-each": s_failed_each, ends::failed_each;
    "failed-calls": s_failed_calls, ends::failed_calls;
    "unreadable": s_unreadable, ends::unreadable;
    "interrupted": s_interrupted, ends::interrupted;
    "cancelled": s_cancelled, ends::cancelled;
    "waiting": s_waiting, phases::waiting;
    "retry": s_retry, phases::retry;
    "thinking": s_thinking, phases::thinking;
    "calling": s_calling, phases::calling;
    "calls-5000": s_many_calls, heavy::many_calls;
    "message-10mb": s_large_message, heavy::large_message;
    "long-line": s_long_line, heavy::long_line;
}

/// What a sample plays, in this language; nothing for a key that is not in the list. `number` is another one
/// each time, so that what was folded or scrolled the last time is new.
pub fn script(key: &str, language: Language, number: u64) -> Script {
    let stage = Stage { language, number };
    let found = SAMPLES.iter().find(|sample| sample.key == key);
    found.map_or_else(Script::default, |sample| (sample.script)(&stage))
}
