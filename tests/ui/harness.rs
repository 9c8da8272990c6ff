//! The window's content in a test's hands.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use eframe::egui::{Theme, UiBuilder};
use egui_kittest::Harness;
use egui_system_font_provider::SystemFontProvider;
use wisp::window::WindowApp;

/// Sizes at which everything must fit, in points.
pub(crate) const SIZES: [[u16; 2]; 3] = [[1280, 800], [1024, 700], [800, 600]];
/// Frames within which the window must come to rest.
const STEPS: u64 = 20;

/// Listing the system's fonts takes long, so that it is done once.
static FONTS: LazyLock<Arc<SystemFontProvider>> =
    LazyLock::new(|| Arc::new(SystemFontProvider::new()));

/// What a window is opened with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// Width and height in points.
    pub(crate) size: [u16; 2],
    /// Dark or light.
    pub(crate) theme: Theme,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: SIZES[0],
            theme: Theme::Dark,
        }
    }
}

impl Setup {
    /// Each size in each theme.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        SIZES
            .into_iter()
            .flat_map(|size| [Theme::Dark, Theme::Light].map(|theme| Self { size, theme }))
    }

    /// What a picture's name says of it.
    pub(crate) fn name(self) -> String {
        let [width, height] = self.size;
        let theme = match self.theme {
            Theme::Dark => "dark",
            Theme::Light => "light",
        };
        format!("{theme}-{width}x{height}")
    }
}

/// The window's content with what draws it. Found, clicked and typed into as the harness of egui_kittest, which
/// it stands for.
pub(crate) struct View {
    harness: Harness<'static>,
}

impl View {
    /// Opened and come to rest.
    pub(crate) fn open(setup: Setup) -> Self {
        let app: Rc<RefCell<Option<WindowApp>>> = Rc::default();
        let made = Rc::clone(&app);
        let harness = Harness::builder()
            .with_size(setup.size.map(f32::from))
            .with_theme(setup.theme)
            .with_max_steps(STEPS)
            .with_render_cursor(false)
            .allow_missing_glyphs()
            .with_context_setup(move |context| {
                context.add_font_provider(FONTS.clone());
                *made.borrow_mut() = Some(WindowApp::new(context).unwrap());
            })
            .build_ui(move |ui| {
                // The harness leaves a margin, which a window has not.
                let window = UiBuilder::new().max_rect(ui.ctx().content_rect());
                ui.scope_builder(window, |ui| app.borrow_mut().as_mut().unwrap().draw(ui));
            });
        Self { harness }
    }
}

impl Deref for View {
    type Target = Harness<'static>;

    fn deref(&self) -> &Self::Target {
        &self.harness
    }
}

impl DerefMut for View {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.harness
    }
}
