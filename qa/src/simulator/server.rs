//! The server itself: its thread, its address, and the way of a request through it.

use std::{
    hash::{BuildHasher, RandomState},
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, Response, header},
    serve::ListenerExt,
};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::sync::oneshot;

use super::{
    book::{Accepted, Book},
    feed,
    holds::Holds,
    log::{Delivery, Log, Recorder, RequestLog, Rule, Violation},
    plan::{self, Plan},
    reply::{Reply, quotes_results},
};
use crate::scenario::{Scenario, Turn, Values};

/// No request of an honest client is larger: 16 MiB, some four million tokens.
pub const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// What is said when a scenario has no more turns, or when there is none to play.
const NOTHING_LEFT: &str =
    "I'm the scripted model, a simulation, and this scenario has nothing more to say.";

/// The scripted model: a server on loopback, on a thread of its own. It stops when it is dropped.
#[derive(Debug)]
pub struct Simulator {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    scenarios: Vec<Scenario>,
    tags: String,
    /// Its own address, without a path.
    server: String,
    book: Mutex<Book>,
    holds: Arc<Holds>,
    recorder: Arc<Recorder>,
}

/// What is sent, and what a test may stop before.
struct Decision {
    plan: Plan,
    hold: Option<String>,
    entry: RequestLog,
}

impl Simulator {
    /// Starts it on 127.0.0.1, on this port or, with 0, on any free one.
    pub fn start(scenarios: Vec<Scenario>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        // Marks the calls of this very server, so that it knows them again.
        let mark = RandomState::new().hash_one(address);
        let shared = Arc::new(Shared {
            tags: tags(&scenarios),
            server: format!("http://{address}"),
            scenarios,
            book: Mutex::new(Book::new(mark)),
            holds: Arc::default(),
            recorder: Arc::default(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let server = serve(listener, Arc::clone(&shared));
        let thread = std::thread::Builder::new()
            .name("wisp-simulator".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        _ = server => {}
                        _ = stopped => {}
                    }
                });
            })?;
        Ok(Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// What a client takes as its base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What happened so far.
    pub fn log(&self) -> Log {
        self.shared.recorder.snapshot()
    }

    /// Waits until a stream has reached a `hold` point; false when the time is over before.
    pub fn wait_for(&self, point: &str, deadline: Duration) -> bool {
        self.shared.holds.wait_for(point, deadline)
    }

    /// Lets the streams at a `hold` point go on, and all that come to it later.
    pub fn release(&self, point: &str) {
        self.shared.holds.release(point);
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the server was printed by its thread; there is nothing to add here.
            let _joined = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) -> io::Result<()> {
    let recorder = Arc::clone(&shared.recorder);
    let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(move |stream| {
        recorder.connection();
        // Without it small pieces are held back and sent together; nothing breaks if it fails.
        let _set = stream.set_nodelay(true);
    });
    let router = Router::new().fallback(handle).with_state(shared);
    axum::serve(listener, router).await
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let path = path.strip_prefix("/v1").unwrap_or(path);
    if parts.method == Method::GET
        && let Some(response) = shown(path)
    {
        return response;
    }
    let (status, violation) = match (path, &parts.method) {
        ("/models", &Method::GET) => {
            return feed::response(plan::models(), &shared.holds, &shared.recorder, usize::MAX);
        }
        ("/chat/completions", &Method::POST) => match to_bytes(body, MAX_BODY_BYTES).await {
            Ok(body) => return shared.completions(&parts.headers, body).await,
            Err(_) => (
                413,
                Violation::new(
                    Rule::Size,
                    format!("the body is over {MAX_BODY_BYTES} bytes"),
                ),
            ),
        },
        ("/chat/completions", method) => (
            405,
            Violation::new(Rule::Method, format!("{method} where POST is due")),
        ),
        (_, method) => (
            404,
            Violation::new(Rule::Path, format!("there is no {method} {path}")),
        ),
    };
    shared.refuse(status, violation, 0)
}

/// A page for a browser; `None` for a path that is none.
fn shown(path: &str) -> Option<Response<Body>> {
    let (status, html) = match path {
        // A browser asks for it by itself.
        "/favicon.ico" => (404, ""),
        path => (200, crate::pages::page(path)?.html),
    };
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .body(Body::from(html))
        .ok()
}

impl Shared {
    async fn completions(&self, headers: &HeaderMap, body: Bytes) -> Response<Body> {
        let decided = self.decide(headers, &body);
        let size = body.len();
        drop(body);
        match decided {
            Err(violation) => self.refuse(400, violation, size),
            Ok(decision) => {
                let request = self.recorder.request(decision.entry);
                if let Some(point) = &decision.hold {
                    let mut left = LeftBefore(&self.recorder, Some(request));
                    self.holds.pass(point).await;
                    left.1 = None;
                }
                feed::response(decision.plan, &self.holds, &self.recorder, request)
            }
        }
    }

    fn refuse(&self, status: u16, violation: Violation, bytes: usize) -> Response<Body> {
        let request = self.recorder.request(RequestLog {
            scenario: String::new(),
            turn: 0,
            attempt: 0,
            bytes,
            messages: 0,
            status,
            delivery: Delivery::Open,
        });
        let words = format!(
            "The scripted model refuses this request: {}.",
            violation.message
        );
        self.recorder.violation(violation);
        let plan = Plan::error(status, "invalid_request_error", &words);
        feed::response(plan, &self.holds, &self.recorder, request)
    }

    fn decide(&self, headers: &HeaderMap, body: &Bytes) -> Result<Decision, Violation> {
        let text = std::str::from_utf8(body).map_err(|error| {
            Violation::new(Rule::Json, format!("the body is no UTF-8: {error}"))
        })?;
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let accepted = book.take(body, text, &self.scenarios)?;
        let scenario = accepted
            .play
            .scenario
            .and_then(|number| self.scenarios.get(number));
        let mut entry = RequestLog {
            scenario: scenario.map_or_else(String::new, |scenario| scenario.name.clone()),
            turn: accepted.track.turn + 1,
            attempt: book.attempt(&accepted),
            bytes: body.len(),
            messages: accepted.track.messages,
            status: 200,
            delivery: Delivery::Open,
        };
        if let Some(plan) =
            scenario.and_then(|scenario| refusal(scenario, headers, &accepted, &mut book))
        {
            entry.status = plan.status();
            return Ok(Decision {
                plan,
                hold: None,
                entry,
            });
        }
        let over = Turn {
            text: NOTHING_LEFT.to_owned(),
            ..Turn::default()
        };
        let (turn, round) = scenario
            .and_then(|scenario| scenario.turn(accepted.track.turn, accepted.play.rounds))
            .unwrap_or((&over, 1));
        let results = if quotes_results(turn) {
            last_results(text)
        } else {
            Vec::new()
        };
        let values = Values {
            round,
            copy: 1,
            results: &results,
            tags: &self.tags,
            server: &self.server,
        };
        let thinking =
            accepted.settings.thinking != Some(false) && !book.is_refused(accepted.track.start);
        let id = format!(
            "{}{:x}{:04x}_",
            book.call_prefix(),
            accepted.track.messages,
            accepted.key.1 & 0xffff
        );
        let reply = Reply::new(turn, &values, &id, thinking);
        let fault = turn
            .fault
            .as_ref()
            .filter(|fault| fault.strikes(entry.attempt));
        let usage = turn.usage.or(reply.usage(body.len(), accepted.former));
        book.sent(accepted.key, reply.sent(fault.is_none()));
        let plan = Plan::new(turn, &reply, usage, fault);
        entry.status = plan.status();
        Ok(Decision {
            plan,
            hold: turn.hold.before.clone(),
            entry,
        })
    }
}

/// Notes a client that left while its answer was held back.
struct LeftBefore<'a>(&'a Recorder, Option<usize>);

impl Drop for LeftBefore<'_> {
    fn drop(&mut self) {
        if let Some(request) = self.1 {
            self.0.delivered(request, Delivery::Left);
        }
    }
}

/// The answer to a request that the scenario itself refuses: a wrong key, unwanted reasoning.
fn refusal(
    scenario: &Scenario,
    headers: &HeaderMap,
    accepted: &Accepted,
    book: &mut Book,
) -> Option<Plan> {
    if let Some(key) = &scenario.require_key {
        let given = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        if given != key {
            // Real servers quote the key as well; a client must blank it.
            let words = format!("Scripted refusal: the API key {given} isn't the right one.");
            return Some(Plan::error(401, "authentication_error", &words));
        }
    }
    if scenario.refuse_reasoning {
        let track = &accepted.track;
        if track.replies == 0 {
            book.set_refused(track.start, false);
        } else if track.carries_reasoning || accepted.settings.thinking == Some(true) {
            book.set_refused(track.start, true);
            let words = "Scripted refusal: reasoning_content is not accepted in the messages here; leave it out and turn thinking off.";
            return Some(Plan::error(400, "invalid_request_error", words));
        }
    }
    None
}

/// What the tools of the last batch gave back, in order.
fn last_results(text: &str) -> Vec<Value> {
    #[derive(Deserialize)]
    struct Conversation<'a> {
        #[serde(borrow)]
        messages: Vec<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Answer {
        role: String,
        content: String,
    }
    let Ok(conversation) = serde_json::from_str::<Conversation<'_>>(text) else {
        return Vec::new();
    };
    let mut results: Vec<Value> = conversation
        .messages
        .iter()
        .rev()
        .map_while(|raw| serde_json::from_str::<Answer>(raw.get()).ok())
        .take_while(|answer| answer.role == "tool")
        .map(|answer| {
            serde_json::from_str(&answer.content).unwrap_or(Value::String(answer.content))
        })
        .collect();
    results.reverse();
    results
}

fn tags(scenarios: &[Scenario]) -> String {
    scenarios
        .iter()
        .filter_map(|scenario| {
            Some(format!(
                "- `{}` {}",
                scenario.tag.as_deref()?,
                scenario.title
            ))
        })
        .collect::<Vec<_>>()
        .join("\n")
}
