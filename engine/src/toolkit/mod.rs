//! What a tool is, and how a call of one is carried out.
//!
//! The only ways in are a run's calls and `Op::CallTool`; both take [`dispatch`]. A tool declares
//! (name, schema, access) without acting; it acts in `run` alone, which takes a permit.

pub(crate) mod context;
pub(crate) mod dispatch;
pub(crate) mod erased;
pub(crate) mod error;
pub(crate) mod schema;
pub(crate) mod snapshot;
pub(crate) mod tool;

pub(crate) use context::ToolContext;
pub(crate) use error::{ToolError, ToolResult};
pub(crate) use tool::{Card, Prepared, Tool};
