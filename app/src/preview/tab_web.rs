//! A tab with a web page: its address, the ways through its history, its search, and where the native view is.
//! The view itself is somebody else's; here only the place for it is drawn, or what stands in its place.

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    Align, Button as PlainButton, CornerRadius, Frame, Image, Key, Label, Layout, Margin, Popup,
    Rect, Response, RichText, Role, ScrollArea, Sense, Stroke, TextBuffer, TextEdit, TextureHandle,
    Ui, UiBuilder, Vec2, WidgetInfo,
};
use wisp_engine::protocol::TabId;

use crate::commands::{PageWish, UiCommand};
use crate::i18n::{Words, fill};
use crate::pages::{FailureKind, PageFailure};
use crate::state::tabs::{PageFind, WebTab};
use crate::text::address::{Goal, goal_of, parts};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL, CONTROL_CORNER, META, ROW, STEP, TEXT, TITLE};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::widgets::search_field;
use crate::window::pages::PagePlace;
use crate::window::scene::Scene;

/// The height of the line that shows how far a load is, in points.
const PROGRESS: f32 = 2.0;
/// The share that is shown of a load of which nothing is known yet.
const BEGUN: f32 = 0.08;
/// The widest column of a page of ours, in points.
const OURS: f32 = 440.0;

/// What is only on screen of web tabs.
#[derive(Default)]
pub struct WebView {
    /// Whether the search field is to get the keyboard.
    focus_find: bool,
    /// Where the page was drawn in this frame.
    pub place: Option<PagePlace>,
    /// The page's picture, while its view is hidden.
    pub picture: Option<TextureHandle>,
}

impl WebView {
    /// The search field gets the keyboard.
    pub fn focus_find(&mut self) {
        self.focus_find = true;
    }
}

/// Draws a web tab into all the room there is.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut WebView,
    tab: &TabId,
    web: &mut WebTab,
    focus: bool,
) {
    if focus && !web.focus_address {
        send(scene, tab, PageWish::Focus);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let frame = Frame::new().inner_margin(Margin::symmetric(8, 4));
    frame.show(ui, |ui| bar(ui, scene, view, tab, web));
    progress(ui, scene, web);
    if let Some(find) = &web.find {
        frame.show(ui, |ui| find_bar(ui, scene, view, tab, find));
    }
    let rect = ui.available_rect_before_wrap();
    if let Some(failure) = &web.failure {
        failed(ui, scene, rect, (tab, web), failure);
    } else if web.page.is_none() {
        not_alive(ui, scene, rect, tab);
    } else {
        alive(ui, scene, view, rect, (tab, web));
    }
    ui.advance_cursor_after_rect(rect);
}

/// The place of a page that is alive.
fn alive(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut WebView,
    rect: Rect,
    (tab, web): (&TabId, &WebTab),
) {
    view.place = Some(PagePlace {
        tab: tab.clone(),
        rect,
    });
    let response = ui.interact(rect, ui.scope_id().with("page"), Sense::click());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::WebView, true, scene.words.pages.page);
        info.current_text_value = Some(visible::line(web.name()));
        info
    });
    if response.gained_focus() || response.clicked() {
        send(scene, tab, PageWish::Focus);
    }
    ui.painter().rect_filled(rect, 0.0, scene.palette.window);
    if let Some(picture) = &view.picture {
        Image::new(picture)
            .fit_to_exact_size(rect.size())
            .paint_at(ui, rect);
    }
}

fn send(scene: &mut Scene<'_>, tab: &TabId, wish: PageWish) {
    scene.send(UiCommand::Page {
        tab: tab.clone(),
        wish,
    });
}

fn bar(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WebView, tab: &TabId, web: &mut WebTab) {
    let (palette, words) = (scene.palette, &scene.words.pages);
    let size = [ui.available_width(), CONTROL].into();
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (mark, name, can, wish) in [
            (Icon::ArrowLeft, words.back, web.back, PageWish::Back),
            (
                Icon::ArrowRight,
                words.forward,
                web.forward,
                PageWish::Forward,
            ),
        ] {
            let button = ui.add_enabled_ui(can, |ui| icon_button(ui, palette, mark, name));
            if button.inner.clicked() {
                send(scene, tab, wish);
            }
        }
        let (mark, name, wish) = if web.loading {
            (Icon::X, words.stop, PageWish::Stop)
        } else {
            (Icon::RotateCw, words.reload, PageWish::Reload)
        };
        if icon_button(ui, palette, mark, name).clicked() {
            send(scene, tab, wish);
        }
        ui.add_space(STEP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            more(ui, scene, view, tab, web);
            if (web.zoom - 1.0).abs() > 0.01 {
                let zoom = format!("{:.0} %", web.zoom * 100.0);
                let reset = Button::new(&zoom).kind(Kind::Quiet).show(ui, palette);
                if reset.on_hover_text(words.zoom_reset).clicked() {
                    send(scene, tab, PageWish::ZoomReset);
                }
            }
            ui.add_space(STEP);
            address_field(ui, scene, tab, web);
        });
    });
}

/// The address: the site's name stands out, so that it is clear whose page this is.
fn address_field(ui: &mut Ui, scene: &mut Scene<'_>, tab: &TabId, web: &mut WebTab) {
    let (palette, words) = (scene.palette, &scene.words.pages);
    if !web.address_edited {
        web.address = visible::line(&web.url);
    }
    let edited = web.address_edited;
    let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _width: f32| {
        let format = |color| TextFormat::simple(fonts::text(ROW), color);
        let whole = text.as_str();
        let (before, host, after) = if edited {
            ("", whole, "")
        } else {
            parts(whole)
        };
        let mut job = LayoutJob::default();
        job.append(before, 0.0, format(palette.text_faint));
        job.append(host, 0.0, format(palette.text));
        job.append(after, 0.0, format(palette.text_faint));
        ui.painter().layout_job(job)
    };
    let frame = Frame::new()
        .fill(palette.field)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(CONTROL_CORNER))
        .inner_margin(Margin::symmetric(8, 4));
    let field = TextEdit::singleline(&mut web.address)
        .id_salt("address")
        .frame(frame)
        .font(fonts::text(ROW))
        .hint_text(RichText::new(words.address_hint).color(palette.text_faint))
        .desired_width(ui.available_width() - 16.0)
        .layouter(&mut layouter);
    let response = ui.add(field);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(words.address));
    if std::mem::take(&mut web.focus_address) {
        response.request_focus();
        select_all(ui, &response, web.address.chars().count());
    }
    web.address_edited |= response.changed();
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if response.lost_focus() && pressed(Key::Enter) {
        if let Goal::Page(url) = goal_of(&web.address) {
            web.address_edited = false;
            send(scene, tab, PageWish::Go(url));
            send(scene, tab, PageWish::Focus);
        } else {
            response.request_focus();
        }
    } else if response.lost_focus() && pressed(Key::Escape) {
        web.address_edited = false;
    }
}

fn select_all(ui: &Ui, response: &Response, chars: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), response.id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(chars));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), response.id);
}

fn more(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WebView, tab: &TabId, web: &WebTab) {
    let words = &scene.words.pages;
    let button = icon_button(ui, scene.palette, Icon::Ellipsis, words.more);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(200.0);
        let item = |ui: &mut Ui, text: &str| {
            let clicked = ui
                .add(PlainButton::new(text).frame_when_inactive(false))
                .clicked();
            if clicked {
                ui.close();
            }
            clicked
        };
        if item(ui, words.find) {
            view.focus_find();
            send(scene, tab, PageWish::OpenFind);
        }
        for (text, wish) in [
            (words.zoom_in, PageWish::ZoomIn),
            (words.zoom_out, PageWish::ZoomOut),
            (words.zoom_reset, PageWish::ZoomReset),
        ] {
            if item(ui, text) {
                send(scene, tab, wish);
            }
        }
        ui.separator();
        if item(ui, words.copy_address) {
            scene.send(UiCommand::Copy(web.url.clone()));
        }
        if item(ui, words.outside) {
            scene.send(UiCommand::AskLink(web.url.clone()));
        }
    });
}

/// How far the load is, as a line under the bar. Its room is always there, so that nothing moves.
fn progress(ui: &mut Ui, scene: &Scene<'_>, web: &WebTab) {
    let size = Vec2::new(ui.available_width(), PROGRESS);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(rect, 0.0, scene.palette.line);
    if web.loading {
        let share = web.progress.unwrap_or(BEGUN).clamp(BEGUN, 1.0);
        response.widget_info(|| {
            let name = scene.words.pages.loading;
            let mut info = WidgetInfo::labeled(Role::ProgressIndicator, true, name);
            info.value = Some(f64::from(share));
            info
        });
        let done = Rect::from_min_size(rect.min, Vec2::new(rect.width() * share, PROGRESS));
        ui.painter().rect_filled(done, 0.0, scene.palette.accent);
    }
}

fn find_bar(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WebView, tab: &TabId, find: &PageFind) {
    let (palette, words) = (scene.palette, &scene.words.pages);
    let size = [ui.available_width(), CONTROL].into();
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let mut close = icon_button(ui, palette, Icon::X, scene.words.common.close).clicked();
        for (mark, name, forward) in [
            (Icon::ChevronDown, words.find_next, true),
            (Icon::ChevronUp, words.find_previous, false),
        ] {
            if icon_button(ui, palette, mark, name).clicked() {
                let words = find.words.clone();
                send(scene, tab, PageWish::Find { words, forward });
            }
        }
        let count = match find.matches {
            None => String::new(),
            Some(0) => words.found_none.to_owned(),
            Some(n) => fill(words.found, &[("n", &n.to_string())]),
        };
        ui.label(RichText::new(count).size(META).color(palette.text_dim));
        let mut text = find.words.clone();
        let names = (words.find, scene.words.common.close);
        let field = search_field::ui(ui, palette, names, &mut text);
        if std::mem::take(&mut view.focus_find) {
            field.request_focus();
        }
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let enter = field.lost_focus() && pressed(Key::Enter);
        let forward = !(enter && ui.input(|input| input.modifiers.shift));
        close |= field.lost_focus() && pressed(Key::Escape);
        if field.changed() || enter {
            let words = text;
            send(scene, tab, PageWish::Find { words, forward });
        }
        if enter {
            field.request_focus();
        }
        if close {
            send(scene, tab, PageWish::CloseFind);
        }
    });
}

fn not_alive(ui: &mut Ui, scene: &mut Scene<'_>, rect: Rect, tab: &TabId) {
    let words = &scene.words.pages;
    ours(ui, rect, |ui| {
        let text = RichText::new(words.not_alive).size(TEXT);
        ui.add(Label::new(text.color(scene.palette.text_dim)).wrap());
        ui.add_space(2.0 * STEP);
        let load = Button::new(words.load).kind(Kind::Primary);
        if load.show(ui, scene.palette).clicked() {
            send(scene, tab, PageWish::Reload);
        }
    });
}

/// A page of ours in the place of one that could not be loaded.
fn failed(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    rect: Rect,
    (tab, web): (&TabId, &WebTab),
    failure: &PageFailure,
) {
    let palette = scene.palette;
    let (title, text) = said(scene.words, failure.kind);
    let (_, host, _) = parts(&web.url);
    let mut text = fill(text, &[("host", &visible::line(host))]);
    // What it asked for was not opened, and it is still there.
    let stays = failure.kind == FailureKind::Address && web.navigation > 0;
    if stays {
        text = format!("{text} {}", scene.words.pages.stays);
    }
    ours(ui, rect, |ui| {
        ui.label(icon(Icon::CircleAlert, 28.0, palette.attention));
        ui.add_space(2.0 * STEP);
        let title = RichText::new(title)
            .font(fonts::semibold(TITLE))
            .color(palette.text);
        ui.add(Label::new(title).wrap());
        ui.add_space(STEP);
        let text = RichText::new(text).size(TEXT).color(palette.text_dim);
        ui.add(Label::new(text).wrap());
        if !failure.detail.trim().is_empty() {
            ui.add_space(STEP);
            let detail = RichText::new(visible::text(&failure.detail))
                .font(fonts::mono())
                .size(META)
                .color(palette.text_faint);
            ui.add(Label::new(detail).wrap().selectable(true));
        }
        ui.add_space(4.0 * STEP);
        ui.horizontal(|ui| {
            let (name, wish) = if stays {
                (scene.words.pages.go_on, PageWish::GoOn)
            } else {
                (scene.words.pages.reload, PageWish::Reload)
            };
            let again = Button::new(name).kind(Kind::Primary);
            if again.show(ui, palette).clicked() {
                send(scene, tab, wish);
            }
            if stays {
                return;
            }
            let outside = Button::new(scene.words.pages.outside);
            if outside.show(ui, palette).clicked() {
                scene.send(UiCommand::AskLink(web.url.clone()));
            }
        });
    });
}

/// What is said of a failure: a title, and what it means.
fn said(words: &Words, kind: FailureKind) -> (&'static str, &'static str) {
    let words = &words.pages;
    match kind {
        FailureKind::Address => (words.failed_address, words.failed_address_text),
        FailureKind::Name => (words.failed_name, words.failed_name_text),
        FailureKind::Refused => (words.failed_refused, words.failed_refused_text),
        FailureKind::Timeout => (words.failed_timeout, words.failed_timeout_text),
        FailureKind::Certificate => (words.failed_certificate, words.failed_certificate_text),
        FailureKind::Redirects => (words.failed_redirects, words.failed_redirects_text),
        FailureKind::Crashed => (words.failed_crashed, words.failed_crashed_text),
        FailureKind::Host => (words.failed_host, words.failed_host_text),
        FailureKind::Stopped | FailureKind::Other => (words.failed_other, words.failed_other_text),
    }
}

/// A column in the middle of the room, which scrolls where it is too small.
fn ours(ui: &mut Ui, rect: Rect, contents: impl FnOnce(&mut Ui)) {
    let width = (rect.width() - 48.0).clamp(0.0, OURS);
    let column = Rect::from_center_size(rect.center(), Vec2::new(width, rect.height()));
    let builder = UiBuilder::new()
        .max_rect(column)
        .layout(Layout::top_down(Align::Min));
    ui.scope_builder(builder, |ui| {
        ui.set_clip_rect(rect);
        ScrollArea::vertical().show(ui, |ui| {
            ui.add_space((rect.height() * 0.22).max(16.0));
            ui.set_width(width);
            contents(ui);
            ui.add_space(16.0);
        });
    });
}
