//! Pictures of the window: all are saved in `target/pictures`, a few are compared with `tests/ui/snapshots`.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p wisp-tests --test ui` keeps new ones after a wanted change.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use egui_kittest::{SnapshotOptions, try_image_snapshot_options};

use crate::harness::View;

/// The pictures that are compared. Few: each must be looked at and kept anew when the window changes.
const KEPT: &[&str] = &[];

/// How much a pixel may differ, on the scale of egui_kittest, and how many may differ more. The software driver
/// draws nearly the same everywhere; what is left are rounded edges and letters.
const PIXEL: f32 = 0.6;
const PIXELS: usize = 50;

/// Saves a picture of the window, and compares it if it is one of those that are kept. Left out, saying so,
/// where nothing can draw it and nobody checks.
#[track_caller]
pub(crate) fn picture(view: &mut View, name: &str) {
    if !*CAN_DRAW {
        return;
    }
    let image = view.render().unwrap();
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    image.save(folder.join(format!("{name}.png"))).unwrap();
    if KEPT.contains(&name) {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/snapshots");
        let options = SnapshotOptions::new()
            .threshold(PIXEL)
            .max_failed_pixels(PIXELS)
            .output_path(kept);
        if let Err(error) = try_image_snapshot_options(&image, name, &options) {
            panic!("{error}");
        }
    }
}

/// Whether there is a Vulkan driver. The one that the pictures are compared with draws in software.
static CAN_DRAW: LazyLock<bool> = LazyLock::new(|| {
    let there = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .any(|file| file.file_name().to_string_lossy().starts_with("lvp_icd"));
    let chosen = std::env::var_os("VK_ICD_FILENAMES").is_some()
        || std::env::var_os("VK_DRIVER_FILES").is_some();
    if !there && !chosen {
        wisp_tests::skip("Vulkan's software driver is not there, so that no pictures are made");
    }
    there || chosen
});

/// Beside the build: `target/pictures`, wherever that is.
fn folder() -> PathBuf {
    // A test is target/PROFILE/deps/NAME-….
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(3).unwrap().join("pictures")
}
