//! What an open call and a card hold.

use eframe::egui::{Label, RichText, ScrollArea, Ui};
use wisp_engine::protocol::{ApprovalRequest, Detail};

use crate::state::transcript::{Call, CallState, Run, Step};
use crate::text::visible;
use crate::theme::fonts;
use crate::window::scene::Scene;

/// What is kept of open bodies.
#[derive(Debug, Default)]
pub struct Bodies;

/// What is kept of a card's content.
#[derive(Debug, Default)]
pub struct CardContent;

/// Draws an open call.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    _bodies: &mut Bodies,
    _run: &Run,
    _step: &Step,
    call: &Call,
) {
    let mut text = call.arguments.clone();
    if let CallState::Ended(report) = &call.state {
        text = format!("{text}\n{report:?}");
    }
    ui.add(
        Label::new(
            RichText::new(visible::text(&text))
                .font(fonts::mono())
                .color(scene.palette.text_dim),
        )
        .wrap(),
    );
}

/// Draws a card's content, at most so high.
pub(super) fn card_content(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    _content: &mut CardContent,
    request: &ApprovalRequest,
    height: f32,
) {
    ScrollArea::vertical()
        .id_salt("card")
        .max_height(height)
        .show(ui, |ui| {
            for detail in &request.details {
                let text = match detail {
                    Detail::Fact { .. } => continue,
                    Detail::Text { text, .. } => text.clone(),
                    Detail::Change { old, new } => format!("- {old}\n+ {new}"),
                };
                ui.add(
                    Label::new(
                        RichText::new(visible::text(&text))
                            .font(fonts::mono())
                            .color(scene.palette.text),
                    )
                    .wrap(),
                );
            }
        });
}
