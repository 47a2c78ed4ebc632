//! Checks that all kinds of input of a run have the same stems.

use super::{Dataset, Paired, listed};
use crate::Error;
use neurogauge_core::pair::PairsOf;
use neurogauge_core::{ObservationKind, Pair, Warning};
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

    pub(crate) fn agree(&mut self, kind: &'static str, pairs: &[Pair]) -> Result<(), Error> {
        let stems: Vec<String> = pairs.iter().map(|pair| pair.stem.clone()).collect();
        let Some((first, known)) = &mut self.first else {
            self.first = Some((kind, stems));
            return Ok(());
        };
        if *known == stems {
            return Ok(());
        }
        let here: HashSet<&String> = stems.iter().collect();
        if self.pairs == PairsOf::Shared && known.iter().any(|stem| here.contains(stem)) {
            known.retain(|stem| here.contains(stem));
            return Ok(());
        }
        let there: HashSet<&String> = known.iter().collect();
        let only_one: Vec<&str> = known
            .iter()
            .filter(|stem| !here.contains(stem))
            .chain(stems.iter().filter(|stem| !there.contains(stem)))
            .take(5)
            .map(String::as_str)
            .collect();
        Err(Error::StemsDiffer {
            first,
            second: kind,
            n_first: known.len(),
            n_second: stems.len(),
            examples: only_one.join(", "),
        })
    }

    /// Does a list have the stems of the first kind?
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

impl Dataset {
    /// Leaves out the pairs of each kind that another kind lacks, with a warning.
    pub(super) fn keep(&mut self, stems: Vec<String>) {
        fn pairs<T>(of: &mut Option<Paired<T>>) -> Option<&mut Vec<Pair>> {
            of.as_mut().map(|paired| &mut paired.pairs)
        }
        let kept: HashSet<&str> = stems.iter().map(String::as_str).collect();
        let is_kept = |stem: &str| kept.contains(stem);
        let kinds = [
            (ObservationKind::Images, pairs(&mut self.images)),
            (ObservationKind::Detections, pairs(&mut self.detections)),
            (ObservationKind::Captions, pairs(&mut self.captions)),
            (
                ObservationKind::CategoryNames,
                pairs(&mut self.category_names),
            ),
            (ObservationKind::Masks, pairs(&mut self.masks)),
            (ObservationKind::SceneGraphs, pairs(&mut self.scene_graphs)),
        ];
        let features = self.features.iter_mut();
        let features =
            features.map(|(_, paired)| (ObservationKind::Features, Some(&mut paired.pairs)));
        let mut warnings: Vec<Warning> = Vec::new();
        for (kind, pairs) in kinds.into_iter().chain(features) {
            let Some(pairs) = pairs else { continue };
            let left_out = pairs.extract_if(.., |pair| !is_kept(&pair.stem));
            let left_out: Vec<String> = left_out.map(|pair| pair.stem).collect();
            if !left_out.is_empty() {
                let message = format!(
                    "{} of {} pairs are left out because other inputs lack them: {}",
                    left_out.len(),
                    left_out.len() + pairs.len(),
                    listed(left_out.iter().map(String::as_str))
                );
                warnings.push(Warning::new("without_other_inputs", kind.noun(), message));
            }
        }
        if let Some(scores) = &mut self.vqa_scores {
            scores.retain(|(stem, _)| is_kept(stem));
        }
        for (_, values) in &mut self.recorded {
            values.retain(|(stem, _)| is_kept(stem));
        }
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        self.stems = stems;
    }
}
