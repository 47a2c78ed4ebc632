//! An alignment in shards equals the alignment in one call, and a finished one is only replaced on request.

use super::repetition::{ALIGNED, files, same_files, three_units};
use crate::support::alignments::Arrays;
use crate::support::*;

#[test]
fn shards_in_any_order_end_with_the_bytes_of_one_run() {
    let dir = three_units();
    dir.succeed(&format!("{ALIGNED} --out whole"));
    let whole = files(&dir, "whole");
    let figures = |run: &str| {
        let names = dir.names(format!("{run}/figures"));
        names.into_iter().map(|name| dir.bytes(format!("{run}/figures/{name}"))).collect::<Vec<_>>()
    };
    let drawn = figures("whole");

    // The finished shards, and the output of `cluster finish`.
    for (number, (shards, says)) in [
        (&[][..], "no shard was worked on"),
        (&["1/3"], "2 of 3 shards are missing: 0/3, 2/3"),
        (&["4/7"], "6 of 7 shards are missing"),
        (&["0/2", "2/3", "1/2", "1/2"], ""),
        (&["0/5", "1/5", "2/5", "4/5", "3/5"], ""),
    ]
    .into_iter()
    .enumerate()
    {
        let run = format!("run{number}");
        let planned = dir.succeed(&format!("cluster plan {ALIGNED} --out {run}"));
        planned.says(&["3 target units are planned", "neurogauge cluster work"]);
        assert!(!dir.has(format!("{run}/align.json")));
        for shard in shards {
            dir.succeed(&format!("cluster work {run} --shard {shard}"));
        }
        if !says.is_empty() {
            let refused = dir.run(&format!("cluster finish {run} --all-shards"));
            assert_eq!(refused.code, 1);
            refused.says(&[says, "neurogauge cluster work"]);
        }
        let finished = dir.succeed(&format!("cluster finish {run}"));
        finished.says(&[says]);
        assert_eq!(finished.stderr.contains("missing"), says.contains("missing"));
        same_files(&whole, &dir, &run);
        assert!(figures(&run) == drawn, "{run}");
    }
    // The same once more, which is computed regardless of the request.
    dir.succeed("cluster work run1 --shard 0/1");
    dir.succeed("cluster finish run1");
    same_files(&whole, &dir, "run1");

    // A simulation, which no file describes.
    let simulated = "align --simulate miniature --null 0 --controls none";
    dir.succeed(&format!("{simulated} --out simulated"));
    dir.succeed(&format!("cluster plan {simulated} --out planned"));
    dir.succeed("cluster work planned --shard 1/3");
    dir.succeed("cluster finish planned");
    same_files(&files(&dir, "simulated"), &dir, "planned");
}

#[test]
fn a_finished_run_of_other_settings_or_inputs_is_not_replaced() {
    let mut arrays = Arrays::new();
    arrays.write();
    let align = "align --config align.toml --no-figures --out run";
    let record = |arrays: &Arrays| arrays.dir.json("run/align.json");
    arrays.dir.succeed(align);
    let first = record(&arrays);
    arrays.dir.succeed(align);
    assert_eq!(record(&arrays), first);

    let seed = format!("{align} --seed 7");
    assert_snapshot!(arrays.dir.run(&seed).differs("run"), @"options.settings.seed: 42 then, 7 now");
    for trials in arrays.trials.values_mut() {
        trials[0].2[0] += 1.0;
    }
    arrays.write();
    assert_snapshot!(arrays.dir.run(align).differs("run"), @"fingerprint: [HASH] then, [HASH] now");
    assert_eq!(record(&arrays), first);
    arrays.dir.succeed(&format!("{seed} --overwrite"));
    assert_ne!(record(&arrays)["fingerprint"], first["fingerprint"]);
}

/// Scores of stimuli are not part of an alignment's record, but name the alignment to which they belong.
#[test]
fn scores_of_stimuli_go_with_their_alignment() {
    let dir = Arrays::written();
    let align = "align --config align.toml --no-figures --out run";
    let names = ["stimuli.json", "stimuli.md", "stimulus_scores.parquet"];
    let are_there = || names.map(|name| dir.has(format!("run/{name}")));
    dir.succeed(&format!("{align} --stimulus-scores"));
    assert_eq!(are_there(), [true; 3]);
    // The results are read again.
    dir.succeed(align);
    assert_eq!(are_there(), [true; 3]);
    dir.succeed(&format!("{align} --seed 7 --overwrite"));
    assert_eq!(are_there(), [false; 3]);

    let plan = format!("cluster plan {align} --seed 7 --stimulus-scores");
    assert_snapshot!(dir.run(&plan), @"exit 2, stderr: error: --stimulus-scores: the shards of a plan are target units, and stimuli are scored after them; leave it out here, and after `neurogauge cluster finish` give it to `neurogauge align` with the same options and the same --out, which reads the finished units");
    dir.succeed(&format!("{align} --seed 7 --stimulus-scores"));
    assert_eq!(are_there(), [true; 3]);
}

#[test]
fn a_simulation_and_its_dry_run_say_before_they_start_how_long_they_take() {
    let dir = folder();
    let dry = |more: &str| dir.run(&format!("align --simulate nsd --out run --dry-run {more}"));
    let said = dry("").stdout;
    let first = "simulated subjects and models: 112 target units, 27 sources of each; about ";
    assert!(said.starts_with(first), "{said}");
    assert_snapshot!(dry("--reverse"), @"exit 2, stderr: error: --dry-run says of a simulation what it takes with brains as targets; leave out --reverse or --dry-run");
    assert!(!dir.has("run"));
    let said = dir.succeed("align --simulate miniature -v --no-figures --out run --null 0 --controls none").stderr;
    let first = "aligning simulated subjects and models: 3 target units, 4 sources of each; under a second on";
    assert!(said.starts_with(first), "{said}");
    assert!(said.contains("aligning: 3 of 3 in"), "{said}");
}
