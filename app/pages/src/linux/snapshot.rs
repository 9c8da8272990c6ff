//! Pictures of pages, for when something of the window's lies over them.

use gtk::cairo::{Format, ImageSurface};
use gtk::gio::Cancellable;
use webkit2gtk::{SnapshotOptions, SnapshotRegion, WebViewExt as _};
use wisp::pages::Pixels;
use wisp::pages::wire::MOST_PIXELS;

/// Takes a picture of what is seen of a page, and gives it; `None` when there is none. May never answer: the page's
/// process draws it.
pub(super) fn take(view: &webkit2gtk::WebView, give: impl FnOnce(Option<Pixels>) + 'static) {
    view.snapshot(
        SnapshotRegion::Visible,
        SnapshotOptions::NONE,
        Cancellable::NONE,
        move |surface| {
            let pixels = surface.ok().and_then(|surface| {
                let mut image = ImageSurface::try_from(surface).ok()?;
                pixels(&mut image)
            });
            give(pixels);
        },
    );
}

/// Cairo's pixels are words of premultiplied alpha, red, green, blue in the machine's order.
fn pixels(image: &mut ImageSurface) -> Option<Pixels> {
    let has_alpha = match image.format() {
        Format::ARgb32 => true,
        Format::Rgb24 => false,
        _ => return None,
    };
    let (width, height) = (
        u32::try_from(image.width()).ok()?,
        u32::try_from(image.height()).ok()?,
    );
    let stride = usize::try_from(image.stride()).ok()?;
    let row = usize::try_from(width).ok()?.checked_mul(4)?;
    let size = row.checked_mul(usize::try_from(height).ok()?)?;
    if size == 0 || size > MOST_PIXELS || stride < row {
        return None;
    }
    let data = image.data().ok()?;
    let mut rgba = Vec::with_capacity(size);
    for line in data.chunks(stride).take(usize::try_from(height).ok()?) {
        for pixel in line.get(..row)?.chunks_exact(4) {
            let word = u32::from_ne_bytes(pixel.try_into().ok()?);
            let [alpha, red, green, blue] = word.to_be_bytes();
            if has_alpha {
                let part = |value| unmultiplied(value, alpha);
                rgba.extend([part(red), part(green), part(blue), alpha]);
            } else {
                rgba.extend([red, green, blue, u8::MAX]);
            }
        }
    }
    (rgba.len() == size).then_some(Pixels {
        width,
        height,
        rgba,
    })
}

fn unmultiplied(value: u8, alpha: u8) -> u8 {
    match alpha {
        u8::MAX => value,
        0 => 0,
        _ => u8::try_from(u32::from(value) * 255 / u32::from(alpha)).unwrap_or(u8::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_in_order() {
        let mut image = ImageSurface::create(Format::ARgb32, 3, 2).unwrap();
        {
            let context = gtk::cairo::Context::new(&image).unwrap();
            context.set_source_rgba(1.0, 0.5, 0.0, 1.0);
            context.rectangle(0.0, 0.0, 1.0, 1.0);
            context.fill().unwrap();
        }
        let pixels = pixels(&mut image).unwrap();
        assert_eq!((pixels.width, pixels.height, pixels.rgba.len()), (3, 2, 24));
        assert_eq!(pixels.rgba[..8], [255, 128, 0, 255, 0, 0, 0, 0]);
    }
}
