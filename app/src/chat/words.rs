//! What is said of tools, calls and failures in the person's language.

use wisp_engine::protocol::{CallStatus, DetailLabel, FailureKind};

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
        "open_webpage" => words.pages.open_card.to_owned(),
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

/// How a call stands, in a word at the end of its line; what it gave, where that is a number.
pub fn standing(words: &Words, call: &Call) -> String {
    let chat = &words.chat;
    match &call.state {
        CallState::Queued => chat.queued_call.to_owned(),
        CallState::Running(_) => chat.running.to_owned(),
        CallState::Asking(_) => chat.waits_for_you.to_owned(),
        CallState::NeverRun => chat.never_run.to_owned(),
        CallState::Ended(report) => match report.status {
            CallStatus::Done => call
                .count
                .map(|count| count.to_string())
                .unwrap_or_default(),
            CallStatus::Failed => chat.failed.to_owned(),
            CallStatus::Denied => chat.denied.to_owned(),
            CallStatus::Cancelled => chat.cancelled.to_owned(),
            CallStatus::Unknown => chat.unknown.to_owned(),
        },
    }
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
