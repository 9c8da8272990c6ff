//! A stage for a widget's test: frames with keys, and what a screen reader is told in each.

use std::time::Duration;

use eframe::egui::accesskit::{Node, NodeId};
use eframe::egui::{
    Color32, Context, Event, Key, Modifiers, RawInput, Rect, Shape, Theme, Ui, ViewportId,
};

use crate::theme::fonts;
use crate::theme::style::{Look, Palettes};
use crate::theme::tokens::{Contrast, Palette};

/// What a screen reader is told: the nodes of one frame.
pub(super) type Tree = Vec<(NodeId, Node)>;

/// A context with the window's fonts and style, 800 × 600 points.
pub(super) struct Stage {
    context: Context,
    /// The dark colours.
    pub(super) palette: Palette,
    shapes: Vec<Shape>,
    /// What was copied in the last frame.
    pub(super) copied: Option<String>,
    /// How long until the next frame was asked for in the last.
    pub(super) repaint_after: Duration,
}

impl Stage {
    /// A stage before its first frame.
    pub(super) fn new() -> Self {
        let context = Context::default();
        let palettes = Palettes::read(Contrast::Normal).unwrap();
        fonts::install(&context);
        palettes.apply(&context, Look::default());
        context.enable_accesskit();
        Self {
            context,
            palette: *palettes.of(Theme::Dark),
            shapes: Vec::new(),
            copied: None,
            repaint_after: Duration::ZERO,
        }
    }

    /// Draws a frame in which these keys go down and up.
    pub(super) fn frame(&mut self, keys: &[Key], mut draw: impl FnMut(&mut Ui, &Palette)) -> Tree {
        let event = |key: Key, pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.events(
            keys.iter()
                .flat_map(|key| [event(*key, true), event(*key, false)])
                .collect(),
            &mut draw,
        )
    }

    /// Clicks in the middle of what has this name.
    pub(super) fn click(&mut self, name: &str, mut draw: impl FnMut(&mut Ui, &Palette)) -> Tree {
        let tree = self.frame(&[], &mut draw);
        let bounds = named(&tree, name).bounds().unwrap();
        let middle = |from: f64, to: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "a place on the stage")]
            let at = f64::midpoint(from, to) as f32;
            at
        };
        let pos = [middle(bounds.x0, bounds.x1), middle(bounds.y0, bounds.y1)].into();
        let button = |pressed| Event::PointerButton {
            pos,
            button: eframe::egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.events(vec![Event::PointerMoved(pos)], &mut draw);
        self.events(vec![button(true)], &mut draw);
        self.events(vec![button(false)], &mut draw)
    }

    fn events(&mut self, events: Vec<Event>, draw: &mut impl FnMut(&mut Ui, &Palette)) -> Tree {
        let palette = self.palette;
        let screen = Rect::from_min_size([0.0, 0.0].into(), [800.0, 600.0].into());
        let input = RawInput {
            screen_rect: Some(screen),
            system_theme: Some(Theme::Dark),
            focused: true,
            events,
            ..RawInput::default()
        };
        let mut output = self.context.run_ui(input, |ui| draw(ui, &palette));
        // No renderer takes them here, which egui must be told.
        output.textures_delta.clear();
        self.shapes = output.shapes.into_iter().map(|clip| clip.shape).collect();
        self.repaint_after = output.viewport_output[&ViewportId::ROOT].repaint_delay;
        let commands = output.platform_output.commands;
        self.copied = commands.into_iter().find_map(|command| match command {
            eframe::egui::OutputCommand::CopyText(text) => Some(text),
            _ => None,
        });
        output.platform_output.accesskit_update.unwrap().nodes
    }

    /// The texts that were drawn in the last frame.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for shape in &self.shapes {
            each(shape, &mut |shape| {
                if let Shape::Text(text) = shape {
                    texts.push(text.galley.text().to_owned());
                }
            });
        }
        texts
    }

    /// The colours of the outlines of the last frame.
    pub(super) fn strokes(&self) -> Vec<Color32> {
        let mut strokes = Vec::new();
        for shape in &self.shapes {
            each(shape, &mut |shape| {
                if let Shape::Rect(rect) = shape {
                    strokes.push(rect.stroke.color);
                }
            });
        }
        strokes
    }

    /// The grounds of the last frame.
    pub(super) fn grounds(&self) -> Vec<Color32> {
        let mut grounds = Vec::new();
        for shape in &self.shapes {
            each(shape, &mut |shape| {
                if let Shape::Rect(rect) = shape {
                    grounds.push(rect.fill);
                }
            });
        }
        grounds
    }
}

fn each(shape: &Shape, see: &mut impl FnMut(&Shape)) {
    if let Shape::Vec(shapes) = shape {
        for shape in shapes {
            each(shape, see);
        }
    } else {
        see(shape);
    }
}

/// The node with this name or text. Fails, with all names, when there is none.
pub(super) fn named<'a>(tree: &'a Tree, name: &str) -> &'a Node {
    (tree.iter())
        .map(|(_, node)| node)
        .find(|node| node.label() == Some(name) || node.value() == Some(name))
        .unwrap_or_else(|| panic!("no {name:?} in {:?}", names(tree)))
}

/// All names and texts.
pub(super) fn names(tree: &Tree) -> Vec<&str> {
    (tree.iter())
        .filter_map(|(_, node)| node.label().or(node.value()))
        .collect()
}
