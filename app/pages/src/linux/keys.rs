//! Keys that belong to the window also while a page has the keyboard.

use gtk::gdk::keys::Key;
use gtk::gdk::{EventKey, ModifierType, keys::constants};
use wisp::pages::Chord;

/// The chord that a key press is, if its key has a name.
pub(super) fn chord(event: &EventKey) -> Option<Chord> {
    let state = event.state();
    Some(Chord {
        key: name(event.keyval())?,
        command: state.contains(ModifierType::CONTROL_MASK),
        shift: state.contains(ModifierType::SHIFT_MASK),
        alt: state.contains(ModifierType::MOD1_MASK),
    })
}

/// egui's name for a key.
fn name(key: Key) -> Option<String> {
    let named = match key {
        constants::Tab | constants::ISO_Left_Tab | constants::KP_Tab => "Tab",
        constants::Return | constants::KP_Enter => "Enter",
        constants::Escape => "Escape",
        constants::BackSpace => "Backspace",
        constants::Delete => "Delete",
        constants::Insert => "Insert",
        constants::Home => "Home",
        constants::End => "End",
        constants::Page_Up => "PageUp",
        constants::Page_Down => "PageDown",
        constants::Left => "Left",
        constants::Right => "Right",
        constants::Up => "Up",
        constants::Down => "Down",
        constants::space => "Space",
        constants::comma => "Comma",
        constants::period => "Period",
        constants::minus | constants::KP_Subtract => "Minus",
        constants::plus | constants::KP_Add => "Plus",
        constants::equal => "Equals",
        constants::semicolon => "Semicolon",
        constants::colon => "Colon",
        constants::slash | constants::KP_Divide => "Slash",
        constants::question => "Questionmark",
        constants::backslash => "Backslash",
        constants::bracketleft => "OpenBracket",
        constants::bracketright => "CloseBracket",
        constants::grave => "Backtick",
        constants::apostrophe => "Quote",
        _ => "",
    };
    if !named.is_empty() {
        return Some(named.to_owned());
    }
    if let Some(letter) = key.to_unicode() {
        return letter
            .is_ascii_alphanumeric()
            .then(|| letter.to_ascii_uppercase().to_string());
    }
    let function = key.name()?;
    let number = function.strip_prefix('F')?;
    number.parse::<u8>().is_ok().then(|| function.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_windows_names() {
        for (key, expected) in [
            (constants::F6, Some("F6")),
            (constants::l, Some("L")),
            (constants::L, Some("L")),
            (constants::_5, Some("5")),
            (constants::ISO_Left_Tab, Some("Tab")),
            (constants::Page_Down, Some("PageDown")),
            (constants::slash, Some("Slash")),
            (constants::Control_L, None),
            (constants::Find, None),
        ] {
            assert_eq!(name(key).as_deref(), expected, "{key:?}");
        }
    }
}
