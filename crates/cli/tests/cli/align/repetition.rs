//! Threads, interruptions and the order of rows change nothing; a seed and a null do.

use crate::support::alignments::{Arrays, Trial, same_numbers, units};
use crate::support::*;

const TABLES: [&str; 4] = ["profiles", "references", "fits", "block_use"];

/// What aligns [`three_units`].
pub(super) const ALIGNED: &str = "align --config align.toml";

/// A study of three target units.
pub(super) fn three_units() -> Folder {
    let mut arrays = Arrays::new();
    let reversed = |(stimulus, session, voxels): &Trial| (*stimulus, *session, voxels.iter().rev().copied().collect());
    let third = arrays.trials["a"].iter().map(reversed).collect();
    arrays.trials.insert("c", third);
    arrays.write();
    arrays.dir
}

/// Everything that must be equal in two equal runs.
pub(super) fn files(dir: &Folder, run: &str) -> BTreeMap<String, Vec<u8>> {
    let names = TABLES.map(|table| format!("{table}.parquet"));
    let names = names.into_iter().chain(["align.json", "align.md", "plan.json"].map(str::to_owned));
    names.map(|name| (name.clone(), dir.bytes(format!("{run}/{name}")))).collect()
}

#[track_caller]
pub(super) fn same_files(one: &BTreeMap<String, Vec<u8>>, dir: &Folder, run: &str) {
    for (name, bytes) in files(dir, run) {
        assert!(one[&name] == bytes, "{name} differs");
    }
}

#[test]
fn an_interrupted_run_and_one_of_other_threads_end_with_the_same_bytes() {
    let dir = three_units();
    dir.succeed(&format!("{ALIGNED} --no-figures --out first"));
    let whole = files(&dir, "first");
    for threads in ["1", "4"] {
        dir.succeed(&format!("{ALIGNED} --no-figures --threads {threads} --out of{threads}"));
        same_files(&whole, &dir, &format!("of{threads}"));
    }

    let units = format!("first/units/{}", dir.names("first/units")[0]);
    let [one, other, third] = dir.names(&units).try_into().unwrap();
    dir.remove(format!("{units}/{one}"));
    dir.remove(format!("{units}/{third}"));
    let kept = format!("{units}/{other}");
    let text = dir.read(&kept);
    dir.write(&kept, &text[..text.len() / 2]);
    for name in whole.keys() {
        dir.remove(format!("first/{name}"));
    }
    dir.succeed(&format!("{ALIGNED} --no-figures --out first"));
    same_files(&whole, &dir, "first");

    // If a number in a unit's file changes, the unit is aligned again.
    let (before, number) = text.rsplit_once("0.").unwrap();
    let digit = if number.starts_with('1') { '2' } else { '1' };
    dir.write(&kept, format!("{before}0.{digit}{}", &number[1..]));
    dir.succeed(&format!("{ALIGNED} --no-figures --out first"));
    same_files(&whole, &dir, "first");
    assert!(dir.read(&kept) == text, "the damaged unit was computed again");
}

#[test]
fn another_seed_is_another_study_and_a_reselected_null_another_null() {
    let mut arrays = Arrays::new();
    let record = |arrays: &Arrays, options: &str| {
        arrays.align("run", options);
        arrays.dir.json("run/align.json")
    };
    let [kept, again, selected] = ["--null-keep", "", "--null-select"].map(|options| record(&arrays, options));
    assert_ne!(kept["fingerprint"], again["fingerprint"]);
    assert_eq!(kept["sources"][1]["profile_means"], again["sources"][1]["profile_means"]);
    assert_eq!(kept["config"]["settings"]["null_select"], false);
    assert_eq!(again["config"]["settings"]["null_select"], true);
    assert_eq!(selected["fingerprint"], again["fingerprint"]);
    arrays.settings += "seed = 1\n";
    assert_ne!(record(&arrays, "")["fingerprint"], again["fingerprint"]);
}

#[test]
fn the_order_of_trials_and_rows_and_other_columns_change_nothing() {
    let arrays = Arrays::new();
    arrays.align("run", "");
    let mut other = Arrays::new();
    for trials in other.trials.values_mut() {
        // Repeats keep their order among themselves, since partitions depend on it.
        trials.sort_by_key(|trial| (trial.0 * 7 % 46, trial.0));
    }
    let ids: Vec<u64> = (10..46).rev().collect();
    other.layer("early", 3, &ids);
    other.layer("late", 5, &ids);
    other.align("run", "");

    let (one, other) = (units(&arrays.dir, "run"), units(&other.dir, "run"));
    assert_eq!(one.len(), 2);
    assert!(one.keys().eq(other.keys()));
    for (name, unit) in &one {
        same_numbers(unit, &other[name]);
        let model = unit["sources"].list().last().unwrap();
        assert_eq!(model["source"], "model");
        for fit in model["fits"].list() {
            let shares = fit["block_use"].list();
            assert_eq!(shares.len(), 2, "one for each layer");
            let sum: f64 = shares.iter().map(|share| share.number()).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}
