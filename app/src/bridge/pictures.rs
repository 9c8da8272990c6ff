//! Pictures of a session's own files, read and decoded on the worker's thread.
#![expect(
    clippy::disallowed_methods,
    reason = "this is where the window's pictures are read, on the worker's thread"
)]

use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

use eframe::egui::{ColorImage, Context, TextureHandle, TextureOptions};
use image::{DynamicImage, ImageReader, Limits};

/// The largest picture file that is read, in bytes.
pub(super) const MAX_PICTURE_BYTES: u64 = 20_000_000;
/// A larger picture is made smaller to this, in pixels a side: no window shows more of it.
const MAX_SIDE: u32 = 1_600;
/// What decoding may take, in bytes.
const MAX_DECODED_BYTES: u64 = 400_000_000;

/// The most pixels of a picture that a tab shows: a small file can decode to any number of them.
pub const MAX_PIXELS: u64 = 100_000_000;
/// The side of a picture that a tab shows is made smaller to this, in pixels: the least that every graphics card takes.
const MAX_TAB_SIDE: u32 = 4_096;

/// Decodes a picture for a tab, and gives its true size in pixels.
pub(super) fn decode(context: &Context, bytes: &[u8]) -> Option<(TextureHandle, [u32; 2])> {
    let reader = || {
        ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .ok()
    };
    let (width, height) = reader()?.into_dimensions().ok()?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return None;
    }
    let mut reader = reader()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(2 * MAX_DECODED_BYTES);
    reader.limits(limits);
    let picture = reader.decode().ok()?;
    let texture = texture(context, "tab", picture, MAX_TAB_SIDE)?;
    Some((texture, [width, height]))
}

/// Reads a picture that lies in the folder; `None` for what lies outside, is too large or is no picture.
pub(super) fn load(context: &Context, folder: &Path, address: &str) -> Option<TextureHandle> {
    let path = inside(folder, address)?;
    if std::fs::metadata(&path).ok()?.len() > MAX_PICTURE_BYTES {
        return None;
    }
    let mut reader = ImageReader::open(&path).ok()?.with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    texture(context, address, reader.decode().ok()?, MAX_SIDE)
}

/// A picture as it is drawn, at most so many pixels a side.
fn texture(
    context: &Context,
    name: &str,
    picture: DynamicImage,
    most: u32,
) -> Option<TextureHandle> {
    let picture = if picture.width().max(picture.height()) > most {
        picture.thumbnail(most, most)
    } else {
        picture
    };
    let pixels = picture.to_rgba8();
    let size = [
        usize::try_from(pixels.width()).ok()?,
        usize::try_from(pixels.height()).ok()?,
    ];
    let image = ColorImage::from_rgba_unmultiplied(size, pixels.as_raw());
    Some(context.load_texture(name, image, TextureOptions::LINEAR))
}

/// The file that a relative address names, when it lies in the folder with all links resolved.
fn inside(folder: &Path, address: &str) -> Option<PathBuf> {
    let relative = Path::new(address.strip_prefix("./").unwrap_or(address));
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if address.contains("://") || !relative.components().all(plain) {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let path = folder.join(relative).canonicalize().ok()?;
    path.starts_with(&folder).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_picture(path: &Path) {
        image::RgbaImage::from_pixel(3, 2, image::Rgba([255, 0, 0, 255]))
            .save(path)
            .unwrap();
    }

    #[test]
    fn only_pictures_of_the_folder_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        a_picture(&folder.path().join("in.png"));
        a_picture(&outside.path().join("out.png"));
        std::fs::write(folder.path().join("no.png"), "text").unwrap();
        let context = Context::default();
        let load = |address: &str| load(&context, folder.path(), address);
        assert_eq!(load("in.png").unwrap().size(), [3, 2]);
        assert_eq!(load("./in.png").unwrap().size(), [3, 2]);
        let out = outside.path().join("out.png");
        for address in [
            out.to_str().unwrap(),
            "../out.png",
            "https://example.com/in.png",
            "file:///in.png",
            "no.png",
            "none.png",
            "",
        ] {
            assert!(load(address).is_none(), "{address}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&out, folder.path().join("link.png")).unwrap();
            assert!(load("link.png").is_none());
        }
    }

    #[test]
    fn a_bomb_is_not_decoded() {
        let context = Context::default();
        let mut bytes = Vec::new();
        image::RgbaImage::new(3, 2)
            .write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png)
            .unwrap();
        let (texture, size) = decode(&context, &bytes).unwrap();
        assert_eq!((texture.size(), size), ([3, 2], [3, 2]));
        // A bitmap whose head tells of forty thousand by forty thousand pixels and that ends behind it.
        let mut bomb = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        bomb.extend(40_000_u32.to_le_bytes());
        bomb.extend(40_000_u32.to_le_bytes());
        bomb.extend([1, 0, 24, 0]);
        bomb.extend([0; 64]);
        assert!(decode(&context, &bomb).is_none());
        assert!(decode(&context, b"no picture").is_none());
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        a_picture(&path);
        let context = Context::default();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(MAX_PICTURE_BYTES).unwrap();
        assert!(load(&context, folder.path(), "a.png").is_some());
        file.set_len(MAX_PICTURE_BYTES + 1).unwrap();
        assert!(load(&context, folder.path(), "a.png").is_none());
    }
}
