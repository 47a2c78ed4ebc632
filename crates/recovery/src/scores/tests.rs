//! Tests on responses that are entirely reproducible, or not at all.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::preset::paper;
use neurogauge::align::{AlignSettings, Study, StudyPlan, TrialOrder, UnitTrials};
use neurogauge::alignment::{FoldPlan, Matrix, Trials, Unit};
use neurogauge::core::Seed;
use neurogauge::core::synthetic::Synthetic;
use neurogauge_exhibits::{MadeFigure, Records};
use serde_json::Value;
use std::sync::Arc;

const N: usize = 60;
const REPEATS: usize = 4;
const VOXELS: usize = 8;

/// Two latent dimensions in all voxels, with noise of this size in each trial.
fn unit(signal: f64, noise: f64) -> UnitStimuli {
    let draw = |name: &str, place: usize| f64::from(Synthetic::new(name, 3).uniform(place as u64)) - 0.5;
    let responses = Matrix::from_fn(N * REPEATS, VOXELS, |trial, voxel| {
        let stimulus = trial % N;
        let latents =
            (0..2).map(|l| draw("latents", stimulus * 2 + l) * draw("loadings", voxel * 2 + l) * signal * 4.0);
        latents.sum::<f64>() + noise * draw("noise", trial * VOXELS + voxel)
    });
    let shown: Vec<usize> = (0..N * REPEATS).map(|trial| trial % N).collect();
    let name = Unit::new("one", "lh", "V1");
    let trials = Trials::new(&name, responses, &shown, N).unwrap();
    let study = Study {
        stimuli: (0..N as u64).map(Into::into).collect(),
        units: vec![UnitTrials {
            trials: trials.clone(),
            places: (0..VOXELS).collect(),
            order: Arc::new(TrialOrder {
                stimuli: shown,
                sessions: vec![0; N * REPEATS],
                runs: Vec::new(),
            }),
        }],
        sources: Vec::new(),
        findings: Vec::new(),
    };
    let settings = AlignSettings {
        partitions: 6,
        null: 0,
        controls: Vec::new(),
        ..AlignSettings::default()
    };
    let folds = FoldPlan::draw(N, 5, 5, Seed(1)).unwrap();
    let plan = StudyPlan::draw(&study, &settings, folds, None).unwrap();
    UnitStimuli::of(&trials, &plan, &settings).unwrap()
}

/// Noise lowers the reliability as the Spearman-Brown formula predicts.
#[test]
fn what_is_the_same_in_every_trial_is_wholly_reliable() {
    let found = unit(1.0, 0.0);
    assert!((found.noise_ceiling.unwrap() - 1.0).abs() < 1e-9);
    assert!((found.itself.retention.unwrap() - 1.0).abs() < 1e-3, "{:?}", found.itself.retention);
    // There is only the reproducible response, in both halves and in every fold.
    assert!(found.itself.profile_mean.unwrap() > 0.95, "{:?}", found.itself);
    let first = &found.directions[0];
    assert!((first.reliability.unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(first.scores.len(), N);
    // Responses are z-scored: scores are centred, and no direction has more variance than all voxels together.
    let mean = first.scores.iter().sum::<f64>() / N as f64;
    let variance = first.scores.iter().map(|s| s * s).sum::<f64>() / N as f64;
    assert!(mean.abs() < 1e-9 && variance > 1.0 && variance <= VOXELS as f64 + 1e-9);

    // If a voxel's signal has variance s and its noise v in a trial, the mean of four trials has reliability s / (s + v
    // / 4).
    let noisy = unit(1.0, 2.0);
    let ceiling = |signal, noise| unit(signal, noise).noise_ceiling.unwrap();
    assert!((0.5..0.95).contains(&noisy.noise_ceiling.unwrap()), "{:?}", noisy.noise_ceiling);
    assert!(ceiling(1.0, 0.001) > 0.999);
    assert!(ceiling(0.0, 1.0) < 0.45);

    // Responses that are equal in every trial do not depend on the partition; noise does.
    let spread = |found: &UnitStimuli| {
        // Five of the run's six partitions are used.
        let own = found.itself.retention_by_partition.iter().copied();
        assert_eq!(own.len(), 5);
        own.clone().fold(0.0, f64::max) - own.fold(f64::INFINITY, f64::min)
    };
    assert!(spread(&found) < 1e-3 && spread(&noisy) > 0.01, "{}", spread(&noisy));
}

/// The expected values come from reference/recovery/stimuli.py.
#[test]
fn ceilings_directions_and_what_a_target_recovers_of_itself_are_those_of_the_reference() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/recovery/stimuli.json");
    let golden: Value = serde_json::from_slice(&std::fs::read(golden).unwrap()).unwrap();
    let of = |name: &str| golden[name].clone();
    let rows: Vec<Vec<f64>> = serde_json::from_value(of("trials")).unwrap();
    let shown: Vec<usize> = serde_json::from_value(of("stimuli")).unwrap();
    let lists = |name| serde_json::from_value::<Vec<Vec<Vec<usize>>>>(of(name)).unwrap();
    let chunks: Vec<Vec<usize>> = serde_json::from_value(of("chunks")).unwrap();
    let n_stimuli = shown.iter().max().unwrap() + 1;
    let unit = Unit::new("one", "lh", "V1");
    let responses = Matrix::from_rows(rows.len(), rows[0].len(), &rows.concat()).unwrap();
    let trials = Trials::new(&unit, responses, &shown, n_stimuli).unwrap();
    let (inner, of_references) = (lists("inner_folds"), lists("reference_inner_folds"));
    let plan = StudyPlan {
        folds: FoldPlan::new(n_stimuli, &chunks, &inner, &of_references).unwrap(),
        partitions: [(unit.to_string(), serde_json::from_value(of("labels")).unwrap())].into(),
        null_orders: Vec::new(),
        controls: Default::default(),
    };
    let found = UnitStimuli::of(&trials, &plan, &AlignSettings::default()).unwrap();
    let close = |found: f64, expected: &Value| {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    };
    close(found.noise_ceiling.unwrap(), &golden["noise_ceiling"]);
    for (own, expected) in found.directions.iter().zip(golden["directions"].as_array().unwrap()) {
        close(own.weight, &expected[0]);
        close(own.reliability.unwrap(), &expected[1]);
        assert_eq!(own.scores.len(), n_stimuli);
        for (score, expected) in own.scores.iter().zip(expected[2].as_array().unwrap()) {
            close(*score, expected);
        }
    }
    let itself = &golden["itself"];
    close(found.itself.profile_mean.unwrap(), &itself["profile_mean"]);
    close(found.itself.full_ref_cov.unwrap(), &itself["full"]);
    close(found.itself.retention.unwrap(), &itself["retention"]);
}

/// Figure 4A: the mean of a region's partitions lies between their quartiles, and every partition of every unit is a
/// point.
#[test]
fn the_figure_of_partitions_has_their_means_and_spread_by_region() {
    let any = unit(1.0, 0.0);
    let retaining = |roi: &str, values: &[f64]| UnitStimuli {
        unit: Unit::new("one", "lh", roi),
        itself: OwnRecovery {
            retention_by_partition: values.to_vec(),
            ..any.itself.clone()
        },
        ..any.clone()
    };
    let v1 = [retaining("V1", &[0.5, 0.7, 0.9]), retaining("V1", &[0.7, 0.7])];
    let v4 = retaining("V4", &[0.2, 0.4]);
    let figure = |units: &[UnitStimuli]| {
        let records = Records::default().with("stimuli", &serde_json::json!({ "units": units })).unwrap();
        let made = paper().unwrap().make(&records, Some("partition_sensitivity")).unwrap();
        match made.exhibits.into_iter().next().unwrap().figure {
            Some(MadeFigure::Intervals(figure)) => Some(figure),
            _ => None,
        }
    };
    let found = figure(&[v1[0].clone(), v4.clone(), v1[1].clone()]).unwrap();
    assert_eq!(found.rows, ["V1", "V4"]);
    let [panel] = found.panels.as_slice() else {
        panic!("{} panels", found.panels.len())
    };
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    // numpy.quantile([.5, .7, .9, .7, .7], [.25, .75]) and of [.2, .4].
    for (dot, (row, expected)) in panel.dots.iter().zip([(0, [0.7, 0.7, 0.7]), (1, [0.3, 0.25, 0.35])]) {
        assert_eq!(dot.row, row);
        let (low, high) = dot.interval.unwrap();
        std::iter::zip([dot.value, low, high], expected).for_each(|(found, expected)| close(found, expected));
    }
    assert_eq!(panel.dots.len(), 2);
    let of_row = |row| panel.points.iter().filter(move |point| point.0 == row);
    assert_eq!((of_row(0).count(), of_row(1).count()), (5, 2));
    // A unit with one partition has no spread to show.
    assert!(figure(&[retaining("V1", &[0.5])]).is_none());
}
