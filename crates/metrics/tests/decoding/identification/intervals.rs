//! Pseudo-values and intervals against reference/identification_intervals.py, which leaves out every stimulus in turn.

use super::rows::{N_PAIRS, Rows, features, reconstructions};
use crate::support::*;
use neurogauge_metrics::decoding::identification::ItemParts;
use neurogauge_stats::parts::Parts;
use neurogauge_stats::u_statistic::{IdentificationScores, pseudo_values};
use serde_json::json;

fn identified(case: &Value) -> (Identification, Vec<usize>) {
    let stimuli: Vec<usize> = numbers(&case["stimuli"]).iter().map(|&stimulus| stimulus as usize).collect();
    let rows = features("gt", N_PAIRS);
    let first = |stimulus: &usize| stimuli.iter().position(|other| other == stimulus);
    let gt: Rows = (stimuli.iter()).map(|stimulus| rows[first(stimulus).unwrap()].clone()).collect();
    let recon = reconstructions(&gt, number(&case["weight"]) as f32);
    let options = ["direction", "n_way", "top_k", "ties"].map(|name| (name.to_owned(), case[name].clone()));
    let options: serde_json::Map<String, Value> = options.into_iter().collect();
    let options: IdentificationOptions = serde_json::from_value(json!(options)).unwrap();
    let copies: Copies = serde_json::from_value(case["copies"].clone()).unwrap();
    let gt: Vec<&[f32]> = gt.iter().map(Vec::as_slice).collect();
    let recon: Vec<&[f32]> = recon.iter().map(Vec::as_slice).collect();
    let (gt, recon) = (HeldRows::new(&gt).unwrap(), HeldRows::new(&recon).unwrap());
    let others = Others::Pairs {
        stimuli: Some(&stimuli),
        copies,
        clusters: None,
        parts: None,
    };
    let found = identify_among(&gt, &recon, others, &options).unwrap();
    (found, stimuli)
}

fn furthest(found: &[Outcome], expected: &[f64]) -> f64 {
    let off = |(found, expected): (&Outcome, &f64)| (found.clone().unwrap() - expected).abs();
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(off).fold(0.0, f64::max)
}

#[test]
fn pseudo_values_are_those_of_leaving_out_every_stimulus_in_turn() {
    for case in list(&golden("identification_intervals")) {
        let (found, _) = identified(case);
        let off = furthest(&found.pseudo_values, &numbers(&case["pseudo_values"]));
        assert!(off < 1e-11, "{case}: {off:e}");
        // The outcomes alone, which only treat items as targets, differ.
        if case["mean"] != 1.0 {
            let alone = furthest(&found.outcomes, &numbers(&case["pseudo_values"]));
            assert!(alone > 0.02, "{case}: {alone:e}");
        }
    }
}

#[test]
fn intervals_are_those_of_scipy() {
    for case in list(&golden("identification_intervals")) {
        let (found, stimuli) = identified(case);
        for (level, expected) in case["intervals"].as_object().unwrap() {
            let options = BootstrapOptions {
                level: level.parse().unwrap(),
                ..BootstrapOptions::default()
            };
            let (outcomes, pseudo) = (&found.outcomes, &found.pseudo_values);
            let range = (0.0, 1.0);
            let estimate =
                estimate_of_stimuli(IdentificationScores::of(outcomes, pseudo), &stimuli, range, &options).unwrap();
            near(estimate.value.unwrap(), number(&case["mean"]), 1e-12);
            let (low, high) = estimate.interval.unwrap();
            near(low, number(&expected[0]), 1e-9);
            near(high, number(&expected[1]), 1e-9);
        }
    }
}

#[test]
fn draws_add_their_own_scatter_to_pseudo_values() {
    let case = &golden::<Value>("identification_intervals")[3];
    let (exact, _) = identified(case);
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, number(&case["weight"]) as f32);
    let draws = json!({"n_way": 20, "top_k": 2, "draws": {"seeded": {"trials": 7, "seed": 1}}});
    let options: IdentificationOptions = serde_json::from_value(draws).unwrap();
    let found = super::rows::identified(&gt, &recon, None, &options);
    let mean =
        |values: &[Outcome]| values.iter().map(|value| value.clone().unwrap()).sum::<f64>() / values.len() as f64;
    assert!((mean(&found.pseudo_values) - mean(&found.outcomes)).abs() < 1e-12);
    for pair in 0..N_PAIRS {
        let by = |found: &Identification| {
            let value = |outcomes: &[Outcome]| outcomes[pair].clone().unwrap();
            value(&found.pseudo_values) - value(&found.outcomes)
        };
        // A stimulus's contribution as a distractor is not resampled.
        let shift = mean(&found.outcomes) - mean(&exact.outcomes);
        assert!((by(&found) - by(&exact)).abs() < 1e-9 + shift.abs(), "{pair}");
    }
}

#[test]
fn without_three_stimuli_there_are_no_pseudo_values() {
    let gt = features("gt", 2);
    let found = super::rows::identified(&gt, &gt, None, &IdentificationOptions::default());
    assert!(found.pseudo_values.iter().all(Result::is_err));
    // For a pool, which is fixed, pseudo-values equal the outcomes.
    let pool = features("pool", 9);
    let found = super::rows::identified(&gt, &gt, Some(&pool), &IdentificationOptions::default());
    assert_eq!(found.pseudo_values, found.outcomes);
}

#[test]
fn copies_of_a_stimulus_are_no_distractors_and_one_cluster() {
    // Fifty stimuli, each shown four times, all decoded perfectly.
    let shown = features("gt", 50);
    let rows: Vec<&[f32]> = (0..200).map(|pair| shown[pair / 4].as_slice()).collect();
    let rows = HeldRows::new(&rows).unwrap();
    let stimuli: Vec<usize> = (0..200).map(|pair| pair / 4).collect();
    let with = |copies| {
        let others = Others::Pairs {
            stimuli: Some(&stimuli),
            copies,
            clusters: None,
            parts: None,
        };
        let found = identify_among(&rows, &rows, others, &IdentificationOptions::default()).unwrap();
        let (outcomes, pseudo) = (&found.outcomes, &found.pseudo_values);
        let options = BootstrapOptions::default();
        let estimate = estimate_of_stimuli(IdentificationScores::of(outcomes, pseudo), &stimuli, (0.0, 1.0), &options);
        (found.n_others, estimate.unwrap())
    };
    let (n_others, perfect) = with(Copies::LeaveOut);
    assert_eq!((n_others, perfect.value), (196, Ok(1.0)));
    // The exact bound for 50 of 50, not for 200 of 200.
    let (low, high) = perfect.interval.unwrap();
    assert!((low - 0.9289).abs() < 1e-4 && high == 1.0, "{low}");
    let (n_others, tied) = with(Copies::Keep);
    assert_eq!(n_others, 199);
    assert!((tied.value.unwrap() - 196.0 / 199.0).abs() < 1e-12);
}

const N_SAMPLES: usize = 3;

/// Identification of some stimuli's samples, and its mean over items.
fn of_items(
    items: &[usize],
    sample_counts: &dyn Fn(usize) -> bool,
    (best_of, copies): (Option<usize>, Copies),
    options: &IdentificationOptions,
) -> (Identification, f64) {
    let shown = features("gt", 9);
    let all: Rows = (0..9 * N_SAMPLES).map(|pair| shown[pair / N_SAMPLES].clone()).collect();
    let recon = reconstructions(&all, 0.3);
    let pairs: Vec<usize> = (items.iter())
        .flat_map(|item| (0..N_SAMPLES).map(move |sample| item * N_SAMPLES + sample))
        .collect();
    let rows = |of: &'static str| -> Vec<&[f32]> {
        let side = if of == "gt" { &all } else { &recon };
        pairs.iter().map(|&pair| side[pair].as_slice()).collect()
    };
    let gt = rows("gt");
    let recon = rows("recon");
    let (gt, recon) = (HeldRows::new(&gt).unwrap(), HeldRows::new(&recon).unwrap());
    let item_of: Vec<usize> = (0..pairs.len()).map(|pair| pair / N_SAMPLES).collect();
    let samples = (0..items.len()).map(|item| {
        let counts = |sample: &usize| sample_counts(items[item] * N_SAMPLES + sample);
        (0..N_SAMPLES).filter(counts).map(|sample| vec![item * N_SAMPLES + sample]).collect()
    });
    let parts = Parts::new(item_of.clone(), samples.collect(), best_of);
    let own = match options.direction {
        IdentificationDirection::Reconstruction => item_of.clone(),
        IdentificationDirection::Stimulus => (0..pairs.len()).collect(),
    };
    let others = Others::Pairs {
        stimuli: Some(&item_of),
        copies,
        clusters: None,
        parts: Some(ItemParts {
            parts: &parts,
            own: &own,
        }),
    };
    let found = identify_among(&gt, &recon, others, options).unwrap();
    let outcome = |pair: usize| found.outcomes[pair].as_ref().ok().copied();
    let of_item = |item| parts.value(item, Direction::Higher, outcome).unwrap();
    let mean = (0..items.len()).map(of_item).sum::<f64>() / items.len() as f64;
    (found, mean)
}

#[test]
fn pseudo_values_of_items_are_those_of_leaving_out_every_item_in_turn() {
    let all: Vec<usize> = (0..9).collect();
    let two_way = IdentificationOptions::default();
    let five_way = IdentificationOptions { n_way: 5, ..two_way };
    let of_stimuli = IdentificationOptions {
        direction: IdentificationDirection::Stimulus,
        ..two_way
    };
    let every = |_: usize| true;
    let one_of_each = |pair: usize| pair % N_SAMPLES == (pair / N_SAMPLES) % N_SAMPLES;
    let counting: [&dyn Fn(usize) -> bool; 2] = [&every, &one_of_each];
    for options in [two_way, five_way, of_stimuli] {
        for copies in [Copies::LeaveOut, Copies::Keep] {
            for (counts, best_of) in [(0, None), (0, Some(1)), (0, Some(2)), (0, Some(3)), (1, None)] {
                let counts = counting[counts];
                let (found, mean) = of_items(&all, counts, (best_of, copies), &options);
                let without = all.iter().map(|gone| {
                    let left: Vec<usize> = all.iter().copied().filter(|item| item != gone).collect();
                    of_items(&left, counts, (best_of, copies), &options).1
                });
                let expected = pseudo_values(mean, &without.collect::<Vec<f64>>());
                let of_pairs: Vec<f64> = (0..9 * N_SAMPLES).map(|pair| expected[pair / N_SAMPLES]).collect();
                let off = furthest(&found.pseudo_values, &of_pairs);
                assert!(off < 1e-11, "{options:?} {copies:?} {best_of:?}: {off:e}");
                // Eight other stimuli; for reconstructions, all that count.
                let n_others = match options.direction {
                    IdentificationDirection::Reconstruction => 8,
                    IdentificationDirection::Stimulus => 8 * (0..N_SAMPLES).filter(|&s| counts(s)).count(),
                };
                assert_eq!(found.n_others, n_others);
            }
        }
    }
}
