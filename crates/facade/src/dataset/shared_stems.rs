//! Checks that all kinds of input of a run have the same stems.

use super::{Dataset, listed};
use crate::Error;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Axis, Form, Met, PairsOf, closest_names, item_of};
use neurogauge_core::{Finding, Pair, Side};
use std::collections::{HashMap, HashSet};

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

    /// Gives the pairs the stems of the first kind, in their order; fails if they have others. `name` is the part of a
    /// known stem that is compared; stems with equal names must be consecutive. Says how the stems met if they are not
    /// equal.
    pub(crate) fn agree(
        &mut self,
        kind: &'static str,
        pairs: &mut [Pair],
        name: fn(&str) -> &str,
    ) -> Result<Option<Finding>, Error> {
        let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
        let Some((first, known)) = &mut self.first else {
            self.first = Some((kind, stems));
            return Ok(None);
        };
        let mut names: Vec<String> = known.iter().map(|stem| name(stem).to_owned()).collect();
        names.dedup();
        if names == stems {
            return Ok(None);
        }
        let met = Met::of(&names, &stems, self.pairs);
        let n = met.n();
        let is_whole = n == names.len() && n == stems.len();
        if !is_whole && (self.pairs == PairsOf::All || n == 0) {
            return Err(Error::Data(disagreement((first, &names), (kind, &stems), &met)));
        }
        let form = Form {
            is_usual: !met.join.is_guess(),
            ..Form::usual(format!("with the {first}"))
        };
        let taken = met.taken_for(&names, &stems, form);
        for (name, place) in names.iter().zip(&met.partners) {
            if let Some(place) = *place {
                pairs[place].stem.clone_from(name);
            }
        }
        let ranks: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        pairs.sort_by_key(|pair| ranks.get(pair.stem.as_str()).copied());
        let here: HashSet<&str> = pairs.iter().map(|pair| pair.stem.as_str()).collect();
        known.retain(|stem| here.contains(name(stem)));
        Ok(met.join.is_guess().then(|| taken.finding(kind, "")))
    }

    /// The clips whose frames the first kind has; empty if its parts on these axes are not frames.
    pub(crate) fn clips(&self, axes: &[Axis]) -> HashSet<&str> {
        let known = self.first.iter().filter(|_| axes.contains(&Axis::Frame));
        known.flat_map(|(_, stems)| stems.iter().map(|stem| clip_of(stem))).collect()
    }

    /// Is no kind paired yet?
    pub(crate) fn are_none(&self) -> bool {
        self.first.is_none()
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

/// The error about two kinds of input with other stems: examples of both, and what would help.
fn disagreement((first, names): (&str, &[String]), (kind, stems): (&str, &[String]), met: &Met) -> String {
    let partners: HashSet<usize> = met.partners.iter().flatten().copied().collect();
    let lonely_names = names.iter().zip(&met.partners).filter(|(_, partner)| partner.is_none());
    let lonely_names: Vec<&str> = lonely_names.map(|(name, _)| name.as_str()).collect();
    let lonely_stems = stems.iter().enumerate().filter(|(place, _)| !partners.contains(place));
    let lonely_stems: Vec<&str> = lonely_stems.map(|(_, stem)| stem.as_str()).collect();
    let only = |what: &str, stems: &[&str]| match stems {
        [] => None,
        _ => Some(format!("only among the {what}: {}", listed(stems.iter().copied()))),
    };
    let only: Vec<String> = only(first, &lonely_names).into_iter().chain(only(kind, &lonely_stems)).collect();
    let mut remedies = String::new();
    if let Some(found) = closest_names(&lonely_names, &lonely_stems) {
        remedies += &format!("; {:?} of the {first} could be {:?} of the {kind}: rename one", found.gt, found.recon);
    }
    if met.n() > 0 {
        remedies += &format!("; {} scores the {} that both have", option("pairs", "shared"), met.n());
    }
    format!(
        "the {first} are about {} stems and the {kind} about {}, and they are not the same ({}); all inputs of a run must share \
         their stems{remedies}",
        names.len(),
        stems.len(),
        only.join("; ")
    )
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
