//! What the window makes do without: fonts for a script, and a secret store.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Rect};
use image::RgbaImage;
use wisp_tests::{Screen, Window, wisp};

/// A key that opens nothing.
const KEY: &str = "sk-0123456789abcdef";

/// How much lighter or darker a pixel may be for a letter that begins between two pixels.
const SHADE: u8 = 60;

/// A system that knows no font.
fn without_fonts(command: &mut Command, home: &Path) {
    let nothing = home.join("no-fonts");
    fs::create_dir(&nothing).unwrap();
    let rules = home.join("fonts.conf");
    let text = format!(
        "<?xml version=\"1.0\"?>\n<fontconfig><dir>{0}</dir><cachedir>{0}</cachedir></fontconfig>\n",
        nothing.display()
    );
    fs::write(&rules, text).unwrap();
    command.env("FONTCONFIG_FILE", rules);
}

/// A part of a picture, in points that are pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a window's points are few and not below zero"
)]
fn part(picture: &RgbaImage, at: Rect) -> RgbaImage {
    let [x, y, width, height] =
        [at.left(), at.top(), at.width(), at.height()].map(|side| side.max(0.0) as u32);
    image::imageops::crop_imm(picture, x, y, width, height).to_image()
}

#[test]
fn letters_that_no_font_has_are_boxes() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let settings = "[window]\nlanguage = 'zh-CN'\ntheme = 'dark'\n";
    fs::write(home.path().join("settings.toml"), settings).unwrap();
    let mut command = wisp(home.path());
    command.arg("--simulate");
    without_fonts(&mut command, home.path());
    let mut window = Window::open(&screen, &mut command);
    window.wait_for_words("新对话");
    window.wait_for_role(Role::MultilineTextInput, "消息");
    // Han, Arabic, Devanagari, Thai, and signs of the private use area.
    window.paste("漢字 عربي हिन्दी ไทย \u{e000}\u{10ffff} 😀");
    window.press(Key::Enter, Modifiers::NONE);
    window.wait_for_words("漢字 عربي हिन्दी ไทย");
    let file = home.path().join("picture.png");
    window.screenshot(&file);
    let at = window.wait_for_role(Role::Label, "新对话").bounds.unwrap();
    let words = part(&image::open(&file).unwrap().into_rgba8(), at);
    // All letters look the same, and like something.
    let third = words.width() / 3;
    let letter = |place: u32| {
        image::imageops::crop_imm(&words, place * third, 0, third, words.height()).to_image()
    };
    let ground = *words.get_pixel(0, 0);
    assert!(
        letter(0).pixels().any(|pixel| *pixel != ground),
        "nothing is drawn"
    );
    let (first, second) = (letter(0), letter(1));
    let apart = (first.pixels().zip(second.pixels()))
        .filter(|(one, other)| one.0[0].abs_diff(other.0[0]) > SHADE)
        .count();
    let all = first.pixels().count();
    assert!(apart * 20 < all, "{apart} of {all} pixels differ");
    // The library that lists the fonts broke down, and the window did not.
    assert!(!window.kill().contains("panicked at app"));
}

#[test]
fn without_a_dialog_for_folders_the_window_says_so() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut command = wisp(home.path());
    let bus = format!("unix:path={}/no-bus", home.path().display());
    command
        .arg("--simulate")
        .env("PATH", home.path())
        .env("DBUS_SESSION_BUS_ADDRESS", bus);
    let mut window = Window::open(&screen, &mut command);
    window.wait_for("New session");
    window.press(Key::O, Modifiers::COMMAND);
    window.wait_for_words("This system shows no dialog for folders");
    assert!(!window.kill().contains("panicked"));
}

#[test]
fn without_a_secret_store_a_key_is_kept_in_a_file_for_its_owner_and_the_page_says_so() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let command = || {
        let mut command = wisp(home.path());
        command
            .env_remove("WISP_KEYRING")
            .env("XDG_RUNTIME_DIR", home.path().join("nothing"))
            .env(
                "DBUS_SESSION_BUS_ADDRESS",
                format!("unix:path={}/no-bus", home.path().display()),
            );
        command
    };
    let mut window = Window::open(&screen, &mut command());
    window.wait_for("New session");
    window.press(Key::Comma, Modifiers::COMMAND);
    window.wait_for_words("There is no key for api.deepseek.com yet.");
    window.settle();
    window.click("Key");
    window.type_text(KEY);
    window.press(Key::Enter, Modifiers::NONE);
    let kept = "The key for api.deepseek.com is in a file that only you can read: ";
    let says = window.wait_for_words(kept);
    let file = home.path().join("keys.toml");
    let path = fs::canonicalize(&file).unwrap();
    assert!(says.name.ends_with(&path.display().to_string()), "{says:?}");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(fs::read_to_string(&file).unwrap().contains(KEY));
    // Nothing on the page shows it any more.
    assert!(!window.tree().to_string().contains(KEY));
    window.kill();
    let mut window = Window::open(&screen, &mut command());
    window.wait_for("New session");
    window.press(Key::Comma, Modifiers::COMMAND);
    window.wait_for_words(kept);
    window.settle();
    window.click("Remove key");
    window.wait_for_words("There is no key for api.deepseek.com yet.");
    assert!(!file.exists());
}
