//! What the worker does for the QA panel: folders of scenarios, the comparison afterwards, reports and pictures.
#![expect(
    clippy::disallowed_methods,
    reason = "this is where the window's slow work is done, on a thread of its own"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::ColorImage;
use wisp_engine::protocol::{Event, Failure, FailureKind};
use wisp_qa::{Report, Scenario, Simulator};

use crate::simulation;

/// Reports and pictures are kept in this folder of the simulation's data.
const REPORTS: &str = "reports";

/// One job of the panel.
#[derive(Debug)]
pub enum QaJob {
    /// Makes a fresh temporary folder with what a scenario works on.
    Lay(Box<Scenario>),
    /// Compares what was reported and left on disk with what a scenario expects.
    Check {
        /// The scenario.
        scenario: Box<Scenario>,
        /// What the engine reported.
        events: Vec<Event>,
        /// The session's folder.
        folder: Option<PathBuf>,
    },
    /// Keeps a picture of the window at a scenario's failure.
    Picture {
        /// The scenario.
        name: String,
        /// The picture.
        picture: Arc<ColorImage>,
    },
    /// Keeps a report in both forms.
    Export {
        /// For programs.
        json: serde_json::Value,
        /// For people.
        markdown: String,
    },
}

/// What became of it.
#[derive(Debug)]
pub enum QaDone {
    /// The folder is there; `None` when the scenario has none.
    Laid {
        /// The scenario.
        name: String,
        /// Its folder.
        folder: Option<PathBuf>,
    },
    /// The folder could not be made.
    NotLaid {
        /// The scenario.
        name: String,
        /// Why.
        reason: String,
    },
    /// The comparison.
    Checked {
        /// Expected beside seen.
        report: Report,
        /// What the scripted model found wrong since the comparison before.
        violations: Vec<String>,
    },
    /// The picture is kept here.
    Pictured {
        /// The scenario.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// The report is kept in this folder.
    Exported(PathBuf),
}

/// What is remembered between the panel's jobs.
#[derive(Debug, Default)]
pub(super) struct QaDesk {
    /// Violations of the simulator that were told already.
    told: usize,
    /// The folder of this window's reports, once there is one.
    reports: Option<PathBuf>,
}

impl QaDesk {
    /// A new simulator starts with an empty log.
    pub(super) fn new_simulator(&mut self) {
        self.told = 0;
    }

    /// Does a job. `home` is the data folder.
    pub(super) fn take(
        &mut self,
        job: QaJob,
        home: &Path,
        simulator: Option<&Simulator>,
    ) -> Result<QaDone, Failure> {
        match job {
            QaJob::Lay(scenario) => Ok(lay(&scenario)),
            QaJob::Check {
                scenario,
                events,
                folder,
            } => Ok(self.check(&scenario, &events, folder, simulator)),
            QaJob::Picture { name, picture } => {
                let path = self.reports(home)?.join(format!("{name}.png"));
                save(&picture, &path).map_err(|error| not_written(&path, &error))?;
                Ok(QaDone::Pictured { name, path })
            }
            QaJob::Export { json, markdown } => {
                let folder = self.reports(home)?;
                let json = format!("{json:#}\n");
                for (name, text) in [("report.json", json), ("report.md", markdown)] {
                    let path = folder.join(name);
                    fs::write(&path, text).map_err(|error| not_written(&path, &error))?;
                }
                Ok(QaDone::Exported(folder))
            }
        }
    }

    fn check(
        &mut self,
        scenario: &Scenario,
        events: &[Event],
        folder: Option<PathBuf>,
        simulator: Option<&Simulator>,
    ) -> QaDone {
        let report = wisp_qa::check(scenario, events, &folder.unwrap_or_default());
        let all = simulator.map_or_else(Vec::new, |simulator| simulator.log().violations);
        let new = all.iter().skip(self.told);
        let violations = new.map(|violation| violation.message.clone()).collect();
        self.told = all.len();
        QaDone::Checked { report, violations }
    }

    /// The folder of this window's reports; made when it is first needed.
    fn reports(&mut self, home: &Path) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.reports {
            return Ok(folder.clone());
        }
        let time = jiff::Timestamp::now()
            .strftime("%Y-%m-%d-%H%M%S")
            .to_string();
        let folder = simulation::home(home).join(REPORTS).join(time);
        fs::create_dir_all(&folder).map_err(|error| not_written(&folder, &error))?;
        self.reports = Some(folder.clone());
        Ok(folder)
    }
}

fn lay(scenario: &Scenario) -> QaDone {
    let name = scenario.name.clone();
    if scenario.workspace.is_none() {
        return QaDone::Laid { name, folder: None };
    }
    match simulation::lay(scenario) {
        Ok(folder) => QaDone::Laid {
            name,
            folder: Some(folder),
        },
        Err(error) => QaDone::NotLaid {
            name,
            reason: format!("{error:#}"),
        },
    }
}

fn save(picture: &ColorImage, path: &Path) -> io::Result<()> {
    let [width, height] = picture.size.map(u32::try_from);
    let size = width.and_then(|width| Ok((width, height?)));
    let (width, height) = size.map_err(io::Error::other)?;
    let pixels = (picture.pixels.iter())
        .flat_map(eframe::egui::Color32::to_array)
        .collect();
    image::RgbaImage::from_raw(width, height, pixels)
        .ok_or_else(|| io::Error::other("its size and its pixels differ"))?
        .save(path)
        .map_err(io::Error::other)
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        FailureKind::Store,
        format!("{} could not be written ({error}).", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(name: &str) -> Box<Scenario> {
        let found = wisp_qa::builtin().into_iter().find(|s| s.name == name);
        Box::new(found.unwrap())
    }

    #[test]
    fn a_folder_is_fresh_each_time_and_a_scenario_without_one_has_none() {
        let home = tempfile::tempdir().unwrap();
        let mut desk = QaDesk::default();
        let mut lay = |name| match desk.take(QaJob::Lay(scenario(name)), home.path(), None) {
            Ok(QaDone::Laid { folder, .. }) => folder,
            other => panic!("{other:?}"),
        };
        let (one, other) = (lay("demo-replace").unwrap(), lay("demo-replace").unwrap());
        assert_ne!(one, other);
        assert!(one.join("readme.md").is_file());
        assert_eq!(lay("hello"), None);
        for folder in [one, other] {
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn a_run_that_never_was_is_no_run_as_expected() {
        let home = tempfile::tempdir().unwrap();
        let job = QaJob::Check {
            scenario: scenario("hello"),
            events: Vec::new(),
            folder: None,
        };
        match QaDesk::default().take(job, home.path(), None) {
            Ok(QaDone::Checked { report, violations }) => {
                assert!(!report.passed() && violations.is_empty());
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn report_and_picture_are_kept_side_by_side_in_the_data_folder() {
        let home = tempfile::tempdir().unwrap();
        let mut desk = QaDesk::default();
        let picture = Arc::new(ColorImage::example());
        let size = picture.size.map(|side| u32::try_from(side).unwrap());
        let job = QaJob::Picture {
            name: "hello".to_owned(),
            picture,
        };
        let Ok(QaDone::Pictured { path, .. }) = desk.take(job, home.path(), None) else {
            panic!("no picture");
        };
        assert_eq!(image::image_dimensions(&path).unwrap(), (size[0], size[1]));
        let job = QaJob::Export {
            json: serde_json::json!({"passed": 1}),
            markdown: "# x".to_owned(),
        };
        let Ok(QaDone::Exported(folder)) = desk.take(job, home.path(), None) else {
            panic!("no report");
        };
        assert_eq!(path.parent(), Some(folder.as_path()));
        assert!(folder.starts_with(home.path().join("simulation/reports")));
        let text = fs::read_to_string(folder.join("report.json")).unwrap();
        assert!(text.contains("\"passed\": 1"));
        assert!(folder.join("report.md").is_file());
    }
}
