//! The inputs of a run: opened, paired by stem, hashed.

mod features;
mod images;
mod observed;
mod open;
mod opening;
mod pool;
mod shared_stems;
mod texts;

pub(crate) use images::{names_of, paired_images, under_stems_of_pairs};
pub(crate) use neurogauge_core::pair::listed;
pub(crate) use neurogauge_formats::input_record::InputRecord;
pub(crate) use observed::{of_stems, read};

use crate::observers::masks::MaskPrompts;
use neurogauge_core::{
    Captions, CategoryNames, Finding, LabelList, Outcome, Pair, SceneGraph, Side, Sides, Warning,
};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::features::StoredFeatures;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_language::NounFilter;
use neurogauge_language::WordNet;
use std::collections::HashSet;
use std::fmt::Display;

/// Two sources, and which item of one belongs to which of the other.
pub(crate) struct Paired<T> {
    pub(crate) sides: Sides<T>,
    /// In the order of [`Dataset::stems`].
    pub(crate) pairs: Vec<Pair>,
}

impl<T> Paired<T> {
    /// The side of a pair, stimulus first, that `has` says has nothing here.
    pub(crate) fn side_without(
        &self,
        pair: &Pair,
        has: impl Fn(&T, usize) -> bool,
    ) -> Option<Side> {
        let lacks = |side: &Side| !has(self.sides.side(*side), pair.of(*side));
        Side::BOTH.into_iter().find(lacks)
    }
}

/// Scene graphs by stem; none where a caption could not be parsed.
pub(crate) type StemGraphs = Vec<(String, Option<SceneGraph>)>;

/// Names of categories by stem; none where a model gave none.
pub(crate) type StemNames = Vec<(String, Option<CategoryNames>)>;

/// VQA scores by stem; none where a model said neither yes nor no.
pub(crate) type StemScores = Vec<(String, Option<f64>)>;

/// Everything a run compares.
#[derive(Default)]
pub(crate) struct Dataset {
    /// Stems of the pairs in natural order.
    pub(crate) stems: Vec<String>,
    pub(crate) images: Option<Paired<ImageSource>>,
    pub(crate) detections: Option<Paired<DetectionSource>>,
    pub(crate) captions: Option<Paired<Vec<(String, Captions)>>>,
    /// By the stems of the pairs, where those of the reconstructions are not given.
    pub(crate) stimulus_captions: Option<Vec<(String, Captions)>>,
    pub(crate) category_names: Option<Paired<StemNames>>,
    pub(crate) masks: Option<Paired<MaskSource>>,
    /// What masks are asked for, where they are to be made: the categories of each side's images.
    pub(crate) asked_categories: Option<Sides<CategorisationSource>>,
    /// Whose categories masks of reconstructions are asked for.
    pub(crate) mask_prompts: MaskPrompts,
    /// Which categories detections may have.
    pub(crate) labels: LabelList,
    /// Were the categories observed here? Then images may have none.
    pub(crate) has_observed_categories: bool,
    pub(crate) scene_graphs: Option<Paired<StemGraphs>>,
    /// By the stems of the pairs.
    pub(crate) vqa_scores: Option<StemScores>,
    /// What finds the nouns of captions, if only these count.
    pub(crate) noun_filter: Option<NounFilter>,
    /// Where words are looked up, if they are.
    pub(crate) wordnet: Option<WordNet>,
    /// Feature matrices by model.
    pub(crate) features: Vec<(String, Paired<StoredFeatures>)>,
    /// Feature matrices of the common pool by model.
    pub(crate) pool: Vec<(String, StoredFeatures)>,
    /// The images of the common pool, if it is to be looked at.
    pub(crate) pool_images: Option<ImageSource>,
    /// Stems of those that are images of the pairs too.
    pub(crate) pool_overlap: HashSet<String>,
    /// Values read from SEED's layout, by metric and stem.
    pub(crate) recorded: Vec<(&'static str, Vec<(String, Outcome)>)>,
    /// What was read, with hashes.
    pub(crate) inputs: Vec<InputRecord>,
    /// What should be known about the inputs.
    pub(crate) warnings: Vec<Warning>,
    /// Kinds of input that only stand in for real ones (keys of `stand_ins.json`).
    pub(crate) stand_ins: Vec<String>,
}

impl Dataset {
    /// Images are read by several: each is decoded once.
    pub(crate) fn keep_decoded(&self) {
        let sides = self
            .images
            .iter()
            .flat_map(|images| [&images.sides.gt, &images.sides.recon]);
        sides
            .chain(&self.pool_images)
            .for_each(ImageSource::keep_decoded);
    }

    /// Warns of what was found, once.
    pub(crate) fn warn(&mut self, finding: &Finding) {
        let warning = finding.to_warning();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Does this kind of input (`captions`, `features/<model>`, ...) only stand in for a real one?
    pub(crate) fn is_stand_in(&self, kind: &str) -> bool {
        self.stand_ins.iter().any(|stand_in| stand_in == kind)
    }

    /// The features of a model, of both sides.
    pub(crate) fn features_of(&self, model: &str) -> Option<&Paired<StoredFeatures>> {
        let found = self.features.iter().find(|(name, _)| name == model)?;
        Some(&found.1)
    }

    /// The features of a model, of the common pool.
    pub(crate) fn pool_of(&self, model: &str) -> Option<&StoredFeatures> {
        let found = self.pool.iter().find(|(name, _)| name == model)?;
        Some(&found.1)
    }

    /// The record of an input, e.g. `gt/images`.
    pub(crate) fn input(&self, role: impl Display) -> Option<&InputRecord> {
        let role = role.to_string();
        self.inputs.iter().find(|record| record.role == role)
    }
}
