//! The part of `study.json` about BASIC.

use super::{Configured, RankingAgreement};
use crate::scoring::System;
use serde::Serialize;

/// BASIC under several configurations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BasicRecord {
    /// The run of each system under each configuration.
    pub runs: Vec<BasicRunRecord>,
    /// How similarly the configurations rank the systems.
    pub rankings: Vec<RankingAgreement>,
}

/// A system under a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BasicRunRecord {
    pub configuration: String,
    pub system: String,
    /// The run, below the study's folder.
    pub run: String,
    pub fingerprint: String,
    /// Does any of its metrics use a placeholder model?
    pub stand_in: bool,
}

impl BasicRunRecord {
    pub(crate) fn of(configured: &Configured, systems: &[System]) -> Vec<BasicRunRecord> {
        let record = configured.runs.iter().zip(systems).map(|((place, run), system)| BasicRunRecord {
            configuration: configured.name.clone(),
            system: system.name.clone(),
            run: place.clone(),
            fingerprint: run.record.fingerprint.clone(),
            stand_in: run.record.metrics.iter().any(|metric| metric.stand_in),
        });
        record.collect()
    }
}
