//! The one table of what the system must have: how to see that it is there, what it is for, and the
//! Debian package that brings it.
//!
//! To add a need, add a row. Libraries are named as they are opened at run time: the window's crates
//! link to none of them, so a lack shows only when the window opens. The web engine alone is linked, by the program
//! that shows pages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use Probe::{Library, LibraryFile, Program, ScriptFont};
use Purpose::{Build, VirtualDisplay, Wayland, Window, WindowTest, X11};

/// What a need is needed for, and so what its lack stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Building at all. Nothing goes on without it.
    Build,
    /// Opening the window anywhere.
    Window,
    /// Opening it on X11.
    X11,
    /// Opening it on Wayland.
    Wayland,
    /// Showing it where there is no display.
    VirtualDisplay,
    /// Testing it: the real one on a virtual display, and drawn without any.
    WindowTest,
}

/// How to see that something is there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Probe {
    /// A program on the search path.
    Program(&'static str),
    /// A shared library.
    Library(&'static str),
    /// A file below one of the library folders.
    LibraryFile(&'static str),
    /// A font for a language, by its code, as fontconfig finds it.
    ScriptFont(&'static str),
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Need {
    /// What must be there, in a person's words.
    pub(crate) what: &'static str,
    /// How to see it.
    pub(crate) probe: Probe,
    /// The Debian packages that bring it.
    pub(crate) debian: &'static [&'static str],
    /// What its lack stops.
    pub(crate) purpose: Purpose,
    /// Why.
    pub(crate) why: &'static str,
}

const fn need(
    purpose: Purpose,
    what: &'static str,
    probe: Probe,
    debian: &'static [&'static str],
    why: &'static str,
) -> Need {
    Need {
        what,
        probe,
        debian,
        purpose,
        why,
    }
}

/// The table. Linux only: elsewhere the window needs nothing that the system doesn't bring.
#[rustfmt::skip]
pub(crate) const NEEDS: &[Need] = &[
    need(Build, "a C compiler", Program("cc"), &["gcc", "libc6-dev"], "builds SQLite and the TLS library"),
    need(Build, "pkg-config", Program("pkg-config"), &["pkg-config"], "finds the web engine"),
    need(Build, "WebKitGTK to build with", LibraryFile("pkgconfig/webkit2gtk-4.1.pc"), &["libwebkit2gtk-4.1-dev"], "shows web pages"),
    need(Window, "an OpenGL driver", LibraryFile("dri/swrast_dri.so"), &["libgl1-mesa-dri"], "draws where there is no graphics card"),
    need(Window, "xkbcommon", Library("libxkbcommon.so.0"), &["libxkbcommon0"], "reads the keyboard"),
    need(X11, "OpenGL for X11", Library("libGL.so.1"), &["libgl1"], "draws the window"),
    need(X11, "the X11 library", Library("libX11.so.6"), &["libx11-6"], "opens the window"),
    need(X11, "the X11-XCB library", Library("libX11-xcb.so.1"), &["libx11-xcb1"], "opens the window"),
    need(X11, "the Xcursor library", Library("libXcursor.so.1"), &["libxcursor1"], "shows the pointer"),
    need(X11, "the XInput library", Library("libXi.so.6"), &["libxi6"], "reads pointer and touch"),
    need(X11, "xkbcommon for X11", Library("libxkbcommon-x11.so.0"), &["libxkbcommon-x11-0"], "reads the keyboard"),
    need(Wayland, "EGL", Library("libEGL.so.1"), &["libegl1"], "draws the window"),
    need(Wayland, "the Wayland library", Library("libwayland-client.so.0"), &["libwayland-client0"], "opens the window"),
    need(Wayland, "the Wayland EGL library", Library("libwayland-egl.so.1"), &["libwayland-egl1"], "draws the window"),
    need(VirtualDisplay, "Xvfb", Program("Xvfb"), &["xvfb"], "is the virtual display"),
    need(VirtualDisplay, "openbox", Program("openbox"), &["openbox"], "is the window manager of the virtual display"),
    need(WindowTest, "xdotool", Program("xdotool"), &["xdotool"], "finds the window and presses keys in the window test"),
    need(WindowTest, "ImageMagick", Program("import"), &["imagemagick"], "takes the window test's pictures"),
    need(WindowTest, "the Vulkan library", Library("libvulkan.so.1"), &["libvulkan1"], "draws the tests' windows without a display"),
    need(WindowTest, "Vulkan's software driver", LibraryFile("libvulkan_lvp.so"), &["mesa-vulkan-drivers"], "draws the same on every machine"),
    need(WindowTest, "a Chinese font", ScriptFont("zh-cn"), &["fontconfig", "fonts-noto-cjk"], "shows the window in Chinese in the tests' pictures"),
];

/// What the system lacks of all that is needed for these purposes.
pub(crate) fn lacking(purposes: &[Purpose]) -> Vec<&'static Need> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let system = System::read();
    NEEDS
        .iter()
        .filter(|need| purposes.contains(&need.purpose) && !system.has(need.probe))
        .collect()
}

/// Where programs and libraries are looked for.
struct System {
    programs: Vec<PathBuf>,
    /// The linker's cache, which names each library it would find.
    cache: String,
    libraries: Vec<PathBuf>,
    /// Whether there is a font for a language, by its code.
    has_font: fn(&str) -> bool,
}

impl System {
    fn read() -> Self {
        let split = |name| -> Vec<PathBuf> {
            env::var_os(name).map_or_else(Vec::new, |list| env::split_paths(&list).collect())
        };
        let cache = ["/sbin/ldconfig", "ldconfig"]
            .into_iter()
            .find_map(|program| Command::new(program).arg("-p").output().ok())
            .map_or_else(String::new, |output| {
                String::from_utf8_lossy(&output.stdout).into_owned()
            });
        let mut libraries = split("LD_LIBRARY_PATH");
        for base in ["/usr/lib", "/usr/lib64", "/usr/local/lib"] {
            libraries.push(base.into());
            libraries.push(Path::new(base).join(format!("{}-linux-gnu", env::consts::ARCH)));
        }
        Self {
            programs: split("PATH"),
            cache,
            libraries,
            has_font,
        }
    }

    fn has(&self, probe: Probe) -> bool {
        let in_folders = |folders: &[PathBuf], name: &str| {
            folders.iter().any(|folder| exists(&folder.join(name)))
        };
        match probe {
            Program(name) => in_folders(&self.programs, name),
            Library(name) => names_library(&self.cache, name) || in_folders(&self.libraries, name),
            LibraryFile(path) => in_folders(&self.libraries, path),
            ScriptFont(language) => (self.has_font)(language),
        }
    }
}

fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Whether fontconfig lists a font that covers a language. Without fontconfig nobody knows, which is a lack.
fn has_font(language: &str) -> bool {
    Command::new("fc-list")
        .args([&format!(":lang={language}"), "family"])
        .output()
        .is_ok_and(|output| !output.stdout.trim_ascii().is_empty())
}

/// Whether the linker's cache has this very library, and not one whose name begins like it.
fn names_library(cache: &str, name: &str) -> bool {
    cache
        .lines()
        .any(|line| line.split_whitespace().next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_read_by_whole_names() {
        let cache = "2 libs found\n\tlibX11.so.6 (libc6,x86-64) => /lib/libX11.so.6\n\tlibXi.so (libc6) => /lib/libXi.so\n";
        assert!(names_library(cache, "libX11.so.6"));
        assert!(!names_library(cache, "libXi.so.6"));
        assert!(!names_library(cache, "libX11"));
    }

    #[test]
    fn what_is_there_is_seen_and_what_is_not_is_missed() {
        let folder = env::temp_dir().join(format!("wisp-xtask-needs-{}", std::process::id()));
        fs::create_dir_all(folder.join("dri")).unwrap();
        fs::write(folder.join("dri/driver.so"), "").unwrap();
        fs::write(folder.join("tool"), "").unwrap();
        let system = System {
            programs: vec![folder.clone()],
            cache: String::new(),
            libraries: vec![folder.clone()],
            has_font: |language| language == "zh-cn",
        };
        assert!(system.has(Program("tool")));
        assert!(!system.has(Program("dri")), "a folder is no program");
        assert!(system.has(LibraryFile("dri/driver.so")));
        assert!(system.has(Library("tool")));
        assert!(!system.has(Library("absent.so")));
        assert!(system.has(ScriptFont("zh-cn")));
        assert!(!system.has(ScriptFont("am")));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn each_row_has_a_package_and_a_reason() {
        for need in NEEDS {
            assert!(
                !need.debian.is_empty() && !need.why.is_empty(),
                "{}",
                need.what
            );
        }
    }
}
