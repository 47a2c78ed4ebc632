//! Test stimuli and their decoded features, drawn again for every experiment; training stimuli and clusters stay the
//! same.

use super::{Found, lines, normal, request, write};
use neurogauge::RunSettings;
use neurogauge::core::{Seed, Silent};
use neurogauge_audit::{Audit, ClustersFrom, audit};
use rand::RngExt;
use std::fmt::Write;

pub(crate) const N_FEATURES: usize = 12;
const N_CLUSTERS: usize = 6;
/// Number of categories of a decoder that knows only these, and the default number of clusters of k-means.
const N_CATEGORIES: usize = 100;
const K: usize = 40;
const N_SAMPLES: usize = 4;

pub(crate) const WITHIN: &str = "clusters: two-way identification within a cluster";
pub(crate) const SLOPE: &str = "controls: slope of two-way identification on similarity to training";
pub(crate) const OPTIMISM: &str = "samples: own, optimism of that choice";
/// The expected optimism, in the samples' standard deviations: the mean maximum of four independent standard normal
/// values.
pub(crate) const OPTIMISM_IS: f64 = 1.029_375_373;
/// Computed here from the two intervals that the answer compares: 0 if they overlap.
pub(crate) const RELATION: &str = "overlap: test and training stimuli differ";

/// The clusters' centres, the training stimuli, and what a decoder knows.
pub(crate) struct World {
    centres: Vec<f64>,
    /// Features of the training stimuli and their clusters.
    train: Vec<f64>,
    labels: Vec<usize>,
    n_clusters: usize,
    /// Features of the training stimuli, and their clusters.
    own: f64,
    noise: f64,
}

impl World {
    /// Knows clusters and a part of each stimulus.
    pub(crate) fn decoder() -> Self {
        World::of((N_CLUSTERS, 200), 2.0, 0.5, 0.7)
    }

    /// Knows only the cluster.
    pub(crate) fn classifier() -> Self {
        World::of((N_CLUSTERS, 200), 2.0, 0.0, 1.0)
    }

    /// Knows nothing, for stimuli without clusters: no result depends on their distance from the training stimuli.
    pub(crate) fn noise() -> Self {
        World::of((N_CLUSTERS, 200), 0.0, 0.0, 1.0)
    }

    /// Knows only one of a hundred categories.
    pub(crate) fn of_categories() -> Self {
        World::of((N_CATEGORIES, 800), 4.0, 0.0, 1.0)
    }

    /// Knows one of these categories, and a part of each stimulus.
    pub(crate) fn beyond_categories() -> Self {
        World::of((N_CATEGORIES, 800), 4.0, 0.8, 0.3)
    }

    fn of((n_clusters, n_train): (usize, usize), spread: f64, own: f64, noise: f64) -> Self {
        let mut rng = Seed(3).stream(0);
        let centres: Vec<f64> = (0..n_clusters * N_FEATURES).map(|_| spread * normal(&mut rng)).collect();
        let labels: Vec<usize> = (0..n_train).map(|row| row % n_clusters).collect();
        let train = labels.iter().flat_map(|&cluster| {
            let centre = &centres[cluster * N_FEATURES..][..N_FEATURES];
            centre.iter().map(|value| value + normal(&mut rng)).collect::<Vec<_>>()
        });
        World {
            train: train.collect(),
            labels,
            centres,
            n_clusters,
            own,
            noise,
        }
    }

    /// Lines of an audit of `n` test stimuli in the world's clusters.
    pub(crate) fn experiment(&self, n: usize, seed: Seed) -> Found {
        let mut found = lines(&self.audited(n, seed, true));
        let interval = |what: &str| {
            let (.., interval) = found.iter().find(|(name, ..)| name.contains(what))?;
            *interval
        };
        let relation = interval("a test stimulus to the nearest").zip(interval("the same of a training"));
        if let Some(((low, high), (other_low, other_high))) = relation {
            // Excludes zero if the two intervals do not overlap.
            let gap = (low - other_high, high - other_low);
            found.push((RELATION.to_owned(), 0.0, Some(gap)));
        }
        found
    }

    /// An audit of `n` test stimuli, with the world's clusters or those of k-means.
    pub(crate) fn audited(&self, n: usize, seed: Seed, by_file: bool) -> Audit {
        let mut rng = seed.stream(0);
        let dir = tempfile::tempdir().unwrap();
        let (mut test, mut decoded) = (Vec::new(), Vec::new());
        let mut table = String::from("item,cluster\n");
        let mut samples = String::from("item,own\n");
        for (row, cluster) in self.labels.iter().enumerate() {
            writeln!(table, "t{row},{cluster}").unwrap();
        }
        for row in 0..n {
            let cluster = rng.random_range(0..self.n_clusters);
            writeln!(table, "s{row},{cluster}").unwrap();
            for centre in &self.centres[cluster * N_FEATURES..][..N_FEATURES] {
                let deviation = normal(&mut rng);
                test.push(centre + deviation);
                decoded.push(centre + self.own * deviation + self.noise * normal(&mut rng));
            }
            let mean = normal(&mut rng);
            for sample in 0..N_SAMPLES {
                writeln!(samples, "s{row}_{sample},{}", mean + normal(&mut rng)).unwrap();
            }
        }
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("clusters.csv"), table).unwrap();
        std::fs::write(path("samples.csv"), samples).unwrap();
        let mut request = request(dir.path(), N_FEATURES, true, [&self.train, &test]);
        request.decoded = Some(write(dir.path(), "decoded", Some("s"), N_FEATURES, &decoded));
        request.clusters = match by_file {
            true => ClustersFrom::File(path("clusters.csv")),
            false => ClustersFrom::KMeans(K),
        };
        request.samples.sample_scores = Some(path("samples.csv"));
        request.bootstrap.seed = seed;
        audit(&request, &RunSettings::default(), &Silent).unwrap()
    }
}

/// Random features of `n` stimuli.
pub(crate) fn random(n: usize, seed: Seed) -> Vec<f64> {
    let mut rng = seed.stream(1);
    (0..n * N_FEATURES).map(|_| normal(&mut rng)).collect()
}
