//! The inputs of a run: opened, paired by stem, hashed.

mod clips;
mod detections;
mod features;
mod images;
mod observed;
mod open;
mod opening;
mod pool;
mod shared_stems;
mod stack_order;
mod texts;

pub(crate) use images::{names_of, paired_images, under_stems_of_pairs};
pub(crate) use neurogauge_core::pair::listed;
pub(crate) use neurogauge_formats::input_record::InputRecord;
pub(crate) use observed::{of_stems, read};
pub(crate) use stack_order::order_of_stack;

use crate::observers::masks::MaskPrompts;
use neurogauge_core::pair::Axis;
use neurogauge_core::{
    Captions, CategoryNames, Finding, LabelList, ObservationKind, Outcome, Pair, SceneGraph, Side, Sides,
};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::features::StoredFeatures;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_language::NounFilter;
use neurogauge_language::WordNet;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;

/// Two sources, and the pairs of their items.
pub(crate) struct Paired<T> {
    pub(crate) sides: Sides<T>,
    /// In the order of [`Dataset::stems`].
    pub(crate) pairs: Vec<Pair>,
}

impl<T> Paired<T> {
    /// The first side of a pair (stimulus, then reconstruction) for which `has` is false.
    pub(crate) fn side_without(&self, pair: &Pair, has: impl Fn(&T, usize) -> bool) -> Option<Side> {
        let lacks = |side: &Side| !has(self.sides.side(*side), pair.of(*side));
        Side::BOTH.into_iter().find(lacks)
    }
}

/// Scene graphs by stem; `None` for a caption that could not be parsed.
pub(crate) type StemGraphs = Vec<(String, Option<SceneGraph>)>;

/// Names of categories, or texts, by stem; `None` if the model returned none.
pub(crate) type StemNames = Vec<(String, Option<CategoryNames>)>;

/// VQA scores by stem; `None` if the model answered neither yes nor no.
pub(crate) type StemScores = Vec<(String, Option<f64>)>;

/// Everything a run compares.
#[derive(Default)]
pub(crate) struct Dataset {
    /// Stems of the pairs in natural order.
    pub(crate) stems: Vec<String>,
    /// For each pair, the place of the one whose reconstruction it has, where these are shuffled.
    pub(crate) partners: Vec<usize>,
    /// The axes of the parts that the pairs are of; none where each pair is an item.
    pub(crate) axes: Vec<Axis>,
    pub(crate) images: Option<Paired<ImageSource>>,
    pub(crate) detections: Option<Paired<DetectionSource>>,
    pub(crate) captions: Option<Paired<Vec<(String, Captions)>>>,
    /// Captions of the stimuli alone, by the stems of the pairs; only if the reconstructions' are not given.
    pub(crate) stimulus_captions: Option<Vec<(String, Captions)>>,
    /// Lists of words for each image, by their kind.
    pub(crate) words: BTreeMap<ObservationKind, Paired<StemNames>>,
    pub(crate) masks: Option<Paired<MaskSource>>,
    /// The categories of each side's images, if masks of them are to be made.
    pub(crate) asked_categories: Option<Sides<CategorisationSource>>,
    /// Whose categories decide which masks of reconstructions are made.
    pub(crate) mask_prompts: MaskPrompts,
    /// Which categories detections may have.
    pub(crate) labels: LabelList,
    /// Were the categories made by an observer of this run? If so, an image may have none.
    pub(crate) has_observed_categories: bool,
    pub(crate) scene_graphs: Option<Paired<StemGraphs>>,
    /// By the stems of the pairs.
    pub(crate) vqa_scores: Option<StemScores>,
    /// Finds the nouns of captions, if only they count.
    pub(crate) noun_filter: Option<NounFilter>,
    /// The dictionary, if words are looked up.
    pub(crate) wordnet: Option<WordNet>,
    /// Feature matrices by model.
    pub(crate) features: Vec<(String, Paired<StoredFeatures>)>,
    /// Feature matrices of the common pool by model.
    pub(crate) pool: Vec<(String, StoredFeatures)>,
    /// The images of the common pool, if models are to observe them.
    pub(crate) pool_images: Option<ImageSource>,
    /// Stems of the pool's images that also are images of the pairs.
    pub(crate) pool_overlap: HashSet<String>,
    /// Values read from SEED's layout, by metric and stem.
    pub(crate) recorded: Vec<(&'static str, Vec<(String, Outcome)>)>,
    /// What was read, with hashes.
    pub(crate) inputs: Vec<InputRecord>,
    /// Warnings about the inputs.
    pub(crate) findings: Vec<Finding>,
    /// Kinds of input that are placeholders (keys of `stand_ins.json`).
    pub(crate) stand_ins: Vec<String>,
}

impl Dataset {
    /// Keeps decoded images that are read more than once: all of them if several computations read them, otherwise
    /// those of a source that has an image in several pairs.
    pub(crate) fn keep_decoded(&self, has_several_readers: bool) {
        let sides = self.images.iter().flat_map(|images| [&images.sides.gt, &images.sides.recon]);
        sides
            .chain(&self.pool_images)
            .filter(|source| has_several_readers || source.has_repeats())
            .for_each(ImageSource::keep_decoded);
    }

    /// Gives each pair the reconstruction of the one at this place.
    pub(crate) fn pair_with(&mut self, partners: &[usize]) {
        let words = self.words.values_mut().map(|of| &mut of.pairs);
        let features = self.features.iter_mut().map(|(_, of)| &mut of.pairs);
        let images = self.images.iter_mut().map(|of| &mut of.pairs);
        let detections = self.detections.iter_mut().map(|of| &mut of.pairs);
        let captions = self.captions.iter_mut().map(|of| &mut of.pairs);
        let masks = self.masks.iter_mut().map(|of| &mut of.pairs);
        let graphs = self.scene_graphs.iter_mut().map(|of| &mut of.pairs);
        let all = words.chain(features).chain(images).chain(detections);
        for pairs in all.chain(captions).chain(masks).chain(graphs) {
            let of_others = partners.iter().map(|&partner| pairs[partner].recon);
            let of_others: Vec<usize> = of_others.collect();
            let pairs = pairs.iter_mut().zip(of_others);
            pairs.for_each(|(pair, recon)| pair.recon = recon);
        }
        self.partners = partners.to_vec();
    }

    /// Adds a finding, unless it is there already.
    pub(crate) fn find(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Is this kind of input (`captions`, `features/<model>`, ...) a placeholder?
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
