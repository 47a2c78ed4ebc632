//! `neurogauge meta`: intervals over items, the intervals of SEED's paper, and uninformative ones.

use crate::support::{arguments, folder, succeed, write};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Thirty items, five raters who mostly agree, a metric that follows them and one that does not.
fn survey(dir: &Path) {
    let (mut ratings, mut scores) = (
        String::from("item,a,b,c,d,e\n"),
        String::from("item,good,noise\n"),
    );
    for item in 0..30_u32 {
        let quality = item * 7 % 30;
        write!(ratings, "{item}").unwrap();
        for rater in 0..5 {
            let opinion = 1 + (quality + (item * 11 + rater * 5) % 7) / 8;
            write!(ratings, ",{opinion}").unwrap();
        }
        ratings.push('\n');
        let (good, noise) = (quality + item * 13 % 9, item * 17 % 31);
        writeln!(scores, "{item},{good},{noise}").unwrap();
    }
    write(&dir.join("r.csv"), &ratings);
    write(&dir.join("m.csv"), &scores);
}

fn meta(dir: &Path, options: &[&str]) -> (String, Value) {
    let (human, metrics, out) = (dir.join("r.csv"), dir.join("m.csv"), dir.join("out"));
    let more = [
        &["--higher-is-better", "good,noise", "--permutations", "20"],
        options,
    ]
    .concat();
    let ran = succeed(&arguments::meta(&human, &[&metrics], &out, &more));
    let record = fs::read(out.join("meta.json")).unwrap();
    (ran.stdout, serde_json::from_slice(&record).unwrap())
}

fn ends(found: &Value, metric: usize, statistic: usize) -> (f64, f64, f64) {
    let figure = &found["result"]["metrics"][metric]["statistics"][statistic];
    let number = |value: &Value| value.as_f64().unwrap();
    let ends = &figure["interval"];
    (number(&ends[0]), number(&figure["value"]), number(&ends[1]))
}

#[test]
fn intervals_are_over_items_and_hold_their_value() {
    let dir = folder();
    survey(dir.path());
    let (shown, found) = meta(dir.path(), &[]);
    let options = &found["result"]["options"];
    assert_eq!(
        (&options["resampled"], &options["interval"]),
        (&"items".into(), &"studentized".into())
    );
    for statistic in 0..8 {
        for metric in 0..2 {
            let (low, value, high) = ends(&found, metric, statistic);
            assert!(low < value && value < high, "{metric} {statistic}");
        }
        let difference = &found["result"]["differences"][0]["statistics"][statistic];
        assert!(difference["p_value"].as_f64().unwrap() < 0.05);
    }
    // Noise is not found to be bad.
    let (low, _, high) = ends(&found, 1, 2);
    assert!(low < 0.0 && 0.0 < high);
    for words in [
        "Student's t, with the jackknife over items",
        "(chance)",
        "chance: 0",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains('‡'));
}

#[test]
fn the_papers_bootstrap_is_a_preset_and_its_bias_is_marked() {
    let dir = folder();
    survey(dir.path());
    // These raters' mean agrees better with all of them than with any resample of them.
    let ratings = fs::read_to_string(dir.path().join("r.csv")).unwrap();
    let scores = ratings.lines().skip(1).zip(0_u32..).map(|(line, item)| {
        let opinions = line.split(',').skip(1);
        let sum: u32 = opinions
            .map(|opinion| opinion.parse::<u32>().unwrap())
            .sum();
        format!("{item},{sum},{}\n", item * 17 % 31)
    });
    let scores: String = scores.collect();
    write(
        &dir.path().join("m.csv"),
        &format!("item,good,noise\n{scores}"),
    );
    let (shown, found) = meta(dir.path(), &["--preset", "seed", "--resamples", "200"]);
    let options = &found["result"]["options"];
    assert_eq!(
        (&options["resampled"], &options["interval"]),
        (&"raters".into(), &"percentile".into())
    );
    let (_, same) = meta(dir.path(), &["--bootstrap", "raters", "--resamples", "200"]);
    assert_eq!(found["result"], same["result"]);
    let figures = (0..8).map(|s| &found["result"]["metrics"][0]["statistics"][s]);
    let marked = figures
        .filter(|figure| !figure["interval_note"].is_null())
        .count();
    assert!(marked > 0);
    for words in ["‡", "the value lies on its edge or beyond"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let drawn = fs::read_to_string(dir.path().join("out/figures/agreement.svg")).unwrap();
    assert!(drawn.contains("biased interval"));
    let table = fs::read_to_string(dir.path().join("out/meta.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains(",interval_note,"));
}

#[test]
fn perfect_agreement_has_no_interval_and_says_so() {
    let dir = folder();
    write(
        &dir.path().join("r.csv"),
        "item,a,b\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n5,5,5\n",
    );
    write(
        &dir.path().join("m.csv"),
        "item,good,noise\n1,1,3\n2,2,1\n3,3,5\n4,4,2\n5,5,4\n",
    );
    for options in [&[][..], &["--preset", "seed", "--resamples", "20"]] {
        let (shown, found) = meta(dir.path(), options);
        let tau = &found["result"]["metrics"][0]["statistics"][2];
        assert_eq!(tau["interval"], Value::Null);
        assert_eq!(tau["interval_note"], "no interval: nothing varies");
        assert!(
            shown.contains("no interval: nothing varies (good"),
            "{shown}"
        );
    }
}
