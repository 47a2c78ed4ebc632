//! The request, and `multiverse.json`.

use crate::{ConventionRow, Effect, Order, Over};
use clap::Args;
use neurogauge::core::option_values::{Finite, named_path, number, trimmed};
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Direction, Finding};
use neurogauge::{Error, Provenance, ScoreRequest, file_name};
use serde::{Deserialize, Serialize};
use std::path::{PathBuf, absolute};

/// Follows the names of metrics that depend on placeholder models.
pub(crate) const DAGGER: &str = "†";

/// Increased when the layout of `multiverse.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// Stimuli, systems, and the conventions under which they are scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Args)]
pub struct MultiverseRequest {
    /// Stimuli: a folder of images, an .npy stack or a .pt file; for metrics of captions their captions
    #[arg(value_name = "STIMULI", help_heading = "Inputs")]
    pub stimuli: PathBuf,
    /// Systems: each a name with its reconstructions, or their captions
    #[arg(id = "recon", value_name = "NAME=RECON", value_parser = named_path, required = true, num_args = 1.., help_heading = "Inputs")]
    pub systems: Vec<(String, PathBuf)>,
    /// Comma-separated ids of metrics of pixels or of image models, or nsd8; or of captions (cap_sim, rouge_1, ...)
    /// with --over options
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = trimmed,
        default_value = "pixcorr,ssim",
        help_heading = "Conventions"
    )]
    pub metrics: Vec<String>,
    /// Compare the presets of released evaluations (`neurogauge list presets`), or all combinations of single options
    #[arg(long, value_parser = choice::<Over>(), default_value = word_of(&Over::default()), help_heading = "Conventions")]
    pub over: Over,
    /// A published number: also say which conventions come nearest
    #[arg(long, value_name = "NUMBER", value_parser = number::<Finite, f64>, help_heading = "Conventions")]
    pub published: Option<f64>,
    /// Everything that no convention decides, such as intervals and models.
    #[arg(skip)]
    pub score: ScoreRequest,
}

impl MultiverseRequest {
    /// Refuses systems whose runs would share a folder or have none.
    ///
    /// # Errors
    /// [`Error::Usage`] with their names.
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
    /// The program; the inputs are in the records of the runs.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: MultiverseRequest,
    pub metrics: Vec<MetricUniverse>,
    /// All estimates by their distance from the published number, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Nearest>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricUniverse {
    pub metric: &'static str,
    /// Its name in tables, with a dagger if it depends on a placeholder model.
    pub label: String,
    pub direction: Direction,
    pub chance: Option<f64>,
    /// The conventions, from the lowest mean over systems to the highest.
    pub conventions: Vec<ConventionRow>,
    /// Main effects of the choices that differ, if the conventions contain all of their combinations; otherwise of the
    /// convention as a whole. Empty if nothing varies.
    pub effects: Vec<Effect>,
    /// How the order of systems changes; `None` with fewer than two systems.
    pub order: Option<Order>,
}

/// A convention, and the distance of its estimate from a published number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    pub metric: &'static str,
    pub system: String,
    pub convention: String,
    pub value: f64,
    pub standard_error: f64,
    /// The estimate minus the published number, in standard errors.
    pub distance: f64,
}

/// All estimates by their distance from a number, nearest first. Estimates without a standard error are left out.
pub(crate) fn nearest<'a>(
    published: f64,
    systems: &[String],
    metrics: impl IntoIterator<Item = (&'static str, &'a [ConventionRow])>,
) -> Vec<Nearest> {
    let mut found = Vec::new();
    for (metric, conventions) in metrics {
        for row in conventions {
            for (system, scored) in systems.iter().zip(&row.systems) {
                if let (Ok(value), Some(standard_error)) = (&scored.estimate.value, scored.standard_error)
                    && standard_error > 0.0
                {
                    found.push(Nearest {
                        metric,
                        system: system.clone(),
                        convention: row.name.clone(),
                        value: *value,
                        standard_error,
                        distance: (value - published) / standard_error,
                    });
                }
            }
        }
    }
    found.sort_by(|a, b| a.distance.abs().total_cmp(&b.distance.abs()));
    found
}
