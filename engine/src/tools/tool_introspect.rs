//! `tool_introspect`: the model looks at its own tools. Reads the run's snapshot and nothing else: no
//! files, pages, keys, environment or session text.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::permission::{Access, Permit};
use crate::protocol::ToolDescription;
use crate::toolkit::{Prepared, Tool, ToolContext, ToolResult};

/// The tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolIntrospect;

/// It takes nothing.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {}

impl Tool for ToolIntrospect {
    type Input = Input;
    type Plan = ();
    type Output = Arc<[ToolDescription]>;

    const NAME: &'static str = "tool_introspect";
    const DESCRIPTION: &'static str = "Lists the tools of this run, itself included, with their \
        argument schemas and whether each waits for the user's approval.";
    const ACCESS: Access = Access::Nothing;
    const NEEDS_FOLDER: bool = false;
    const STRICT_ARGUMENTS: bool = true;

    async fn prepare(&self, _input: Input, _context: &ToolContext) -> ToolResult<Prepared<()>> {
        Ok(Prepared::silent(()))
    }

    async fn run(
        &self,
        (): (),
        _permit: Permit,
        context: &ToolContext,
    ) -> ToolResult<Arc<[ToolDescription]>> {
        Ok(Arc::clone(&context.tools))
    }
}
