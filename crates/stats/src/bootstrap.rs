//! How intervals are computed.

use crate::StatsError;
use crate::error::check_level;
use crate::quantile::quantile_of_sorted;

use neurogauge_core::Seed;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;

/// How the interval of a mean is computed from its resamples (convention `interval`).
///
/// `bench/calibration/means.tsv` has how often each covers the true mean, by distribution and number of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeanInterval {
    /// The mean plus and minus q standard errors, where q is the `level` quantile of |t*|, and t* is the distance of a
    /// resample's mean from the mean in the resample's own standard errors (Hall, 1988); but q is at least Student's
    /// quantile with n − 1 degrees of freedom, because resamples of few distinct values often have no spread and then
    /// give no information. A column of zeros and ones, whose mean is a share, has
    /// [`wilson_interval`](crate::wilson_interval) instead.
    #[default]
    Studentized,
    /// [`bca_interval`](crate::bca_interval) with the jackknife over pairs. Too narrow below about thirty pairs.
    Bca,
    /// Between two percentiles of the resamples' means. Too narrow below about thirty pairs. The only method up to
    /// version 0.1.
    Percentile,
}

impl MeanInterval {
    pub const ALL: [MeanInterval; 3] = [MeanInterval::Studentized, MeanInterval::Bca, MeanInterval::Percentile];

    pub fn id(self) -> &'static str {
        match self {
            MeanInterval::Studentized => "studentized",
            MeanInterval::Bca => "bca",
            MeanInterval::Percentile => "percentile",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            MeanInterval::Studentized => "studentised bootstrap",
            MeanInterval::Bca => "BCa bootstrap",
            MeanInterval::Percentile => "percentile bootstrap",
        }
    }
}

impl FromStr for MeanInterval {
    type Err = StatsError;

    fn from_str(id: &str) -> Result<Self, StatsError> {
        let found = MeanInterval::ALL.into_iter().find(|way| way.id() == id);
        found.ok_or_else(|| StatsError::option("interval", id, "studentized, bca or percentile"))
    }
}

/// The most resamples: more would take days and fill the memory.
pub const MAX_RESAMPLES: usize = 10_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapOptions {
    pub resamples: usize,
    pub level: f64,
    pub seed: Seed,
    pub interval: MeanInterval,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        BootstrapOptions {
            resamples: 2000,
            level: 0.95,
            seed: Seed::default(),
            interval: MeanInterval::default(),
        }
    }
}

impl BootstrapOptions {
    pub fn check(&self) -> Result<(), StatsError> {
        if !(1..=MAX_RESAMPLES).contains(&self.resamples) {
            return Err(StatsError::option("resamples", self.resamples, "a whole number from 1 to 10000000"));
        }
        check_level(self.level)?;
        Ok(())
    }

    /// Serialises the options without the method for intervals of means.
    pub(crate) fn without_interval<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("BootstrapOptions", 3)?;
        fields.serialize_field("resamples", &self.resamples)?;
        fields.serialize_field("level", &self.level)?;
        fields.serialize_field("seed", &self.seed)?;
        fields.end()
    }

    /// The two tail probabilities that bound the interval.
    pub(crate) fn tails(&self) -> (f64, f64) {
        let tail = (1.0 - self.level) / 2.0;
        (tail, 1.0 - tail)
    }

    /// Percentile interval of replicates; `None` if there are none.
    pub(crate) fn percentile_interval(&self, mut replicates: Vec<f64>) -> Option<(f64, f64)> {
        if replicates.is_empty() {
            return None;
        }
        replicates.sort_unstable_by(f64::total_cmp);
        let (low, high) = self.tails();
        Some((quantile_of_sorted(&replicates, low), quantile_of_sorted(&replicates, high)))
    }
}
