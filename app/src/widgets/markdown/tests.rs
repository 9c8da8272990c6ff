use eframe::egui::{
    Context, Event, FullOutput, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, ScrollArea,
    Theme, accesskit::Role,
};

use super::*;
use crate::i18n::Language;
use crate::text::highlight::Highlighter;
use crate::text::markdown::Document;
use crate::theme::style::{Look, Palettes};
use crate::theme::tokens::Contrast;

fn joined(count: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(between)
}

/// A window without a screen that shows one document.
struct Window {
    context: Context,
    palettes: Palettes,
    highlighter: Highlighter,
    document: Document,
    layout: DocumentLayout,
    offset: f32,
    actions: MarkdownActions,
    shapes: usize,
}

impl Window {
    fn new(text: &str) -> Self {
        let palettes = Palettes::read(Contrast::Normal).unwrap();
        let context = Context::default();
        crate::theme::fonts::install(&context);
        palettes.apply(&context, Look::default());
        context.enable_accesskit();
        let mut document = Document::default();
        document.set(text);
        Self {
            context,
            palettes,
            highlighter: Highlighter::new(Box::new(|| {})),
            document,
            layout: DocumentLayout::default(),
            offset: 0.0,
            actions: MarkdownActions::default(),
            shapes: 0,
        }
    }

    fn frame(&mut self, events: Vec<Event>) -> FullOutput {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, [600.0, 700.0].into())),
            events,
            ..RawInput::default()
        };
        let look = MarkdownLook {
            palette: self.palettes.of(Theme::Dark),
            words: Language::English.words(),
            highlighter: &self.highlighter,
            pictures: &|_| None,
        };
        let (document, layout, actions) = (&self.document, &mut self.layout, &mut self.actions);
        let offset = self.offset;
        let mut output = self.context.run_ui(input, |ui| {
            ScrollArea::vertical()
                .vertical_scroll_offset(offset)
                .show(ui, |ui| {
                    *actions = show(ui, document, layout, &look);
                });
        });
        output.textures_delta.clear();
        self.shapes = output.shapes.len();
        output
    }

    /// What a screen reader finds, by role and name, with its place.
    fn nodes(
        &mut self,
        events: Vec<Event>,
    ) -> Vec<(Role, String, Option<eframe::egui::accesskit::Rect>)> {
        let output = self.frame(events);
        let update = output.platform_output.accesskit_update.unwrap();
        (update.nodes.iter())
            .map(|(_, node)| {
                let name = node.label().or(node.value()).unwrap_or_default().to_owned();
                (node.role(), name, node.bounds())
            })
            .collect()
    }

    fn click(&mut self, at: Pos2) {
        for pressed in [true, false] {
            let button = Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::default(),
            };
            self.frame(vec![Event::PointerMoved(at), button]);
            if !pressed {
                return;
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "places on a screen are small"
    )]
    fn middle(&mut self, role: Role, name: &str) -> Pos2 {
        let nodes = self.nodes(Vec::new());
        let found = nodes.iter().find(|(r, n, _)| *r == role && n == name);
        let (_, _, Some(rect)) = found.unwrap_or_else(|| panic!("no {role:?} {name}: {nodes:?}"))
        else {
            panic!("{name} has no place")
        };
        Pos2::new(
            f64::midpoint(rect.x0, rect.x1) as f32,
            f64::midpoint(rect.y0, rect.y1) as f32,
        )
    }
}

#[test]
fn a_link_has_a_name_and_says_where_it_leads_without_opening() {
    let mut window = Window::new("Read [the **book**](https://a.b/c) first.");
    window.frame(Vec::new());
    let at = window.middle(Role::Link, "the book");
    window.click(at);
    assert_eq!(window.actions.open_link.as_deref(), Some("https://a.b/c"));
    window.frame(Vec::new());
    assert_eq!(window.actions.open_link, None);
}

#[test]
fn a_link_is_reached_and_followed_by_keys() {
    let mut window = Window::new("Read [this](https://a.b).");
    window.frame(Vec::new());
    let key = |key| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::default(),
    };
    window.frame(vec![key(Key::Tab)]);
    window.frame(vec![key(Key::Enter)]);
    assert_eq!(window.actions.open_link.as_deref(), Some("https://a.b"));
}

#[test]
fn code_is_copied_whole() {
    let mut window = Window::new("```rust\nlet a = 1;\nlet b = 2;\n```\n");
    window.frame(Vec::new());
    let at = window.middle(Role::Button, "Copy code");
    window.frame(vec![Event::PointerMoved(at)]);
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::default(),
    };
    window.frame(vec![button(true)]);
    let output = window.frame(vec![button(false)]);
    assert!(window.actions.copied);
    let commands = format!("{:?}", output.platform_output.commands);
    assert!(commands.contains("let a = 1;\\nlet b = 2;"), "{commands}");
}

#[test]
fn tasks_and_outside_pictures_can_be_read() {
    let mut window =
        Window::new("- [x] a\n- [ ] b\n\n![cat](https://evil.example/x.png)\n\na\u{202E}b");
    window.frame(Vec::new());
    let nodes = window.nodes(Vec::new());
    let has = |role, name: &str| nodes.iter().any(|(r, n, _)| *r == role && n == name);
    assert!(has(Role::CheckBox, "done"), "{nodes:?}");
    assert!(has(Role::CheckBox, "open"));
    assert!(has(
        Role::Label,
        "cat (Picture not loaded: https://evil.example/x.png)"
    ));
    assert!(has(Role::Label, "a\\u{202e}b"));
}

#[test]
fn only_what_is_in_sight_is_drawn() {
    let text = joined(
        10_000,
        "

",
        |n| format!("Paragraph number {n}."),
    );
    let mut window = Window::new(&text);
    let nodes = window.nodes(Vec::new());
    assert!(
        nodes
            .iter()
            .any(|(_, name, _)| name == "Paragraph number 0.")
    );
    assert!(nodes.len() < 100, "{}", nodes.len());
    assert!(window.layout.height() > 250_000.0);
    window.offset = 140_000.0;
    let nodes = window.nodes(Vec::new());
    assert!(
        nodes
            .iter()
            .any(|(_, name, _)| name == "Paragraph number 5001.")
    );
    assert!(nodes.len() < 100, "{}", nodes.len());
}

#[test]
fn a_huge_code_block_lays_out_what_is_in_sight() {
    let code = joined(50_000, "\n", |n| format!("line {n}"));
    let long = "x".repeat(1_000_000);
    let mut window = Window::new(&format!("```\n{code}\n{long}\n```\n"));
    window.offset = 500_000.0;
    window.frame(Vec::new());
    let nodes = window.nodes(Vec::new());
    assert!(
        nodes
            .iter()
            .any(|(_, name, _)| name.contains("line 26320\n")),
        "{nodes:?}"
    );
    window.offset = 949_500.0;
    window.frame(Vec::new());
    let nodes = window.nodes(Vec::new());
    let end = nodes
        .iter()
        .find(|(role, name, _)| *role == Role::Label && name.contains("xxxx"))
        .unwrap();
    assert!(end.1.ends_with("…the line goes on for 998000 characters"));
    assert!(end.1.len() < 3000);
}

#[test]
fn a_block_that_streams_moves_nothing_above_it() {
    let mut window = Window::new("One.\n\n- two\n- three\n\n```rust\nfn main");
    window.frame(Vec::new());
    let before: Vec<_> = (0..2)
        .filter_map(|n| window.layout.row(n))
        .map(|row| row.top)
        .collect();
    window.document.push("() {\n}\n```\n\nMore.\n");
    window.frame(Vec::new());
    let after: Vec<_> = (0..2)
        .filter_map(|n| window.layout.row(n))
        .map(|row| row.top)
        .collect();
    assert_eq!((before.len(), &before), (2, &after));
}

#[test]
fn a_wrong_guess_above_the_top_is_told() {
    let text = format!(
        "{}\n\nEnd.\n\n{}",
        "iiii ".repeat(300),
        "More.\n\n".repeat(100)
    );
    let mut window = Window::new(&text);
    window.offset = 40.0;
    window.frame(Vec::new());
    let told = window.actions.shifted;
    assert!(told < -1.0, "{told}");
    window.frame(Vec::new());
    assert!(window.actions.shifted.abs() < 0.1);
}
