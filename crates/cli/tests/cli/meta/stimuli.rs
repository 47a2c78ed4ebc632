//! `neurogauge meta`: several systems on the same stimuli.

use crate::support::arguments;
use crate::support::{Ran, folder, neurogauge, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

const N_STIMULI: u32 = 8;
const SENTENCE: &str = "Intervals: new stimuli of this kind, these raters; 24 items of 8 stimuli.";

/// Three systems; `id` makes the id of an item from system and stimulus.
fn run(dir: &Path, id: fn(&str, u32) -> String, more: &[&str]) -> (Value, Ran) {
    let mut ratings = "item,shown,rater,value\n".to_owned();
    let mut scores = "item,ssim\n".to_owned();
    for (system, better) in [("a", 0), ("b", 1), ("c", 2)] {
        for stimulus in 0..N_STIMULI {
            let (item, quality) = (id(system, stimulus), (stimulus * 5) % 8 + better);
            for (rater, bonus) in [("x", stimulus % 2), ("y", 0)] {
                let value = quality + bonus;
                ratings += &format!("{item},picture {stimulus},{rater},{value}\n");
            }
            let score = quality * 10 + (stimulus * 3 + better * 7) % 23;
            scores += &format!("{item},{score}\n");
        }
    }
    let (human, metrics, out) = (dir.join("r.csv"), dir.join("m.csv"), dir.join("out"));
    write(&human, &ratings);
    write(&metrics, &scores);
    let _ = fs::remove_dir_all(&out);
    let mut args = arguments::meta(&human, &[&metrics], &out, &[]);
    args.extend(more);
    let ran = neurogauge(&args);
    let record = fs::read(out.join("meta.json")).unwrap_or(b"null".to_vec());
    (serde_json::from_slice(&record).unwrap(), ran)
}

fn system_first(system: &str, stimulus: u32) -> String {
    format!("{system}/{stimulus}")
}

fn stimulus_first(system: &str, stimulus: u32) -> String {
    format!("{stimulus}_{system}")
}

fn interval(record: &Value) -> [f64; 2] {
    let interval = &record["result"]["metrics"][0]["statistics"][2]["interval"];
    [0, 1].map(|end| interval[end].as_f64().unwrap())
}

#[test]
fn items_of_a_stimulus_are_drawn_together() {
    let dir = folder();
    let (auto, ran) = run(dir.path(), system_first, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(SENTENCE), "{}", ran.stdout);
    assert!(ran.stdout.contains("the jackknife over stimuli"));
    assert_eq!(auto["result"]["n_stimuli"], N_STIMULI);
    assert_eq!(auto["request"]["stimuli"], "auto");
    for (id, more, stimuli) in [
        (
            system_first as fn(&str, u32) -> String,
            ["--stimulus-pattern", "*/{stimulus}"],
            serde_json::json!({"pattern": "*/{stimulus}"}),
        ),
        (
            system_first,
            ["--stimulus-column", "shown"],
            serde_json::json!({"column": "shown"}),
        ),
        (
            stimulus_first,
            ["--stimulus-pattern", "{stimulus}_*"],
            serde_json::json!({"pattern": "{stimulus}_*"}),
        ),
    ] {
        let (record, ran) = run(dir.path(), id, &more);
        assert!(ran.stdout.contains(SENTENCE), "{}", ran.stderr);
        assert_eq!(record["request"]["stimuli"], stimuli);
        let both = interval(&record).into_iter().zip(interval(&auto));
        both.for_each(|(own, auto)| assert!((own - auto).abs() < 1e-12, "{own} {auto}"));
    }
}

#[test]
fn items_that_look_clustered_and_are_not_drawn_so_have_a_warning() {
    let dir = folder();
    let words = "items look as if several were of one stimulus";
    let independent = ["--stimuli", "independent"];
    let (record, ran) = run(dir.path(), system_first, &independent);
    ran.says(&[words, "--stimuli independent"]);
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
    assert_eq!(record["request"]["stimuli"], "independent");
    assert!(!ran.stdout.contains(SENTENCE));
    // Which part is the stimulus cannot be seen: there are more of the first.
    let (record, ran) = run(dir.path(), |system, n| format!("{n}/{system}"), &[]);
    ran.says(&[words, "--stimulus-pattern '{stimulus}/*'"]);
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
    let (record, ran) = run(dir.path(), stimulus_first, &independent);
    assert!(!ran.stderr.contains(words), "{}", ran.stderr);
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
}

#[test]
fn a_pattern_that_an_item_does_not_follow_is_an_error() {
    let dir = folder();
    let (_, ran) = run(
        dir.path(),
        system_first,
        &["--stimulus-pattern", "b/{stimulus}"],
    );
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    ran.says(&[
        "r.csv",
        "the item \"a/0\"",
        "--stimulus-pattern 'b/{stimulus}'",
    ]);
    let (_, ran) = run(dir.path(), system_first, &["--stimulus-pattern", "{stem}"]);
    ran.says(&["expected what items are called, with {stimulus} in it once"]);
    let both = ["--stimulus-column", "shown", "--stimuli", "auto"];
    let (_, ran) = run(dir.path(), system_first, &both);
    ran.says(&["cannot be used with"]);
}
