//! `neurogauge meta` for combinations of metrics: known results, and requests that do not fit.

use crate::support::*;

/// Three of SEED's metrics and one more for ten items; the human score is the item's number.
fn survey() -> Folder {
    let mut ratings = String::from("item,x,y\n");
    let mut scores = String::from("item,object_f1,cap_sim,effnet,mine\n");
    for item in 0..10 {
        ratings.push_str(&format!("i{item},{item},{item}\n"));
        let q = f64::from(item) / 10.0;
        // Neighbours are exchanged in pairs; cap_sim exchanges those that object_f1 does not.
        let swap = |phase: i32| if (item + phase) % 2 == 0 { 0.15 } else { 0.0 };
        let (a, b) = (q + swap(0), q + swap(1));
        let (effnet, mine) = (1.0 - q, item % 3);
        scores += &format!("i{item},{a:.2},{b:.2},{effnet:.2},{mine}\n");
    }
    let dir = folder();
    dir.write("r.csv", ratings);
    dir.write("m.csv", scores);
    dir
}

const META: &str = "meta -v --human r.csv --metrics m.csv --resamples 50 --no-figures --higher-is-better mine --out";

fn run(dir: &Folder, out: &str, more: &str) -> (String, Value) {
    (dir.succeed(&format!("{META} {out} {more}")).stdout, dir.json(format!("{out}/meta.json")))
}

#[test]
fn combinations_are_part_of_every_small_evaluation() {
    let dir = survey();
    let (stdout, found) = run(&dir, "one", "");
    let combinations = &found["combinations"];
    assert_eq!(combinations["options"]["scaling"], "raw");
    assert_eq!(combinations["averages"]["cells"].list().len(), 10);
    // effnet alone orders all items like people; no smaller or earlier subset does.
    let best = &combinations["subsets"]["overall"];
    assert_eq!(best["metrics"], serde_json::json!(["effnet"]));
    assert!(best["in_sample"][1]["value"].number() > 1.0 - 1e-12);
    assert_eq!(best["n_subsets"], 15);
    // The default composite consists of SEED's parts if all of them are present.
    let parts = &combinations["composites"][0]["parts"];
    assert_eq!(*parts, serde_json::json!(["object_f1", "cap_sim", "effnet"]));
    contains(&stdout, &["Best averages of k metrics", "held out", "What each part of SEED adds"]);
    let csv = dir.read("one/meta.csv");
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
        assert_eq!(csv.lines().find(|line| line.starts_with(start)).unwrap().split(',').count(), columns, "{start}");
    }
}

#[test]
fn composites_and_scales_are_those_asked_for() {
    let dir = survey();
    let pair = "--composite pair=effnet+object_f1 --scaling zscore --folds 3";
    let (_, found) = run(&dir, "out", pair);
    let composite = &found["combinations"]["composites"][0];
    assert_eq!(composite["name"], "pair");
    let parts = serde_json::json!(["effnet", "object_f1"]);
    assert_eq!(composite["parts"], parts);
    assert_eq!(found["request"]["combinations"]["options"]["folds"], 3);
    // Ten items are too few for ten folds; the other results exist.
    let (stdout, found) = run(&dir, "folds", "--folds 10");
    let held_out = &found["combinations"]["subsets"]["overall"]["cross_validated"][1];
    assert_eq!(held_out["undefined"], "fewer than two items in a fold");
    assert!(stdout.contains("No held-out figure: fewer than two items in a fold."));
    let (stdout, found) = run(&dir, "off", "--combinations=off");
    assert_eq!(found["combinations"], Value::Null);
    assert!(!stdout.contains("Best averages"));
}

#[test]
fn composites_that_cannot_be_are_refused_by_name() {
    let table = r#"
    --composite c=effnet+object_f
      exit 2, stderr: error: composite "c": "object_f" is not a metric here; the nearest is "object_f1"; there are object_f1, cap_sim, effnet and 1 more
    --composite c=effnet+effnet
      exit 2, stderr: error: composite "c": "effnet" is in it twice; parts count alike
    --composite c=effnet
      exit 2, stderr: error: composite "c" has only one part; expected at least two, so that one can be left out
    --composite effnet+mine
      exit 2, stderr: error: invalid value 'effnet+mine' for '--composite <NAME=A+B+...>': expected a name and its parts, such as ours=clip+effnet
    --composite c=effnet+
      exit 2, stderr: error: invalid value 'c=effnet+' for '--composite <NAME=A+B+...>': expected a name and its parts, such as ours=clip+effnet
    --composite c=effnet+mine --composite c=mine+cap_sim
      exit 2, stderr: error: there are two composites "c"
    --composite c=effnet+mine --combinations=off
      exit 2, stderr: error: a composite is given, and combinations are switched off
    --folds 1
      exit 2, stderr: error: folds is 1; expected at least 2
    --scaling log
      exit 2, stderr:
      error: invalid value 'log' for '--scaling <SCALING>'
        [possible values: raw, zscore, rank]
    "#;
    survey().refuses(&format!("{META} out"), "out", table);
}
