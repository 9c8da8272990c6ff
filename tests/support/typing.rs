//! Keys as egui gets them, for who drives a window without a keyboard.

use eframe::egui::{Event, Key, Modifiers};

/// A key that goes down or up.
pub fn key_event(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    }
}

/// What a key writes into a text field, if anything.
pub fn character(key: Key, modifiers: Modifiers) -> Option<String> {
    if modifiers.alt || modifiers.ctrl || modifiers.command {
        return None;
    }
    match key.name() {
        "Space" => Some(" ".to_owned()),
        name if name.len() > 1 => None,
        name if modifiers.shift => Some(name.to_owned()),
        name => Some(name.to_lowercase()),
    }
}
