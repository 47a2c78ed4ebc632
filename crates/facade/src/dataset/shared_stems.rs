//! Checks that all kinds of input of a run have the same stems.

use super::{Dataset, listed};
use crate::Error;
use neurogauge_core::pair::{Axis, PairsOf, item_of};
use neurogauge_core::{Finding, Pair, Side};
use std::collections::HashSet;

/// The stems of the first kind of input. Every other kind must have the same stems; with [`PairsOf::Shared`], only the
/// stems that all kinds have are kept.
pub(crate) struct SharedStems {
    pairs: PairsOf,
    first: Option<(&'static str, Vec<String>)>,
}

impl SharedStems {
    pub(crate) fn new(pairs: PairsOf) -> Self {
        SharedStems { pairs, first: None }
    }

    /// Fails if the pairs have other stems. `name` is the part of a known stem that is compared; stems with equal names
    /// must be consecutive.
    pub(crate) fn agree(&mut self, kind: &'static str, pairs: &[Pair], name: fn(&str) -> &str) -> Result<(), Error> {
        let stems: Vec<&str> = pairs.iter().map(|pair| pair.stem.as_str()).collect();
        let Some((first, known)) = &mut self.first else {
            let stems = stems.into_iter().map(str::to_owned);
            self.first = Some((kind, stems.collect()));
            return Ok(());
        };
        let mut names: Vec<&str> = known.iter().map(|stem| name(stem)).collect();
        names.dedup();
        if names == stems {
            return Ok(());
        }
        let here: HashSet<&str> = stems.iter().copied().collect();
        if self.pairs == PairsOf::Shared && names.iter().any(|name| here.contains(name)) {
            known.retain(|stem| here.contains(name(stem)));
            return Ok(());
        }
        let there: HashSet<&str> = names.iter().copied().collect();
        let only_one: Vec<&str> = names
            .iter()
            .filter(|name| !here.contains(*name))
            .chain(stems.iter().filter(|stem| !there.contains(*stem)))
            .take(5)
            .copied()
            .collect();
        Err(Error::Data(format!(
            "the {first} are about {} stems and the {kind} about {}, and they are not the same (only in one of them: {}); all \
             inputs of a run must share their stems",
            names.len(),
            stems.len(),
            only_one.join(", ")
        )))
    }

    /// The clips whose frames the first kind has; empty if its parts on these axes are not frames.
    pub(crate) fn clips(&self, axes: &[Axis]) -> HashSet<&str> {
        let known = self.first.iter().filter(|_| axes.contains(&Axis::Frame));
        known.flat_map(|(_, stems)| stems.iter().map(|stem| clip_of(stem))).collect()
    }

    /// Are all these stems among those of the first kind?
    pub(crate) fn are_all_among(&self, stems: &[String]) -> bool {
        let there: HashSet<&String> = stems.iter().collect();
        let known = self.first.as_ref();
        known.is_some_and(|(_, known)| known.iter().all(|stem| there.contains(stem)))
    }

    /// The stems that all kinds have.
    pub(crate) fn into_stems(self) -> Vec<String> {
        self.first.map(|(_, stems)| stems).unwrap_or_default()
    }
}

/// The clip of a frame's pair. Frames are the last axis.
pub(super) fn clip_of(stem: &str) -> &str {
    item_of(stem, 1)
}

impl Dataset {
    /// Removes the pairs of each kind that another kind lacks, with a warning unless only one side lacks them.
    pub(crate) fn keep(&mut self, stems: Vec<String>) {
        let mut kept: HashSet<&str> = stems.iter().map(String::as_str).collect();
        if self.has_frames() {
            // Features may belong to clips.
            kept.extend(stems.iter().map(|stem| clip_of(stem)));
        }
        let mut findings: Vec<Finding> = Vec::new();
        for (kind, pairs) in self.pairs_mut() {
            let left_out = pairs.extract_if(.., |pair| !kept.contains(pair.stem.as_str()));
            let left_out: Vec<String> = left_out.map(|pair| pair.stem).collect();
            if !left_out.is_empty() && kind.sides() == Side::BOTH {
                let message = format!(
                    "{} of {} pairs are left out because other inputs lack them: {}",
                    left_out.len(),
                    left_out.len() + pairs.len(),
                    listed(left_out.iter().map(String::as_str))
                );
                findings.push(Finding::warning("without_other_inputs", kind.noun(), message));
            }
        }
        for (_, values) in &mut self.recorded {
            values.retain(|(stem, _)| kept.contains(stem.as_str()));
        }
        findings.into_iter().for_each(|finding| self.find(finding));
        self.stems = stems;
    }
}
