//! A dataset while it is being opened: inputs of every kind are paired by stem and hashed.

use super::shared_stems::{SharedStems, clip_of};
use super::{Dataset, InputRecord, Paired, SideItems};
use crate::Error;
use crate::observations::Located;
use crate::pairing::{NamesIn, pair_names};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selected::Selection;
use neurogauge_core::finding::TAKEN_FOR;
use neurogauge_core::inspection::content::{fewer_parts, frame_gaps, off_by_one, unequally_long};
use neurogauge_core::pair::{Form, FrameTimes, PairedStems, Pairing, PairsOf, Parts, StackOrder, StemPattern};
use neurogauge_core::{ByKind, Finding, LabelList, ObservationKind, Pair, Role, Side, Sides};
use neurogauge_formats::item_source::ItemSource;
use std::collections::HashSet;
use std::path::PathBuf;

pub(crate) struct Opening<'a> {
    pub(crate) dataset: Dataset,
    pub(crate) stems: SharedStems,
    /// The kinds that are open, or will be made from open ones.
    pub(crate) opened: ByKind<bool>,
    pub(crate) located: &'a mut Located,
    pub(crate) request: &'a ScoreRequest,
    pub(crate) labels: &'a LabelList,
    pub(crate) selection: &'a Selection,
    /// How long the frames of the images are shown, once the images are open.
    pub(crate) times: Sides<FrameTimes>,
    pub(crate) progress: &'a dyn Progress,
}

impl Opening<'_> {
    /// Pairs the stems of two sides (conventions `pairing-stem`, `pairing-match`), and warns about items that are left
    /// out.
    pub(crate) fn pair(
        &mut self,
        (what, form): (&'static str, Form),
        gt: NamesIn<'_>,
        recon: NamesIn<'_>,
    ) -> Result<Vec<Pair>, Error> {
        let mut pairing = self.request.pairing.clone();
        if what != ObservationKind::Images.noun() {
            pairing.pattern = self.pattern_of(gt.0, recon.0);
            // Observations of parts may already have the stems of the pairs.
            let have_pairs = self.stems.are_all_among(gt.0) && self.stems.are_all_among(recon.0);
            pairing.parts = pairing.parts.filter(|_| !have_pairs);
            pairing.trials = pairing.trials.filter(|_| !have_pairs);
            let are_of_stack = StackOrder::stack_of(gt.0, recon.0).is_some();
            pairing.order = pairing.order.filter(|_| are_of_stack);
        }
        let (mut paired, found) = pair_names(&pairing, (what, form), gt, recon, &self.times)?;
        let doubts = found.into_iter().chain(off_by_one(&paired)).chain(unequally_long(&paired));
        let doubts: Vec<Finding> = doubts.chain(frame_gaps(&paired)).chain(fewer_parts(&paired)).collect();
        let agreed = self.stems.agree(what, &mut paired.pairs, |stem| stem)?;
        for doubt in doubts.into_iter().chain(agreed) {
            self.dataset.find(doubt);
        }
        if !paired.axes.is_empty() {
            self.dataset.axes = paired.axes;
        }
        Ok(paired.pairs)
    }

    /// The pattern of reconstructions' names, unless these observations already have the stimuli's stems.
    fn pattern_of(&self, gt: &[String], recon: &[String]) -> Option<StemPattern> {
        let pattern = self.request.pairing.pattern.clone()?;
        let of_gt: HashSet<&str> = gt.iter().map(String::as_str).collect();
        // The same holds for a part: `stem/0` belongs to `stem`.
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

    /// Pairs clips whose frames are already paired, or which come alone; `None` if these are not observations of clips.
    pub(crate) fn pair_clips(
        &mut self,
        what: &'static str,
        gt: &[String],
        recon: &[String],
    ) -> Result<Option<Vec<Pair>>, Error> {
        let Some(parts) = self.request.pairing.parts.as_ref().filter(|_| self.request.pairing.trials.is_none()) else {
            return Ok(None);
        };
        let are_first = self.stems.are_none();
        if are_first && self.request.pairing.pair(gt, recon).is_ok() {
            return Ok(None);
        }
        let clips = self.stems.clips(&self.dataset.axes);
        let have_pairs = |ids: &[String]| clips.is_subset(&ids.iter().map(String::as_str).collect());
        let parts = parts.pattern.without_frames().map(|pattern| Parts {
            pattern,
            ..parts.clone()
        });
        let pairing = Pairing {
            pairs: if are_first {
                self.request.pairing.pairs
            } else {
                PairsOf::Shared
            },
            pattern: self.pattern_of(gt, recon),
            parts: parts.filter(|_| are_first || !have_pairs(gt) || !have_pairs(recon)),
            order: None,
            trials: None,
        };
        let Ok(PairedStems {
            mut pairs, axes, taken, ..
        }) = pairing.pair(gt, recon)
        else {
            return Ok(None);
        };
        let taken = taken.finding(what, "match");
        if are_first {
            self.stems.agree(what, &mut pairs, |stem| stem)?;
            self.dataset.axes = axes;
            let message = format!("{} rows, one for each clip: no name is that of a frame", pairs.len());
            self.dataset.find(Finding::note(TAKEN_FOR, what, message));
            self.dataset.find(taken);
            return Ok(Some(pairs));
        }
        if !pairs.iter().any(|pair| clips.contains(pair.stem.as_str())) {
            return Ok(None);
        }
        let agreed = self.stems.agree(what, &mut pairs, clip_of)?;
        agreed.into_iter().chain([taken]).for_each(|finding| self.dataset.find(finding));
        Ok(Some(pairs))
    }

    /// Pairs a kind of input.
    pub(crate) fn paired<S: ItemSource + SideItems>(
        &mut self,
        kind: ObservationKind,
        sides: Sides<S>,
    ) -> Result<Paired<S>, Error> {
        let paths = Sides::new(sides.gt.path().to_owned(), sides.recon.path().to_owned());
        self.paired_in(kind, &paths, sides)
    }

    /// Records the hash of every item.
    pub(crate) fn record<S: ItemSource>(&mut self, kind: ObservationKind, sides: &Sides<S>) -> Result<(), Error> {
        for side in Side::BOTH {
            let role = Role::new(side, kind);
            let record = InputRecord::of_items(role, sides.side(side), self.progress)?;
            self.dataset.inputs.push(record);
        }
        Ok(())
    }

    /// Pairs the entries of one file per side, and records the hashes of the files that exist.
    pub(crate) fn paired_file<S: SideItems>(
        &mut self,
        kind: ObservationKind,
        paths: &Sides<PathBuf>,
        sides: Sides<S>,
        with_files: &[Side],
    ) -> Result<Paired<S>, Error> {
        let paired = self.paired_in(kind, paths, sides)?;
        for &side in with_files {
            let role = Role::new(side, kind).to_string();
            self.dataset.inputs.push(InputRecord::of_file(role, paths.side(side))?);
        }
        Ok(paired)
    }

    fn paired_in<S: SideItems>(
        &mut self,
        kind: ObservationKind,
        paths: &Sides<PathBuf>,
        mut sides: Sides<S>,
    ) -> Result<Paired<S>, Error> {
        let (gt, recon) = (sides.gt.stems(), sides.recon.stems());
        let form = Form::of_both(Sides::new(sides.gt.taken_for(), sides.recon.taken_for()));
        let mut pairs = self.pair((kind.noun(), form), (&gt, &paths.gt), (&recon, &paths.recon))?;
        let are_as_named = |pair: &Pair| gt[pair.gt] == pair.stem && recon[pair.recon] == pair.stem;
        if !self.request.pairing.is_default() || !pairs.iter().all(are_as_named) {
            pairs = narrowed(&mut sides, &pairs);
        }
        Ok(Paired { sides, pairs })
    }
}

/// Keeps only the paired items in both sources, renamed to the stimuli's stems. Returns their pairs.
pub(super) fn narrowed<S: SideItems>(sides: &mut Sides<S>, pairs: &[Pair]) -> Vec<Pair> {
    let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
    let places = |side: Side| pairs.iter().map(|pair| pair.of(side)).collect::<Vec<_>>();
    sides.gt.select(&places(Side::Gt), stems.clone());
    sides.recon.select(&places(Side::Recon), stems.clone());
    same_places(stems)
}

/// Pairs of items that have the same names in the same order on both sides.
pub(crate) fn same_places(stems: Vec<String>) -> Vec<Pair> {
    let pair = |(place, stem)| Pair::at(stem, place);
    stems.into_iter().enumerate().map(pair).collect()
}
