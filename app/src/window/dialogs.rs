//! What lies over the window: the palette, small questions, short words at the edge.

use eframe::egui::{
    Align, Align2, Area, Context, CornerRadius, Frame, Id, Key, Label, LayerId, Layout, Margin,
    Modal, Order, RichText, Role, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, vec2,
};
use wisp_engine::protocol::{SessionId, TabId, TicketId};

use super::pages::questions;
use super::palette::{self, PaletteView};
use super::scene::Scene;
use super::unsaved;
use super::views::Views;
use crate::commands::{TabCommand, UiCommand};
use crate::pages::Download;
use crate::state::toasts::ToastKind;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, CONTROL, ROW, TEXT};
use crate::widgets::button::{Button, Kind, icon_button};

/// The dialog that is open.
#[derive(Debug)]
pub enum Dialog {
    /// All commands.
    Palette(PaletteView),
    /// A session's new title.
    Rename {
        /// The session.
        session: SessionId,
        /// What is typed.
        title: String,
    },
    /// Whether to open this address outside.
    Link(String),
    /// Whether to let go of what was typed into a file.
    Unsaved {
        /// What is done then.
        then: TabCommand,
        /// The file's name.
        name: String,
    },
    /// Whether to keep a download that a page offers.
    Download {
        /// The page's tab.
        tab: TabId,
        /// The download.
        download: Download,
    },
    /// Whether to close a page that something was typed into.
    LeavePage {
        /// The tab.
        tab: TabId,
        /// The ticket of the tool that wants it.
        ticket: Option<TicketId>,
    },
    /// Whether to leave with so many files that were not saved.
    Quit(usize),
}

/// The width of a toast's mark and its cross with the room between them, in points.
const TOAST_CROSS: f32 = 60.0;
/// The same with the button that undoes.
const TOAST_UNDO: f32 = 120.0;

/// Draws the dialog that is open, if one is.
pub(super) fn show(context: &Context, scene: &mut Scene<'_>, views: &mut Views) {
    let Some(mut dialog) = views.dialog.take() else {
        // Whoever was typing goes on typing. Not in the frame in which the dialog closes: until the next one egui
        // gives nothing below it the keyboard.
        if let Some(id) = views.focus_again.take()
            && context.memory(eframe::egui::Memory::focused).is_none()
        {
            context.memory_mut(|memory| memory.request_focus(id));
        }
        return;
    };
    if !std::mem::replace(&mut views.dialog_drawn, true) {
        views.focus_before = context.memory(eframe::egui::Memory::focused);
        // What is typed from now on is for the dialog: a field behind it would take Enter and send something.
        if let Some(id) = views.focus_before {
            context.memory_mut(|memory| memory.surrender_focus(id));
        }
    }
    let palette = scene.palette;
    let top = matches!(dialog, Dialog::Palette(_));
    // An area keeps its last size, so that each kind of dialog has its own.
    let id = Id::unique(("dialog", std::mem::discriminant(&dialog)));
    let mut area = Modal::default_area(id);
    if top {
        area = area.anchor(Align2::CENTER_TOP, [0.0, 80.0]);
    }
    let frame = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::same(if top { 8 } else { 16 }));
    let response = Modal::new(id)
        .area(area)
        .frame(frame)
        .backdrop_color(palette.shadow)
        .show(context, |ui| match &mut dialog {
            Dialog::Palette(view) => palette::show(ui, scene, view),
            Dialog::Rename { session, title } => rename(ui, scene, session, title),
            Dialog::Link(address) => link(ui, scene, address),
            Dialog::Unsaved { then, name } => unsaved::ask(ui, scene, then, name),
            Dialog::Download { tab, download } => questions::download(ui, scene, tab, download),
            Dialog::LeavePage { tab, ticket } => questions::leave(ui, scene, tab, ticket.as_ref()),
            Dialog::Quit(files) => unsaved::ask_to_quit(ui, scene, *files),
        });
    if !response.inner && !response.should_close() && views.dialog.is_none() {
        views.dialog = Some(dialog);
    } else {
        if !response.inner {
            scene.commands.extend(unanswered(&dialog));
        }
        views.focus_again = views.focus_before.take();
        views.dialog_drawn = false;
        context.memory_mut(|memory| {
            if let Some(field) = memory.focused() {
                memory.surrender_focus(field);
            }
        });
        context.request_repaint();
    }
}

/// A question that is closed without an answer has the careful one.
fn unanswered(dialog: &Dialog) -> Option<UiCommand> {
    match dialog {
        Dialog::Download { tab, download } => {
            Some(questions::answer_download(tab, download, false))
        }
        Dialog::LeavePage { tab, ticket } => {
            Some(questions::answer_leave(tab, ticket.as_ref(), false))
        }
        _ => None,
    }
}

/// Asks for a title. Tells whether it is done.
fn rename(ui: &mut Ui, scene: &mut Scene<'_>, session: &SessionId, title: &mut String) -> bool {
    let (palette, words) = (scene.palette, scene.words);
    ui.set_width(380.0);
    heading(ui, scene, words.commands.rename_session);
    let field = TextEdit::singleline(title)
        .desired_width(f32::INFINITY)
        .char_limit(200)
        .margin(Margin::symmetric(8, 6));
    let field = ui.add(field);
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, words.commands.rename_session));
    let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if !field.has_focus() && !enter {
        field.request_focus();
    }
    let mut done = false;
    ui.add_space(8.0);
    answers(ui, |ui| {
        let can = !title.trim().is_empty();
        let save = Button::new(words.common.save)
            .kind(Kind::Primary)
            .enabled(can);
        if (save.show(ui, palette).clicked() || enter) && can {
            scene.send(UiCommand::Rename {
                session: session.clone(),
                title: title.trim().to_owned(),
            });
            done = true;
        }
        done |= Button::new(words.common.cancel).show(ui, palette).clicked();
    });
    done
}

/// Asks whether to leave the window for an address.
fn link(ui: &mut Ui, scene: &mut Scene<'_>, address: &str) -> bool {
    let (palette, words) = (scene.palette, scene.words);
    ui.set_width(460.0);
    heading(ui, scene, words.dialogs.open_link);
    let text = RichText::new(visible::line(address))
        .font(fonts::mono())
        .color(palette.text);
    ui.add(Label::new(text).wrap().selectable(true));
    let text = RichText::new(words.dialogs.open_link_text)
        .size(ROW)
        .color(palette.text_dim);
    ui.add(Label::new(text).wrap());
    ui.add_space(8.0);
    let mut done = false;
    answers(ui, |ui| {
        let can = address.starts_with("https://") || address.starts_with("http://");
        let open = Button::new(words.dialogs.open_outside)
            .icon(Icon::ExternalLink)
            .kind(Kind::Primary);
        if open.enabled(can).show(ui, palette).clicked() {
            scene.send(UiCommand::OpenLink(address.to_owned()));
            done = true;
        }
        if Button::new(words.common.copy).show(ui, palette).clicked() {
            scene.send(UiCommand::Copy(address.to_owned()));
            done = true;
        }
        done |= Button::new(words.common.cancel).show(ui, palette).clicked();
    });
    done
}

/// The buttons at a dialog's end, the first one at the right. As high as they are: a dialog is as high as the one
/// before it until it is laid out, and a layout would take all of that.
pub(super) fn answers(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let size = vec2(ui.available_width(), CONTROL);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), add);
}

pub(super) fn heading(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    ui.label(
        RichText::new(text)
            .font(fonts::semibold(TEXT + 1.0))
            .color(scene.palette.text),
    );
    ui.add_space(4.0);
}

/// Says, while something is dragged over the window, what it may be dropped for.
pub(super) fn drop_hint(context: &Context, scene: &Scene<'_>) {
    if context.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let palette = scene.palette;
    let whole = context.content_rect();
    let id = Id::unique("drop-hint");
    let painter = context.layer_painter(LayerId::new(Order::Foreground, id));
    let corner = CornerRadius::same(CARD_CORNER);
    painter.rect_filled(whole, CornerRadius::ZERO, palette.shadow);
    let edge = Stroke::new(2.0, palette.accent);
    painter.rect_stroke(whole.shrink(8.0), corner, edge, StrokeKind::Inside);
    Area::new(id)
        .order(Order::Foreground)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .interactable(false)
        .show(context, |ui| {
            Frame::new()
                .fill(palette.card)
                .stroke(Stroke::new(1.0, palette.line))
                .corner_radius(corner)
                .inner_margin(Margin::symmetric(16, 12))
                .show(ui, |ui| {
                    ui.horizontal(|ui| {
                        ui.label(icon(Icon::FolderOpen, 20.0, palette.accent));
                        let text = RichText::new(scene.words.chat.drop_here).color(palette.text);
                        ui.add(Label::new(text).extend());
                    });
                });
        });
}

/// Draws the short words at the upper right, where they cover neither the message nor a card.
pub(super) fn toasts(context: &Context, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    if scene.state.toasts.all().is_empty() {
        return;
    }
    Area::new(Id::unique("toasts"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_TOP, [-16.0, 52.0])
        .show(context, |ui| {
            ui.set_width(360.0);
            for toast in scene.state.toasts.all().to_vec() {
                let (mark, colour) = match toast.kind {
                    ToastKind::Good => (Icon::Check, palette.good),
                    ToastKind::Note => (Icon::Info, palette.attention),
                    ToastKind::Bad => (Icon::CircleAlert, palette.bad),
                    ToastKind::Deleted(_) => (Icon::Trash2, palette.text_dim),
                };
                Frame::new()
                    .fill(palette.card)
                    .stroke(Stroke::new(1.0, palette.line))
                    .corner_radius(CornerRadius::same(CARD_CORNER))
                    .inner_margin(Margin::symmetric(12, 8))
                    .show(ui, |ui| {
                        let text = visible::text(&toast.text);
                        // As high as its words: with several toasts a layout would take all there is.
                        let size = vec2(ui.available_width(), toast_height(ui, &text, &toast.kind));
                        let middle = Layout::right_to_left(Align::Center);
                        ui.allocate_ui_with_layout(size, middle, |ui| {
                            if icon_button(ui, palette, Icon::X, scene.words.common.close).clicked()
                            {
                                scene.send(UiCommand::Dismiss(toast.id));
                            }
                            if let ToastKind::Deleted(session) = &toast.kind {
                                let undo = Button::new(scene.words.common.undo);
                                if undo.show(ui, palette).clicked() {
                                    scene.send(UiCommand::Undelete(session.clone()));
                                }
                            }
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                ui.label(icon(mark, 16.0, colour));
                                let text = RichText::new(text).size(ROW).color(palette.text);
                                ui.add(Label::new(text).wrap());
                            });
                        });
                    });
            }
        });
}

/// The height of a toast's words beside its mark and its buttons, in points.
fn toast_height(ui: &Ui, text: &str, kind: &ToastKind) -> f32 {
    let beside = match kind {
        ToastKind::Deleted(_) => TOAST_UNDO,
        _ => TOAST_CROSS,
    };
    let room = (ui.available_width() - beside).max(0.0);
    let colour = ui.visuals().text_color();
    let words = (ui.painter()).layout(text.to_owned(), fonts::text(ROW), colour, room);
    words.size().y.max(CONTROL)
}
