//! A client's tabs without a window, for tools that need one: it takes tickets up as the window does, and
//! shows the pages of the scripted model's server without loading them.

use wisp_engine::protocol::{
    Op, PageContent, PreviewRequest, Refusal, SessionId, TabAction, TabId, TabInfo, TabKind,
    Ticket, TicketOutcome,
};
use wisp_qa::Page;

/// The tabs of one session.
#[derive(Debug, Default)]
pub struct Tabs {
    tabs: Vec<TabInfo>,
    made: u64,
}

impl Tabs {
    /// The tabs now.
    pub fn list(&self) -> &[TabInfo] {
        &self.tabs
    }

    /// What to say to a ticket, after doing it: a claim that is good, and the outcome.
    pub fn take(&mut self, ticket: &Ticket) -> [Op; 2] {
        let session: &SessionId = &ticket.session;
        let outcome = self
            .outcome(&ticket.request)
            .unwrap_or_else(|refusal| TicketOutcome::Refused { refusal });
        [
            Op::ClaimTicket {
                session: session.clone(),
                ticket: ticket.id.clone(),
            },
            Op::FinishTicket {
                session: session.clone(),
                ticket: ticket.id.clone(),
                outcome,
            },
        ]
    }

    fn outcome(&mut self, request: &PreviewRequest) -> Result<TicketOutcome, Refusal> {
        match request {
            PreviewRequest::Open { url } => {
                self.open(url);
                Ok(TicketOutcome::Accepted)
            }
            PreviewRequest::List => Ok(TicketOutcome::Tabs {
                tabs: self.tabs.clone(),
            }),
            PreviewRequest::Read { tab, version } => {
                let info = self.find(tab, *version)?;
                let url = info.url.clone().ok_or(Refusal::WrongKind)?;
                let page = shown(&url).ok_or(Refusal::Unavailable)?;
                Ok(TicketOutcome::Page {
                    page: PageContent {
                        url,
                        title: page.title.to_owned(),
                        text: text_of(page.html),
                        links: Vec::new(),
                        truncated: false,
                    },
                })
            }
            PreviewRequest::Act {
                tab,
                version,
                action,
            } => {
                let info = self.find(tab, *version)?;
                match action {
                    TabAction::Reload => {
                        info.version += 1;
                        Ok(TicketOutcome::Accepted)
                    }
                    TabAction::Back | TabAction::Forward => Err(Refusal::NoHistory),
                    TabAction::Close => {
                        self.tabs.retain(|known| known.tab != *tab);
                        Ok(TicketOutcome::Closed)
                    }
                }
            }
        }
    }

    fn open(&mut self, url: &str) {
        self.made += 1;
        for tab in &mut self.tabs {
            tab.active = false;
        }
        self.tabs.push(TabInfo {
            tab: TabId::new(format!("tab-{}", self.made)),
            kind: TabKind::Web,
            title: shown(url).map_or_else(String::new, |page| page.title.to_owned()),
            active: true,
            url: Some(url.to_owned()),
            path: None,
            failure: None,
            version: 1,
        });
    }

    fn find(&mut self, tab: &TabId, version: u64) -> Result<&mut TabInfo, Refusal> {
        let found = self.tabs.iter_mut().find(|known| known.tab == *tab);
        let found = found.ok_or(Refusal::NoTab)?;
        if found.version == version {
            Ok(found)
        } else {
            Err(Refusal::Changed)
        }
    }
}

/// The page of the scripted model's server at this address.
fn shown(url: &str) -> Option<&'static Page> {
    let path = url.splitn(4, '/').nth(3)?;
    wisp_qa::page(&format!("/{path}"))
}

/// Its words, roughly.
fn text_of(html: &str) -> String {
    let body = html.split_once("<body>").map_or(html, |(_, body)| body);
    body.split('<')
        .filter_map(|piece| piece.split_once('>').map(|(_, text)| text))
        .collect::<String>()
}
