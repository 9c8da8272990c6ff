//! The typefaces: Inter for text, JetBrains Mono for code, Lucide for icons. Other scripts come from the
//! system, which eframe asks for a font when a glyph is missing.

use std::sync::Arc;

use eframe::egui::{Context, FontData, FontDefinitions, FontFamily, FontId};

use super::style::CODE;

const REGULAR: &str = "inter";
const SEMIBOLD: &str = "inter-semibold";
const ITALIC: &str = "inter-italic";
const MONO: &str = "jetbrains-mono";
const ICONS: &str = "lucide";

/// Gives egui the fonts. Before the first frame, so that nothing is laid out twice.
pub fn install(context: &Context) {
    let mut fonts = FontDefinitions::empty();
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add(
        REGULAR,
        include_bytes!("../../../assets/fonts/Inter-Regular.otf"),
    );
    add(
        SEMIBOLD,
        include_bytes!("../../../assets/fonts/Inter-SemiBold.otf"),
    );
    add(
        ITALIC,
        include_bytes!("../../../assets/fonts/Inter-Italic.otf"),
    );
    add(
        MONO,
        include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf"),
    );
    add(ICONS, lucide_icons::LUCIDE_FONT_BYTES);
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    fonts.families = [
        (FontFamily::Proportional, names(&[REGULAR, MONO])),
        (FontFamily::Monospace, names(&[MONO, REGULAR])),
        (family(SEMIBOLD), names(&[SEMIBOLD, REGULAR, MONO])),
        (family(ITALIC), names(&[ITALIC, REGULAR, MONO])),
        (family(ICONS), names(&[ICONS])),
    ]
    .into();
    context.set_fonts(fonts);
}

/// Text of this size, in points.
pub fn text(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// Text with weight: names, titles, what is bold.
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, family(SEMIBOLD))
}

/// Slanted text.
pub fn italic(size: f32) -> FontId {
    FontId::new(size, family(ITALIC))
}

/// Code, paths and all that is read letter by letter.
pub fn mono() -> FontId {
    FontId::new(CODE, FontFamily::Monospace)
}

/// Icons of this size, in points.
pub fn icons(size: f32) -> FontId {
    FontId::new(size, family(ICONS))
}

fn family(name: &str) -> FontFamily {
    FontFamily::Name(name.into())
}
