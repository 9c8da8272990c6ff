//! Pages in this process, on the window's thread. On Linux GTK's events are taken in whenever the window looks for
//! what has come, and a thread sees to it that it looks.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use wisp::pages::{
    FailureKind, HostFactory, HostWindow, PageCommand, PageEvent, PageFailure, PageHost, Waker,
};

use crate::linux::{self, Views};

/// How often the window is woken while there are pages: GTK's events wait in between.
const TICK: Duration = Duration::from_millis(16);
/// Events of GTK that are taken in at once, so that a flood of them doesn't keep the window from drawing.
const MOST_AT_ONCE: usize = 200;

/// Shows pages in this process. See [`PageHost`].
pub struct InProcess {
    window: Option<u32>,
    wake: Waker,
    views: Option<Views>,
    events: Rc<RefCell<VecDeque<PageEvent>>>,
    keys: Option<PageCommand>,
    /// Ends the ticking when it is dropped.
    ticks: Option<SyncSender<()>>,
}

impl InProcess {
    /// Pages inside the X11 window of this number; without one, each page fails with the reason. GTK is not begun
    /// before the first page.
    pub fn new(window: Option<u32>, wake: Waker) -> Self {
        Self {
            window,
            wake,
            views: None,
            events: Rc::default(),
            keys: None,
            ticks: None,
        }
    }

    /// Makes such hosts.
    pub fn factory() -> HostFactory {
        Box::new(|window: HostWindow| Box::new(Self::new(window.xid(), window.wake)))
    }

    fn start(&mut self) -> Result<(), String> {
        let window = self
            .window
            .ok_or("pages need an X11 window, and this one is none")?;
        linux::begin()?;
        let events = self.events.clone();
        let tell = move |event| {
            events.borrow_mut().push_back(event);
            Ok(())
        };
        let mut views = Views::new(window, Box::new(tell))?;
        self.ticks = Some(tick(self.wake.clone())?);
        if let Some(keys) = self.keys.take() {
            views.run(keys);
        }
        self.views = Some(views);
        Ok(())
    }
}

impl PageHost for InProcess {
    fn send(&mut self, command: PageCommand) {
        if let Some(views) = &mut self.views {
            return views.run(command);
        }
        match &command {
            PageCommand::Shortcuts { .. } => self.keys = Some(command),
            PageCommand::Open { page, url, .. } => {
                let (page, url) = (*page, url.clone());
                match self.start() {
                    Ok(()) => self.send(command),
                    Err(detail) => {
                        let kind = FailureKind::Host;
                        let failure = PageFailure { kind, detail };
                        let failed = PageEvent::Failed { page, url, failure };
                        self.events.borrow_mut().push_back(failed);
                        (self.wake)();
                    }
                }
            }
            _ => {}
        }
    }

    fn try_next(&mut self) -> Option<PageEvent> {
        if self.views.is_some() {
            linux::take_in(MOST_AT_ONCE);
        }
        self.events.borrow_mut().pop_front()
    }
}

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProcess")
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

fn tick(wake: Waker) -> Result<SyncSender<()>, String> {
    let (ticks, ends) = sync_channel(0);
    let wake: Arc<dyn Fn() + Send + Sync> = wake;
    Builder::new()
        .name("pages-ticks".to_owned())
        .spawn(move || {
            while ends.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                wake();
            }
        })
        .map_err(|error| error.to_string())?;
    Ok(ticks)
}
