//! The inputs of a run: opened, paired by stem, hashed.

mod hashing;
mod item_source;
mod open;
mod shared_stems;

pub use hashing::InputRecord;
pub(crate) use hashing::hash_bytes;

use crate::Error;
use crate::locate::Sides;
use neurogauge_core::{Captions, Features, Outcome, Pair, Warning};
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use std::path::PathBuf;

/// Two sources, and which item of one belongs to which of the other.
pub(crate) struct Paired<T> {
    pub(crate) sides: Sides<T>,
    /// In the order of [`Dataset::stems`].
    pub(crate) pairs: Vec<Pair>,
}

/// Everything a run compares.
#[derive(Default)]
pub(crate) struct Dataset {
    /// Stems of the pairs in natural order.
    pub(crate) stems: Vec<String>,
    pub(crate) images: Option<Paired<ImageSource>>,
    pub(crate) detections: Option<Paired<DetectionSource>>,
    pub(crate) captions: Option<Paired<Vec<(String, Captions)>>>,
    /// Feature matrices by model.
    pub(crate) features: Vec<(String, Paired<Features>)>,
    /// Feature matrices of the common pool by model.
    pub(crate) pool: Vec<(String, Features)>,
    /// Per-pair values read from SEED's layout, by metric.
    pub(crate) imported: Vec<(&'static str, Vec<Outcome>)>,
    /// What was read, with hashes.
    pub(crate) inputs: Vec<InputRecord>,
    /// What should be known about the inputs.
    pub(crate) warnings: Vec<Warning>,
    /// Kinds of input that only stand in for real ones (keys of `stand_ins.json`).
    pub(crate) stand_ins: Vec<String>,
}

impl Dataset {
    /// Does this kind of input (`captions`, `features/<model>`, ...) only stand in for a real one?
    pub(crate) fn is_stand_in(&self, kind: &str) -> bool {
        self.stand_ins.iter().any(|stand_in| stand_in == kind)
    }

    /// The features of a model, of both sides.
    pub(crate) fn features_of(&self, model: &str) -> Option<&Paired<Features>> {
        let found = self.features.iter().find(|(name, _)| name == model)?;
        Some(&found.1)
    }

    /// An error if the features of a pool are of another length than those of the pairs.
    pub(crate) fn check_pools(&self) -> Result<(), Error> {
        for (model, pool) in &self.pool {
            let expected = self.features_of(model).map(|of| of.sides.gt.n_features());
            if expected.is_some_and(|expected| expected != pool.n_features()) {
                let record = self.input(&format!("pool/features/{model}"));
                return Err(Error::PoolWidth {
                    path: record
                        .map(|record| PathBuf::from(&record.path))
                        .unwrap_or_default(),
                    found: pool.n_features(),
                    expected: expected.unwrap_or_default(),
                });
            }
        }
        Ok(())
    }

    /// The record of an input, e.g. `gt/images`.
    pub(crate) fn input(&self, role: &str) -> Option<&InputRecord> {
        self.inputs.iter().find(|record| record.role == role)
    }
}
