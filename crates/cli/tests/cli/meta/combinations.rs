//! `neurogauge meta` on combinations of metrics: figures known beforehand, and requests that do not
//! fit.

use crate::support::arguments::meta;
use crate::support::{folder, neurogauge, succeed, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Three metrics of SEED's and one more over ten items; the human score is the item's number.
fn inputs(dir: &Path) -> (PathBuf, PathBuf) {
    let (human, metrics) = (dir.join("r.csv"), dir.join("m.csv"));
    let mut ratings = String::from("item,x,y\n");
    let mut scores = String::from("item,object_f1,cap_sim,effnet,mine\n");
    for item in 0..10 {
        ratings.push_str(&format!("i{item},{item},{item}\n"));
        let q = f64::from(item) / 10.0;
        // Neighbours change places in pairs, in cap_sim where in object_f1 they do not.
        let swap = |phase: i32| if (item + phase) % 2 == 0 { 0.15 } else { 0.0 };
        let (a, b) = (q + swap(0), q + swap(1));
        scores.push_str(&format!(
            "i{item},{a:.2},{b:.2},{:.2},{}\n",
            1.0 - q,
            item % 3
        ));
    }
    write(&human, &ratings);
    write(&metrics, &scores);
    (human, metrics)
}

fn run(dir: &Path, out: &str, more: &[&str]) -> (String, Value, PathBuf) {
    let (human, metrics) = inputs(dir);
    let out = dir.join(out);
    let mut args = meta(&human, &[&metrics], &out, &[]);
    args.extend(["--resamples", "50", "--higher-is-better", "mine"]);
    args.extend(more);
    let ran = succeed(&args);
    let found = serde_json::from_slice(&fs::read(out.join("meta.json")).unwrap()).unwrap();
    (ran.stdout, found, out)
}

#[test]
fn combinations_are_part_of_every_small_evaluation() {
    let dir = folder();
    let (stdout, found, out) = run(dir.path(), "one", &["--threads", "1"]);
    let combinations = &found["combinations"];
    assert_eq!(combinations["options"]["scaling"], "raw");
    assert_eq!(
        combinations["averages"]["cells"].as_array().unwrap().len(),
        10
    );
    // effnet alone orders all items as people do; nothing smaller or earlier does.
    let best = &combinations["subsets"]["overall"];
    assert_eq!(best["metrics"], serde_json::json!(["effnet"]));
    assert!(best["in_sample"][1]["value"].as_f64().unwrap() > 1.0 - 1e-12);
    assert_eq!(best["n_subsets"], 15);
    // The default composite is SEED's parts where all of them are there.
    let composite = &combinations["composites"][0];
    assert_eq!(
        composite["parts"],
        serde_json::json!(["object_f1", "cap_sim", "effnet"])
    );
    assert!(stdout.contains("Best averages of k metrics") && stdout.contains("held out"));
    assert!(stdout.contains("What each part of SEED adds"), "{stdout}");
    let csv = fs::read_to_string(out.join("meta.csv")).unwrap();
    let columns = csv.lines().next().unwrap().split(',').count();
    for start in [
        "average,object_f1,cap_sim,kendall_tau_b,",
        "best_subset,effnet,1,kendall_tau_b,",
        "best_subset_held_out,,any,",
        "weight,effnet,,weight,",
        "fitted_weights_held_out,,,pearson,",
        "composite,SEED,,pearson,",
        "contribution,SEED,cap_sim,kendall_tau_b,",
    ] {
        let line = csv.lines().find(|line| line.starts_with(start));
        assert_eq!(
            line.map(|line| line.split(',').count()),
            Some(columns),
            "{start}"
        );
    }
    let (_, _, again) = run(dir.path(), "four", &["--threads", "4"]);
    for name in ["meta.json", "meta.md", "meta.csv"] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert_eq!(read(&out), read(&again));
    }
}

#[test]
fn composites_and_scales_are_those_asked_for() {
    let dir = folder();
    let composite = "pair=effnet+object_f1";
    let more = [
        "--composite",
        composite,
        "--scaling",
        "zscore",
        "--folds",
        "3",
    ];
    let (_, found, _) = run(dir.path(), "out", &more);
    let composite = &found["combinations"]["composites"][0];
    assert_eq!(composite["name"], "pair");
    assert_eq!(
        composite["parts"],
        serde_json::json!(["effnet", "object_f1"])
    );
    assert_eq!(found["request"]["combinations"]["options"]["folds"], 3);
    // Ten items are too few for ten folds; the rest is there.
    let (stdout, found, _) = run(dir.path(), "folds", &["--folds", "10"]);
    let held_out = &found["combinations"]["subsets"]["overall"]["cross_validated"][1];
    assert_eq!(held_out["undefined"], "fewer than two items in a fold");
    assert!(stdout.contains("No held-out figure: fewer than two items in a fold."));
    let (stdout, found, _) = run(dir.path(), "off", &["--combinations=off"]);
    assert_eq!(found["combinations"], Value::Null);
    assert!(!stdout.contains("Best averages"));
}

#[test]
fn composites_that_cannot_be_are_refused_by_name() {
    let dir = folder();
    let (human, metrics) = inputs(dir.path());
    let out = dir.path().join("out");
    for (more, words) in [
        (
            &["--composite", "c=effnet+object_f"][..],
            "the nearest is \"object_f1\"",
        ),
        (&["--composite", "c=effnet+effnet"], "in it twice"),
        (&["--composite", "c=effnet"], "at least two"),
        (
            &["--composite", "effnet+mine"],
            "expected a name and its parts",
        ),
        (
            &["--composite", "c=effnet+"],
            "expected a name and its parts",
        ),
        (
            &[
                "--composite",
                "c=effnet+mine",
                "--composite",
                "c=mine+cap_sim",
            ],
            "two composites \"c\"",
        ),
        (
            &["--composite", "c=effnet+mine", "--combinations=off"],
            "switched off",
        ),
        (&["--folds", "1"], "folds"),
        (&["--scaling", "log"], "log"),
    ] {
        let ran = neurogauge(&meta(&human, &[&metrics], &out, more));
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        assert!(!out.exists());
    }
}
