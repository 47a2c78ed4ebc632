//! Identification of stimuli in similar scenes: the task is unchanged, and the interval is over scenes.

use super::populations::{Draws, options};
use super::rates::{Rate, Rates, write_part};
use crate::support::*;
use neurogauge_stats::u_statistic::of_mean;

const N_FEATURES: usize = 24;

/// The mean of an experiment, and its intervals over stimuli and over scenes.
type Found = (f64, [(f64, f64); 2]);

/// `n` stimuli in groups of `alike`. A group shares 80% of the variance of its features and of the decoder's error,
/// which has four times the variance of the features.
fn experiment((n, alike): (usize, usize), number: usize) -> Found {
    let mut draws = Draws::of(43, number);
    let mut row = || -> Vec<f64> { (0..N_FEATURES).map(|_| draws.normal()).collect() };
    let (mut scene, mut error) = (Vec::new(), Vec::new());
    let (mut gt, mut recon) = (Vec::new(), Vec::new());
    for stimulus in 0..n {
        if stimulus % alike == 0 {
            (scene, error) = (row(), row());
        }
        let (own, own_error) = (row(), row());
        let features = (0..N_FEATURES).map(|f| {
            let shared = |scene: &[f64], own: &[f64]| 0.8_f64.sqrt() * scene[f] + 0.2_f64.sqrt() * own[f];
            let shown = shared(&scene, &own);
            (shown as f32, (shown + 2.0 * shared(&error, &own_error)) as f32)
        });
        let (shown, decoded): (Vec<f32>, Vec<f32>) = features.unzip();
        gt.push(shown);
        recon.push(decoded);
    }
    let [gt, recon] = [&gt, &recon].map(|rows| rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let (gt, recon) = (HeldRows::new(&gt).unwrap(), HeldRows::new(&recon).unwrap());
    let stimuli: Vec<usize> = (0..n).collect();
    let scenes: Vec<usize> = stimuli.iter().map(|stimulus| stimulus / alike).collect();
    let over = |clusters: &[usize]| {
        let others = Others::Pairs {
            stimuli: Some(&stimuli),
            copies: Copies::LeaveOut,
            clusters: Some(clusters),
            parts: None,
        };
        let found = identify_among(&gt, &recon, others, &Default::default()).unwrap();
        assert_eq!(found.n_others, n - 1);
        let scores = IdentificationScores::of(&found.outcomes, &found.pseudo_values);
        let found = estimate_of_stimuli(scores, clusters, (0.0, 1.0), &options(400, number)).unwrap();
        (found.value.unwrap(), found.interval.unwrap())
    };
    let ((mean, over_stimuli), (again, over_scenes)) = (over(&stimuli), over(&scenes));
    assert_eq!(mean, again, "clusters change no estimate");
    (mean, [over_stimuli, over_scenes])
}

/// How often intervals over stimuli and over scenes contain the mean of all experiments.
fn coverage(design: (usize, usize), n_experiments: usize) -> [Rate; 2] {
    let found: Vec<Found> = (0..n_experiments).into_par_iter().map(|number| experiment(design, number)).collect();
    let truth = found.iter().map(|(mean, _)| mean).sum::<f64>() / n_experiments as f64;
    [0, 1].map(|over| {
        let holds = |(_, ends): &Found| Some(ends[over].0 <= truth && truth <= ends[over].1);
        Rate::of(&found.iter().map(holds).collect::<Vec<_>>())
    })
}

#[test]
fn intervals_over_scenes_hold_the_truth_where_those_over_stimuli_do_not() {
    for (alike, most) in [(2, 0.95), (5, 0.88), (20, 0.7)] {
        let [stimuli, scenes] = coverage((100, alike), 200).map(|rate| rate.share());
        println!("{alike} alike: {stimuli:.3} over stimuli, {scenes:.3} over scenes");
        assert!(stimuli < most, "{alike} alike: {stimuli}");
        // With five scenes, intervals are cautious.
        assert!(scenes > 0.90, "{alike} alike: {scenes}");
    }
}

#[test]
fn clusters_of_different_sizes_count_by_their_pairs() {
    // For a pool, the metric is a mean of pairs, whose cluster-robust variance comes from sums of deviations from the
    // mean, 0.6: -0.3, -0.1 and 0.4.
    let found = of_mean(&[1.0, 0.5, 0.0, 0.5, 1.0].map(Ok), &[0, 0, 0, 1, 2]);
    for (found, expected) in found.into_iter().zip([0.42, 0.42, 0.42, 0.54, 0.84]) {
        assert!((found.clone().unwrap() - expected).abs() < 1e-12, "{found:?} {expected}");
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_clusters() {
    const NS: [usize; 2] = [100, 500];
    let title = "Intervals of two-way identification that hold the truth, in %.";
    let mut table = Rates::new(title, &NS);
    for alike in [2, 5, 20] {
        let found = [(100, 1000), (500, 300)].map(|(n, experiments)| coverage((n, alike), experiments));
        for (over, words) in ["as independent", "with `--set cluster`"].iter().enumerate() {
            let rates = found.map(|rates| rates[over]);
            table.row(&format!("{alike}, {words}"), &rates);
        }
    }
    write_part("alike-identification", &table.text());
}
