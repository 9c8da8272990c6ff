//! Tools' tickets: claimed when they come, done once the claim is good, answered once.

use wisp_engine::protocol::{
    Op, PageContent, PreviewRequest, Refusal, SessionId, TabAction, TabId, Ticket, TicketId,
    TicketOutcome,
};

use super::super::app::WindowApp;
use super::Wait;
use crate::bridge::Asked;
use crate::pages::{PageCommand, PageText, ReadFailure};
use crate::state::tabs::{Content, WebTab};

/// How long a list waits for pages that are loading, in seconds: then their titles and versions hold longer.
const LIST_WAITS: f64 = 3.0;
/// How long a read waits for its page to be loaded, in seconds.
const READ_WAITS: f64 = 15.0;

/// A claimed ticket.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::window) struct Pending {
    pub(super) ticket: Ticket,
    stage: Stage,
}

/// What a claimed ticket waits for.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// For pages to be loaded, until then.
    Load { until: f64 },
    /// For its page, its tab's version being this.
    Page { tab: TabId, version: u64 },
    /// For the person, or for the page to tell whether they need to be asked.
    Person,
}

impl WindowApp {
    /// A tool needs the window.
    pub(in crate::window) fn take_ticket(&mut self, ticket: Ticket) {
        let op = Op::ClaimTicket {
            session: ticket.session.clone(),
            ticket: ticket.id.clone(),
        };
        self.ask(op, Asked::Claim(ticket));
    }

    /// The claim was good: now it is done.
    pub(in crate::window) fn take_claimed(&mut self, ticket: Ticket) {
        match self.begin_ticket(&ticket) {
            Ok(Begun::Done(outcome)) => self.finish_ticket(&ticket.session, &ticket.id, outcome),
            Ok(Begun::Waits(stage)) => self.pages.pending.push(Pending { ticket, stage }),
            Err(refusal) => self.refuse_ticket(&ticket, refusal),
        }
    }

    /// A ticket is no longer waited for. A question that is on screen for it goes away.
    pub(in crate::window) fn drop_ticket(&mut self, ticket: &TicketId) {
        self.pages.take_pending(ticket);
        self.pages.waits.retain(|_, wait| match wait {
            Wait::Read(id) => id != ticket,
            Wait::Unsaved { ticket: id, .. } => id.as_ref() != Some(ticket),
            Wait::Picture(_) => true,
        });
        self.views.drop_question_of(ticket);
    }

    fn begin_ticket(&mut self, ticket: &Ticket) -> Result<Begun, Refusal> {
        let session = &ticket.session;
        match &ticket.request {
            PreviewRequest::Open { url } => {
                self.open_page(session, url.clone())?;
                Ok(Begun::Done(TicketOutcome::Accepted))
            }
            PreviewRequest::List => Ok(Begun::Waits(Stage::Load {
                until: self.now + LIST_WAITS,
            })),
            PreviewRequest::Read { tab, version } => {
                let web = self.listed_page(session, tab, *version)?;
                if web.failure.is_some() || web.page.is_none() {
                    return Err(Refusal::Unavailable);
                }
                Ok(Begun::Waits(Stage::Load {
                    until: self.now + READ_WAITS,
                }))
            }
            PreviewRequest::Act {
                tab,
                version,
                action,
            } => self.begin_act(ticket, tab, *version, *action),
        }
    }

    fn begin_act(
        &mut self,
        ticket: &Ticket,
        tab: &TabId,
        version: u64,
        action: TabAction,
    ) -> Result<Begun, Refusal> {
        let session = &ticket.session;
        let tabs = self.state.previews.of(session).ok_or(Refusal::NoTab)?;
        let found = tabs.get(tab).ok_or(Refusal::NoTab)?;
        if found.version != version {
            return Err(Refusal::Changed);
        }
        let Content::Web(_) = &found.content else {
            return self.act_on_file(session, tab, action).map(Begun::Done);
        };
        match action {
            TabAction::Reload => self.reload_page(session, tab),
            TabAction::Back | TabAction::Forward => {
                self.travel(tab, action == TabAction::Forward)?;
            }
            TabAction::Close => {
                return Ok(if self.ask_unsaved(session, tab, Some(&ticket.id)) {
                    Begun::Waits(Stage::Person)
                } else {
                    self.close_tab_now(session, tab);
                    Begun::Done(TicketOutcome::Closed)
                });
            }
        }
        Ok(Begun::Done(TicketOutcome::Accepted))
    }

    /// The page of a tab as it was listed.
    fn listed_page(
        &self,
        session: &SessionId,
        tab: &TabId,
        version: u64,
    ) -> Result<&WebTab, Refusal> {
        let tabs = self.state.previews.of(session).ok_or(Refusal::NoTab)?;
        let found = tabs.get(tab).ok_or(Refusal::NoTab)?;
        if found.version != version {
            return Err(Refusal::Changed);
        }
        match &found.content {
            Content::Web(web) => Ok(web),
            _ => Err(Refusal::WrongKind),
        }
    }

    /// Goes on with the tickets that wait for a load. Gives the seconds until one has waited long enough.
    pub(super) fn tick_tickets(&mut self) -> Option<f64> {
        let mut next: Option<f64> = None;
        for pending in std::mem::take(&mut self.pages.pending) {
            let Stage::Load { until } = pending.stage else {
                self.pages.pending.push(pending);
                continue;
            };
            let ticket = pending.ticket.clone();
            match self.loaded(&ticket, self.now >= until) {
                Ok(Some(Begun::Done(outcome))) => {
                    self.finish_ticket(&ticket.session, &ticket.id, outcome);
                }
                Ok(Some(Begun::Waits(stage))) => self.pages.pending.push(Pending { ticket, stage }),
                Ok(None) => {
                    let left = until - self.now;
                    next = Some(next.map_or(left, |next| next.min(left)));
                    self.pages.pending.push(pending);
                }
                Err(refusal) => self.refuse_ticket(&ticket, refusal),
            }
        }
        next
    }

    /// What comes of a ticket that waits for a load. `late`: it has waited long enough.
    fn loaded(&mut self, ticket: &Ticket, late: bool) -> Result<Option<Begun>, Refusal> {
        let PreviewRequest::Read { tab, version } = &ticket.request else {
            let tabs = self.state.previews.of(&ticket.session);
            let loads = |content: &Content| matches!(content, Content::Web(web) if web.loading);
            let busy = tabs.is_some_and(|tabs| tabs.iter().any(|tab| loads(&tab.content)));
            if busy && !late {
                return Ok(None);
            }
            let tabs = tabs.map(crate::state::tabs::Tabs::list).unwrap_or_default();
            return Ok(Some(Begun::Done(TicketOutcome::Tabs { tabs })));
        };
        let web = self.listed_page(&ticket.session, tab, *version)?;
        if web.failure.is_some() {
            return Err(Refusal::Unavailable);
        }
        if web.loading {
            return if late {
                Err(Refusal::Timeout)
            } else {
                Ok(None)
            };
        }
        let (page, navigation) = (web.page.ok_or(Refusal::Unavailable)?, web.navigation);
        let request = self.pages.next_request(Wait::Read(ticket.id.clone()));
        self.pages.send(PageCommand::Read {
            page,
            request,
            version: navigation,
        });
        Ok(Some(Begun::Waits(Stage::Page {
            tab: tab.clone(),
            version: *version,
        })))
    }

    /// A page was read, or was not.
    pub(super) fn take_read(&mut self, ticket: &TicketId, outcome: Result<PageText, ReadFailure>) {
        let Some(place) =
            (self.pages.pending.iter()).position(|pending| pending.ticket.id == *ticket)
        else {
            return;
        };
        let Pending { ticket, stage } = self.pages.pending.remove(place);
        let Stage::Page { tab, version } = stage else {
            return;
        };
        // Between the question and the answer the tab may have gone elsewhere.
        let same = self.listed_page(&ticket.session, &tab, version).map(|_| ());
        match same.and_then(|()| outcome.map_err(refusal_of)) {
            Ok(text) => {
                let outcome = TicketOutcome::Page {
                    page: content_of(text),
                };
                self.finish_ticket(&ticket.session, &ticket.id, outcome);
            }
            Err(refusal) => self.refuse_ticket(&ticket, refusal),
        }
    }

    /// What the person said about closing a tab that a tool wants to close.
    pub(super) fn take_close_answer(&mut self, ticket: &TicketId, closed: bool) {
        if let Some(ticket) = self.pages.take_pending(ticket) {
            let outcome = if closed {
                TicketOutcome::Closed
            } else {
                TicketOutcome::Kept
            };
            self.finish_ticket(&ticket.session, &ticket.id, outcome);
        }
    }

    /// Another session is on screen: what tools were doing with the tabs of the one before is dropped.
    pub(in crate::window) fn leave_session_tabs(&mut self, left: &SessionId) {
        let dropped: Vec<Ticket> = (self.pages.pending.iter())
            .filter(|pending| {
                pending.ticket.session == *left
                    && !matches!(pending.ticket.request, PreviewRequest::List)
            })
            .map(|pending| pending.ticket.clone())
            .collect();
        for ticket in dropped {
            self.drop_ticket(&ticket.id);
            self.refuse_ticket(&ticket, Refusal::Left);
        }
    }

    fn refuse_ticket(&mut self, ticket: &Ticket, refusal: Refusal) {
        let outcome = TicketOutcome::Refused { refusal };
        self.finish_ticket(&ticket.session, &ticket.id, outcome);
    }

    fn finish_ticket(&mut self, session: &SessionId, ticket: &TicketId, outcome: TicketOutcome) {
        let op = Op::FinishTicket {
            session: session.clone(),
            ticket: ticket.clone(),
            outcome,
        };
        self.ask(op, Asked::Outcome);
    }
}

/// How far a ticket got at once.
enum Begun {
    /// To its end.
    Done(TicketOutcome),
    /// It has to wait.
    Waits(Stage),
}

fn refusal_of(failure: ReadFailure) -> Refusal {
    match failure {
        ReadFailure::Changed | ReadFailure::Loading => Refusal::Changed,
        ReadFailure::Timeout => Refusal::Timeout,
        ReadFailure::Failed => Refusal::Unavailable,
    }
}

fn content_of(text: PageText) -> PageContent {
    PageContent {
        url: text.url,
        title: text.title,
        text: text.text,
        links: text.links,
        truncated: text.truncated,
    }
}
