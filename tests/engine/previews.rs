//! The tools for tabs through the engine's queues: tickets that are claimed late, twice, from elsewhere or
//! not at all open nothing, and nothing of them is stored.

use wisp_engine::protocol::{
    Answer, CallStatus, EventMsg, FailureKind, Op, PreviewRequest, RunOutcome, SessionId, Ticket,
    TicketOutcome, ToolErrorKind, Update,
};
use wisp_tests::{Desk, Say, outcome, statuses};

const OPEN: &str = r#"{"url": "http://127.0.0.1:9/a?b=c"}"#;

fn call(desk: &Desk, session: &SessionId, tool: &str, arguments: &str) {
    desk.submit(Op::CallTool {
        session: session.clone(),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
    });
}

fn approve(desk: &mut Desk, session: &SessionId) {
    let asked = desk.until(|msg| matches!(msg, EventMsg::ApprovalRequested { .. }));
    let Some(EventMsg::ApprovalRequested { approval, .. }) = asked.last().map(|event| &event.msg)
    else {
        panic!("nobody was asked");
    };
    desk.submit(Op::Decide {
        session: session.clone(),
        approval: approval.id.clone(),
        decision: Say::Approve.decision(),
    });
}

fn ticket(desk: &mut Desk) -> Ticket {
    loop {
        if let Update::Ticket { ticket } = desk.update() {
            return ticket;
        }
    }
}

fn claim(session: &SessionId, ticket: &Ticket) -> Op {
    Op::ClaimTicket {
        session: session.clone(),
        ticket: ticket.id.clone(),
    }
}

fn finish(session: &SessionId, ticket: &Ticket, outcome: TicketOutcome) -> Op {
    Op::FinishTicket {
        session: session.clone(),
        ticket: ticket.id.clone(),
        outcome,
    }
}

#[test]
fn a_ticket_comes_after_the_yes_and_is_good_once_and_for_its_session_only() {
    let mut desk = Desk::default();
    desk.show_window();
    let (session, other) = (desk.session(), desk.session());
    call(&desk, &session, "open_webpage", OPEN);
    approve(&mut desk, &session);
    let ticket = ticket(&mut desk);
    assert_eq!(ticket.session, session);
    assert!(
        matches!(&ticket.request, PreviewRequest::Open { url } if url == "http://127.0.0.1:9/a?b=c")
    );
    assert_eq!(
        desk.refused(claim(&other, &ticket)).kind,
        FailureKind::NotFound
    );
    let early = finish(&session, &ticket, TicketOutcome::Accepted);
    assert_eq!(desk.refused(early).kind, FailureKind::NotFound);
    assert_eq!(desk.ask(claim(&session, &ticket)), Answer::Ok);
    assert_eq!(
        desk.refused(claim(&session, &ticket)).kind,
        FailureKind::NotFound
    );
    desk.submit(finish(&session, &ticket, TicketOutcome::Accepted));
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    assert_eq!(statuses(&events), [CallStatus::Done]);
    let again = finish(&session, &ticket, TicketOutcome::Accepted);
    assert_eq!(desk.refused(again).kind, FailureKind::NotFound);
    // Nothing opens by itself after a restart.
    desk.restart();
    assert_eq!(
        desk.refused(claim(&session, &ticket)).kind,
        FailureKind::NotFound
    );
}

#[test]
fn a_denied_page_makes_no_ticket() {
    let mut desk = Desk::default();
    desk.show_tabs();
    let session = desk.session();
    call(&desk, &session, "open_webpage", OPEN);
    let events = desk.to_the_end(&session, |_| Say::Deny);
    assert_eq!(statuses(&events), [CallStatus::Denied]);
    assert!(desk.tabs.as_ref().unwrap().list().is_empty());
}

#[test]
fn a_cancelled_run_takes_its_ticket_back() {
    let mut desk = Desk::default();
    desk.show_window();
    let session = desk.session();
    call(&desk, &session, "list_preview_tabs", "{}");
    let ticket = ticket(&mut desk);
    desk.submit(Op::CancelRun {
        session: session.clone(),
        run: None,
    });
    let mut dropped = false;
    let mut ended = None;
    while !dropped || ended.is_none() {
        match desk.update() {
            Update::TicketDropped { ticket: id, .. } => dropped |= id == ticket.id,
            Update::Event(event) => {
                if let EventMsg::RunFinished { outcome, .. } = event.msg {
                    ended = Some(outcome);
                }
            }
            _ => {}
        }
    }
    assert_eq!(ended, Some(RunOutcome::Cancelled));
    assert_eq!(
        desk.refused(claim(&session, &ticket)).kind,
        FailureKind::NotFound
    );
}

#[test]
fn without_a_window_the_tools_say_so_and_nobody_is_asked() {
    let mut desk = Desk::default();
    let session = desk.session();
    for (tool, arguments) in [
        ("open_webpage", OPEN),
        ("list_preview_tabs", "{}"),
        ("read_webpage", r#"{"tabId": "t"}"#),
        ("preview_tab_action", r#"{"tabId": "t", "action": "close"}"#),
    ] {
        call(&desk, &session, tool, arguments);
        let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
        assert_eq!(outcome(&events), RunOutcome::Done, "{tool}");
        let report = events.iter().find_map(|event| match &event.msg {
            EventMsg::CallFinished { report, .. } => Some(report.clone()),
            EventMsg::ApprovalRequested { .. } => panic!("{tool} asked"),
            _ => None,
        });
        let error = report.unwrap().error.unwrap();
        assert_eq!(error.kind, ToolErrorKind::Unsupported, "{tool}");
        assert!(error.message.contains("no window"), "{}", error.message);
    }
}

#[test]
fn another_sessions_tab_is_no_tab_of_this_one() {
    let mut desk = Desk::default();
    desk.show_tabs();
    let (session, other) = (desk.session(), desk.session());
    call(&desk, &session, "open_webpage", OPEN);
    desk.to_the_end(&session, |_| Say::Approve);
    call(&desk, &session, "list_preview_tabs", "{}");
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    let listed = events.iter().find_map(|event| match &event.msg {
        EventMsg::CallFinished { report, .. } => report.result.clone(),
        _ => None,
    });
    let listed = listed.unwrap();
    assert_eq!(listed["tabs"][0]["url"], "http://127.0.0.1:9/a");
    let arguments = format!(
        r#"{{"tabId": {}, "action": "close"}}"#,
        listed["tabs"][0]["tabId"]
    );
    call(&desk, &other, "preview_tab_action", &arguments);
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    assert_eq!(statuses(&events), [CallStatus::Failed]);
    assert_eq!(desk.tabs.as_ref().unwrap().list().len(), 1);
}
