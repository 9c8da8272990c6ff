//! Takes one model request from its first try to its last event.
//!
//! It owns what may happen more than once: tries after a failure that may pass, the second question after
//! an empty reply, the second request without reasoning. What one try does is [`super::attempt`]'s.

use tokio::sync::mpsc::Sender;

use crate::protocol::{Failure, NoticeKind, Usage};

use super::assembler::Ending;
use super::attempt::{Attempt, Outcome};
use super::client::Inner;
use super::event::ModelEvent;
use super::request::Request;
use super::retry::{Budget, Verdict, chance};
use super::wording::{Trouble, span};

/// Runs it. Ends early when nobody listens any more.
pub(super) async fn drive(client: &Inner, mut request: Request, events: Sender<ModelEvent>) {
    let mut budget = Budget::new(client.settings.retry);
    let mut asked_again = false;
    let mut spent = Usage::default();
    loop {
        let outcome = Attempt::new(client, &events).run(request.body()).await;
        let last = match outcome {
            Outcome::Ended(Ending::Reply(mut reply), _) => {
                reply.usage = reply.usage.plus(spent);
                ModelEvent::Finished(reply)
            }
            Outcome::Ended(Ending::Empty(usage), _) if !asked_again => {
                asked_again = true;
                spent = spent.plus(usage);
                let notice = "The model answered with nothing and is asked once more.";
                let notice = ModelEvent::Notice(NoticeKind::EmptyReply, notice.to_owned());
                if events.send(notice).await.is_err() {
                    return;
                }
                continue;
            }
            Outcome::Ended(ending, text) => ModelEvent::Failed {
                failure: failure(client, &ending),
                text,
            },
            Outcome::Broken(trouble, text) => {
                if trouble.about_reasoning && request.make_plainer() {
                    let notice = "The model server refused the reasoning that was sent back. \
                                  The conversation goes on without it, and without thinking.";
                    let notice =
                        ModelEvent::Notice(NoticeKind::ReasoningRefused, notice.to_owned());
                    if events.send(notice).await.is_err() {
                        return;
                    }
                    continue;
                }
                match again(&mut budget, &trouble, &events).await {
                    Some(failure) => ModelEvent::Failed { failure, text },
                    None => continue,
                }
            }
        };
        // Nobody listens: there is nobody to tell.
        drop(events.send(last).await);
        return;
    }
}

/// Waits before the next try; gives the failure if there is none.
async fn again(
    budget: &mut Budget,
    trouble: &Trouble,
    events: &Sender<ModelEvent>,
) -> Option<Failure> {
    let failure = trouble.failure.clone();
    if !trouble.transient {
        return Some(failure);
    }
    match budget.next(trouble.asked_wait, chance()) {
        Verdict::Wait(wait) => {
            let retry = ModelEvent::Retry {
                attempt: budget.tries(),
                wait,
                failure: failure.clone(),
            };
            if events.send(retry).await.is_err() {
                return Some(failure);
            }
            tokio::time::sleep(wait).await;
            None
        }
        Verdict::TooLong(wait) => {
            let advice = format!("It asks to wait: send the request again in {}.", span(wait));
            Some(failure.with_advice(advice))
        }
        Verdict::Spent if budget.tries() > 1 => {
            let mut failure = failure;
            failure.message = format!("{} (Tried {} times.)", failure.message, budget.tries());
            Some(failure)
        }
        Verdict::Spent => Some(failure),
    }
}

fn failure(client: &Inner, ending: &Ending) -> Failure {
    match ending {
        Ending::CutEmpty => client.wording.cut_empty(),
        Ending::Filtered => client.wording.filtered(),
        Ending::Exhausted => client.wording.exhausted(),
        Ending::Empty(_) | Ending::Reply(_) => client.wording.empty(),
    }
}
