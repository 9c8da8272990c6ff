//! Reads what a server says went wrong, and sorts it into a class.
//!
//! It knows the shapes and words that servers use and nothing of what is done about it, but for the
//! one question whether the same request may be sent again.

use serde_json::Value;

use crate::protocol::FailureKind;

/// One error of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerError {
    /// Its class.
    pub(super) kind: FailureKind,
    /// The HTTP status, where it came with one.
    pub(super) status: Option<u16>,
    /// The server's words, as they came; may be empty, long, or hold a key.
    pub(super) message: String,
    /// Whether the same request may succeed later.
    pub(super) transient: bool,
}

/// Codes and types that servers send, most telling first.
const LABELS: &[(&str, FailureKind)] = &[
    ("insufficient_quota", FailureKind::Quota),
    ("insufficient_balance", FailureKind::Quota),
    ("billing_hard_limit_reached", FailureKind::Quota),
    ("billing_error", FailureKind::Quota),
    ("quota_exceeded", FailureKind::Quota),
    ("context_length_exceeded", FailureKind::ContextLength),
    ("exceed_context_size_error", FailureKind::ContextLength),
    ("content_filter", FailureKind::ContentFilter),
    ("content_policy_violation", FailureKind::ContentFilter),
    ("data_inspection_failed", FailureKind::ContentFilter),
    ("invalid_api_key", FailureKind::Authentication),
    ("authentication_error", FailureKind::Authentication),
    ("permission_error", FailureKind::Authentication),
    ("model_not_found", FailureKind::ModelNotFound),
    ("not_found_error", FailureKind::ModelNotFound),
    ("rate_limit_exceeded", FailureKind::RateLimit),
    ("rate_limit_error", FailureKind::RateLimit),
    ("overloaded_error", FailureKind::Overload),
    ("overloaded", FailureKind::Overload),
    ("server_overloaded", FailureKind::Overload),
    ("engine_overloaded_error", FailureKind::Overload),
    ("service_unavailable", FailureKind::Overload),
    ("service_unavailable_error", FailureKind::Overload),
    ("server_error", FailureKind::Overload),
    ("api_error", FailureKind::Overload),
    ("internal_error", FailureKind::Overload),
    ("internal_server_error", FailureKind::Overload),
];

/// Labels of faults that are the server's own and no sign that it will soon be well: inside a stream
/// they are final (contract B12).
const FAULTS: &[&str] = &[
    "server_error",
    "api_error",
    "internal_error",
    "internal_server_error",
];

/// Words in messages of servers that give no telling code, in lower case.
const WORDS: &[(&str, FailureKind)] = &[
    ("maximum context length", FailureKind::ContextLength),
    ("context length", FailureKind::ContextLength),
    ("context window", FailureKind::ContextLength),
    ("context size", FailureKind::ContextLength),
    ("prompt is too long", FailureKind::ContextLength),
    ("input token count", FailureKind::ContextLength),
    (
        "reduce the length of the messages",
        FailureKind::ContextLength,
    ),
    ("content exists risk", FailureKind::ContentFilter),
    ("insufficient balance", FailureKind::Quota),
    ("model not exist", FailureKind::ModelNotFound),
    ("model not found", FailureKind::ModelNotFound),
    ("no such model", FailureKind::ModelNotFound),
];

impl ServerError {
    /// Out of a body or a frame. `status` is the HTTP status of an answer that is an error itself.
    pub(super) fn read(body: &str, status: Option<u16>) -> Self {
        let value: Value =
            serde_json::from_str(body.trim_start_matches('\u{feff}').trim()).unwrap_or(Value::Null);
        let value = match value {
            Value::Array(items) => items.into_iter().next().unwrap_or(Value::Null),
            value => value,
        };
        let error = value.get("error").filter(|error| error.is_object());
        let error = error.unwrap_or(&value);
        let labels: Vec<String> = ["code", "type", "status"]
            .into_iter()
            .filter_map(|field| word(error.get(field)?))
            .map(|label| label.to_lowercase())
            .collect();
        let message = message(&value, error).unwrap_or_else(|| page_free(body, &value));
        let numeric = labels.iter().find_map(|label| label.parse().ok());
        let kind = class(&labels, &message, status.or(numeric));
        let waits = matches!(kind, FailureKind::RateLimit | FailureKind::Overload);
        let transient = waits
            && match (status, numeric) {
                (Some(status), _) => is_tried_again(status),
                (None, Some(code)) => matches!(code, 429 | 503 | 529),
                (None, None) => !labels.iter().any(|label| FAULTS.contains(&label.as_str())),
            };
        Self {
            kind,
            status,
            message,
            transient,
        }
    }

    /// Whether it is about reasoning that was sent back, or wasn't.
    pub(super) fn is_about_reasoning(&self) -> bool {
        self.status == Some(400)
            && ["reasoning_content", "reasoning_details"]
                .iter()
                .any(|field| self.message.contains(field))
    }
}

/// The statuses after which the same request is sent again (contract C18).
pub(super) fn is_tried_again(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500..=599)
}

fn class(labels: &[String], message: &str, status: Option<u16>) -> FailureKind {
    for (label, kind) in LABELS {
        if labels.iter().any(|given| given == label) {
            return *kind;
        }
    }
    // Rate limits speak of tokens too, and a wrong key of anything: there the status tells more.
    if !matches!(status, Some(401 | 429)) {
        let message = message.to_lowercase();
        for (words, kind) in WORDS {
            if message.contains(words) {
                return *kind;
            }
        }
    }
    match status {
        Some(401 | 403) => FailureKind::Authentication,
        Some(402) => FailureKind::Quota,
        Some(404) => FailureKind::ModelNotFound,
        Some(429) => FailureKind::RateLimit,
        Some(408 | 409 | 425 | 500..=599) => FailureKind::Overload,
        _ => FailureKind::BadRequest,
    }
}

/// The words for a person, wherever the server put them.
fn message(value: &Value, error: &Value) -> Option<String> {
    let said = ["message", "msg", "error", "detail", "error_msg"]
        .into_iter()
        .find_map(|field| words(error.get(field)?))
        .or_else(|| words(value.get("message")?))?;
    // OpenRouter passes on the words of the provider behind it beside its own.
    match error.pointer("/metadata/raw").and_then(words) {
        Some(behind) => Some(format!("{said}: {behind}")),
        None => Some(said),
    }
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => Some(value.to_string()),
        _ => None,
    }
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A body that is no JSON speaks for itself, unless it is a web page.
fn page_free(body: &str, value: &Value) -> String {
    let body = body.trim();
    if value.is_null() && !body.starts_with('<') {
        body.to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_codes_and_words_give_the_class() {
        use FailureKind as K;
        for (status, body, kind, transient) in [
            (
                401,
                r#"{"error":{"message":"bad key","type":"authentication_error"}}"#,
                K::Authentication,
                false,
            ),
            (403, "", K::Authentication, false),
            (
                402,
                r#"{"error":{"message":"Insufficient Balance"}}"#,
                K::Quota,
                false,
            ),
            (
                429,
                r#"{"error":{"code":"insufficient_quota"}}"#,
                K::Quota,
                false,
            ),
            (
                429,
                r#"{"error":{"message":"context window tokens per minute"}}"#,
                K::RateLimit,
                true,
            ),
            (408, "", K::Overload, true),
            (409, "", K::Overload, true),
            (425, "", K::Overload, true),
            (500, "oops", K::Overload, true),
            (529, "", K::Overload, true),
            (404, "<html>", K::ModelNotFound, false),
            (
                400,
                r#"{"error":{"message":"Model Not Exist"}}"#,
                K::ModelNotFound,
                false,
            ),
            (
                400,
                r#"{"error":{"code":"context_length_exceeded","message":"m"}}"#,
                K::ContextLength,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 9 tokens."}}"#,
                K::ContextLength,
                false,
            ),
            (
                500,
                r#"{"error":{"message":"the request exceeds the available context size"}}"#,
                K::ContextLength,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"Content Exists Risk"}}"#,
                K::ContentFilter,
                false,
            ),
            (
                400,
                r#"{"error":{"type":"overloaded_error"}}"#,
                K::Overload,
                false,
            ),
            (400, "{}", K::BadRequest, false),
            (413, "", K::BadRequest, false),
            (
                422,
                r#"{"detail":[{"msg":"field required"}]}"#,
                K::BadRequest,
                false,
            ),
        ] {
            let error = ServerError::read(body, Some(status));
            assert_eq!(
                (error.kind, error.transient),
                (kind, transient),
                "{status} {body}"
            );
        }
    }

    #[test]
    fn inside_a_stream_only_overload_and_rate_limit_pass() {
        for (body, transient) in [
            (r#"{"error":{"type":"overloaded_error"}}"#, true),
            (r#"{"error":{"type":"rate_limit_error"}}"#, true),
            (r#"{"error":{"code":429,"message":"m"}}"#, true),
            (r#"{"error":{"code":503}}"#, true),
            (r#"{"error":{"code":500}}"#, false),
            (r#"{"error":{"type":"server_error"}}"#, false),
            (r#"{"error":{"type":"invalid_request_error"}}"#, false),
            (
                r#"{"error":{"code":"insufficient_quota","type":"rate_limit_error"}}"#,
                false,
            ),
            (r#"{"error":"boom"}"#, false),
        ] {
            assert_eq!(ServerError::read(body, None).transient, transient, "{body}");
        }
    }

    #[test]
    fn the_words_are_found_in_every_shape() {
        for (body, expected) in [
            (r#"{"error":{"message":"m"}}"#, "m"),
            (r#"{"error":"m"}"#, "m"),
            (r#"{"message":"m"}"#, "m"),
            (r#"{"detail":"m"}"#, "m"),
            (r#"[{"error":{"message":"m"}}]"#, "m"),
            (
                r#"{"error":{"message":"m","metadata":{"raw":"r"}}}"#,
                "m: r",
            ),
            (" m ", "m"),
            ("<html>m</html>", ""),
            ("{}", ""),
            ("", ""),
        ] {
            assert_eq!(
                ServerError::read(body, Some(400)).message,
                expected,
                "{body}"
            );
        }
    }

    #[test]
    fn a_400_about_reasoning_is_known() {
        let body = r#"{"error":{"message":"The reasoning_content must be passed back"}}"#;
        assert!(ServerError::read(body, Some(400)).is_about_reasoning());
        assert!(!ServerError::read(body, Some(500)).is_about_reasoning());
        assert!(!ServerError::read("{}", Some(400)).is_about_reasoning());
    }
}
