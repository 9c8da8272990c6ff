//! What is said of tools, calls and failures in the person's language.

use serde_json::Value;
use wisp_engine::protocol::{CallReport, CallStatus, DetailLabel, FailureKind};

use crate::i18n::{Words, fill};
use crate::state::transcript::{Call, CallState};
use crate::text::visible;

/// What a card is about: the tool's action as a title.
pub fn title_of_card(words: &Words, tool: &str) -> String {
    let card = &words.card;
    match tool {
        "files_write" => card.write.to_owned(),
        "files_replace" => card.replace.to_owned(),
        "files_mkdir" => card.make_folder.to_owned(),
        "files_move" => card.move_to.to_owned(),
        "files_trash" => card.trash.to_owned(),
        _ => fill(card.other, &[("tool", &visible::line(tool))]),
    }
}

/// The word for a part of a card.
pub fn label_of_detail(words: &Words, label: DetailLabel) -> &'static str {
    let card = &words.card;
    match label {
        DetailLabel::Content => card.content,
        DetailLabel::Digest => card.digest,
        DetailLabel::Bytes => card.bytes,
        DetailLabel::From => card.from,
        DetailLabel::To => card.to,
        DetailLabel::Entries => card.entries,
        DetailLabel::Warning => card.warning,
    }
}

/// What went wrong, as a title.
pub fn title_of_failure(words: &Words, kind: FailureKind) -> &'static str {
    let failure = &words.failure;
    match kind {
        FailureKind::Authentication => failure.authentication,
        FailureKind::Quota => failure.quota,
        FailureKind::RateLimit => failure.rate_limit,
        FailureKind::Overload => failure.overload,
        FailureKind::ContextLength => failure.context_length,
        FailureKind::ContentFilter => failure.content_filter,
        FailureKind::BrokenStream => failure.broken_stream,
        FailureKind::Idle => failure.idle,
        FailureKind::Network => failure.network,
        FailureKind::BadRequest => failure.bad_request,
        FailureKind::ModelNotFound => failure.model_not_found,
        FailureKind::EmptyReply => failure.empty_reply,
        FailureKind::OutputLimit => failure.output_limit,
        FailureKind::Settings => failure.settings,
        FailureKind::Folder => failure.folder,
        FailureKind::Store => failure.store,
        FailureKind::StoreNewer => failure.store_newer,
        FailureKind::StoreLocked => failure.store_locked,
        FailureKind::NotFound => failure.not_found,
        FailureKind::Busy => failure.busy,
        FailureKind::BadSubmission => failure.bad_submission,
        FailureKind::Internal => failure.internal,
        _ => failure.other,
    }
}

/// What a call works on, on one line: its path, its words, or nothing.
pub fn subject(arguments: &str) -> String {
    // Large arguments hold whole files; their subject is near the beginning and is cut for the line anyway.
    const LONGEST: usize = 64_000;
    if arguments.len() > LONGEST {
        return String::new();
    }
    let Ok(Value::Object(values)) = serde_json::from_str(arguments) else {
        return String::new();
    };
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let number = |key: &str| values.get(key).and_then(Value::as_u64);
    let subject = match (text("path"), text("from"), text("to"), text("query")) {
        (_, Some(from), Some(to), _) => format!("{from} → {to}"),
        (Some(path), _, _, Some(query)) => format!("{query}  {path}"),
        (Some(path), ..) => match (number("startLine"), number("endLine")) {
            (Some(start), Some(end)) => format!("{path}:{start}–{end}"),
            (Some(start), None) => format!("{path}:{start}"),
            _ => path.to_owned(),
        },
        (None, _, _, Some(query)) => query.to_owned(),
        _ => String::new(),
    };
    let line: String = subject.chars().take(300).collect();
    visible::line(&line)
}

/// How a call stands, in a word at the end of its line; what it gave, where that is a number.
pub fn standing(words: &Words, call: &Call) -> String {
    let chat = &words.chat;
    match &call.state {
        CallState::Queued => chat.queued_call.to_owned(),
        CallState::Running(_) => chat.running.to_owned(),
        CallState::Asking(_) => chat.waits_for_you.to_owned(),
        CallState::NeverRun => chat.never_run.to_owned(),
        CallState::Ended(report) => match report.status {
            CallStatus::Done => outcome(report),
            CallStatus::Failed => chat.failed.to_owned(),
            CallStatus::Denied => chat.denied.to_owned(),
            CallStatus::Cancelled => chat.cancelled.to_owned(),
            CallStatus::Unknown => chat.unknown.to_owned(),
        },
    }
}

/// The number a result is known by: hits, entries, lines.
fn outcome(report: &CallReport) -> String {
    let Some(Value::Object(result)) = &report.result else {
        return String::new();
    };
    let length = |key: &str| result.get(key).and_then(Value::as_array).map(Vec::len);
    let counted = length("hits").or_else(|| length("entries"));
    if let Some(counted) = counted {
        return counted.to_string();
    }
    let lines = result.get("text").and_then(Value::as_str);
    lines.map_or_else(String::new, |text| text.lines().count().to_string())
}

/// A span of time for a person: `1.4 s`, `2 min`.
pub fn span(words: &Words, millis: u64) -> String {
    if millis >= 60_000 {
        return fill(
            words.common.minutes,
            &[("n", &(millis / 60_000).to_string())],
        );
    }
    let tenths = millis.div_ceil(100);
    let number = if tenths < 100 {
        format!("{}.{}", tenths / 10, tenths % 10)
    } else {
        (tenths / 10).to_string()
    };
    fill(words.common.seconds, &[("n", &number)])
}

/// Whole seconds since a time, for what waits.
pub fn waited(words: &Words, since: u64, today: u64) -> String {
    let seconds = today.saturating_sub(since) / 1_000;
    if seconds >= 60 {
        fill(words.common.minutes, &[("n", &(seconds / 60).to_string())])
    } else {
        fill(words.common.seconds, &[("n", &seconds.to_string())])
    }
}

/// A number with its thousands apart.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    #[test]
    fn a_call_is_known_by_what_it_works_on() {
        assert_eq!(subject(r#"{"path":"a.md"}"#), "a.md");
        assert_eq!(subject(r#"{"from":"a","to":"b"}"#), "a → b");
        assert_eq!(
            subject(r#"{"path":"a","startLine":3,"endLine":9}"#),
            "a:3–9"
        );
        assert_eq!(subject(r#"{"path":".","query":"x"}"#), "x  .");
        assert_eq!(subject("{"), "");
        assert_eq!(subject("{\"path\":\"a\u{202e}b\\n\"}"), "a\\u{202e}b\\u{a}");
    }

    #[test]
    fn times_and_numbers_are_for_a_person() {
        let words = Language::English.words();
        assert_eq!(span(words, 1_400), "1.4 s");
        assert_eq!(span(words, 12_000), "12 s");
        assert_eq!(span(words, 125_000), "2 min");
        assert_eq!(waited(words, 1_000, 13_500), "12 s");
        assert_eq!(number(1_234_567), "1\u{202F}234\u{202F}567");
        assert_eq!(number(12), "12");
    }
}
