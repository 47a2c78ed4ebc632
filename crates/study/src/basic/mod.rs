//! BASIC under several configurations: with different models that describe the stimuli and the reconstructions, prompts
//! and thresholds (BASIC, Sec. 4.3 and App. E).
//!
//! Each configuration is a set of options of `score` for all systems. The tables rank the systems under each
//! configuration and measure how similar the rankings are; two figures show the levels of BASIC and single stimuli.

mod agreement;
mod grid;
mod scoring;
mod standings;
mod tables;

use crate::scoring::System;
pub use agreement::RankingAgreement;
pub(crate) use scoring::{Configured, score_all};
use serde::Serialize;
use serde_json::Value;
pub(crate) use tables::record;

/// The part of `study.json` about BASIC under several configurations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BasicRecord {
    /// The run of each system under each configuration.
    pub runs: Vec<BasicRunRecord>,
    /// How similarly the configurations rank the systems.
    pub rankings: Vec<RankingAgreement>,
    /// What exhibits show of each group of systems that share their stimuli.
    pub groups: Vec<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BasicRunRecord {
    pub configuration: String,
    pub system: String,
    /// Path of the run, relative to the study's folder.
    pub run: String,
    pub fingerprint: String,
    /// Does any of its metrics use a placeholder model?
    pub stand_in: bool,
}

impl BasicRunRecord {
    fn of(configured: &Configured, systems: &[System]) -> Vec<BasicRunRecord> {
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
