//! `neurogauge score`: inputs in, run folder out.

mod dimensions;
mod export;
mod finished;
mod null_levels;
mod reopened;
mod repeat;
mod run;
mod shards;
#[cfg(test)]
mod toy_kind;

pub use finished::{Run, load_run};
pub use reopened::{PartImages, Reopened};
pub use repeat::repeat;
pub(crate) use shards::{begin, observe_shard};

use crate::Error;
use crate::plan::resolve;
use crate::request::ScoreRequest;
use crate::settings::RunSettings;
use crate::store::past_full_cache;
use neurogauge_core::Progress;

/// Scores reconstructions against stimuli and writes the run folder.
///
/// A run that is already finished with the same inputs, models and options is read back. A run that was interrupted, or
/// in which items failed, continues where it stopped.
pub fn score(request: &ScoreRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<Run, Error> {
    past_full_cache(settings, progress, |settings| {
        run::score_resolved(resolve(request, settings, None, progress)?, progress)
    })
}
