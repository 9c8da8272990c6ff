//! The one place that makes permits.

use std::collections::HashMap;
use std::future::Future;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::protocol::{Decision, Mode};
use crate::support::json;

use super::policy::{Verdict, verdict};
use super::{Access, Permit};

/// Puts a question to the user and waits for the answer.
pub(crate) trait Asker<Question> {
    /// `None` when the run ended before an answer came. An answer is given to one question only.
    fn ask(
        &self,
        question: Question,
        cancel: &CancellationToken,
    ) -> impl Future<Output = Option<Decision>> + Send;
}

/// Stands before every call of one run and remembers what was denied in it.
#[derive(Debug)]
pub(crate) struct Gate {
    mode: Mode,
    denied: HashMap<CallShape, Denial>,
}

/// A tool and its arguments in canonical form: what makes two calls the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallShape(String);

impl CallShape {
    /// Of a call whose arguments parsed.
    pub(crate) fn new(tool: &str, arguments: &Map<String, Value>) -> Self {
        Self(format!(
            "{tool} {}",
            json::canonical(&Value::Object(arguments.clone()))
        ))
    }

    /// Of a call whose arguments didn't.
    pub(crate) fn unparsed(tool: &str, arguments: &str) -> Self {
        Self(format!("{tool} {arguments}"))
    }
}

/// The user's no.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Denial {
    /// Why, if a reason was given.
    pub(crate) reason: Option<String>,
}

/// What the gate says.
#[derive(Debug)]
pub(crate) enum Passage {
    /// It may run, once.
    Granted(Permit),
    /// The user said no.
    Denied(Denial),
    /// The run ended while the question was open.
    Cancelled,
}

impl Gate {
    /// For a run of a session in this mode.
    pub(crate) fn new(mode: Mode) -> Self {
        Self {
            mode,
            denied: HashMap::new(),
        }
    }

    /// The earlier denial, when the same call was denied before in this run.
    pub(crate) fn denied_before(&self, shape: &CallShape) -> Option<Denial> {
        self.denied.get(shape).cloned()
    }

    /// Lets a call through, by the rules or by the user's word. `question` is made only when it is asked.
    /// A changing call without a question to ask is denied: a broken rule means deny.
    pub(crate) async fn pass<Q>(
        &mut self,
        shape: &CallShape,
        access: Access,
        question: Option<Q>,
        asker: &impl Asker<Q>,
        cancel: &CancellationToken,
    ) -> Passage {
        match verdict(self.mode, access) {
            Verdict::Run => Passage::Granted(Permit::grant(access)),
            Verdict::Ask => {
                let Some(question) = question else {
                    return Passage::Denied(Denial {
                        reason: Some("The tool gave nothing to show the user.".to_owned()),
                    });
                };
                match asker.ask(question, cancel).await {
                    Some(Decision::Approve) => Passage::Granted(Permit::grant(access)),
                    Some(Decision::Deny { reason }) => {
                        let denial = Denial { reason };
                        self.denied.insert(shape.clone(), denial.clone());
                        Passage::Denied(denial)
                    }
                    None => Passage::Cancelled,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    struct Says(Option<Decision>, AtomicU32);

    impl Asker<()> for Says {
        async fn ask(&self, (): (), _: &CancellationToken) -> Option<Decision> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.clone()
        }
    }

    async fn pass(
        access: Access,
        question: Option<()>,
        says: Option<Decision>,
    ) -> (Passage, u32, Gate) {
        let mut gate = Gate::new(Mode::Chat);
        let asker = Says(says, AtomicU32::new(0));
        let passage = gate
            .pass(
                &CallShape::unparsed("t", "{}"),
                access,
                question,
                &asker,
                &CancellationToken::new(),
            )
            .await;
        let times = asker.1.load(Ordering::Relaxed);
        (passage, times, gate)
    }

    #[tokio::test]
    async fn reading_is_not_asked_and_changing_is() {
        let (passage, asked, _) = pass(Access::ReadInside, None, None).await;
        assert!(matches!(passage, Passage::Granted(_)));
        assert_eq!(asked, 0);
        let (passage, asked, _) =
            pass(Access::ChangeInside, Some(()), Some(Decision::Approve)).await;
        assert!(
            matches!(passage, Passage::Granted(permit) if permit.access() == Access::ChangeInside)
        );
        assert_eq!(asked, 1);
    }

    #[tokio::test]
    async fn a_denial_is_remembered_for_the_same_call_only() {
        let deny = Decision::Deny {
            reason: Some("not now".to_owned()),
        };
        let (passage, _, gate) = pass(Access::ChangeInside, Some(()), Some(deny)).await;
        assert!(
            matches!(passage, Passage::Denied(denial) if denial.reason.as_deref() == Some("not now"))
        );
        assert_eq!(
            gate.denied_before(&CallShape::unparsed("t", "{}")),
            Some(Denial {
                reason: Some("not now".to_owned())
            })
        );
        assert_eq!(gate.denied_before(&CallShape::unparsed("t", "{ }")), None);
    }

    #[tokio::test]
    async fn a_change_without_a_question_is_denied_unasked() {
        let (passage, asked, _) = pass(Access::ChangeInside, None, Some(Decision::Approve)).await;
        assert!(matches!(passage, Passage::Denied(_)));
        assert_eq!(asked, 0);
    }

    #[test]
    fn the_order_of_arguments_makes_no_other_call() {
        let parse = |text| serde_json::from_str::<Map<String, Value>>(text).unwrap();
        assert_eq!(
            CallShape::new("t", &parse(r#"{"a":1,"b":2}"#)),
            CallShape::new("t", &parse(r#"{"b":2,"a":1}"#))
        );
    }
}
