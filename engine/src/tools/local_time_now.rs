//! `local_time_now`: the model asks for the date and the time of this computer. It reads nothing else.

use jiff::ZonedDateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::permission::{Access, Permit};
use crate::toolkit::{Prepared, Tool, ToolContext, ToolResult};

/// The tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalTimeNow;

/// It takes nothing.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {}

/// The moment, in the forms a model may need.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    iso: String,
    local: String,
    date: String,
    time: String,
    weekday: String,
    time_zone: String,
    offset_minutes: i32,
    unix_ms: i64,
}

impl Tool for LocalTimeNow {
    type Input = Input;
    type Plan = ();
    type Output = Output;

    const NAME: &'static str = "local_time_now";
    const DESCRIPTION: &'static str =
        "The current date and time of the user's computer, with its time zone.";
    const ACCESS: Access = Access::Nothing;
    const NEEDS_FOLDER: bool = false;

    async fn prepare(&self, _input: Input, _context: &ToolContext) -> ToolResult<Prepared<()>> {
        Ok(Prepared::silent(()))
    }

    async fn run(&self, (): (), _permit: Permit, _context: &ToolContext) -> ToolResult<Output> {
        Ok(describe(&ZonedDateTime::now()))
    }
}

fn describe(now: &ZonedDateTime) -> Output {
    Output {
        iso: now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        local: now.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        date: now.strftime("%Y-%m-%d").to_string(),
        time: now.strftime("%H:%M:%S").to_string(),
        weekday: now.strftime("%A").to_string(),
        time_zone: now
            .time_zone()
            .iana_name()
            .map_or_else(|| now.strftime("%:z").to_string(), str::to_owned),
        offset_minutes: now.offset().seconds() / 60,
        unix_ms: now.timestamp().as_millisecond(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_in_all_its_forms() {
        let now: ZonedDateTime = "2026-02-28T23:59:07+05:30[Asia/Kolkata]".parse().unwrap();
        assert_eq!(
            describe(&now),
            Output {
                iso: "2026-02-28T23:59:07+05:30".to_owned(),
                local: "2026-02-28 23:59:07".to_owned(),
                date: "2026-02-28".to_owned(),
                time: "23:59:07".to_owned(),
                weekday: "Saturday".to_owned(),
                time_zone: "Asia/Kolkata".to_owned(),
                offset_minutes: 330,
                unix_ms: 1_772_303_347_000,
            }
        );
    }
}
