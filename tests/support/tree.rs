//! What a window shows, as assistive technology reads it: its widgets with role, name and place.

use std::collections::HashMap;
use std::fmt;

use eframe::egui::accesskit::{Node, NodeId, Role, Toggled, TreeUpdate};
use eframe::egui::{Pos2, Rect, pos2};

use crate::names;

/// One widget.
#[derive(Clone, Debug)]
pub struct Widget {
    /// Its number in the tree, the same from frame to frame.
    pub id: NodeId,
    /// What kind of widget it is.
    pub role: Role,
    /// What it is called: its own label, that of the widget which labels it, or a text's words.
    pub name: String,
    /// What it holds, as a text field its text.
    pub value: String,
    /// Where it is in the window, in points.
    pub bounds: Option<Rect>,
    /// Whether it can be used.
    pub enabled: bool,
    /// Whether it is on or chosen, where it can be.
    pub on: Option<bool>,
    /// Whether keys go to it.
    pub focused: bool,
    /// How deep in the tree it is.
    depth: usize,
}

impl Widget {
    /// Its middle.
    pub fn middle(&self) -> Option<Pos2> {
        self.bounds.map(|bounds| bounds.center())
    }
}

/// All widgets of a frame, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The widgets, each parent before its children.
    pub widgets: Vec<Widget>,
    /// The number of the frame.
    pub frame: u64,
}

impl Tree {
    /// From what egui gives.
    pub fn new(update: &TreeUpdate, frame: u64) -> Self {
        let nodes: HashMap<NodeId, &Node> =
            update.nodes.iter().map(|(id, node)| (*id, node)).collect();
        let mut tree = Self {
            widgets: Vec::new(),
            frame,
        };
        if let Some(root) = &update.tree {
            tree.add(root.root, 0, &nodes, update.focus);
        }
        tree
    }

    fn add(&mut self, id: NodeId, depth: usize, nodes: &HashMap<NodeId, &Node>, focus: NodeId) {
        let Some(node) = nodes.get(&id) else { return };
        // What a text is made of says nothing that the text doesn't.
        if node.is_hidden() || node.role() == Role::TextRun {
            return;
        }
        self.widgets.push(Widget {
            id,
            role: node.role(),
            name: name(node, nodes),
            value: node.value().unwrap_or_default().to_owned(),
            bounds: node.bounds().map(|bounds| {
                let [left, top, right, bottom] =
                    [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(points);
                Rect::from_min_max(pos2(left, top), pos2(right, bottom))
            }),
            enabled: !node.is_disabled(),
            on: node
                .toggled()
                .map(|toggled| toggled == Toggled::True)
                .or(node.is_selected()),
            focused: id == focus,
            depth,
        });
        for child in node.children() {
            self.add(*child, depth + 1, nodes, focus);
        }
    }

    /// The first widget of this name, and of this role when one is asked for.
    pub fn find(&self, role: Option<Role>, name: &str) -> Option<&Widget> {
        self.all(role, name).next()
    }

    /// All widgets of this name, and of this role when one is asked for.
    pub fn all(&self, role: Option<Role>, name: &str) -> impl Iterator<Item = &Widget> {
        self.widgets
            .iter()
            .filter(move |widget| role.is_none_or(|role| role == widget.role))
            .filter(move |widget| widget.name == name)
    }

    /// The first widget in whose name or value these words are.
    pub fn with_words(&self, words: &str) -> Option<&Widget> {
        self.widgets
            .iter()
            .find(|widget| widget.name.contains(words) || widget.value.contains(words))
    }

    /// The card that asks, if one does.
    pub fn card(&self) -> Option<&Widget> {
        // Its name goes on with what it asks about.
        let start = format!("{}: ", names::CARD);
        self.widgets
            .iter()
            .find(|widget| widget.name.starts_with(&start))
    }

    /// The widget that keys go to.
    pub fn focused(&self) -> Option<&Widget> {
        self.widgets.iter().find(|widget| widget.focused)
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for widget in &self.widgets {
            let indent = "  ".repeat(widget.depth);
            write!(formatter, "{indent}{:?} {:?}", widget.role, widget.name)?;
            if !widget.value.is_empty() && widget.value != widget.name {
                write!(formatter, " = {:?}", widget.value)?;
            }
            for (is_so, words) in [
                (!widget.enabled, "disabled"),
                (widget.on == Some(true), "on"),
                (widget.focused, "focused"),
            ] {
                if is_so {
                    write!(formatter, " ({words})")?;
                }
            }
            if let Some(bounds) = widget.bounds {
                write!(
                    formatter,
                    " at {:.0},{:.0} {:.0}×{:.0}",
                    bounds.left(),
                    bounds.top(),
                    bounds.width(),
                    bounds.height()
                )?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}

fn name(node: &Node, nodes: &HashMap<NodeId, &Node>) -> String {
    let own = |node: &Node| {
        let words = match node.role() {
            Role::Label => node.label().or(node.value()),
            _ => node.label(),
        };
        words.unwrap_or_default().to_owned()
    };
    let name = own(node);
    if !name.is_empty() {
        return name;
    }
    let labels = node.labelled_by().iter();
    let labels: Vec<String> = labels
        .filter_map(|id| nodes.get(id))
        .map(|label| own(label))
        .collect();
    if labels.is_empty() {
        return node.placeholder().unwrap_or_default().to_owned();
    }
    labels.join(" ")
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "egui's own points, which were widened"
)]
fn points(value: f64) -> f32 {
    value as f32
}
