//! Gives the model a text file, or some of its lines. Never gives what is no text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::reading::{Range, Reading, read};
use crate::permission::{Access, Permit};
use crate::toolkit::{Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesRead;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Input {
    /// File, relative to the session's folder.
    path: String,
    /// First line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    start_line: Option<i64>,
    /// Last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    end_line: Option<i64>,
}

/// What is read.
pub(crate) struct Plan {
    path: RelPath,
    range: Option<Range>,
}

impl Tool for FilesRead {
    type Input = Input;
    type Plan = Plan;
    type Output = Reading;

    const NAME: &'static str = "files_read";
    const DESCRIPTION: &'static str = "Reads a UTF-8 text file as it is, with its sha256 and totalLines. At most 200000 bytes at once; of a larger file give lines.";
    const ACCESS: Access = Access::ReadInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        context.workspace()?;
        Ok(Prepared::silent(Plan {
            path: RelPath::parse(&input.path)?,
            range: Range::new(input.start_line, input.end_line)?,
        }))
    }

    async fn run(&self, plan: Plan, _permit: Permit, context: &ToolContext) -> ToolResult<Reading> {
        let workspace = context.workspace()?;
        context
            .read_blocking(move |cancel| read(&workspace, &plan.path, plan.range, cancel))
            .await
    }
}

#[cfg(test)]
mod tests;
