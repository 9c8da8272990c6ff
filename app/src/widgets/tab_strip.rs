//! A row of tabs: one is in front, each can be closed and moved; what has no room is scrolled, and is in a menu.

use eframe::egui::{
    Align, Button, Id, Key, Layout, Modifiers, Popup, Rect, Response, RichText, Role, ScrollArea,
    Sense, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, pos2, scroll_area::ScrollBarVisibility,
};

use super::button::icon_button;
use super::paint;
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{CONTROL, CONTROL_CORNER, META, ROW, STEP};
use crate::theme::tokens::Palette;

/// The height of a tab, in points.
pub const HEIGHT: f32 = 30.0;
/// The widest a tab's name gets, in points.
const NAME: f32 = 150.0;
/// The room at a tab's ends, in points.
const ENDS: f32 = 10.0;
/// The side of the place that closes a tab, in points.
const CROSS: f32 = 18.0;
/// The room between a tab's parts, in points.
const GAP: f32 = 1.5 * STEP;
/// The room between two tabs, in points.
const BETWEEN: f32 = STEP / 2.0;
/// The height of the strip with the room around it, as high as the line above the conversation, in points.
const STRIP: f32 = 44.0;
/// How high the menu of all tabs is at most, in points.
const MENU: f32 = 480.0;
/// The radius of the mark of what is not saved, in points.
const DOT: f32 = 3.5;

/// One tab as it is drawn.
#[derive(Clone, Debug)]
pub struct TabItem {
    /// Tells it from others.
    pub id: Id,
    /// What stands on it.
    pub name: String,
    /// What kind it is, as a picture.
    pub icon: Icon,
    /// What is said of it besides: its kind, its place.
    pub hint: String,
    /// Whether something in it is not saved; the words for that.
    pub unsaved: Option<&'static str>,
    /// The words on what closes it.
    pub close: String,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The tab at this place.
    Show(usize),
    /// To close the tab at this place.
    Close(usize),
    /// To move the tab at the first place to the second, counted without it.
    Move(usize, usize),
    /// A new tab.
    New,
}

/// What is only on screen.
#[derive(Debug, Default)]
pub struct StripView {
    front: Option<Id>,
    /// How wide the strip was, in points.
    width: f32,
    wants_focus: bool,
}

impl StripView {
    /// Gives the keyboard to the tab in front.
    pub fn focus(&mut self) {
        self.wants_focus = true;
    }
}

/// The words on the strip itself.
#[derive(Clone, Copy, Debug)]
pub struct StripWords<'a> {
    /// Its name.
    pub label: &'a str,
    /// The menu of all tabs.
    pub all: &'a str,
    /// The new tab.
    pub new: &'a str,
}

/// Draws the tabs, as wide as there is room; `front` is the place of the one in front.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    words: StripWords<'_>,
    view: &mut StripView,
    tabs: &[TabItem],
    front: Option<usize>,
) -> Option<Asked> {
    let mut asked = None;
    let (_, line) = ui.allocate_space(Vec2::new(ui.available_width(), HEIGHT));
    let widths: Vec<f32> = tabs.iter().map(|tab| width_of(ui, palette, tab)).collect();
    let whole: f32 = widths.iter().map(|width| width + BETWEEN).sum();
    let button = CONTROL + STEP;
    let overflows = whole > line.width() - button;
    let buttons = if overflows { 2.0 * button } else { button };
    let room = (line.width() - buttons).max(0.0);
    let new_front = front.and_then(|place| tabs.get(place)).map(|tab| tab.id);
    let mut moved = std::mem::replace(&mut view.front, new_front) != new_front;
    moved |= (std::mem::replace(&mut view.width, line.width()) - line.width()).abs() > 0.5;
    let end = line.left() + whole.min(room);
    let place = Rect::from_min_max(line.min, pos2(end, line.bottom()));
    let mut inner = ui.new_child(UiBuilder::new().id_salt("tabs").max_rect(place));
    name_strip(&inner, words.label);
    // A wheel has one direction only.
    inner.style_mut().always_scroll_the_only_direction = true;
    ScrollArea::horizontal()
        .auto_shrink(false)
        .scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden)
        .show(&mut inner, |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = BETWEEN;
                asked = row(ui, palette, view, tabs, &widths, front, moved);
            });
        });
    let place = Rect::from_min_max(pos2(end + STEP, line.top()), line.max);
    let layout = Layout::left_to_right(Align::Center);
    let mut rest = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    rest.spacing_mut().item_spacing.x = STEP;
    if overflows {
        let button = icon_button(&mut rest, palette, Icon::ChevronDown, words.all);
        asked = menu(&button, palette, tabs, front).or(asked);
    }
    if icon_button(&mut rest, palette, Icon::Plus, words.new).clicked() {
        asked = Some(Asked::New);
    }
    asked
}

fn name_strip(ui: &Ui, label: &str) {
    let id = ui.unique_id();
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_role(Role::TabList);
        node.set_label(label);
    });
}

fn width_of(ui: &Ui, palette: &Palette, tab: &TabItem) -> f32 {
    let name = paint::layout_within(ui, &tab.name, fonts::text(ROW), palette.text, NAME);
    let parts = icons::SIZE + GAP + name.size().x + GAP + CROSS;
    (2.0 * ENDS + parts - STEP).ceil()
}

fn row(
    ui: &mut Ui,
    palette: &Palette,
    view: &mut StripView,
    tabs: &[TabItem],
    widths: &[f32],
    front: Option<usize>,
    moved: bool,
) -> Option<Asked> {
    let mut asked = None;
    let mut rects = Vec::with_capacity(tabs.len());
    let mut dragged = None;
    for (place, (tab, width)) in tabs.iter().zip(widths).enumerate() {
        let is_front = front == Some(place);
        let (rect, response, closed) = tab_ui(ui, palette, tab, *width, is_front);
        rects.push(rect);
        if is_front && std::mem::take(&mut view.wants_focus) {
            response.request_focus();
        }
        if (is_front && moved) || response.gained_focus() {
            response.scroll_to_me(None);
        }
        let deletes = response.has_focus()
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Delete));
        if closed || deletes || response.middle_clicked() {
            asked = Some(Asked::Close(place));
        } else if response.clicked() {
            asked = Some(Asked::Show(place));
        }
        if response.dragged() || response.drag_stopped() {
            dragged = Some((place, response));
        }
    }
    if let Some((from, response)) = dragged {
        asked = drag(ui, palette, &rects, from, &response).or(asked);
    }
    asked
}

/// Shows where a tab would go that is dragged, and moves it there when it is let go.
fn drag(
    ui: &Ui,
    palette: &Palette,
    rects: &[Rect],
    from: usize,
    response: &Response,
) -> Option<Asked> {
    let at = response.interact_pointer_pos()?;
    // Between which tabs, counted with the dragged one.
    let gap = rects.iter().filter(|rect| rect.center().x < at.x).count();
    let stays = gap == from || gap == from + 1;
    if !stays {
        let x = match rects.get(gap) {
            Some(rect) => rect.left() - STEP / 4.0,
            None => rects.last()?.right(),
        };
        let line = Stroke::new(2.0, palette.accent);
        ui.painter().vline(x, response.rect.y_range(), line);
    }
    let to = if gap > from { gap - 1 } else { gap };
    (response.drag_stopped() && !stays).then_some(Asked::Move(from, to))
}

/// Draws a tab. Gives where it is, what happened to it, and whether its cross was clicked.
fn tab_ui(
    ui: &mut Ui,
    palette: &Palette,
    tab: &TabItem,
    width: f32,
    is_front: bool,
) -> (Rect, Response, bool) {
    let (_, rect) = ui.allocate_space(Vec2::new(width, HEIGHT));
    let response = ui.interact(rect, tab.id, Sense::click_and_drag());
    response.widget_info(|| {
        let mut name = tab.name.clone();
        if let Some(unsaved) = tab.unsaved {
            name = format!("{name}, {unsaved}");
        }
        WidgetInfo::labeled(Role::Tab, true, name)
    });
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_selected(is_front));
    let cross = Rect::from_center_size(
        pos2(
            rect.right() - ENDS + STEP / 2.0 - CROSS / 2.0,
            rect.center().y,
        ),
        Vec2::splat(CROSS),
    );
    // No stop of the Tab key: the tab itself takes Delete.
    let close = ui.interact(cross, tab.id.with("close"), Sense::CLICK);
    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, &tab.close));
    let over = response.hovered() || close.hovered();
    let ground = if is_front {
        palette.control
    } else {
        paint::quiet_ground(&response, palette)
    };
    ui.painter().rect_filled(rect, CONTROL_CORNER, ground);
    let color = if is_front || over {
        palette.text
    } else {
        palette.text_dim
    };
    let middle = rect.center().y;
    let mut left = rect.left() + ENDS;
    let at = pos2(left + icons::SIZE / 2.0, middle);
    paint::icon(ui, at, tab.icon, icons::SIZE - 1.0, palette.text_dim);
    left += icons::SIZE + GAP;
    let name = paint::layout_within(ui, &tab.name, fonts::text(ROW), color, NAME);
    paint::text(ui.painter(), left, middle, ROW, name);
    let shows_cross = close.hovered() || (tab.unsaved.is_none() && (is_front || over));
    if shows_cross {
        let ground = paint::quiet_ground(&close, palette);
        ui.painter().rect_filled(cross, CONTROL_CORNER - 2, ground);
        paint::icon(ui, cross.center(), Icon::X, 13.0, color);
    } else if tab.unsaved.is_some() {
        ui.painter()
            .circle_filled(cross.center(), DOT, palette.attention);
    }
    if response.has_focus() {
        paint::ring_inside(ui.painter(), rect, palette);
    }
    let closed = close.clicked();
    close.on_hover_text(&tab.close);
    let response = response.on_hover_text(&tab.hint);
    (rect, response, closed)
}

/// Every tab by name.
fn menu(
    button: &Response,
    palette: &Palette,
    tabs: &[TabItem],
    front: Option<usize>,
) -> Option<Asked> {
    let mut asked = None;
    Popup::menu(button).show(|ui| {
        ui.set_min_width(220.0);
        ScrollArea::vertical().max_height(MENU).show(ui, |ui| {
            for (place, tab) in tabs.iter().enumerate() {
                let mark = if tab.unsaved.is_some() { "●" } else { "" };
                let item = Button::new(&tab.name)
                    .selected(front == Some(place))
                    .shortcut_text(RichText::new(mark).size(META).color(palette.attention))
                    .truncate()
                    .frame_when_inactive(front == Some(place));
                if ui.add(item).on_hover_text(&tab.hint).clicked() {
                    asked = Some(Asked::Show(place));
                    ui.close();
                }
            }
        });
    });
    asked
}

/// The strip's place in a window: as high as its tabs with room around them.
pub fn in_strip<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    let room = Vec2::new(ui.available_width(), STRIP);
    let (_, rect) = ui.allocate_space(room);
    let inside = rect.shrink2(Vec2::new(2.0 * STEP, (STRIP - HEIGHT) / 2.0));
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inside).layout(layout));
    child.spacing_mut().item_spacing.x = STEP;
    add(&mut child)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::testing::{Stage, named, names};

    fn items(count: usize) -> Vec<TabItem> {
        (0..count)
            .map(|number| TabItem {
                id: Id::unique(("tab", number)),
                name: format!("file {number}"),
                icon: Icon::FileText,
                hint: String::new(),
                unsaved: (number == 1).then_some("not saved"),
                close: format!("Close file {number}"),
            })
            .collect()
    }

    const WORDS: StripWords<'_> = StripWords {
        label: "Tabs",
        all: "All tabs",
        new: "New tab",
    };

    #[test]
    fn tabs_say_what_they_are_and_are_closed_by_their_cross_and_by_delete() {
        let mut stage = Stage::new();
        let mut view = StripView::default();
        let tabs = items(3);
        let mut asked = None;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            asked = super::ui(ui, palette, WORDS, &mut view, &tabs, Some(0)).or(asked);
        };
        let tree = stage.frame(&[], &mut draw);
        assert_eq!(named(&tree, "file 0").role(), Role::Tab);
        assert_eq!(named(&tree, "file 0").is_selected(), Some(true));
        named(&tree, "file 1, not saved");
        named(&tree, "New tab");
        assert!(!names(&tree).contains(&"All tabs"), "there is room");
        stage.click("Close file 2", &mut draw);
        assert_eq!(asked.take(), Some(Asked::Close(2)));
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            asked = super::ui(ui, palette, WORDS, &mut view, &tabs, Some(0)).or(asked);
        };
        stage.click("file 1, not saved", &mut draw);
        assert_eq!(asked.take(), Some(Asked::Show(1)));
        view.focus();
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            asked = super::ui(ui, palette, WORDS, &mut view, &tabs, Some(0)).or(asked);
        };
        stage.frame(&[], &mut draw);
        stage.frame(&[Key::Delete], &mut draw);
        assert_eq!(asked, Some(Asked::Close(0)));
    }

    #[test]
    fn tabs_without_room_are_in_a_menu() {
        let mut stage = Stage::new();
        let mut view = StripView::default();
        let tabs = items(30);
        let tree = stage.frame(&[], |ui, palette| {
            super::ui(ui, palette, WORDS, &mut view, &tabs, Some(29));
        });
        named(&tree, "All tabs");
    }
}
