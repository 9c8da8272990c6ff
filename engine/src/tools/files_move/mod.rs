//! Moves or renames a file or folder inside the session's folder. Never overwrites, never copies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::relocate::Move;
use crate::permission::{Access, Permit};
use crate::protocol::{Detail, DetailLabel};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesMove;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// File or folder, relative to the session's folder.
    from: String,
    /// Its new path, name included; nothing may be there yet, and its parent must exist.
    to: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    from: String,
    to: String,
    entries: usize,
}

/// What moves.
pub(crate) struct Plan {
    job: Move,
    output: Output,
}

impl Tool for FilesMove {
    type Input = Input;
    type Plan = Plan;
    type Output = Output;

    const NAME: &'static str = "files_move";
    const DESCRIPTION: &'static str = "Moves or renames a file or a folder of at most 2000 entries. Never overwrites. Hidden files and links are not moved.";
    const ACCESS: Access = Access::ChangeInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Plan>> {
        let workspace = context.workspace()?;
        let from = RelPath::parse(&input.from)?;
        let to = RelPath::parse(&input.to)?;
        context
            .read_blocking(move |cancel| {
                let target = workspace.real(&to);
                let mut output = Output {
                    from: from.to_string(),
                    to: to.to_string(),
                    entries: 0,
                };
                let source = workspace.real(&from);
                let job = Move::bind(&workspace, from, to, cancel)?;
                output.entries = job.tree.entries();
                let fact = |label, value: String| Detail::Fact { label, value };
                let card = Card {
                    sentence: format!("Move {} to {}.", output.from, output.to),
                    details: vec![
                        fact(DetailLabel::From, source),
                        fact(DetailLabel::To, target.clone()),
                        fact(DetailLabel::Entries, output.entries.to_string()),
                    ],
                    target,
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
                plan.job.run(&lease, &workspace, cancel)?;
                Ok(plan.output)
            })
            .await
    }
}

#[cfg(test)]
mod tests;
