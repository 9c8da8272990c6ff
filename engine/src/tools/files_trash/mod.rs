//! Puts a file or folder into the system's trash, from where the user can take it back. Never deletes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::discard::{Discard, system_trash};
use crate::permission::{Access, Permit};
use crate::protocol::{Detail, DetailLabel};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesTrash;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// File or folder, relative to the session's folder.
    path: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    path: String,
    entries: usize,
    bytes: u64,
}

/// What goes.
pub(crate) struct Plan {
    job: Discard,
    output: Output,
}

impl Tool for FilesTrash {
    type Input = Input;
    type Plan = Plan;
    type Output = Output;

    const NAME: &'static str = "files_trash";
    const DESCRIPTION: &'static str =
        "Puts a file or a folder into the system's trash. Never deletes for good.";
    const ACCESS: Access = Access::ChangeInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        let workspace = context.workspace()?;
        let path = RelPath::parse(&input.path)?;
        context
            .read_blocking(move |cancel| {
                let target = workspace.real(&path);
                let shown = path.to_string();
                let job = Discard::bind(&workspace, path, cancel)?;
                let output = Output {
                    path: shown,
                    entries: job.tree.entries(),
                    bytes: job.tree.bytes(),
                };
                let fact = |label, value: String| Detail::Fact { label, value };
                let card = Card {
                    sentence: format!("Put {} into the system's trash.", output.path),
                    target,
                    details: vec![
                        fact(DetailLabel::Entries, output.entries.to_string()),
                        fact(DetailLabel::Bytes, output.bytes.to_string()),
                    ],
                };
                Ok(Prepared::asking(Plan { job, output }, card))
            })
            .await
    }

    async fn run(&self, plan: Plan, permit: Permit, context: &ToolContext) -> ToolResult<Output> {
        let workspace = context.workspace()?;
        let lease = context.writer.lease(permit, &context.cancel).await?;
        context
            .change_blocking(move |cancel| {
                plan.job.run(&lease, &workspace, cancel, system_trash)?;
                Ok(plan.output)
            })
            .await
    }
}

#[cfg(test)]
mod tests;
