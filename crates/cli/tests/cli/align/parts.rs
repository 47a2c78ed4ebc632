//! An alignment in parts is the alignment at once, and a finished one is replaced only if that is asked for.

use super::repetition::{SIMULATED, files, same_files};
use crate::support::alignments::{Arrays, record};
use crate::support::{arg, folder, refused, succeed};
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
        (
            &[
                "0/9", "1/9", "2/9", "3/9", "4/9", "5/9", "6/9", "7/9", "9/9", "8/9",
            ][..],
            "",
        ),
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
            let parts = [says, "neurogauge work"];
            refused(&["finish", arg(&run), "--all-shards"], 1, &parts);
        }
        let finished = succeed(&["finish", arg(&run)]);
        finished.says(&[says]);
        assert_eq!(
            finished.stderr.contains("missing"),
            says.contains("missing")
        );
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
    refused(
        &["work", arg(root.path()), "--shard", "1/2"],
        1,
        &["request.json"],
    );
    refused(
        &["work", arg(root.path()), "--shard", "3/2"],
        2,
        &["I from 0 to N - 1"],
    );
}

#[test]
fn a_finished_run_of_other_settings_or_inputs_is_not_replaced() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    let config = arrays.write();
    let args = ["align", "--config", arg(&config), "--out", arg(&run)];
    succeed(&args);
    let first = record(&run);
    succeed(&args);
    assert_eq!(record(&run), first);

    let seed = [&args[..], &["--seed", "7"]].concat();
    let parts = [
        "not replaced",
        "--overwrite",
        "options.settings.seed",
        "7 now",
    ];
    refused(&seed, 1, &parts);
    assert_eq!(record(&run), first);
    for trials in arrays.trials.values_mut() {
        trials[0].2[0] += 1.0;
    }
    arrays.write();
    refused(&args, 1, &["not replaced", "fingerprint"]);
    assert_eq!(record(&run), first);
    succeed(&[&seed[..], &["--overwrite"]].concat());
    assert_ne!(record(&run)["fingerprint"], first["fingerprint"]);
}
