//! An alignment in parts is the alignment at once, and a finished one is replaced only if that is asked for.

use super::repetition::{SIMULATED, files, same_files};
use crate::support::alignments::{Arrays, record};
use crate::support::{arg, folder, refused, succeed};
use insta::assert_snapshot;
use std::path::Path;

fn work(run: &Path, shard: &str) {
    succeed(&["work", arg(run), "--shard", shard]);
}

#[test]
fn parts_in_any_order_end_with_the_bytes_of_one_run() {
    let root = folder();
    let whole = root.path().join("whole");
    succeed(&[&SIMULATED[..], &["--out", arg(&whole)]].concat());
    let (whole, figures) = (files(&whole), whole.join("figures"));

    // The number of parts, the finished ones, and the output of `finish`.
    let cases = [
        (&["0/1"][..], ""),
        (&[][..], "no shard was worked on"),
        (&["2/3", "0/3", "0/3", "1/3"][..], ""),
        (&["1/3"][..], "2 of 3 shards are missing: 0/3, 2/3"),
        (&["0/2", "2/3", "1/2"][..], ""),
        (&["4/7"][..], "6 of 7 shards are missing"),
        (&["0/9", "1/9", "2/9", "3/9", "4/9", "5/9", "6/9", "7/9", "9/9", "8/9"], ""),
    ];
    for (number, (shards, says)) in cases.into_iter().enumerate() {
        let run = root.path().join(number.to_string());
        let planned = succeed(&[&["plan"], &SIMULATED[..], &["--out", arg(&run)]].concat());
        planned.says(&["3 target units are planned", "neurogauge work"]);
        assert!(!run.join("align.json").exists());
        for shard in shards {
            work(&run, shard);
        }
        if !says.is_empty() {
            refused(&["finish", arg(&run), "--all-shards"], 1, &[says, "neurogauge work"]);
        }
        let finished = succeed(&["finish", arg(&run)]);
        finished.says(&[says]);
        assert_eq!(finished.stderr.contains("missing"), says.contains("missing"));
        same_files(&whole, &run);
        for figure in std::fs::read_dir(&figures).unwrap() {
            let name = figure.unwrap().file_name();
            let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
            assert!(read(&figures) == read(&run.join("figures")), "{name:?}");
        }
        // Once more, regardless of the request.
        work(&run, "0/1");
        succeed(&["finish", arg(&run)]);
        same_files(&whole, &run);
    }
    assert_snapshot!(root.refusals("work . --shard", &["1/2", "3/2", "-1/2"], "request.json"), @"
    1/2
      exit 1, stderr: error: ./plan.json: not found; expected a folder with a plan.json, and a request.json of an alignment (written by `neurogauge plan`)
    3/2
      exit 2, stderr: error: invalid value '3/2' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    -1/2
      exit 2, stderr: error: invalid value '-1/2' for '--shard <I/N>': expected I/N with I from 0 to N - 1, such as 2/8
    ");
}

#[test]
fn a_finished_run_of_other_settings_or_inputs_is_not_replaced() {
    let dir = folder();
    let mut arrays = Arrays::new(dir.path());
    arrays.write();
    let (align, run) = ("align --config align.toml --out run", dir.join("run"));
    dir.succeed(align);
    let first = record(&run);
    dir.succeed(align);
    assert_eq!(record(&run), first);

    let seed = format!("{align} --seed 7");
    assert_snapshot!(dir.run(&seed), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.settings.seed: 42 then, 7 now
    ");
    for trials in arrays.trials.values_mut() {
        trials[0].2[0] += 1.0;
    }
    arrays.write();
    assert_snapshot!(dir.run(align), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      fingerprint: [HASH] then, [HASH] now
    ");
    assert_eq!(record(&run), first);
    dir.succeed(&format!("{seed} --overwrite"));
    assert_ne!(record(&run)["fingerprint"], first["fingerprint"]);
}

/// Scores of stimuli are not part of an alignment's record, which says which alignment they are of.
#[test]
fn scores_of_stimuli_go_with_their_alignment() {
    let dir = folder();
    Arrays::new(dir.path()).write();
    let align = "align --config align.toml --out run";
    let names = ["stimuli.json", "stimuli.md", "stimulus_scores.parquet"];
    let are_there = || names.map(|name| dir.join("run").join(name).exists());
    dir.succeed(&format!("{align} --stimulus-scores"));
    assert_eq!(are_there(), [true; 3]);
    // Read back.
    dir.succeed(align);
    assert_eq!(are_there(), [true; 3]);
    dir.succeed(&format!("{align} --seed 7 --overwrite"));
    assert_eq!(are_there(), [false; 3]);

    let plan = format!("plan {align} --seed 7 --stimulus-scores");
    assert_snapshot!(dir.run(&plan), @"exit 2, stderr: error: --stimulus-scores: the parts of a plan are target units, and stimuli are scored after them; leave it out here, and after `neurogauge finish` give it to `neurogauge align` with the same options and the same --out, which reads the finished units");
    dir.succeed(&format!("{align} --seed 7 --stimulus-scores"));
    assert_eq!(are_there(), [true; 3]);
}

#[test]
fn a_dry_run_says_what_a_simulation_has() {
    let dir = folder();
    let dry = |more: &str| dir.run(&format!("align --simulate nsd --out run --dry-run {more}"));
    let said = dry("").stdout;
    let first = "simulated subjects and models: 112 target units, 27 sources of each; about ";
    assert!(said.starts_with(first), "{said}");
    assert_snapshot!(dry("--reverse"), @"exit 2, stderr: error: --dry-run says of a simulation what it takes with brains as targets; leave out --reverse or --dry-run");
    assert!(!dir.join("run").exists());
}
