//! Finds plain text in names or contents for the model. Says what it skipped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::search::{Found, Query, Where, search};
use crate::permission::{Access, Permit};
use crate::toolkit::{Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesSearch;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// Folder to search in, or one file; `.` for all.
    path: String,
    /// Plain text within one line; capital letters make it case-sensitive.
    query: String,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Mode {
    Name,
    Content,
}

/// What is searched.
pub(crate) struct Plan {
    path: RelPath,
    query: Query,
    what: Where,
}

impl Tool for FilesSearch {
    type Input = Input;
    type Plan = Plan;
    type Output = Found;

    const NAME: &'static str = "files_search";
    const DESCRIPTION: &'static str = "Finds plain text (no regular expressions) in file names or in contents. Hidden, linked, binary and large files and folders such as node_modules are skipped and counted: skipped is not searched, and truncated means that there may be more.";
    const ACCESS: Access = Access::ReadInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        context.workspace()?;
        Ok(Prepared::silent(Plan {
            path: RelPath::parse(&input.path)?,
            query: Query::new(&input.query)?,
            what: match input.mode {
                Mode::Name => Where::Names,
                Mode::Content => Where::Contents,
            },
        }))
    }

    async fn run(&self, plan: Plan, _permit: Permit, context: &ToolContext) -> ToolResult<Found> {
        let workspace = context.workspace()?;
        context
            .read_blocking(move |cancel| {
                search(&workspace, &plan.path, &plan.query, plan.what, cancel)
            })
            .await
    }
}

#[cfg(test)]
mod tests;
