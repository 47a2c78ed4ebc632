//! The request, and `multiverse.json`.

use crate::{ConventionRow, Effect, Nearest, Order, Over};
use neurogauge::core::{Direction, Finding};
use neurogauge::{Error, Provenance, ScoreRequest, file_name};
use serde::{Deserialize, Serialize};
use std::path::{PathBuf, absolute};

/// Behind the names of metrics that rest on placeholder models.
pub(crate) const DAGGER: &str = "†";

/// Raised when the layout of `multiverse.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// Stimuli, systems, and the conventions under which they are scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MultiverseRequest {
    /// Stimuli: a folder of images, an `.npy` stack or a `.pt` file.
    pub stimuli: PathBuf,
    /// Names and reconstructions of systems, likewise.
    pub systems: Vec<(String, PathBuf)>,
    /// Ids of metrics, or names of lists.
    pub metrics: Vec<String>,
    pub over: Over,
    /// A number that was published, whose convention is looked for.
    pub published: Option<f64>,
    /// Everything that no convention decides, such as intervals and models.
    pub score: ScoreRequest,
}

impl MultiverseRequest {
    /// Refuses systems whose runs would share a folder or have no folder.
    ///
    /// # Errors
    /// [`Error::Usage`] with the names.
    pub fn check_folders(&self) -> Result<(), Error> {
        let names = || self.systems.iter().map(|(name, _)| name);
        for (place, name) in names().enumerate() {
            let folder = file_name(name);
            if folder.trim_start_matches('.').is_empty() {
                return Err(Error::Usage(format!("system {name:?}: a name needs a letter or a digit")));
            }
            let mut before = names().take(place);
            let is_same = |other: &&String| *other != name && file_name(other) == folder;
            if let Some(other) = before.find(is_same) {
                return Err(Error::Usage(format!(
                    "system {name:?}: another system is called {other:?}; their folders would be the same"
                )));
            }
        }
        Ok(())
    }

    /// The request with absolute paths.
    pub(crate) fn with_absolute_paths(&self) -> MultiverseRequest {
        let at = |path: &PathBuf| absolute(path).unwrap_or_else(|_| path.clone());
        let systems = self.systems.iter();
        MultiverseRequest {
            stimuli: at(&self.stimuli),
            systems: systems.map(|(name, path)| (name.clone(), at(path))).collect(),
            score: self.score.with_absolute_paths(),
            ..self.clone()
        }
    }
}

/// The content of `multiverse.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MultiverseRecord {
    /// The program; inputs are in the records of the runs.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: MultiverseRequest,
    pub metrics: Vec<MetricUniverse>,
    /// All estimates by their distance from the published number, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Nearest>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricUniverse {
    pub metric: &'static str,
    /// Its name in tables, with a dagger if it rests on a placeholder model.
    pub label: String,
    pub direction: Direction,
    pub chance: Option<f64>,
    /// The conventions, from the lowest mean over systems to the highest.
    pub conventions: Vec<ConventionRow>,
    /// Main effects of the choices that differ, if the conventions hold all of their combinations; else of the
    /// convention as a whole. Empty if nothing varies.
    pub effects: Vec<Effect>,
    /// How the order of systems changes; none with fewer than two systems.
    pub order: Option<Order>,
}
