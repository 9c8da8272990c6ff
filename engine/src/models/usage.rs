//! Reads what a request cost out of the many names that providers give it.

use serde_json::Value;

use crate::protocol::Usage;

/// The usage object of a frame; `None` where it holds no figure.
///
/// `prompt_tokens` includes what the cache held, so that is taken off. `input_tokens`, used by servers
/// that pass on Anthropic's figures, does not include it; tokens written into a cache are counted there
/// separately and were read anew.
pub(super) fn read(raw: &str) -> Option<Usage> {
    let value: Value = serde_json::from_str(raw).ok()?;
    let at = |path: &str| value.pointer(path).and_then(count);
    let cached = [
        "/prompt_cache_hit_tokens",
        "/prompt_tokens_details/cached_tokens",
        "/cache_read_input_tokens",
        "/input_tokens_details/cached_tokens",
    ]
    .into_iter()
    .filter_map(at)
    .find(|tokens| *tokens > 0)
    .unwrap_or(0);
    let prompt = at("/prompt_tokens").filter(|tokens| *tokens > 0);
    let (input, cached) = if let Some(all) = prompt {
        // A server that reports more cached than read tokens contradicts itself: never count below zero.
        (all.saturating_sub(cached), cached.min(all))
    } else {
        let written = at("/cache_creation_input_tokens").unwrap_or(0);
        let read = at("/input_tokens").unwrap_or(0);
        (read.saturating_add(written), cached)
    };
    let output = at("/completion_tokens")
        .filter(|tokens| *tokens > 0)
        .or_else(|| at("/output_tokens"))
        .unwrap_or(0);
    let reasoning = at("/completion_tokens_details/reasoning_tokens")
        .or_else(|| at("/output_tokens_details/reasoning_tokens"))
        .or_else(|| at("/reasoning_tokens"))
        .unwrap_or(0)
        .min(output);
    let usage = Usage {
        input,
        cached,
        output,
        reasoning,
    };
    (usage != Usage::default()).then_some(usage)
}

/// A count of tokens; servers in other languages write whole numbers as 12.0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is checked to lie within the range first"
)]
fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        value
            .as_f64()
            .filter(|number| (0.0..9e15).contains(number))
            .map(|number| number as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cached: u64, output: u64, reasoning: u64) -> Usage {
        Usage {
            input,
            cached,
            output,
            reasoning,
        }
    }

    #[test]
    fn every_token_is_counted_once() {
        for (raw, expected) in [
            (
                r#"{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":6,
                   "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}"#,
                usage(6, 4, 5, 3),
            ),
            (
                r#"{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":8}}"#,
                usage(2, 8, 5, 0),
            ),
            (
                r#"{"prompt_tokens":10,"cache_read_input_tokens":3,"completion_tokens":1}"#,
                usage(7, 3, 1, 0),
            ),
            (
                r#"{"input_tokens":7,"cache_read_input_tokens":3,"cache_creation_input_tokens":2,"output_tokens":1}"#,
                usage(9, 3, 1, 0),
            ),
            (
                r#"{"prompt_tokens":10.0,"completion_tokens":2.0,"prompt_tokens_details":null,"input_tokens":0}"#,
                usage(10, 0, 2, 0),
            ),
            (
                r#"{"prompt_tokens":3,"prompt_cache_hit_tokens":5}"#,
                usage(0, 3, 0, 0),
            ),
        ] {
            assert_eq!(read(raw), Some(expected), "{raw}");
        }
    }

    #[test]
    fn no_figures_are_no_usage() {
        for raw in [
            "null",
            "{}",
            r#"{"prompt_tokens":0}"#,
            r#"{"prompt_tokens":-4}"#,
            "[]",
            "x",
        ] {
            assert_eq!(read(raw), None, "{raw}");
        }
    }
}
