//! The units of a run: its pairs or items, and the groups that intervals and tests take as one.

use super::RunRecord;
use crate::sample_score::{CountedSamples, SampleScore};
use neurogauge_core::pair::Axis;
use neurogauge_core::{Input, counted};
use neurogauge_stats::joined;
use std::collections::HashMap;

impl RunRecord {
    /// For each of these pairs, a number that pairs of the same stimulus share.
    pub fn stimuli_of(&self, stems: &[String]) -> Vec<usize> {
        let several = self.repeated_stimuli.iter().enumerate();
        let several: HashMap<&str, usize> =
            several.flat_map(|(place, stems)| stems.iter().map(move |stem| (stem.as_str(), place))).collect();
        let n_repeated = self.repeated_stimuli.len();
        let of_stem =
            |(place, stem): (usize, &String)| several.get(stem.as_str()).copied().unwrap_or(n_repeated + place);
        stems.iter().enumerate().map(of_stem).collect()
    }

    /// For each of these pairs, a number that it shares with the pairs that intervals and tests take together with it:
    /// those of the same cluster of stimuli, or of the same stimulus.
    pub fn clusters_of(&self, stems: &[String]) -> Vec<usize> {
        let stimuli = self.stimuli_of(stems);
        match &self.clusters {
            Some(clusters) => joined(&[clusters.of_stems(stems), stimuli]),
            None => stimuli,
        }
    }

    /// The samples that count for an item's score; `None` if items have no samples.
    pub(crate) fn counted_samples(&self) -> Option<CountedSamples> {
        let mut axes = self.parts.iter().flat_map(|parts| &parts.axes);
        let is_chosen = self.request.inputs.get(Input::ChosenSamples).is_some();
        axes.any(|axis| *axis == Axis::Sample).then_some(match self.request.samples {
            _ if is_chosen => CountedSamples::Chosen,
            SampleScore::Mean => CountedSamples::All,
            SampleScore::BestOf(k) => CountedSamples::BestOf(k),
        })
    }

    pub fn unit(&self) -> &'static str {
        match self.parts {
            Some(_) => "items",
            None => "pairs",
        }
    }

    /// The number of pairs, or of items and their parts, in words.
    pub(crate) fn counted(&self) -> String {
        match &self.parts {
            Some(parts) => parts.in_words(self.n_pairs),
            None => counted(self.n_pairs, "pair"),
        }
    }
}
