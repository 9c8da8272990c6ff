//! The tools: one file each, named as the model names it, and the one list of them all.

use std::sync::Arc;

use crate::toolkit::erased::AnyTool;

pub(crate) mod local_time_now;
pub(crate) mod tool_introspect;

/// Every tool, sorted by name.
pub(crate) fn all() -> Vec<Arc<dyn AnyTool>> {
    vec![
        Arc::new(local_time_now::LocalTimeNow),
        Arc::new(tool_introspect::ToolIntrospect),
    ]
}
