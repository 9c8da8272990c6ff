//! The tools of one run, captured once.

use std::sync::Arc;

use crate::protocol::{Mode, ToolDescription};

use super::erased::AnyTool;

/// A run's tools. Model requests and `tool_introspect` are both made from `descriptions`; nothing
/// that happens during the run changes it.
#[derive(Clone)]
pub(crate) struct Snapshot {
    tools: Arc<[Arc<dyn AnyTool>]>,
    descriptions: Arc<[ToolDescription]>,
}

impl Snapshot {
    /// Captures the tools that a session of this mode has, with or without a folder.
    pub(crate) fn capture(mode: Mode, folder: bool) -> Self {
        let tools: Arc<[_]> = crate::tools::all()
            .into_iter()
            .filter(|tool| folder || !tool.needs_folder())
            .collect();
        let descriptions = tools.iter().map(|tool| tool.describe(mode)).collect();
        Self {
            tools,
            descriptions,
        }
    }

    /// What the model is told, sorted by name.
    pub(crate) fn descriptions(&self) -> &Arc<[ToolDescription]> {
        &self.descriptions
    }

    /// The tool of that name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<dyn AnyTool>> {
        self.tools.iter().find(|tool| tool.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_folder_there_are_no_file_tools() {
        let names = |folder| -> Vec<String> {
            Snapshot::capture(Mode::Chat, folder)
                .descriptions()
                .iter()
                .map(|tool| tool.name.clone())
                .collect()
        };
        let about_files = |name: &String| name.starts_with("files_");
        assert!(!names(false).iter().any(about_files));
        assert!(names(false).contains(&"open_webpage".to_owned()));
        assert!(names(true).contains(&"files_read".to_owned()));
    }
}
