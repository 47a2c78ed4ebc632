//! Scores of decoders that were trained with and without the clusters of their test items; every experiment draws new
//! clusters.

use super::stimuli::{N_FEATURES, random};
use super::{Found, lines, normal, request};
use neurogauge::RunSettings;
use neurogauge::core::{Seed, Silent};
use neurogauge_audit::{ClustersFrom, audit};
use rand::RngExt;
use std::fmt::Write;

pub(crate) const DIFFERENCE: &str = "held_out_clusters: score, difference";

/// A number of clusters of 3 to 12 stimuli, and how much lower scores are on average over clusters if the cluster was
/// held out.
pub(crate) struct HeldOut {
    pub(crate) clusters: usize,
    pub(crate) drop: f64,
}

impl HeldOut {
    pub(crate) fn experiment(&self, seed: Seed) -> Found {
        let mut rng = seed.stream(0);
        let dir = tempfile::tempdir().unwrap();
        let mut table = String::from("item,cluster\n");
        let mut scores = [String::from("item,score\n"), String::from("item,score\n")];
        let mut n = 0;
        for cluster in 0..self.clusters {
            let drop = self.drop + 0.1 * normal(&mut rng);
            for _ in 0..rng.random_range(3..=12) {
                let score = 0.5 + 0.2 * normal(&mut rng);
                let other = score - drop + 0.1 * normal(&mut rng);
                writeln!(table, "t{n},{cluster}").unwrap();
                writeln!(scores[0], "t{n},{score}").unwrap();
                writeln!(scores[1], "t{n},{other}").unwrap();
                n += 1;
            }
        }
        for row in 0..4 {
            writeln!(table, "s{row},0").unwrap();
        }
        let path = |name: &str| dir.path().join(name);
        let files = ["random.csv", "held_out.csv"].map(path);
        for (file, text) in files.iter().zip(&scores) {
            std::fs::write(file, text).unwrap();
        }
        std::fs::write(path("clusters.csv"), table).unwrap();
        let mut request = request(dir.path(), N_FEATURES, true, [&random(n, seed), &random(4, seed)]);
        request.clusters = ClustersFrom::File(path("clusters.csv"));
        request.fold_scores = Some(files);
        let found = lines(&audit(&request, &RunSettings::default(), &Silent).unwrap());
        found.into_iter().filter(|(name, ..)| name.starts_with("held_out")).collect()
    }
}
