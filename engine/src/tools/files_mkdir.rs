//! Makes one folder, in a folder that is there, where nothing has its name. Never more than one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::atomic::make_folder;
use crate::files::target::Target;
use crate::permission::{Access, Permit};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesMkdir;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// The new folder; its parent must exist.
    path: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    path: String,
}

impl Tool for FilesMkdir {
    type Input = Input;
    type Plan = Target;
    type Output = Output;

    const NAME: &'static str = "files_mkdir";
    const DESCRIPTION: &'static str =
        "Makes one folder. Its parent must exist, and nothing may have its name yet.";
    const ACCESS: Access = Access::ChangeInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Target>> {
        let workspace = context.workspace()?;
        let path = RelPath::parse(&input.path)?;
        context
            .read_blocking(move |_| {
                let (target, _) = Target::bind_absent(&workspace, &path)?;
                let card = Card {
                    sentence: format!("Make the new folder {path}."),
                    target: workspace.real(&path),
                    details: Vec::new(),
                };
                Ok(Prepared::asking(target, card))
            })
            .await
    }

    async fn run(
        &self,
        target: Target,
        permit: Permit,
        context: &ToolContext,
    ) -> ToolResult<Output> {
        let workspace = context.workspace()?;
        let lease = context.writer.lease(permit, &context.cancel).await?;
        context
            .change_blocking(move |cancel| {
                let place = target.check(&workspace, cancel)?;
                make_folder(&lease, &place)?;
                Ok(Output {
                    path: target.path.to_string(),
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::files::testing::{Yard, kind};
    use crate::protocol::ToolErrorKind::{BadArguments, Conflict, Exists, NotFound};

    #[tokio::test]
    async fn one_folder_is_made_and_never_over_something() {
        let yard = Yard::new();
        let made = yard.call(&FilesMkdir, json!({"path": "a/"})).await.unwrap();
        assert_eq!(made, json!({"path": "a"}));
        assert!(yard.inside("a").is_dir());
        assert_eq!(
            kind(yard.call(&FilesMkdir, json!({"path": "a"})).await),
            Exists
        );
        assert_eq!(
            kind(yard.call(&FilesMkdir, json!({"path": "b/c"})).await),
            NotFound
        );
        assert_eq!(
            kind(yard.call(&FilesMkdir, json!({"path": "."})).await),
            BadArguments
        );
        assert_eq!(yard.names(""), ["a"]);
    }

    #[tokio::test]
    async fn what_came_meanwhile_is_a_conflict() {
        let yard = Yard::new();
        let ready = yard
            .prepare(&FilesMkdir, json!({"path": "a"}))
            .await
            .unwrap();
        let card = ready.card.clone().unwrap();
        let real = yard.inside("").canonicalize().unwrap().join("a");
        assert_eq!(card.target, real.to_string_lossy());
        yard.write("a", "mine");
        assert_eq!(kind(yard.run(&FilesMkdir, ready).await), Conflict);
        assert_eq!(yard.read("a"), b"mine");
    }
}
