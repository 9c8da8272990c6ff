//! What the worker does, one job after another.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use eframe::egui::TextureHandle;
use wisp_engine::protocol::{Failure, FailureKind, Preview, SessionId, TabId};
use wisp_engine::{
    EngineConfig, EngineHandle, Settings, SettingsFile, StoreLocation, WindowSettings,
};
use wisp_qa::Simulator;

use super::dialogs;
use super::pictures;
use super::qa::{QaDesk, QaDone, QaJob};
use super::worker::Wake;
use super::{preferences, settings, storage};
use crate::simulation;
use crate::state::ModelInfo;
use crate::state::preferences::Preferences;
use crate::state::settings::SettingsInfo;

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
    /// Moves a settings file aside that makes no sense, and starts again, unless the simulation runs.
    MoveSettingsAside(Place),
    /// Asks for a folder with the system's dialog, which has this title.
    PickFolder(String),
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
    /// Decodes a picture that a tab shows.
    DecodePicture {
        /// The tab.
        tab: TabId,
        /// What was read, which is a picture.
        what: Arc<Preview>,
    },
    /// Takes away what web pages of sessions that are gone have kept in this folder.
    SweepPages {
        /// The folder.
        folder: PathBuf,
        /// The sessions that are there.
        keep: Vec<SessionId>,
    },
    /// Something for the QA panel.
    Qa(QaJob),
}

/// What became of a job.
pub enum Done {
    /// The settings are read: before an engine starts, and after each change of them, made or refused.
    Loaded(Box<Loaded>),
    /// The settings file is moved aside; it lies here now.
    MovedAside(PathBuf),
    /// An engine runs.
    Started(Box<Started>),
    /// An engine could not start.
    StartFailed(Failure),
    /// How the person wants the window could not be written down.
    NotKept(Failure),
    /// Something else could not be done.
    Failed(Failure),
    /// There is no dialog to choose a folder with.
    NoDialog,
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
    /// A tab's picture was decoded.
    Decoded {
        /// The tab.
        tab: TabId,
        /// What it was decoded from.
        what: Arc<Preview>,
        /// The picture and its true size in pixels; `None` for what is no picture, or one with too many pixels.
        picture: Option<(TextureHandle, [u32; 2])>,
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
    /// What the engine that runs is to go on with; `None` leaves it as it is, as in the simulation.
    pub settings: Option<Settings>,
    /// What the window shows of the model that the engine runs on.
    pub model: ModelInfo,
    /// What is kept.
    pub info: SettingsInfo,
    /// How the person wants the window, when it is read for the first time.
    pub preferences: Option<Preferences>,
    /// What should be mended and was not told before.
    pub warnings: Vec<String>,
}

/// What the worker holds between jobs.
pub(super) struct Desk {
    /// The data folder; `None` is the usual one.
    home: Option<PathBuf>,
    wake: Wake,
    done: SyncSender<Done>,
    /// Lives as long as the engine that talks to it, with the settings that lead to it.
    simulator: Option<(Simulator, Settings)>,
    /// The preferences that are in the file; `None` before they could be read.
    kept: Option<Preferences>,
    /// What was told already.
    told: Vec<String>,
    qa: QaDesk,
}

impl Desk {
    pub(super) fn new(wake: Wake, done: SyncSender<Done>, home: Option<PathBuf>) -> Self {
        Self {
            home,
            wake,
            done,
            simulator: None,
            kept: None,
            told: Vec::new(),
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
            Job::ChangeSettings(changes) => self.settle(|home| settings::change(home, changes)),
            Job::SetKey(key) => self.settle(|home| settings::set_key(home, &key)),
            Job::KeepPreferences(wanted) => self.keep(wanted),
            Job::MoveSettingsAside(place) => self.move_aside(place),
            Job::PickFolder(title) => {
                dialogs::pick_folder(title, self.wake.clone(), self.done.clone())
            }
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
            Job::SweepPages { folder, keep } => {
                storage::sweep(&folder, &keep);
                Vec::new()
            }
            Job::DecodePicture { tab, what } => {
                let picture = match (self.wake.context(), &*what) {
                    (Some(context), Preview::Picture(picture)) => {
                        pictures::decode(context, &picture.bytes)
                    }
                    _ => None,
                };
                vec![Done::Decoded { tab, what, picture }]
            }
            Job::Qa(job) => vec![self.qa(job).unwrap_or_else(Done::Failed)],
        }
    }

    fn qa(&mut self, job: QaJob) -> Result<Done, Failure> {
        let home = self.home()?;
        let done = self.qa.take(
            job,
            &home,
            self.simulator.as_ref().map(|(simulator, _)| simulator),
        )?;
        Ok(Done::Qa(done))
    }

    fn home(&self) -> Result<PathBuf, Failure> {
        self.home.clone().map_or_else(wisp_engine::home, Ok)
    }

    fn start(&mut self, place: Place) -> Result<Vec<Done>, Failure> {
        let home = self.home()?;
        self.simulator = match place {
            Place::Real => None,
            Place::Simulated => {
                let simulator = simulation::start(0)
                    .map_err(|error| Failure::new(FailureKind::Internal, format!("{error:#}.")))?;
                let settings = Settings {
                    idle_seconds: SIMULATED_IDLE_SECONDS,
                    ..simulation::settings(&simulator)
                };
                self.qa.new_simulator();
                Some((simulator, settings))
            }
        };
        let (loaded, settings) = self.load(&home);
        let broken = loaded.info.broken.clone();
        let outcome = match broken {
            // The simulation needs none of them.
            Some(failure) if place == Place::Real => Done::StartFailed(failure),
            _ => self.start_engine(place, home, settings),
        };
        Ok(vec![Done::Loaded(Box::new(loaded)), outcome])
    }

    fn start_engine(&self, place: Place, home: PathBuf, settings: Settings) -> Done {
        let home = match place {
            Place::Real => home,
            Place::Simulated => simulation::home(&home),
        };
        let started = wisp_engine::start(EngineConfig {
            store: StoreLocation::Folder(home.clone()),
            home: Some(home),
            settings,
            window: true,
            waker: self.wake.waker(),
        });
        match started {
            Ok(engine) => Done::Started(Box::new(Started { engine, place })),
            Err(failure) => Done::StartFailed(failure),
        }
    }

    /// Reads the settings. Gives what to tell the window, and what an engine runs on.
    fn load(&mut self, home: &Path) -> (Loaded, Settings) {
        let (kept, info, mut warnings) = settings::read(home);
        // What the file says of the window holds also where another setting makes no sense. It is read until it
        // is known what is kept.
        let mut read = None;
        if self.kept.is_none() {
            let (window, more) = WindowSettings::load(home);
            warnings.extend(more);
            read = Some(preferences::preferences(window));
            if info.broken.is_none() {
                self.kept.clone_from(&read);
            }
        }
        warnings.retain(|warning| !self.told.contains(warning));
        self.told.extend(warnings.iter().cloned());
        let scripted = self
            .simulator
            .as_ref()
            .map(|(_, settings)| settings.clone());
        let loaded = Loaded {
            settings: (scripted.is_none() && info.broken.is_none()).then(|| kept.clone()),
            model: settings::model_info(scripted.as_ref().unwrap_or(&kept)),
            preferences: read,
            info,
            warnings,
        };
        (loaded, scripted.unwrap_or(kept))
    }

    /// Makes a change and reads all of it again. The new reading also follows a refusal, after which the old
    /// values hold.
    fn settle(&mut self, change: impl FnOnce(&Path) -> Result<(), Failure>) -> Vec<Done> {
        let home = match self.home() {
            Ok(home) => home,
            Err(failure) => return vec![Done::Failed(failure)],
        };
        let refused = change(&home).err().map(Done::Failed);
        let (loaded, _) = self.load(&home);
        refused
            .into_iter()
            .chain([Done::Loaded(Box::new(loaded))])
            .collect()
    }

    /// Writes what has changed of how the person wants the window.
    fn keep(&mut self, wanted: Preferences) -> Vec<Done> {
        let usual = Preferences::default();
        let changes = preferences::changes(self.kept.as_ref().unwrap_or(&usual), &wanted);
        let written = (self.home()).and_then(|home| SettingsFile::of(&home).change(&changes));
        match written {
            Ok(()) => {
                self.kept = Some(wanted);
                Vec::new()
            }
            Err(failure) if preferences::are_of_size(&changes) => {
                tracing::warn!(%failure, "the window's size can't be kept");
                Vec::new()
            }
            Err(failure) => vec![Done::NotKept(failure)],
        }
    }

    fn move_aside(&mut self, place: Place) -> Vec<Done> {
        let moved = (self.home()).and_then(|home| SettingsFile::of(&home).move_aside());
        let moved = match moved {
            Ok(path) => Done::MovedAside(path),
            Err(failure) => return vec![Done::Failed(failure)],
        };
        // Nothing is kept any more; what the window shows stays until it is changed.
        self.kept = Some(Preferences::default());
        let then = if self.simulator.is_some() {
            self.settle(|_| Ok(()))
        } else {
            self.start(place)
                .unwrap_or_else(|failure| vec![Done::StartFailed(failure)])
        };
        std::iter::once(moved).chain(then).collect()
    }
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
