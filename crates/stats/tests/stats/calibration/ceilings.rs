//! The ceiling is the true quality's agreement with the mean of few raters.

use super::meta::of_each;
use super::populations::Draws;
use crate::support::*;

const N_ITEMS: usize = 160;
const N_SURVEYS: usize = 40;

/// Ratings from 1 to 5 by raters with their own level, spread and noise, who each may skip a share of the items; and
/// the quality.
fn survey(n_raters: usize, drop_out: f64, number: usize) -> (Ratings, Vec<f64>) {
    let mut draws = Draws::of(50 + n_raters as u64, number);
    let rater = |_| {
        let (level, spread) = (0.4 * draws.normal(), (0.25 * draws.normal()).exp());
        [level, spread, 0.6 + 0.5 * draws.uniform(), drop_out * draws.uniform()]
    };
    let raters: Vec<[f64; 4]> = (0..n_raters).map(rater).collect();
    let (mut ratings, mut qualities) = (Vec::new(), Vec::new());
    while qualities.len() < N_ITEMS {
        let quality = draws.normal();
        let rated = raters.iter().map(|[level, spread, noise, lost]| {
            let opinion = 3.0 + level + spread * quality + noise * draws.normal();
            (draws.uniform() >= *lost).then_some(opinion.round().clamp(1.0, 5.0))
        });
        let rated: Vec<Option<f64>> = rated.collect();
        if rated.iter().any(Option::is_some) {
            ratings.extend(rated);
            qualities.push(quality);
        }
    }
    (Ratings::new(n_raters, ratings).unwrap(), qualities)
}

#[test]
fn the_true_quality_reaches_the_ceiling_of_every_statistic() {
    for (n_raters, drop_out) in [(3, 0.0), (6, 0.0), (6, 0.65), (12, 0.65)] {
        let mut off = vec![Vec::new(); Statistic::ALL.len()];
        let mut one_rater = 0.0;
        for number in 0..N_SURVEYS {
            let (ratings, quality) = survey(n_raters, drop_out, number);
            let human: Vec<f64> = human_scores(&ratings, HumanScore::Mean).into_iter().flatten().collect();
            let found = rater_agreement(&ratings, HumanScore::Mean, 0.95).unwrap();
            let reached = of_each(&quality, &human);
            for ((off, ceiling), reached) in off.iter_mut().zip(&found.ceilings).zip(&reached) {
                off.push(ceiling.value.clone().unwrap() - reached);
            }
            let tau = Statistic::KendallTauB as usize;
            one_rater += reached[tau] - found.one_rater[tau].value.clone().unwrap();
        }
        let n = N_SURVEYS as f64;
        for (statistic, off) in Statistic::ALL.into_iter().zip(&off) {
            let mean = off.iter().sum::<f64>() / n;
            let squares: f64 = off.iter().map(|value| (value - mean).powi(2)).sum();
            let standard_error = (squares / (n - 1.0) / n).sqrt();
            assert!(
                mean.abs() < 0.01 + 3.0 * standard_error && standard_error < 0.015,
                "{n_raters} {drop_out} {statistic:?}: {mean} ± {standard_error}"
            );
        }
        // A single rater does not give a ceiling.
        assert!(one_rater / n > 0.1, "{n_raters}: {one_rater}");
    }
}

#[test]
fn pearsons_ceiling_is_the_root_of_the_stepped_up_reliability() {
    let (ratings, _) = survey(6, 0.0, 99);
    let found = rater_agreement(&ratings, HumanScore::Mean, 0.95).unwrap();
    // ICC(3,k) is the reliability of the mean; the rest is sampling error.
    let reliability = found.icc.unwrap().forms[5].value;
    let ceiling = found.ceilings[Statistic::Pearson as usize].value.clone().unwrap();
    assert!((ceiling - reliability.sqrt()).abs() < 0.01, "{ceiling} {reliability}");
}

#[test]
fn ceilings_of_raters_who_agree_fully_or_not_at_all() {
    let of = |values: &[f64], n: usize| {
        let ratings = Ratings::new(n, values.iter().copied().map(Some).collect()).unwrap();
        rater_agreement(&ratings, HumanScore::Mean, 0.95).unwrap().ceilings
    };
    for ceiling in of(&[1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 5.0, 5.0], 2) {
        assert!((ceiling.value.unwrap() - 1.0).abs() < 1e-12, "{:?}", ceiling.statistic);
    }
    for ceiling in of(&[1.0, 4.0, 2.0, 3.0, 3.0, 2.0, 4.0, 2.0], 2) {
        assert_eq!(ceiling.value.unwrap_err().to_string(), "raters agree no more than by chance");
    }
}

/// Within groups of a hidden level, the ceiling is that of qualities within groups.
#[test]
fn ceilings_within_groups_leave_out_what_groups_differ_by() {
    let mut draws = Draws::of(7, 0);
    let (mut ratings, mut labels, mut qualities) = (Vec::new(), Vec::new(), Vec::new());
    for item in 0..300 {
        let group = item % 3;
        let quality = 4.0 * group as f64 + draws.normal();
        ratings.extend((0..4).map(|_| Some(quality + 1.2 * draws.normal())));
        labels.push(group.to_string());
        qualities.push(quality);
    }
    let ratings = Ratings::new(4, ratings).unwrap();
    let grouping = Grouping::new("group", &labels).unwrap();
    let metric = metric("quality", qualities);
    let found = evaluate_metrics_within(&ratings, (&[grouping], None), &[metric], &without_chance()).unwrap();
    for statistic in [Statistic::KendallTauB, Statistic::Pearson] {
        let s = statistic as usize;
        let reached = found.metrics[0].grouped[0].statistics[s].estimate.value.clone().unwrap();
        let within = found.agreement.grouped[0].ceilings[s].value.clone().unwrap();
        let over_all = found.agreement.ceilings[s].value.clone().unwrap();
        assert!((within - reached).abs() < 0.05, "{statistic:?}: {within} {reached}");
        assert!(over_all > within + 0.05, "{statistic:?}: {over_all} {within}");
    }
}

/// A crowd in which no rater rated all items.
#[test]
fn a_crowd_has_one_way_correlations_and_a_ceiling() {
    let of = |item: usize, rater: usize| {
        let quality = (item * 7 % 5) as f64;
        (rater / 2 == item % 2).then_some(quality + (rater % 2) as f64)
    };
    let values = (0..40).flat_map(|item| (0..4).map(move |rater| of(item, rater)));
    let ratings = Ratings::new(4, values.collect()).unwrap();
    let found = rater_agreement(&ratings, HumanScore::Mean, 0.95).unwrap();
    assert!(found.icc.is_err());
    // Qualities are 0 to 4, with eight items each: B = 2 · 8 · 10 / 39; raters differ by 1: W = 1/2.
    let (between, within) = (160.0 / 39.0, 0.5);
    let [single, mean] = found.icc_of_all_ratings.unwrap();
    assert!((single.value - (between - within) / (between + within)).abs() < 1e-12);
    assert!((mean.value - (between - within) / between).abs() < 1e-12);
    // Except for their levels, raters agree fully.
    assert!((found.ceilings[Statistic::Pearson as usize].value.clone().unwrap() - 1.0).abs() < 1e-9);
}
