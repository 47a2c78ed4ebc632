//! Which pairs of a run show the same stimulus, or stimuli that are alike.

use super::RunRecord;
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

    /// For each of these pairs, a number that pairs share if intervals and tests take them together: those of a cluster
    /// of stimuli, or of the same stimulus.
    pub fn clusters_of(&self, stems: &[String]) -> Vec<usize> {
        let stimuli = self.stimuli_of(stems);
        match &self.clusters {
            Some(clusters) => joined(&[clusters.of_stems(stems), stimuli]),
            None => stimuli,
        }
    }
}
