//! Keys of commands: how they are written, and which were pressed.

use eframe::egui::os::OperatingSystem;
use eframe::egui::{Context, Key, KeyboardShortcut, ModifierNames};

use super::Command;
use crate::pages::Chord;

/// The keys as a person reads them: `Ctrl N`, on a Mac `⌘N`.
pub fn shortcut_text(shortcut: &KeyboardShortcut, os: OperatingSystem) -> String {
    let mac = matches!(os, OperatingSystem::Mac | OperatingSystem::IOS);
    let names = if mac {
        ModifierNames::SYMBOLS
    } else {
        ModifierNames {
            concat: " ",
            ..ModifierNames::NAMES
        }
    };
    let text = names.format(&shortcut.modifiers, mac);
    let key = key_text(shortcut.logical_key);
    match (text.is_empty(), mac) {
        (true, _) => key.to_owned(),
        (false, true) => format!("{text}{key}"),
        (false, false) => format!("{text} {key}"),
    }
}

/// A key as it is printed on a keyboard, in signs that the window's typefaces have.
fn key_text(key: Key) -> &'static str {
    match key {
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::Escape => "Esc",
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        key => key.symbol_or_name(),
    }
}

/// The commands whose keys were pressed in this frame. Their keys are taken out of the input. Keys with the most
/// modifiers are looked at first, since fewer modifiers match logically too.
pub fn pressed(context: &Context) -> Vec<Command> {
    let mut with_keys: Vec<(Command, KeyboardShortcut)> = (Command::ALL.iter())
        .filter_map(|command| command.shortcut().map(|keys| (*command, keys)))
        .collect();
    with_keys.sort_by_key(|(_, keys)| !keys.modifiers.shift);
    context.input_mut(|input| {
        with_keys
            .into_iter()
            .filter(|(_, keys)| input.consume_shortcut(keys))
            .map(|(command, _)| command)
            .collect()
    })
}

/// The keys of all commands, as whoever shows pages is told them: they are the window's also while a page has the
/// keyboard.
pub fn chords() -> Vec<Chord> {
    (Command::ALL.iter())
        .filter_map(|command| command.shortcut())
        .map(chord_of)
        .collect()
}

/// The command that a key in a page stands for.
pub fn of_chord(chord: &Chord) -> Option<Command> {
    let stands =
        |command: &&Command| (command.shortcut()).is_some_and(|keys| chord_of(keys) == *chord);
    Command::ALL.iter().find(stands).copied()
}

fn chord_of(keys: KeyboardShortcut) -> Chord {
    let modifiers = keys.modifiers;
    Chord {
        key: keys.logical_key.name().to_owned(),
        command: modifiers.command || modifiers.ctrl,
        shift: modifiers.shift,
        alt: modifiers.alt,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use eframe::egui::Modifiers;

    use super::*;
    use crate::i18n::Language;

    /// What a text field and the card itself listen to; no command may take it away.
    fn taken(os: OperatingSystem) -> Vec<KeyboardShortcut> {
        let command = Modifiers::COMMAND;
        let mut taken: Vec<KeyboardShortcut> = [Key::A, Key::C, Key::V, Key::X, Key::Z]
            .into_iter()
            .map(|key| KeyboardShortcut::new(command, key))
            .collect();
        for key in [
            Key::A,
            Key::R,
            Key::D,
            Key::Enter,
            Key::Escape,
            Key::Tab,
            Key::Space,
        ] {
            taken.push(KeyboardShortcut::new(Modifiers::NONE, key));
        }
        taken.push(KeyboardShortcut::new(Modifiers::SHIFT, Key::R));
        taken.push(KeyboardShortcut::new(command, Key::Enter));
        // Moves in a text by word, by line and to its ends.
        let ends = [Key::ArrowLeft, Key::ArrowRight, Key::Home, Key::End];
        taken.extend(ends.map(|key| KeyboardShortcut::new(command, key)));
        if os == OperatingSystem::Mac {
            taken.push(KeyboardShortcut::new(command, Key::H));
        }
        taken
    }

    #[test]
    fn no_two_commands_share_their_keys_on_any_system() {
        for os in [
            OperatingSystem::Nix,
            OperatingSystem::Windows,
            OperatingSystem::Mac,
        ] {
            let mut seen: HashMap<String, String> = taken(os)
                .into_iter()
                .map(|keys| (shortcut_text(&keys, os), "text fields and cards".to_owned()))
                .collect();
            for command in Command::ALL {
                if let Some(keys) = command.shortcut() {
                    let text = shortcut_text(&keys, os);
                    let before = seen.insert(text.clone(), format!("{command:?}"));
                    assert_eq!(before, None, "{os:?}: {text} is taken, for {command:?}");
                }
            }
        }
    }

    #[test]
    fn each_key_in_a_page_stands_for_its_command() {
        for command in Command::ALL {
            if let Some(keys) = command.shortcut() {
                assert_eq!(of_chord(&chord_of(keys)), Some(*command), "{command:?}");
            }
        }
        let other = Chord {
            key: "A".to_owned(),
            command: true,
            shift: false,
            alt: false,
        };
        assert_eq!(of_chord(&other), None);
        assert!(!chords().contains(&other));
    }

    #[test]
    fn keys_are_written_as_each_system_does() {
        let keys = Command::NewSession.shortcut().unwrap();
        assert_eq!(shortcut_text(&keys, OperatingSystem::Nix), "Ctrl N");
        assert_eq!(shortcut_text(&keys, OperatingSystem::Mac), "⌘N");
        let keys = Command::FindInSession.shortcut().unwrap();
        assert_eq!(
            shortcut_text(&keys, OperatingSystem::Windows),
            "Ctrl Shift F"
        );
        let keys = Command::RenameSession.shortcut().unwrap();
        assert_eq!(shortcut_text(&keys, OperatingSystem::Nix), "F2");
        let keys = Command::NextRun.shortcut().unwrap();
        assert_eq!(shortcut_text(&keys, OperatingSystem::Nix), "Alt ↓");
    }

    #[test]
    fn each_command_is_in_the_list_once_with_a_title() {
        for language in Language::ALL {
            let mut titles: Vec<_> = (Command::ALL.iter())
                .map(|command| command.title(language.words()))
                .collect();
            titles.sort_unstable();
            titles.dedup();
            assert_eq!(titles.len(), Command::ALL.len());
        }
    }
}
