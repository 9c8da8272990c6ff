//! The tools: one file each, named as the model names it, and the one list of them all.

use std::sync::Arc;

use crate::toolkit::erased::AnyTool;

pub(crate) mod files_list;
pub(crate) mod files_mkdir;
pub(crate) mod files_move;
pub(crate) mod files_read;
pub(crate) mod files_replace;
pub(crate) mod files_search;
pub(crate) mod files_trash;
pub(crate) mod files_write;
pub(crate) mod list_preview_tabs;
pub(crate) mod local_time_now;
pub(crate) mod open_webpage;
pub(crate) mod preview_tab_action;
pub(crate) mod read_webpage;
pub(crate) mod tool_introspect;

/// Whether a call of this tool, if there is one, changes something.
pub(crate) fn has_side_effects(name: &str) -> bool {
    all()
        .iter()
        .any(|tool| tool.name() == name && tool.access().has_side_effects())
}

/// Every tool, sorted by name.
pub(crate) fn all() -> Vec<Arc<dyn AnyTool>> {
    vec![
        Arc::new(files_list::FilesList),
        Arc::new(files_mkdir::FilesMkdir),
        Arc::new(files_move::FilesMove),
        Arc::new(files_read::FilesRead),
        Arc::new(files_replace::FilesReplace),
        Arc::new(files_search::FilesSearch),
        Arc::new(files_trash::FilesTrash),
        Arc::new(files_write::FilesWrite),
        Arc::new(list_preview_tabs::ListPreviewTabs),
        Arc::new(local_time_now::LocalTimeNow),
        Arc::new(open_webpage::OpenWebpage),
        Arc::new(preview_tab_action::PreviewTabAction),
        Arc::new(read_webpage::ReadWebpage),
        Arc::new(tool_introspect::ToolIntrospect),
    ]
}
