//! The way to one model.
//!
//! It checks the settings before any request, holds the one HTTP client, and starts requests. It sends
//! the key to the configured origin only: redirects are not followed.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of the HTTP client"
)]

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio_util::sync::CancellationToken;

use crate::protocol::{Failure, FailureKind, ToolDescription};
use crate::support::redact::Redactor;

use super::catalog::Provider;
use super::conversation::Conversation;
use super::endpoint::Endpoint;
use super::request::{Frame, Request};
use super::settings::ModelSettings;
use super::stream::ModelStream;
use super::watch::TICK;
use super::wording::Wording;

pub(crate) use super::request::EncodedTools;

/// How long a connection may take to come about. A slow network takes a few seconds; a host that
/// drops packets would else take minutes.
pub(super) const CONNECT_LIMIT: Duration = Duration::from_secs(30);
/// How the program names itself to servers.
const USER_AGENT: &str = concat!("wisp/", env!("CARGO_PKG_VERSION"));

/// A model at a server. Cheap to clone; all clones share their connections.
#[derive(Clone, Debug)]
pub(crate) struct ModelClient {
    inner: Arc<Inner>,
}

/// What one request needs of its client.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) http: reqwest::Client,
    pub(super) endpoint: Endpoint,
    pub(super) provider: &'static Provider,
    pub(super) wording: Wording,
    pub(super) settings: ModelSettings,
    pub(super) headers: HeaderMap,
    pub(super) tick: Duration,
    frame: Frame,
}

impl ModelClient {
    /// Checks the settings; a wrong one is a failure before any request. The key is blanked in all words
    /// that come out, whether the redactor knows it or not.
    pub(crate) fn new(mut settings: ModelSettings, redactor: Redactor) -> Result<Self, Failure> {
        let endpoint = Endpoint::parse(&settings.base_url)?;
        let model = settings.model.trim().to_owned();
        settings.model = model;
        if settings.model.is_empty() {
            return Err(
                Failure::new(FailureKind::Settings, "No model is set.").with_advice(
                    "Set the model's name, as its provider lists it, in the settings or in WISP_MODEL.",
                ),
            );
        }
        let provider = match settings.provider.as_deref() {
            None => Provider::of_host(&endpoint.host),
            Some(name) => Provider::by_name(name)?,
        };
        let key = settings
            .api_key
            .take()
            .map(|key| key.trim().to_owned())
            .filter(|key| !key.is_empty());
        if key.is_none() && !endpoint.loopback {
            return Err(Failure::new(
                FailureKind::Authentication,
                format!("No API key is set for {}.", endpoint.label),
            ));
        }
        let headers = headers(key.as_deref())?;
        let http = http_client(&endpoint)?;
        let frame = Frame::new(provider, &settings.model);
        let wording = Wording {
            host: endpoint.label.clone(),
            model: settings.model.clone(),
            has_key: key.is_some(),
            direct: endpoint.loopback,
            own_key: Redactor::new(key),
            redactor,
        };
        Ok(Self {
            inner: Arc::new(Inner {
                http,
                endpoint,
                provider,
                wording,
                settings,
                headers,
                tick: TICK,
                frame,
            }),
        })
    }

    /// The tools of a run as they are sent; made once a run.
    #[expect(
        clippy::unused_self,
        reason = "another provider's way to write tools will be a matter of the client"
    )]
    pub(crate) fn encode_tools(&self, tools: &[ToolDescription]) -> EncodedTools {
        EncodedTools::new(tools)
    }

    /// Asks for the next reply. Nothing is sent until the stream is first asked for an event.
    pub(crate) fn start(
        &self,
        conversation: &Conversation,
        tools: &EncodedTools,
        cancel: &CancellationToken,
    ) -> ModelStream {
        let request = Request::new(&self.inner.frame, conversation, tools);
        ModelStream::new(Arc::clone(&self.inner), request, cancel.clone())
    }

    pub(super) fn provider(&self) -> &'static Provider {
        self.inner.provider
    }

    /// Whether both are clones of one.
    #[cfg(test)]
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// With signs of waiting at another pace.
    #[cfg(test)]
    pub(super) fn with_tick(self, tick: Duration) -> Self {
        let mut inner = Arc::into_inner(self.inner).unwrap();
        inner.tick = tick;
        Self {
            inner: Arc::new(inner),
        }
    }
}

fn headers(key: Option<&str>) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            Failure::new(
                FailureKind::Settings,
                "The API key holds characters that no key has, such as a line end.",
            )
        })?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

fn http_client(endpoint: &Endpoint) -> Result<reqwest::Client, Failure> {
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_LIMIT)
        .redirect(reqwest::redirect::Policy::none());
    if endpoint.loopback {
        builder = builder.no_proxy();
    }
    if !endpoint.is_secure() {
        // Reading the system's certificates is the larger part of the start; without TLS and without
        // redirects none is ever looked at.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| {
        Failure::new(
            FailureKind::Settings,
            format!(
                "No connection to a model can be set up here ({}).",
                error.without_url()
            ),
        )
    })
}

#[cfg(test)]
mod tests;
