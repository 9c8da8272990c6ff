//! What the worker does, one job after another.
#![expect(
    clippy::disallowed_methods,
    reason = "this is where the window's slow work is done, on a thread of its own"
)]

use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use eframe::egui::TextureHandle;
use wisp_engine::protocol::{Failure, FailureKind, SessionId};
use wisp_engine::{EngineConfig, EngineHandle, Settings, StoreLocation};
use wisp_qa::Simulator;

use super::pictures;
use super::qa::{QaDesk, QaDone, QaJob};
use super::worker::Wake;
use crate::simulation;
use crate::state::ModelInfo;
use crate::state::preferences::Preferences;

/// Seconds of silence after which the scripted model is given up: it never thinks, and the scenario that says
/// nothing is to end while a person looks on.
const SIMULATED_IDLE_SECONDS: u64 = 8;

/// Which sessions and which model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The person's own, on the model of the settings.
    Real,
    /// The simulation's, on the scripted model.
    Simulated,
}

/// One job.
#[derive(Debug)]
pub enum Job {
    /// Reads the settings and starts an engine.
    Start(Place),
    /// Ends an engine, waiting for its threads.
    Release(EngineHandle),
    /// Changes settings: key and new value; `None` takes the setting out.
    ChangeSettings(Vec<(String, Option<String>)>),
    /// Keeps the key for the model server; an empty one is removed.
    SetKey(String),
    /// Keeps how the person wants the window.
    KeepPreferences(Preferences),
    /// Moves a settings file aside that makes no sense, and starts again.
    MoveSettingsAside(Place),
    /// Asks for a folder with the system's dialog.
    PickFolder,
    /// Looks whether something that was dropped is a folder; a file's folder counts.
    LookAtDropped(PathBuf),
    /// Opens an address in the system's browser.
    OpenLink(String),
    /// Reads a picture of a session's own files.
    LoadPicture {
        /// The session.
        session: SessionId,
        /// Its folder.
        folder: PathBuf,
        /// The picture, relative to the folder.
        address: String,
    },
    /// Something for the QA panel.
    Qa(QaJob),
}

/// What became of a job.
pub enum Done {
    /// The settings are read, before the engine has started.
    Loaded(Box<Loaded>),
    /// An engine runs.
    Started(Box<Started>),
    /// An engine could not start.
    StartFailed(Failure),
    /// Something else could not be done.
    Failed(Failure),
    /// The folder that was chosen; `None` when the person chose none.
    FolderPicked(Option<PathBuf>),
    /// Something for the QA panel.
    Qa(QaDone),
    /// A picture was read; `None` for what is no picture of the session's own files.
    Picture {
        /// The session.
        session: SessionId,
        /// The picture, as it was asked for.
        address: String,
        /// The picture, ready to be drawn.
        texture: Option<TextureHandle>,
    },
}

/// An engine and what it runs on.
#[derive(Debug)]
pub struct Started {
    /// The engine.
    pub engine: EngineHandle,
    /// Which sessions and which model.
    pub place: Place,
}

/// The settings as they are.
#[derive(Debug)]
pub struct Loaded {
    /// The engine's.
    pub settings: Settings,
    /// What the window shows of them.
    pub model: ModelInfo,
    /// How the person wants the window.
    pub preferences: Preferences,
    /// What should be mended.
    pub warnings: Vec<String>,
}

/// What the worker holds between jobs.
pub(super) struct Desk {
    /// The data folder; `None` is the usual one.
    home: Option<PathBuf>,
    wake: Wake,
    done: SyncSender<Done>,
    /// Lives as long as the engine that talks to it.
    simulator: Option<Simulator>,
    qa: QaDesk,
}

impl Desk {
    pub(super) fn new(wake: Wake, done: SyncSender<Done>, home: Option<PathBuf>) -> Self {
        Self {
            home,
            wake,
            done,
            simulator: None,
            qa: QaDesk::default(),
        }
    }

    /// Does a job. One line a job.
    pub(super) fn take(&mut self, job: Job) -> Vec<Done> {
        match job {
            Job::Start(place) => self
                .start(place)
                .unwrap_or_else(|failure| vec![Done::StartFailed(failure)]),
            Job::Release(engine) => {
                drop(engine);
                Vec::new()
            }
            Job::ChangeSettings(_)
            | Job::SetKey(_)
            | Job::KeepPreferences(_)
            | Job::MoveSettingsAside(_) => Vec::new(),
            Job::PickFolder => self.pick_folder(),
            Job::LookAtDropped(path) => vec![look_at(path)],
            Job::OpenLink(address) => open_link(&address),
            Job::LoadPicture {
                session,
                folder,
                address,
            } => {
                let context = self.wake.context();
                let texture =
                    context.and_then(|context| pictures::load(context, &folder, &address));
                vec![Done::Picture {
                    session,
                    address,
                    texture,
                }]
            }
            Job::Qa(job) => vec![self.qa(job).unwrap_or_else(Done::Failed)],
        }
    }

    fn qa(&mut self, job: QaJob) -> Result<Done, Failure> {
        let home = self.home()?;
        let done = self.qa.take(job, &home, self.simulator.as_ref())?;
        Ok(Done::Qa(done))
    }

    fn home(&self) -> Result<PathBuf, Failure> {
        self.home.clone().map_or_else(wisp_engine::home, Ok)
    }

    fn start(&mut self, place: Place) -> Result<Vec<Done>, Failure> {
        let home = self.home()?;
        let (settings, warnings) = Settings::load(&home)?;
        let (home, settings, simulator) = match place {
            Place::Real => (home, settings, None),
            Place::Simulated => {
                let simulator = simulation::start(0)
                    .map_err(|error| Failure::new(FailureKind::Internal, format!("{error:#}.")))?;
                let settings = Settings {
                    idle_seconds: SIMULATED_IDLE_SECONDS,
                    ..simulation::settings(&simulator)
                };
                (simulation::home(&home), settings, Some(simulator))
            }
        };
        let loaded = Done::Loaded(Box::new(Loaded {
            model: model_info(&settings),
            settings: settings.clone(),
            preferences: Preferences::default(),
            warnings,
        }));
        let engine = wisp_engine::start(EngineConfig {
            store: StoreLocation::Folder(home.clone()),
            home: Some(home),
            settings,
            waker: self.wake.waker(),
        })?;
        self.simulator = simulator;
        self.qa.new_simulator();
        Ok(vec![
            loaded,
            Done::Started(Box::new(Started { engine, place })),
        ])
    }

    /// The dialog waits for the person, so it has a thread of its own.
    fn pick_folder(&self) -> Vec<Done> {
        let (wake, done) = (self.wake.clone(), self.done.clone());
        let started = std::thread::Builder::new()
            .name("wisp-dialog".to_owned())
            .spawn(move || {
                let folder = rfd::FileDialog::new().pick_folder();
                if done.send(Done::FolderPicked(folder)).is_ok() {
                    wake.wake();
                }
            });
        match started {
            Ok(_) => Vec::new(),
            Err(error) => vec![Done::Failed(Failure::new(
                FailureKind::Internal,
                format!("The dialog could not be opened ({error})."),
            ))],
        }
    }
}

/// What the window shows of the settings.
fn model_info(settings: &Settings) -> ModelInfo {
    ModelInfo {
        name: settings.model.clone(),
        base_url: settings.base_url.clone(),
        provider: settings.provider.clone(),
        usable: settings.api_key.is_some() || is_loopback(&settings.base_url),
        context_tokens: None,
        max_steps: settings.max_steps,
    }
}

/// A server on this computer needs no key.
fn is_loopback(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["127.", "localhost", "[::1]"]
        .iter()
        .any(|local| host.starts_with(local))
}

fn look_at(path: PathBuf) -> Done {
    let folder = if path.is_dir() {
        Some(path)
    } else {
        path.parent()
            .map(PathBuf::from)
            .filter(|parent| parent.is_dir())
    };
    match folder {
        Some(folder) => Done::FolderPicked(Some(folder)),
        None => Done::Failed(
            Failure::new(FailureKind::Folder, "What was dropped is no folder.")
                .with_advice("Drop a folder, or choose one."),
        ),
    }
}

fn open_link(address: &str) -> Vec<Done> {
    match webbrowser::open(address) {
        Ok(()) => Vec::new(),
        Err(error) => vec![Done::Failed(
            Failure::new(
                FailureKind::Internal,
                format!("The address could not be opened ({error})."),
            )
            .with_advice("Copy it and open it in a browser."),
        )],
    }
}
