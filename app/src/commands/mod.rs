//! Every command of the window, in one list: the palette, the menus, the page of shortcuts and the tooltips
//! are made from it.

mod shortcuts;
mod tab_command;
mod ui_command;

pub use shortcuts::{chords, of_chord, pressed, shortcut_text};
pub use tab_command::TabCommand;
pub use ui_command::{PageWish, QaCommand, UiCommand};

use eframe::egui::{Key, KeyboardShortcut, Modifiers};

use crate::i18n::Words;

/// A command without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its words in every language")]
pub enum Command {
    NewSession,
    OpenFolder,
    SearchSessions,
    FindInSession,
    Palette,
    GoToApproval,
    FocusMessage,
    StopRun,
    RenameSession,
    DeleteSession,
    NextSession,
    PreviousSession,
    NextRun,
    PreviousRun,
    ToEnd,
    CopyReply,
    NextPane,
    PreviousPane,
    NewTab,
    CloseTab,
    ReopenTab,
    NextTab,
    PreviousTab,
    /// From 1 to 9; 9 is the last one.
    Tab(u8),
    Address,
    PageBack,
    PageForward,
    FindInTab,
    FindNext,
    FindPrevious,
    GoToLine,
    EditFile,
    SaveFile,
    ReloadTab,
    TogglePreview,
    ToggleSidebar,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ToggleTheme,
    ToggleContrast,
    ToggleLanguage,
    Settings,
    Shortcuts,
    About,
    Qa,
    Quit,
}

/// Where a command stands in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Sessions.
    Session,
    /// The conversation on screen.
    Chat,
    /// The tabs at the right.
    Preview,
    /// The window.
    Window,
    /// The program.
    Program,
}

const MOD: Modifiers = Modifiers::COMMAND;
const MOD_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const NONE: Modifiers = Modifiers::NONE;
const ALT: Modifiers = Modifiers::ALT;

impl Command {
    /// Every command, in the order of the lists.
    pub const ALL: &[Self] = &[
        Self::NewSession,
        Self::OpenFolder,
        Self::SearchSessions,
        Self::NextSession,
        Self::PreviousSession,
        Self::RenameSession,
        Self::DeleteSession,
        Self::FocusMessage,
        Self::GoToApproval,
        Self::StopRun,
        Self::FindInSession,
        Self::NextRun,
        Self::PreviousRun,
        Self::ToEnd,
        Self::CopyReply,
        Self::TogglePreview,
        Self::NewTab,
        Self::CloseTab,
        Self::ReopenTab,
        Self::NextTab,
        Self::PreviousTab,
        Self::Address,
        Self::PageBack,
        Self::PageForward,
        Self::ReloadTab,
        Self::FindInTab,
        Self::FindNext,
        Self::FindPrevious,
        Self::GoToLine,
        Self::EditFile,
        Self::SaveFile,
        Self::Tab(1),
        Self::Tab(2),
        Self::Tab(3),
        Self::Tab(4),
        Self::Tab(5),
        Self::Tab(6),
        Self::Tab(7),
        Self::Tab(8),
        Self::Tab(9),
        Self::Palette,
        Self::NextPane,
        Self::PreviousPane,
        Self::ToggleSidebar,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::ZoomReset,
        Self::ToggleTheme,
        Self::ToggleContrast,
        Self::ToggleLanguage,
        Self::Settings,
        Self::Shortcuts,
        Self::About,
        Self::Qa,
        Self::Quit,
    ];

    /// Its keys.
    pub fn shortcut(self) -> Option<KeyboardShortcut> {
        let (modifiers, key) = match self {
            Self::NewSession => (MOD, Key::N),
            Self::OpenFolder => (MOD, Key::O),
            Self::SearchSessions => (MOD, Key::F),
            Self::FindInSession => (MOD_SHIFT, Key::F),
            Self::Palette => (MOD, Key::K),
            Self::GoToApproval => (MOD, Key::J),
            Self::FocusMessage => (MOD, Key::M),
            Self::StopRun => (MOD, Key::Period),
            Self::RenameSession => (NONE, Key::F2),
            Self::DeleteSession => (MOD_SHIFT, Key::Delete),
            Self::NextSession => (MOD, Key::PageDown),
            Self::PreviousSession => (MOD, Key::PageUp),
            Self::NextRun => (ALT, Key::ArrowDown),
            Self::PreviousRun => (ALT, Key::ArrowUp),
            Self::ToEnd => (MOD_SHIFT, Key::End),
            Self::CopyReply => (MOD_SHIFT, Key::C),
            Self::NextPane => (NONE, Key::F6),
            Self::PreviousPane => (Modifiers::SHIFT, Key::F6),
            Self::NewTab => (MOD, Key::T),
            Self::CloseTab => (MOD, Key::W),
            Self::ReopenTab => (MOD_SHIFT, Key::T),
            // On a Mac too: there Command Tab is the system's.
            Self::NextTab => (Modifiers::CTRL, Key::Tab),
            Self::PreviousTab => (Modifiers::CTRL.plus(Modifiers::SHIFT), Key::Tab),
            Self::Tab(place) => (MOD, digit(place)?),
            Self::Address => (MOD, Key::L),
            Self::PageBack => (MOD, Key::OpenBracket),
            Self::PageForward => (MOD, Key::CloseBracket),
            Self::FindNext => (NONE, Key::F3),
            Self::FindPrevious => (Modifiers::SHIFT, Key::F3),
            Self::GoToLine => (MOD, Key::G),
            Self::EditFile => (MOD, Key::E),
            Self::SaveFile => (MOD, Key::S),
            Self::ReloadTab => (NONE, Key::F5),
            Self::TogglePreview => (NONE, Key::F10),
            Self::ToggleSidebar => (MOD, Key::B),
            Self::ZoomIn => (MOD, Key::Plus),
            Self::ZoomOut => (MOD, Key::Minus),
            Self::ZoomReset => (MOD, Key::Num0),
            Self::ToggleTheme => (MOD_SHIFT, Key::L),
            Self::Settings => (MOD, Key::Comma),
            Self::Shortcuts => (MOD, Key::Slash),
            Self::Qa => (MOD_SHIFT, Key::Q),
            Self::Quit => (MOD, Key::Q),
            Self::FindInTab | Self::ToggleContrast | Self::ToggleLanguage | Self::About => {
                return None;
            }
        };
        Some(KeyboardShortcut::new(modifiers, key))
    }

    /// Where it stands.
    pub fn group(self) -> Group {
        match self {
            Self::NewSession
            | Self::OpenFolder
            | Self::SearchSessions
            | Self::NextSession
            | Self::PreviousSession
            | Self::RenameSession
            | Self::DeleteSession => Group::Session,
            Self::FocusMessage
            | Self::GoToApproval
            | Self::StopRun
            | Self::FindInSession
            | Self::NextRun
            | Self::PreviousRun
            | Self::ToEnd
            | Self::CopyReply => Group::Chat,
            Self::TogglePreview
            | Self::NewTab
            | Self::CloseTab
            | Self::ReopenTab
            | Self::NextTab
            | Self::PreviousTab
            | Self::Tab(_)
            | Self::Address
            | Self::PageBack
            | Self::PageForward
            | Self::ReloadTab
            | Self::FindInTab
            | Self::FindNext
            | Self::FindPrevious
            | Self::GoToLine
            | Self::EditFile
            | Self::SaveFile => Group::Preview,
            Self::Palette
            | Self::NextPane
            | Self::PreviousPane
            | Self::ToggleSidebar
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomReset
            | Self::ToggleTheme
            | Self::ToggleContrast
            | Self::ToggleLanguage => Group::Window,
            Self::Settings | Self::Shortcuts | Self::About | Self::Qa | Self::Quit => {
                Group::Program
            }
        }
    }

    /// What it is called.
    pub fn title(self, words: &Words) -> &'static str {
        let (tabs, words) = (&words.preview, &words.commands);
        match self {
            Self::TogglePreview => tabs.toggle,
            Self::NewTab => tabs.new_tab,
            Self::CloseTab => tabs.close_tab,
            Self::ReopenTab => tabs.reopen_tab,
            Self::NextTab => tabs.next_tab,
            Self::PreviousTab => tabs.previous_tab,
            Self::Tab(1) => tabs.tab_1,
            Self::Tab(2) => tabs.tab_2,
            Self::Tab(3) => tabs.tab_3,
            Self::Tab(4) => tabs.tab_4,
            Self::Tab(5) => tabs.tab_5,
            Self::Tab(6) => tabs.tab_6,
            Self::Tab(7) => tabs.tab_7,
            Self::Tab(8) => tabs.tab_8,
            Self::Tab(_) => tabs.tab_last,
            Self::Address => tabs.address,
            Self::PageBack => words.page_back,
            Self::PageForward => words.page_forward,
            Self::ReloadTab => tabs.reload,
            Self::FindInTab => tabs.find,
            Self::FindNext => tabs.find_next,
            Self::FindPrevious => tabs.find_previous,
            Self::GoToLine => tabs.go_to_line,
            Self::EditFile => tabs.edit,
            Self::SaveFile => tabs.save,
            Self::PreviousPane => tabs.previous_pane,
            Self::NewSession => words.new_session,
            Self::OpenFolder => words.open_folder,
            Self::SearchSessions => words.search_sessions,
            Self::FindInSession => words.find_in_session,
            Self::Palette => words.palette,
            Self::GoToApproval => words.go_to_approval,
            Self::FocusMessage => words.focus_message,
            Self::StopRun => words.stop_run,
            Self::RenameSession => words.rename_session,
            Self::DeleteSession => words.delete_session,
            Self::NextSession => words.next_session,
            Self::PreviousSession => words.previous_session,
            Self::NextRun => words.next_run,
            Self::PreviousRun => words.previous_run,
            Self::ToEnd => words.to_end,
            Self::CopyReply => words.copy_reply,
            Self::NextPane => words.next_pane,
            Self::ToggleSidebar => words.toggle_sidebar,
            Self::ZoomIn => words.zoom_in,
            Self::ZoomOut => words.zoom_out,
            Self::ZoomReset => words.zoom_reset,
            Self::ToggleTheme => words.toggle_theme,
            Self::ToggleContrast => words.toggle_contrast,
            Self::ToggleLanguage => words.toggle_language,
            Self::Settings => words.settings,
            Self::Shortcuts => words.shortcuts,
            Self::About => words.about,
            Self::Qa => words.qa,
            Self::Quit => words.quit,
        }
    }
}

/// The key of a tab's place.
fn digit(place: u8) -> Option<Key> {
    Key::from_name(&place.to_string())
}
