//! Pictures of a session's own files, read and decoded on the worker's thread.
#![expect(
    clippy::disallowed_methods,
    reason = "this is where the window's pictures are read, on the worker's thread"
)]

use std::path::{Component, Path, PathBuf};

use eframe::egui::{ColorImage, Context, TextureHandle, TextureOptions};
use image::{ImageReader, Limits};

/// The largest picture file that is read, in bytes.
pub(super) const MAX_PICTURE_BYTES: u64 = 20_000_000;
/// A larger picture is made smaller to this, in pixels a side: no window shows more of it.
const MAX_SIDE: u32 = 1_600;
/// What decoding may take, in bytes.
const MAX_DECODED_BYTES: u64 = 400_000_000;

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
    let picture = reader.decode().ok()?;
    let picture = if picture.width().max(picture.height()) > MAX_SIDE {
        picture.thumbnail(MAX_SIDE, MAX_SIDE)
    } else {
        picture
    };
    let pixels = picture.to_rgba8();
    let size = [
        usize::try_from(pixels.width()).ok()?,
        usize::try_from(pixels.height()).ok()?,
    ];
    let image = ColorImage::from_rgba_unmultiplied(size, pixels.as_raw());
    Some(context.load_texture(address, image, TextureOptions::LINEAR))
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
