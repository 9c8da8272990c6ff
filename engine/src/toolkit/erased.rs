//! Tools of different types behind one face, so that a run can hold them in one list.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::permission::{Access, Permit};
use crate::protocol::{Mode, ToolDescription};

use super::schema;
use super::{Card, Tool, ToolContext, ToolError, ToolResult};

/// Any tool. Implemented for every [`Tool`], never by hand.
pub(crate) trait AnyTool: Send + Sync {
    /// The name the model calls it by.
    fn name(&self) -> &'static str;
    /// What a call touches at the most.
    fn access(&self) -> Access;
    /// Whether it exists only in a session with a folder.
    fn needs_folder(&self) -> bool;
    /// What the model is told of it.
    fn describe(&self, mode: Mode) -> ToolDescription;
    /// Parses and prepares. See [`Tool::prepare`].
    fn prepare(
        self: Arc<Self>,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> BoxFuture<'_, ToolResult<PreparedCall>>;
}

/// A call that is ready to run, once it may.
pub(crate) struct PreparedCall {
    /// What the user is shown where the rules say ask.
    pub(crate) card: Option<Card>,
    /// Arguments that the tool doesn't know and passed over.
    pub(crate) unknown_arguments: Vec<String>,
    /// Does it.
    pub(crate) run: RunCall,
}

/// Runs a prepared call, once.
pub(crate) type RunCall =
    Box<dyn FnOnce(Permit, ToolContext) -> BoxFuture<'static, ToolResult<Value>> + Send>;

impl<T: Tool> AnyTool for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn access(&self) -> Access {
        T::ACCESS
    }

    fn needs_folder(&self) -> bool {
        T::NEEDS_FOLDER
    }

    fn describe(&self, mode: Mode) -> ToolDescription {
        ToolDescription {
            name: T::NAME.to_owned(),
            description: T::DESCRIPTION.to_owned(),
            input_schema: schema::of::<T::Input>(),
            requires_approval: crate::permission::policy::verdict(mode, T::ACCESS)
                == crate::permission::policy::Verdict::Ask,
        }
    }

    fn prepare(
        self: Arc<Self>,
        arguments: Map<String, Value>,
        context: &ToolContext,
    ) -> BoxFuture<'_, ToolResult<PreparedCall>> {
        Box::pin(async move {
            // The run's snapshot has the schema already.
            let unknown_arguments = context
                .tools
                .iter()
                .find(|tool| tool.name == T::NAME)
                .map_or_else(Vec::new, |tool| {
                    schema::unknown_arguments(&tool.input_schema, &arguments)
                });
            if T::STRICT_ARGUMENTS && !unknown_arguments.is_empty() {
                return Err(ToolError::bad_arguments(format!(
                    "{} takes no such arguments: {}.",
                    T::NAME,
                    unknown_arguments.join(", ")
                )));
            }
            let input = parse::<T::Input>(arguments)?;
            let prepared = Tool::prepare(&*self, input, context).await?;
            Ok(PreparedCall {
                card: prepared.card,
                unknown_arguments,
                run: Box::new(move |permit, context| {
                    Box::pin(async move {
                        let output = Tool::run(&*self, prepared.plan, permit, &context).await?;
                        serde_json::to_value(output).map_err(|error| {
                            ToolError::failed(format!(
                                "The result could not be written as JSON ({error})."
                            ))
                        })
                    })
                }),
            })
        })
    }
}

/// The typed arguments. An error names the argument and the type that came.
fn parse<I: serde::de::DeserializeOwned>(arguments: Map<String, Value>) -> ToolResult<I> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        ToolError::bad_arguments(if path == "." {
            format!("The arguments don't fit the tool's schema: {inner}.")
        } else {
            format!("The argument `{path}` doesn't fit the tool's schema: {inner}.")
        })
    })
}
