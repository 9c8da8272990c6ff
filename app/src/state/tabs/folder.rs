//! A tab with a folder: the folders that were read, which of them are open, and the rows that come of it.

use std::collections::{BTreeMap, BTreeSet};

use wisp_engine::protocol::{Failure, PreviewEntry, PreviewFolder};

use super::file::name_of;

/// A folder of the session's folder, or that one itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FolderTab {
    /// Its path inside the folder, `/`-separated; `.` is the folder itself.
    pub path: String,
    /// The name on the tab.
    pub name: String,
    folders: BTreeMap<String, Folder>,
    open: BTreeSet<String>,
    /// The row with the mark, by its path.
    pub selected: Option<String>,
    /// Counts the readings, so that the answer to an older one is passed over.
    reading: u64,
}

#[derive(Clone, Debug, PartialEq)]
enum Folder {
    Reading(u64),
    Read {
        folder: PreviewFolder,
        again: Option<u64>,
    },
    Failed(Failure),
}

/// One line of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Row<'a> {
    /// An entry.
    Entry {
        /// How deep, 0 at the top.
        depth: usize,
        /// Its path inside the session's folder.
        path: String,
        /// What it is.
        entry: &'a PreviewEntry,
        /// Of a folder: whether what is in it is shown.
        open: bool,
    },
    /// What is in an open folder is being read.
    Reading {
        /// How deep.
        depth: usize,
    },
    /// A folder is empty.
    Empty {
        /// How deep.
        depth: usize,
    },
    /// A folder could not be read.
    Failed {
        /// How deep.
        depth: usize,
        /// Why.
        failure: &'a Failure,
    },
    /// There is more than is listed.
    More {
        /// How deep.
        depth: usize,
    },
}

impl FolderTab {
    /// One that has yet to be read. `root`: the name of the session's folder, for the folder itself.
    pub fn new(path: &str, root: &str) -> Self {
        let trimmed = path.trim_end_matches('/');
        let path = if trimmed.is_empty() { "." } else { trimmed };
        let name = if path == "." { root } else { name_of(path) };
        Self {
            path: path.to_owned(),
            name: name.to_owned(),
            open: BTreeSet::from([path.to_owned()]),
            ..Self::default()
        }
    }

    /// The open folders that nobody has read yet; each is given once.
    pub fn wanted(&mut self) -> Vec<(String, u64)> {
        let wanted: Vec<String> = (self.open.iter())
            .filter(|path| !self.folders.contains_key(*path) && self.is_shown(path))
            .cloned()
            .collect();
        wanted
            .into_iter()
            .map(|path| {
                self.reading += 1;
                let reading = self.reading;
                self.folders.insert(path.clone(), Folder::Reading(reading));
                (path, reading)
            })
            .collect()
    }

    /// Whether all folders above this one are open.
    fn is_shown(&self, path: &str) -> bool {
        let mut above = path;
        while above != self.path {
            let Some(parent) = parent_of(above) else {
                return false;
            };
            if !self.open.contains(parent) {
                return false;
            }
            above = parent;
        }
        true
    }

    /// Every folder that was read is to be read again; what is shown stays until then. Gives what to read.
    pub fn read_again(&mut self) -> Vec<(String, u64)> {
        let closed: Vec<String> = (self.folders.keys())
            .filter(|path| !self.open.contains(*path) || !self.is_shown(path))
            .cloned()
            .collect();
        for path in closed {
            self.folders.remove(&path);
        }
        let mut wanted = Vec::new();
        for (path, folder) in &mut self.folders {
            self.reading += 1;
            let reading = self.reading;
            match folder {
                Folder::Read { again, .. } => *again = Some(reading),
                Folder::Reading(_) | Folder::Failed(_) => *folder = Folder::Reading(reading),
            }
            wanted.push((path.clone(), reading));
        }
        wanted
    }

    /// A folder was read, or could not be. Tells whether it was still wanted.
    pub fn end_reading(
        &mut self,
        path: &str,
        reading: u64,
        outcome: Result<PreviewFolder, Failure>,
    ) -> bool {
        let Some(folder) = self.folders.get_mut(path) else {
            return false;
        };
        let waits = match folder {
            Folder::Reading(waits) => Some(*waits),
            Folder::Read { again, .. } => *again,
            Folder::Failed(_) => None,
        };
        if waits != Some(reading) {
            return false;
        }
        *folder = match outcome {
            Ok(folder) => Folder::Read {
                folder,
                again: None,
            },
            Err(failure) => Folder::Failed(failure),
        };
        true
    }

    /// Lets go of what was read, so that it is read again when somebody looks.
    pub fn forget(&mut self) {
        self.folders.clear();
    }

    /// Whether something is being read.
    pub fn is_reading(&self) -> bool {
        (self.folders.values()).any(|folder| {
            matches!(
                folder,
                Folder::Reading(_) | Folder::Read { again: Some(_), .. }
            )
        })
    }

    /// Opens or folds a folder of the tree. One that could not be read is tried again.
    pub fn set_open(&mut self, path: &str, open: bool) {
        if open {
            self.open.insert(path.to_owned());
            if matches!(self.folders.get(path), Some(Folder::Failed(_))) {
                self.folders.remove(path);
            }
        } else {
            self.open.remove(path);
        }
    }

    /// Whether what is in a folder is shown.
    pub fn is_open(&self, path: &str) -> bool {
        self.open.contains(path)
    }

    /// The rows from top to bottom: folders before files, each by name.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows = Vec::new();
        self.push_rows(&self.path, 0, &mut rows);
        rows
    }

    fn push_rows<'a>(&'a self, path: &str, depth: usize, rows: &mut Vec<Row<'a>>) {
        match self.folders.get(path) {
            None | Some(Folder::Reading(_)) => rows.push(Row::Reading { depth }),
            Some(Folder::Failed(failure)) => rows.push(Row::Failed { depth, failure }),
            Some(Folder::Read { folder, .. }) => {
                let (folders, others): (Vec<_>, Vec<_>) =
                    (folder.entries.iter()).partition(|entry| entry.is_folder());
                for entry in folders.into_iter().chain(others) {
                    let path = joined(path, &entry.name);
                    let open = entry.is_folder() && self.is_open(&path);
                    rows.push(Row::Entry {
                        depth,
                        path: path.clone(),
                        entry,
                        open,
                    });
                    if open {
                        self.push_rows(&path, depth + 1, rows);
                    }
                }
                if folder.truncated || folder.unnamed > 0 {
                    rows.push(Row::More { depth });
                } else if folder.entries.is_empty() {
                    rows.push(Row::Empty { depth });
                }
            }
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path == "." {
        name.to_owned()
    } else {
        format!("{path}/{name}")
    }
}

/// The folder that something is in; `.` at the top.
fn parent_of(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None if path == "." => None,
        None => Some("."),
    }
}
