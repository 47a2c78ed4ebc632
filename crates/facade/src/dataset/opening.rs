//! A dataset while it is opened: inputs of every kind are paired by stem and hashed.

use super::shared_stems::SharedStems;
use super::{Dataset, InputRecord, Paired};
use crate::Error;
use crate::observations::Located;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use neurogauge_core::inspection::content::{fewer_parts, frame_gaps, left_out, off_by_one, unequally_long};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{FrameTimes, Pairing, PairsOf, Parts, StackOrder, StemPattern};
use neurogauge_core::{ByKind, LabelList, ObservationKind, Pair, Role, Side, Sides};
use neurogauge_formats::item_source::{ItemSource, picked};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

pub(super) struct Opening<'a> {
    pub(super) dataset: Dataset,
    pub(super) stems: SharedStems,
    /// The kinds that are open already, or will be made from open ones.
    pub(super) opened: ByKind<bool>,
    pub(super) located: &'a mut Located,
    pub(super) request: &'a ScoreRequest,
    pub(super) labels: &'a LabelList,
    /// Does a metric of the run depend on what categories are called?
    pub(super) reads_names: bool,
    /// How long the frames of the images are shown, once these are open.
    pub(super) times: Sides<FrameTimes>,
    pub(super) progress: &'a dyn Progress,
}

impl Opening<'_> {
    /// Pairs the stems of two sides (conventions `pairing-stem`, `pairing-match`), and warns of items that
    /// are left out.
    pub(super) fn pair(
        &mut self,
        what: &'static str,
        gt: (&[String], &Path),
        recon: (&[String], &Path),
    ) -> Result<Vec<Pair>, Error> {
        let mut pairing = self.request.pairing.clone();
        if what != ObservationKind::Images.noun() {
            pairing.pattern = self.pattern_of(gt.0, recon.0);
            // Observations of the parts may have the stems of the pairs already.
            let have_pairs = self.stems.are_all_among(gt.0) && self.stems.are_all_among(recon.0);
            pairing.parts = pairing.parts.filter(|_| !have_pairs);
            let are_of_stack = StackOrder::stack_of(gt.0, recon.0).is_some();
            pairing.order = pairing.order.filter(|_| are_of_stack);
        }
        let paired = pairing.pair_timed(gt.0, recon.0, &self.times);
        let paired = paired.map_err(|source| Error::Pairing {
            what,
            gt: gt.1.to_owned(),
            recon: recon.1.to_owned(),
            remedy: source.remedy(|name, value| option(name, value).to_string()),
            source: source.into(),
        })?;
        let doubts = left_out(&paired, what).into_iter().chain(off_by_one(&paired)).chain(unequally_long(&paired));
        let doubts = doubts.chain(frame_gaps(&paired));
        for doubt in doubts.chain(fewer_parts(&paired)) {
            self.dataset.find(doubt);
        }
        self.stems.agree(what, &paired.pairs)?;
        if !paired.axes.is_empty() {
            self.dataset.axes = paired.axes;
        }
        Ok(paired.pairs)
    }

    /// The form of the names of reconstructions, unless these observations of them have the stimuli's stems already.
    fn pattern_of(&self, gt: &[String], recon: &[String]) -> Option<StemPattern> {
        let pattern = self.request.pairing.pattern.clone()?;
        let of_gt: HashSet<&str> = gt.iter().map(String::as_str).collect();
        // Of a part, too: `stem/0` is one of `stem`.
        let has_own_stem = |stem: &str| {
            stem.match_indices('/').map(|(end, _)| &stem[..end]).chain([stem]).any(|item| of_gt.contains(item))
        };
        let is_of_form = |stem: &String| pattern.of_recon(stem).is_some();
        let is_meant = match pattern.is_of_both_sides() {
            true => !recon.iter().any(|stem| has_own_stem(stem)),
            false => recon.iter().any(is_of_form),
        };
        is_meant.then_some(pattern)
    }

    /// Pairs the clips whose frames are paired already; `None` if these are no observations of clips.
    pub(super) fn pair_clips(
        &mut self,
        what: &'static str,
        gt: &[String],
        recon: &[String],
    ) -> Result<Option<Vec<Pair>>, Error> {
        let Some(parts) = &self.request.pairing.parts else {
            return Ok(None);
        };
        let clips = self.stems.clips(&self.dataset.axes);
        let have_pairs = |ids: &[String]| clips.is_subset(&ids.iter().map(String::as_str).collect());
        let parts = parts.pattern.without_frames().map(|pattern| Parts {
            pattern,
            ..parts.clone()
        });
        let pairing = Pairing {
            pairs: PairsOf::Shared,
            pattern: self.pattern_of(gt, recon),
            parts: parts.filter(|_| !have_pairs(gt) || !have_pairs(recon)),
            order: None,
        };
        let paired = pairing.pair(gt, recon);
        let pairs = paired.map_or_else(|_| Vec::new(), |paired| paired.pairs);
        if !pairs.iter().any(|pair| clips.contains(pair.stem.as_str())) {
            return Ok(None);
        }
        self.stems.agree_on_clips(what, &pairs)?;
        Ok(Some(pairs))
    }

    /// Pairs a kind of input and records the hash of every item.
    pub(super) fn paired<S: ItemSource>(&mut self, kind: ObservationKind, sides: Sides<S>) -> Result<Paired<S>, Error> {
        let paired = self.paired_items(kind, sides)?;
        self.record(kind, &paired.sides)?;
        Ok(paired)
    }

    /// Pairs a kind of input.
    pub(super) fn paired_items<S: ItemSource>(
        &mut self,
        kind: ObservationKind,
        mut sides: Sides<S>,
    ) -> Result<Paired<S>, Error> {
        let mut pairs =
            self.pair(kind.noun(), (sides.gt.stems(), sides.gt.path()), (sides.recon.stems(), sides.recon.path()))?;
        if !self.request.pairing.is_default() {
            pairs = narrowed(&mut sides, &pairs);
        }
        Ok(Paired { sides, pairs })
    }

    /// Records the hash of every item.
    pub(super) fn record<S: ItemSource>(&mut self, kind: ObservationKind, sides: &Sides<S>) -> Result<(), Error> {
        for side in Side::BOTH {
            let role = Role::new(side, kind);
            let record = InputRecord::of_items(role, sides.side(side), self.progress)?;
            self.dataset.inputs.push(record);
        }
        Ok(())
    }

    /// Pairs the entries of one file per side, and records the hashes of the files.
    pub(super) fn paired_file<T: Clone>(
        &mut self,
        kind: ObservationKind,
        paths: &Sides<PathBuf>,
        mut sides: Sides<Vec<(String, T)>>,
    ) -> Result<Paired<Vec<(String, T)>>, Error> {
        let stems_of = |list: &[(String, T)]| -> Vec<String> { list.iter().map(|(stem, _)| stem.clone()).collect() };
        let mut pairs =
            self.pair(kind.noun(), (&stems_of(&sides.gt), &paths.gt), (&stems_of(&sides.recon), &paths.recon))?;
        if !self.request.pairing.is_default() {
            let stems = || pairs.iter().map(|pair| pair.stem.clone());
            let of = |rows: Vec<(String, T)>, side: Side| {
                let values = picked(&rows, &places(&pairs, side)).into_iter();
                stems().zip(values.map(|(_, value)| value)).collect()
            };
            sides = Sides {
                gt: of(sides.gt, Side::Gt),
                recon: of(sides.recon, Side::Recon),
            };
            pairs = renumbered(&pairs);
        }
        for side in Side::BOTH {
            let role = Role::new(side, kind).to_string();
            let record = InputRecord::of_file(role, paths.side(side))?;
            self.dataset.inputs.push(record);
        }
        Ok(Paired { sides, pairs })
    }
}

/// The positions of a side's items, in the order of the pairs.
fn places(pairs: &[Pair], side: Side) -> Vec<usize> {
    pairs.iter().map(|pair| pair.of(side)).collect()
}

/// The pairs renumbered for sources that contain only their items.
fn renumbered(pairs: &[Pair]) -> Vec<Pair> {
    let pairs = pairs.iter().enumerate();
    let at = |(place, pair): (usize, &Pair)| Pair {
        stem: pair.stem.clone(),
        gt: place,
        recon: place,
    };
    pairs.map(at).collect()
}

/// Keeps only the paired items in both sources, renamed to the stimuli's stems.
pub(super) fn narrowed<S: ItemSource>(sides: &mut Sides<S>, pairs: &[Pair]) -> Vec<Pair> {
    let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
    sides.gt.select(&places(pairs, Side::Gt), stems.clone());
    sides.recon.select(&places(pairs, Side::Recon), stems);
    renumbered(pairs)
}
