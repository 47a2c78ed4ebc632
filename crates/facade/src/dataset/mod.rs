//! The inputs of a run: opened, paired by stem, hashed.

mod clips;
mod images;
mod opening;
mod shared_stems;
mod stack_order;

pub(crate) use clips::of_pairs;
pub(crate) use images::{mask_names, paired_images, stems_in, under_stems_of_pairs};
pub(crate) use neurogauge_core::pair::listed;
pub(crate) use neurogauge_formats::input_record::InputRecord;
pub(crate) use opening::{Opening, same_places};
pub(crate) use shared_stems::SharedStems;
pub(crate) use stack_order::order_of_stack;

use crate::Error;
use crate::clusters::ClusterRecord;
use crate::foreground::Regions;
use crate::observers::masks::MaskPrompts;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use neurogauge_core::pair::{Axis, Form};
use neurogauge_core::{ByKind, Captions, Finding, LabelList, ObservationKind, Outcome, Pair, Sides};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::features::StoredFeatures;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::item_source::ItemSource;
use neurogauge_language::{NounFilter, WordNet};
use std::any::Any;
use std::collections::HashSet;
use std::fmt::Display;

pub(crate) trait SideItems: Any + Send + Sync {
    fn stems(&self) -> Vec<String>;
    /// What their files were taken for.
    fn taken_for(&self) -> Form;
    /// Keeps only these items, in this order and under these stems.
    fn select(&mut self, items: &[usize], stems: Vec<String>);
}

impl<S: ItemSource + Any + Send> SideItems for S {
    fn stems(&self) -> Vec<String> {
        ItemSource::stems(self).to_vec()
    }

    fn taken_for(&self) -> Form {
        ItemSource::taken_for(self)
    }

    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        ItemSource::select(self, items, stems);
    }
}

/// The entries of a file, by stem, and what it was taken for.
#[derive(Clone)]
pub(crate) struct Entries<T>(pub(crate) Vec<(String, T)>, pub(crate) Form);

impl<T: Clone + Any + Send + Sync> SideItems for Entries<T> {
    fn stems(&self) -> Vec<String> {
        self.0.iter().map(|(stem, _)| stem.clone()).collect()
    }

    fn taken_for(&self) -> Form {
        self.1.clone()
    }

    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        let values = items.iter().map(|&item| self.0[item].1.clone());
        self.0 = stems.into_iter().zip(values).collect();
    }
}

/// Two sources, and the pairs of their items.
pub(crate) struct Paired<T> {
    pub(crate) sides: Sides<T>,
    /// The pairs, in the order of [`Dataset::stems`].
    pub(crate) pairs: Vec<Pair>,
}

/// Paired items of any kind.
pub(crate) trait AnyPaired: Any + Send + Sync {
    /// The pairs, and the stems of all items.
    fn pairs_and_stems(&self) -> (Vec<Pair>, Sides<Vec<String>>);
    fn pairs_mut(&mut self) -> &mut Vec<Pair>;
}

impl<T: SideItems> AnyPaired for Paired<T> {
    fn pairs_and_stems(&self) -> (Vec<Pair>, Sides<Vec<String>>) {
        (self.pairs.clone(), Sides::new(self.sides.gt.stems(), self.sides.recon.stems()))
    }

    fn pairs_mut(&mut self) -> &mut Vec<Pair> {
        &mut self.pairs
    }
}

/// The resources for reading and comparing items.
#[derive(Default)]
pub(crate) struct Resources {
    /// The categories that detections may have.
    pub(crate) labels: LabelList,
    /// The categories of each side's images, if masks of them are requested.
    pub(crate) asked_categories: Option<Sides<CategorisationSource>>,
    /// Were the categories made by an observer of this run? If so, an image may have none.
    pub(crate) has_observed_categories: bool,
    /// The side whose categories determine the masks of reconstructions.
    pub(crate) mask_prompts: MaskPrompts,
    /// Captions of the stimuli, if the reconstructions' are not given.
    pub(crate) stimulus_captions: Option<Paired<Entries<Captions>>>,
    /// Finds the nouns of captions, if only nouns count.
    pub(crate) noun_filter: Option<NounFilter>,
    /// The dictionary, if words are looked up.
    pub(crate) wordnet: Option<WordNet>,
}

/// The pool of distractors that all systems share.
#[derive(Default)]
pub(crate) struct Pool {
    /// Feature matrices by model.
    pub(crate) features: Vec<(String, StoredFeatures)>,
    /// The images, if models are to observe them.
    pub(crate) images: Option<ImageSource>,
    /// Stems of the pool images that are also images of the pairs.
    pub(crate) overlap: HashSet<String>,
}

impl Pool {
    pub(crate) fn features_of(&self, model: &str) -> Option<&StoredFeatures> {
        let found = self.features.iter().find(|(name, _)| name == model)?;
        Some(&found.1)
    }
}

/// Everything a run compares.
#[derive(Default)]
pub(crate) struct Dataset {
    /// Stems of the pairs in natural order.
    pub(crate) stems: Vec<String>,
    /// The axes along which pairs are parts of items; empty if each pair is an item.
    pub(crate) axes: Vec<Axis>,
    /// The items of each kind, except features.
    pub(crate) of: ByKind<Option<Box<dyn AnyPaired>>>,
    /// Feature matrices by model.
    pub(crate) features: Vec<(String, Paired<StoredFeatures>)>,
    pub(crate) pool: Pool,
    /// Values read from SEED's layout, by metric and stem.
    pub(crate) recorded: Vec<(&'static str, Vec<(String, Outcome)>)>,
    pub(crate) resources: Resources,
    /// The part of the images that metrics of pixels compare, if not all.
    pub(crate) regions: Option<Regions>,
    /// The clusters of alike stimuli, if any are known.
    pub(crate) clusters: Option<ClusterRecord>,
    /// What was read, with its hashes.
    pub(crate) inputs: Vec<InputRecord>,
    /// Warnings about the inputs.
    pub(crate) findings: Vec<Finding>,
    /// Kinds of input that are placeholders (keys of `stand_ins.json`).
    pub(crate) stand_ins: Vec<String>,
}

impl Dataset {
    /// The items of a kind, which must have this type.
    pub(crate) fn items<T: SideItems>(&self, kind: ObservationKind) -> Option<&Paired<T>> {
        let found: &dyn Any = self.of[kind].as_deref()?;
        found.downcast_ref()
    }

    pub(crate) fn add<T: SideItems>(&mut self, kind: ObservationKind, items: Paired<T>) {
        self.of[kind] = Some(Box::new(items));
    }

    pub(crate) fn take<T: SideItems>(&mut self, kind: ObservationKind) -> Option<Paired<T>> {
        let found: Box<dyn Any> = self.of[kind].take()?;
        found.downcast().ok().map(|found| *found)
    }

    pub(crate) fn images(&self) -> Option<&Paired<ImageSource>> {
        self.items(ObservationKind::Images)
    }

    /// Opens the regions of the stimuli, if the request asks for any.
    pub(crate) fn open_regions(&mut self, request: &ScoreRequest, progress: &dyn Progress) -> Result<(), Error> {
        self.regions = Regions::open(request, self.images().map(|images| &images.sides.gt))?;
        if let Some((masks, _)) = self.regions.as_ref().and_then(|regions| regions.masks.as_ref()) {
            self.inputs.push(InputRecord::of_items("region", masks, progress)?);
        }
        Ok(())
    }

    /// Keeps decoded images that are read more than once: all of them if several computations read them, otherwise only
    /// those of a source that has an image in several pairs.
    pub(crate) fn keep_decoded(&self, has_several_readers: bool) {
        let sides = self.images().into_iter().flat_map(|images| [&images.sides.gt, &images.sides.recon]);
        sides
            .chain(&self.pool.images)
            .filter(|source| has_several_readers || source.has_repeats())
            .for_each(ImageSource::keep_decoded);
    }

    fn pairs_mut(&mut self) -> impl Iterator<Item = (ObservationKind, &mut Vec<Pair>)> {
        let items = self.of.iter_mut().filter_map(|(kind, found)| Some((kind, found.as_mut()?.pairs_mut())));
        let features = self.features.iter_mut().map(|(_, found)| (ObservationKind::Features, &mut found.pairs));
        items.chain(features)
    }

    /// Gives each pair the reconstruction of the pair at its partner's position.
    pub(crate) fn pair_with(&mut self, partners: &[usize]) {
        for (_, pairs) in self.pairs_mut() {
            let of_others: Vec<usize> = partners.iter().map(|&partner| pairs[partner].recon).collect();
            pairs.iter_mut().zip(of_others).for_each(|(pair, recon)| pair.recon = recon);
        }
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

    /// The record of an input, e.g. `gt/images`.
    pub(crate) fn input(&self, role: impl Display) -> Option<&InputRecord> {
        let role = role.to_string();
        self.inputs.iter().find(|record| record.role == role)
    }
}
