//! Means over stimuli in similar scenes, with and without clusters.

use super::experiments;
use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, rates, write_part};
use crate::support::*;

/// How often the interval of 100 scores (or `n`) in scenes of `alike` contains the true mean. A share of their variance
/// comes from the scene; the true mean is 0.
fn coverage((n, alike): (usize, usize), shared: f64, is_clustered: bool, n_experiments: usize) -> Rate {
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(41, experiment);
        let mut scene = 0.0;
        let scores: Vec<Outcome> = (0..n)
            .map(|stimulus| {
                if stimulus % alike == 0 {
                    scene = draws.normal();
                }
                Ok(shared.sqrt() * scene + (1.0 - shared).sqrt() * draws.normal())
            })
            .collect();
        let clusters = (0..n).map(|stimulus| if is_clustered { stimulus / alike } else { stimulus });
        let clusters: Vec<usize> = clusters.collect();
        let options = options(300, experiment);
        [holds(estimate_over_stimuli(&[&scores], &clusters, (-9.0, 9.0), &options).unwrap().interval, 0.0)]
    };
    let [rate] = rates(n_experiments, experiment);
    rate
}

#[test]
fn intervals_over_clusters_hold_the_mean_of_alike_scores() {
    let n = experiments(600);
    for alike in [5, 20] {
        for shared in [0.3, 0.5] {
            let covered = |is_clustered| coverage((100, alike), shared, is_clustered, n).share();
            let (with, without) = (covered(true), covered(false));
            println!("{alike} alike, {shared}: {with} with clusters, {without} without");
            // Three standard errors of 600 experiments beyond 93% to 97%.
            assert!((0.904..0.99).contains(&with), "{alike} alike, {shared}: {with}");
            assert!(without < 0.88, "{alike} alike, {shared}: {without}");
        }
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_clusters() {
    const NS: [usize; 2] = [100, 500];
    let title = "Intervals of means that hold the truth, in %.";
    let mut table = Rates::new(title, &NS);
    for alike in [5, 20] {
        for shared in [0.3, 0.5] {
            for (is_clustered, words) in [(false, "as independent"), (true, "with `--set cluster`")] {
                let rates = NS.map(|n| coverage((n, alike), shared, is_clustered, 2000));
                let name = format!("{alike}, {}%, {words}", 100.0 * shared);
                table.row(&name, &rates);
            }
        }
    }
    write_part("alike-means", &table.text());
}
