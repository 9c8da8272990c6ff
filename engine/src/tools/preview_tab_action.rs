//! Reloads, moves through the history of, or closes one tab beside the conversation. What a tab shows
//! afterwards is not told to the model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::permission::{Access, Permit};
use crate::preview::lists::Listed;
use crate::protocol::{PreviewRequest, TabAction, TabKind, TicketOutcome, ToolErrorKind};
use crate::toolkit::{Prepared, Tool, ToolContext, ToolError, ToolResult};

/// The tool.
pub(crate) struct PreviewTabAction;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Input {
    /// A tabId of the last list_preview_tabs.
    tab_id: String,
    /// What to do.
    action: Action,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Action {
    Reload,
    Back,
    Forward,
    Close,
}

impl From<Action> for TabAction {
    fn from(action: Action) -> Self {
        match action {
            Action::Reload => Self::Reload,
            Action::Back => Self::Back,
            Action::Forward => Self::Forward,
            Action::Close => Self::Close,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    status: &'static str,
}

impl Tool for PreviewTabAction {
    type Input = Input;
    type Plan = (Listed, TabAction);
    type Output = Output;

    const NAME: &'static str = "preview_tab_action";
    const DESCRIPTION: &'static str = "Reloads, goes back or forward in, or closes one tab of the last \
        list_preview_tabs. Web pages take all four; files and folders reload and close; an empty tab only \
        closes. navigation_requested means only that it was sent: the tab shows whether it loads. The user may \
        keep a page they typed into: then the status is cancelled.";
    const ACCESS: Access = Access::MoveTabs;
    const NEEDS_FOLDER: bool = false;

    async fn prepare(
        &self,
        input: Input,
        context: &ToolContext,
    ) -> ToolResult<Prepared<Self::Plan>> {
        let tab = (context.previews.lists()?).find(&context.session, &input.tab_id)?;
        let action = TabAction::from(input.action);
        if !fits(tab.kind, action) {
            return Err(ToolError::new(
                ToolErrorKind::Unsupported,
                match tab.kind {
                    TabKind::New => "An empty tab can only be closed.",
                    _ => "Only web pages have a history; this tab can be reloaded or closed.",
                },
            ));
        }
        Ok(Prepared::silent((tab, action)))
    }

    async fn run(
        &self,
        (tab, action): Self::Plan,
        _permit: Permit,
        context: &ToolContext,
    ) -> ToolResult<Output> {
        let request = PreviewRequest::Act {
            tab: tab.tab,
            version: tab.version,
            action,
        };
        let status = match context.ask_window(request).await? {
            TicketOutcome::Accepted => "navigation_requested",
            TicketOutcome::Reloaded => "reloaded",
            TicketOutcome::Closed => "closed",
            TicketOutcome::Kept => "cancelled",
            other => return Err(ToolError::unexpected(&other)),
        };
        Ok(Output { status })
    }
}

/// Whether a tab of that kind can do that.
fn fits(kind: TabKind, action: TabAction) -> bool {
    match kind {
        TabKind::Web => true,
        TabKind::File | TabKind::Directory => {
            matches!(action, TabAction::Reload | TabAction::Close)
        }
        TabKind::New => action == TabAction::Close,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::files::testing::{Yard, kind};
    use crate::preview::testing::{at_window, tab, told};
    use crate::protocol::Refusal;
    use crate::protocol::ToolErrorKind::{BadArguments, NotFound, Unsupported};

    #[test]
    fn each_kind_takes_its_own_actions() {
        use TabAction::{Back, Close, Forward, Reload};
        use TabKind::{Directory, File, New, Web};
        for (kind, takes) in [
            (Web, [true, true, true, true]),
            (File, [true, false, false, true]),
            (Directory, [true, false, false, true]),
            (New, [false, false, false, true]),
        ] {
            assert_eq!(
                [Reload, Back, Forward, Close].map(|action| fits(kind, action)),
                takes,
                "{kind:?}"
            );
        }
    }

    #[tokio::test]
    async fn the_outcome_says_no_more_than_is_known() {
        let (yard, mut window) = at_window();
        let tabs = [tab("p", TabKind::Web, 1), tab("f", TabKind::File, 1)];
        let lists = yard.context.previews.lists().unwrap();
        lists.keep(&yard.context.session, &tabs);
        let act = |tab: &str, action: &str| {
            yard.prepare(&PreviewTabAction, json!({"tabId": tab, "action": action}))
        };
        for (tab, action, outcome, status) in [
            (
                "p",
                "reload",
                TicketOutcome::Accepted,
                "navigation_requested",
            ),
            ("p", "back", TicketOutcome::Accepted, "navigation_requested"),
            ("f", "reload", TicketOutcome::Reloaded, "reloaded"),
            ("p", "close", TicketOutcome::Closed, "closed"),
            ("p", "close", TicketOutcome::Kept, "cancelled"),
        ] {
            let ready = act(tab, action).await.unwrap();
            let answer = window.answer(outcome);
            let (result, _) = told(yard.run(&PreviewTabAction, ready), answer).await;
            assert_eq!(result.unwrap(), json!({"status": status}));
        }
        assert_eq!(kind(act("f", "back").await), Unsupported);
        assert_eq!(kind(act("q", "close").await), NotFound);
        assert_eq!(kind(act("p", "click").await), BadArguments);
        let none = TicketOutcome::Refused {
            refusal: Refusal::NoHistory,
        };
        let ready = act("p", "forward").await.unwrap();
        let (result, _) = told(yard.run(&PreviewTabAction, ready), window.answer(none)).await;
        assert_eq!(kind(result), NotFound);
    }

    #[tokio::test]
    async fn without_a_window_nothing_moves() {
        let yard = Yard::new();
        let arguments = json!({"tabId": "p", "action": "close"});
        assert_eq!(
            kind(yard.call(&PreviewTabAction, arguments).await),
            Unsupported
        );
    }
}
