//! Scenarios: what the scripted model says, and what is expected to come of it.

mod builtin;
mod expect;
mod parse;
mod tag;
mod template;
mod turn;
mod types;

pub use builtin::builtin;
pub use expect::{Expectations, ExpectedCall, FilesAfter, Outcome};
pub use parse::ScenarioError;
pub(crate) use tag::find as find_tag;
pub(crate) use template::{Values, fill, fill_json, uses_results};
pub use turn::{Call, Chunk, Fault, Hold, Repeat, Stream, Times, Turn, TurnUsage};
pub use types::{Choice, Scenario};
