//! How a run prepares images for EffNet: as in SEED's code, as in the preset, or both.

use super::Decider;
use crate::Error;
use crate::selected::MetricSource;
use neurogauge_metrics::{find, list};

/// EffNet with the preset's images, or with SEED's if only SEED needs it.
pub(super) const EFFNET: &str = "effnet";
/// EffNet with SEED's images, in addition to the other one.
pub(super) const EFFNET_OF_SEED: &str = "effnet_official";
/// The metrics that use EffNet with SEED's images.
pub(crate) const OF_SEED: [&str; 2] = ["seed", "seed_vlm"];

/// How a run prepares images for EffNet (convention `seed-images`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeedPreprocessing {
    /// As for all models: SEED is not requested, uses the same preprocessing, or its features are given.
    AsAll,
    /// As in SEED's code, because only SEED needs it.
    Alone,
    /// Both ways, with a column for each.
    Beside,
}

impl Decider<'_, '_> {
    pub(super) fn seed_preprocessing(
        &mut self,
        wanted: &[&str],
        has_encoder: bool,
    ) -> Result<SeedPreprocessing, Error> {
        let request = self.request;
        if request.perception.of_seed() == request.perception.preset {
            return Ok(SeedPreprocessing::AsAll);
        }
        let is_given = |id: &str| find(id).is_some_and(|metric| self.given(metric, &[]).is_some());
        let is_coming = match request.metrics {
            Some(_) => OF_SEED.iter().any(|id| wanted.contains(id)),
            None => has_encoder && is_given("object_f1") && is_given("cap_sim"),
        };
        if !is_coming || is_given(EFFNET) {
            return Ok(SeedPreprocessing::AsAll);
        }
        let names_effnet = |name: &String| name == EFFNET || list(name).is_some_and(|ids| ids.contains(&EFFNET));
        match (&request.metrics, find(EFFNET_OF_SEED)) {
            (Some(names), _) if names.iter().any(names_effnet) => Ok(SeedPreprocessing::Beside),
            (Some(_), _) => Ok(SeedPreprocessing::Alone),
            (None, Some(metric)) if matches!(self.made(metric, false)?, Some(MetricSource::Features(..))) => {
                Ok(SeedPreprocessing::Beside)
            }
            (None, _) => Ok(SeedPreprocessing::AsAll),
        }
    }
}
