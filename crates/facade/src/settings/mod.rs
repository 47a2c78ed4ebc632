//! Settings of a command besides its request: where it writes, where weights are, what it does after a failed item, and
//! which shard of the work it does.

mod model_choices;

pub use model_choices::{ModelChoices, ModelOverrides};

use neurogauge_core::Seed;
use neurogauge_models::vlm::VlmServer;
use neurogauge_report::LatexStyle;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Settings that do not affect numbers: where to write, and where weights are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSettings {
    #[serde(skip)]
    pub out: PathBuf,
    pub weights: Option<PathBuf>,
    pub allow_download: bool,
    /// Is it a dry run? If so, nothing is downloaded, and models with missing weights are planned too.
    #[serde(skip)]
    pub is_dry_run: bool,
    /// Are weights only searched for, so that all missing ones can be named before the first download?
    #[serde(skip)]
    pub defers_downloads: bool,
    /// The models' weights and device, for functions without a request. Commands use those of their request.
    pub models: ModelChoices,
    /// Pairs whose masks are drawn over their images, by stem (`<out>/figures/`).
    pub overlays: Vec<String>,
    /// The store of observations that all runs share; `None` is the cache (`NEUROGAUGE_CACHE`).
    pub cache: Option<PathBuf>,
    /// Is the disk of that store full? If so, the run does without.
    #[serde(skip)]
    pub is_cache_full: bool,
    /// What to do if an item cannot be observed. `None`: report it and leave it out.
    pub on_failure: Option<OnFailure>,
    /// The shard of the items that this process observes; `None` means all items.
    #[serde(skip)]
    pub shard: Option<Shard>,
    /// May it replace a finished run of other inputs or options?
    pub overwrite: bool,
    /// Is the run folder reused by later runs? Files of another run are then removed.
    #[serde(skip)]
    pub is_scratch: bool,
    /// Repeat a run even if its inputs or models changed?
    pub accept_changes: bool,
    /// Addresses of servers, by the server's name for the model; an empty name stands for any model. They are not
    /// recorded.
    #[serde(skip)]
    pub vlm_servers: BTreeMap<String, VlmServer>,
    /// Observers from outside this toolkit that a run or `perceive` also runs
    /// ([`observers::custom`](crate::observers::custom)).
    #[serde(skip)]
    pub custom_observers: Vec<CustomObserver>,
    /// Selects another order of steps that the plan allows. Tests use it to check that no number depends on the order.
    #[serde(skip)]
    pub step_order: Option<Seed>,
    /// Also write SEED's official layout under `<out>/evaluations/<name>/`.
    pub export_official: bool,
    pub latex: LatexStyle,
}

impl RunSettings {
    /// The settings with the models of a request.
    pub(crate) fn with_models(&self, models: &ModelChoices) -> RunSettings {
        RunSettings {
            models: models.clone(),
            ..self.clone()
        }
    }
}

/// What to do if a model fails on an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Report it and leave it out; its pairs have no value.
    #[default]
    Skip,
    /// Stop the run. Earlier observations are kept.
    Stop,
}

/// One of several contiguous pieces of a list of items. Its items do not depend on what is already in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub index: usize,
    pub of: NonZeroUsize,
}

impl Shard {
    /// The positions of its items among `n`.
    ///
    /// ```
    /// use neurogauge::Shard;
    /// let shard = |index| Shard { index, of: 3.try_into().unwrap() };
    /// assert_eq!([0, 1, 2].map(|index| shard(index).items(8)), [0..2, 2..5, 5..8]);
    /// ```
    pub fn items(self, n: usize) -> Range<usize> {
        let end = |index: usize| n * index / self.of;
        end(self.index)..end(self.index + 1).min(n)
    }
}

/// An observer that [`observers::custom`](crate::observers::custom) made from a user's type. The settings treat it as
/// opaque; the plan of a command extracts the step.
#[derive(Clone)]
pub struct CustomObserver(pub(crate) Arc<dyn Any + Send + Sync>);

impl fmt::Debug for CustomObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomObserver")
    }
}

impl PartialEq for CustomObserver {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
