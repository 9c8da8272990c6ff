//! Shows a page to the user, in a tab beside the conversation. It fetches nothing for the model: what the
//! page says is read with `read_webpage`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::permission::{Access, Permit};
use crate::preview::address;
use crate::protocol::{PreviewRequest, TicketOutcome};
use crate::toolkit::{Card, Prepared, Tool, ToolContext, ToolError, ToolResult};

/// The tool.
pub(crate) struct OpenWebpage;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// The whole address, with http:// or https://.
    url: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    status: &'static str,
}

impl Tool for OpenWebpage {
    type Input = Input;
    type Plan = Url;
    type Output = Output;

    const NAME: &'static str = "open_webpage";
    const DESCRIPTION: &'static str = "Shows a web page to the user in a tab beside the conversation, after \
        they agree. open_request_accepted means only that the window took it up, not that the page has \
        loaded; to see what it says, use list_preview_tabs and then read_webpage.";
    const ACCESS: Access = Access::OpenPage;
    const NEEDS_FOLDER: bool = false;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<Url>> {
        context.previews.need_window()?;
        let url = address::page(&input.url)?;
        let card = Card {
            sentence: format!("Open a page of {}.", url.host_str().unwrap_or_default()),
            target: url.to_string(),
            details: Vec::new(),
        };
        Ok(Prepared::asking(url, card))
    }

    async fn run(&self, url: Url, _permit: Permit, context: &ToolContext) -> ToolResult<Output> {
        let request = PreviewRequest::Open {
            url: url.to_string(),
        };
        match context.ask_window(request).await? {
            TicketOutcome::Accepted => Ok(Output {
                status: "open_request_accepted",
            }),
            other => Err(ToolError::unexpected(&other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::files::testing::{Yard, kind};
    use crate::preview::testing::{at_window, told};
    use crate::protocol::ToolErrorKind::{Refused, TooLarge, Unsupported};
    use crate::protocol::{Refusal, TicketOutcome};

    #[tokio::test]
    async fn without_a_window_nobody_is_asked() {
        let yard = Yard::new();
        let arguments = json!({"url": "https://example.com"});
        assert_eq!(
            kind(yard.prepare(&OpenWebpage, arguments).await),
            Unsupported
        );
    }

    #[tokio::test]
    async fn the_card_shows_the_whole_address_and_the_window_gets_it() {
        let (yard, mut window) = at_window();
        let arguments = json!({"url": "https://例子.测试/a?b=c#d"});
        let ready = yard.prepare(&OpenWebpage, arguments).await.unwrap();
        let whole = "https://xn--fsqu00a.xn--0zwm56d/a?b=c#d";
        assert_eq!(ready.card.as_ref().unwrap().target, whole);
        let answer = window.answer(TicketOutcome::Accepted);
        let (result, request) = told(yard.run(&OpenWebpage, ready), answer).await;
        assert_eq!(result.unwrap(), json!({"status": "open_request_accepted"}));
        assert_eq!(
            request,
            PreviewRequest::Open {
                url: whole.to_owned()
            }
        );
        let refused = kind(
            yard.prepare(&OpenWebpage, json!({"url": "file:///etc/passwd"}))
                .await,
        );
        assert_eq!(refused, Refused);
        let full = TicketOutcome::Refused {
            refusal: Refusal::TooMany,
        };
        let ready = yard
            .prepare(&OpenWebpage, json!({"url": "http://localhost:1/"}))
            .await
            .unwrap();
        let (result, _) = told(yard.run(&OpenWebpage, ready), window.answer(full)).await;
        assert_eq!(kind(result), TooLarge);
        yard.context.cancel.cancel();
    }
}
