//! Icons: a glyph of the icon font as text, and which one stands for which tool.

use eframe::egui::{Color32, RichText};
pub use lucide_icons::Icon;

use super::fonts;

/// The usual size of an icon beside text, in points.
pub const SIZE: f32 = 16.0;

/// An icon as text of its own: give it to a label or a button.
pub fn icon(icon: Icon, size: f32, color: Color32) -> RichText {
    RichText::new(char::from(icon).to_string())
        .font(fonts::icons(size))
        .color(color)
}

/// The icon of a tool, by the tool's name.
pub fn of_tool(tool: &str) -> Icon {
    match tool {
        "files_list" => Icon::FolderTree,
        "files_read" => Icon::FileText,
        "files_write" => Icon::FilePlus,
        "files_search" => Icon::TextSearch,
        "files_replace" => Icon::Pencil,
        "files_mkdir" => Icon::FolderPlus,
        "files_move" => Icon::FolderInput,
        "files_trash" => Icon::Trash2,
        "open_webpage" => Icon::Globe,
        "list_preview_tabs" => Icon::PanelsTopLeft,
        "read_webpage" => Icon::BookOpenText,
        "preview_tab_action" => Icon::AppWindow,
        "local_time_now" => Icon::Clock,
        "tool_introspect" => Icon::ListTree,
        _ => Icon::Wrench,
    }
}
