//! Responses that are NaN or infinite are refused, or left out as if they had not been given.

use crate::support::alignments::{ALIGN, Arrays, N_VOXELS, refused, units};
use crate::support::*;

/// Arrays that `change` has altered, with a line at the top of their configuration.
fn arrays(line: &str, change: impl Fn(&mut Arrays)) -> Folder {
    let mut arrays = Arrays::new();
    change(&mut arrays);
    arrays.write();
    arrays.dir.prepend("align.toml", &format!("{line}\n"));
    arrays.dir
}

fn set(arrays: &mut Arrays, subject: &str, trials: &[usize], voxels: std::ops::Range<usize>, value: f64) {
    let of_subject = arrays.trials.get_mut(subject).unwrap();
    for &trial in trials {
        of_subject[trial].2[voxels.clone()].fill(value);
    }
}

/// Adds a third repeat of the first stimuli, so that one of them can be left out.
fn with_a_third(arrays: &mut Arrays) {
    for trials in arrays.trials.values_mut() {
        let mut more = trials[..6].to_vec();
        for (place, trial) in more.iter_mut().enumerate() {
            trial.1 = 1;
            trial.2.iter_mut().for_each(|value| *value += 0.01 * place as f64);
        }
        trials.extend(more);
    }
}

#[test]
fn responses_that_are_no_numbers_and_cannot_be_left_out_are_refused() {
    let said = [
        ("", &[17][..], 0..N_VOXELS, f64::NAN),
        ("", &[9], 4..5, f64::NAN),
        ("", &[9, 30, 31], 4..6, f64::INFINITY),
        ("", &[0], 11..12, f64::NEG_INFINITY),
        // A stimulus with only one trial left, and a subject without voxels.
        ("non_finite = \"drop-trials\"", &[40], 0..1, f64::NAN),
        ("non_finite = \"drop-voxels\"", &[40], 0..N_VOXELS, f64::NAN),
    ]
    .map(|(line, trials, voxels, value)| {
        refused(&arrays(line, |arrays| set(arrays, "b", trials, voxels.clone(), value)))
    });
    assert_snapshot!(said.concat(), @r#"
    exit 1, stderr: error: b_trials.npy: trial 17 (counted from 0): b lh V1: 12 of 12 responses are NaN or infinite, and 12 in 1 of 72 trials in all; leave such trials out, or write `non_finite = "drop-trials"` (or "drop-voxels") at the top of the configuration, before its first [table]
    exit 1, stderr: error: b_trials.npy: trial 9 (counted from 0): b lh V1: 1 of 12 responses are NaN or infinite, and 1 in 1 of 72 trials in all; leave such trials out, or write `non_finite = "drop-trials"` (or "drop-voxels") at the top of the configuration, before its first [table]
    exit 1, stderr: error: b_trials.npy: trial 9 (counted from 0): b lh V1: 2 of 12 responses are NaN or infinite, and 6 in 3 of 72 trials in all; leave such trials out, or write `non_finite = "drop-trials"` (or "drop-voxels") at the top of the configuration, before its first [table]
    exit 1, stderr: error: b_trials.npy: trial 0 (counted from 0): b lh V1: 1 of 12 responses are NaN or infinite, and 1 in 1 of 72 trials in all; leave such trials out, or write `non_finite = "drop-trials"` (or "drop-voxels") at the top of the configuration, before its first [table]
    exit 1, stderr: error: b_stimuli.npy: stimulus 14: b lh V1: 1 repeat of it; a reference needs at least two of each stimulus, so leave it out for all subjects
    exit 1, stderr: error: b_trials.npy: trial 40 (counted from 0): b lh V1: no voxel is finite in every trial; `non_finite = "drop-trials"` leaves out trials instead
    "#);
}

#[test]
fn trials_and_voxels_are_left_out_as_if_they_had_not_been_given() {
    let bad = |arrays: &mut Arrays| {
        with_a_third(arrays);
        set(arrays, "a", &[3], 0..N_VOXELS, f64::NAN);
        set(arrays, "a", &[74], 2..3, f64::INFINITY);
    };
    let dropped = arrays("non_finite = \"drop-trials\"", bad);
    let by_hand = arrays("", |arrays| {
        with_a_third(arrays);
        let trials = arrays.trials.get_mut("a").unwrap();
        trials.remove(74);
        trials.remove(3);
    });
    let ran = dropped.run(ALIGN);
    contains(&ran.to_string(), &["a lh V1: 2 of 78 trials have responses that are not finite, and are left out"]);
    by_hand.succeed(ALIGN);
    assert_eq!(units(&dropped, "run"), units(&by_hand, "run"));

    let holes = |arrays: &mut Arrays| set(arrays, "a", &[5, 40], 2..3, f64::NAN);
    let dropped = arrays("non_finite = \"drop-voxels\"", holes);
    dropped.succeed(ALIGN);
    let by_hand = arrays("", |_| {});
    let others: Vec<f64> = (0..N_VOXELS).filter(|&voxel| voxel != 2).map(|voxel| voxel as f64).collect();
    write_f64(&by_hand.join("voxels.npy"), &[others.len() as u64], &others).unwrap();
    let trials = "trials = \"a_trials.npy\"";
    by_hand.replace("align.toml", trials, &format!("{trials}\nvoxels = \"voxels.npy\""));
    by_hand.succeed(ALIGN);
    assert_eq!(units(&dropped, "run"), units(&by_hand, "run"));
}
