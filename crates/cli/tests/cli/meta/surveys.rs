//! `neurogauge meta`: surveys with little or no information, and surveys in groups.

use crate::support::arguments;
use crate::support::{Ran, folder, neurogauge, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const RATINGS: &str = "item,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,4\nc,x,3\nc,y,3\nd,x,5\nd,y,5\n";
const SCORES: &str = "item,ssim\na,0.1\nb,0.3\nc,0.2\nd,0.4\n";

/// Runs in a separate folder; returns the output folder and the messages.
fn meta(dir: &Path, ratings: &str, scores: &str, more: &[&str]) -> (PathBuf, Ran) {
    let (human, metrics, out) = (dir.join("r.csv"), dir.join("m.csv"), dir.join("out"));
    write(&human, ratings);
    write(&metrics, scores);
    let _ = fs::remove_dir_all(&out);
    let mut args = arguments::meta(&human, &[&metrics], &out, &["--resamples", "50"]);
    args.extend(more);
    let ran = neurogauge(&args);
    (out, ran)
}

#[test]
fn each_fault_of_a_file_is_an_error_of_its_own() {
    let dir = folder();
    for (ratings, scores, more, words) in [
        (
            "item,rater,value\na,x,1\na,y,2\n",
            SCORES,
            None,
            "1 item(s) and 2 rater(s)",
        ),
        (
            "item,rater,value\na,x,inf\n",
            SCORES,
            None,
            "r.csv:2: column \"value\" holds \"inf\"",
        ),
        (
            "item,rater,value\na,x,1\na,x,2\n",
            SCORES,
            None,
            "item \"a\" by rater \"x\" stands in line 2 already",
        ),
        (
            RATINGS,
            "item,m\na,1\nb,-inf\n",
            None,
            "m.csv:3: column \"m\" holds \"-inf\"",
        ),
        (
            RATINGS,
            "item,m\nq,1\nr,2\n",
            None,
            "no item of it was rated",
        ),
        (
            RATINGS,
            SCORES,
            Some(["--scale", "1,4"]),
            "line 8, column \"value\": the rating 5 is outside the scale 1 to 4",
        ),
        (
            RATINGS,
            SCORES,
            Some(["--group-column", "system"]),
            "no column \"system\"",
        ),
        (
            RATINGS,
            SCORES,
            Some(["--group-column", "rater"]),
            "usual name for the rater",
        ),
    ] {
        let (out, ran) = meta(
            dir.path(),
            ratings,
            scores,
            &more.unwrap_or(["--seed", "42"]),
        );
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        ran.says(&[words]);
        assert!(!out.exists());
    }
}

#[test]
fn what_has_no_value_says_why_in_the_table() {
    let dir = folder();
    let tied = "item,rater,value\na,x,3\na,y,3\nb,x,3\nb,y,3\nc,x,3\nc,y,3\n";
    let missing = "item,rater,value\na,x,1\na,y,nan\nb,x,2\nb,y,2\nc,x,4\nc,y,5\n";
    let once = format!("{RATINGS}a,z,2\n");
    for (ratings, scores, words) in [
        (
            RATINGS,
            "item,ssim\na,1\nb,1\nc,1\nd,1\n",
            "ssim: constant metric",
        ),
        (
            RATINGS,
            "item,ssim\na,1\nb,nan\n",
            "ssim: fewer than two items to compare",
        ),
        (tied, SCORES, "ssim: all ratings are tied"),
        (
            tied,
            SCORES,
            "Intraclass correlations: all ratings are tied",
        ),
        (missing, SCORES, "(1 ratings missing)"),
        (
            &once,
            SCORES,
            "(one rater): without z (fewer than two items to compare)",
        ),
    ] {
        let (out, ran) = meta(dir.path(), ratings, scores, &[]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let text = ran
            .stdout
            .split_whitespace()
            .collect::<Vec<&str>>()
            .join(" ");
        assert!(text.contains(words), "{words}: {}", ran.stdout);
        assert!(out.join("meta.tex").exists());
    }
}

#[test]
fn statistics_are_repeated_within_groups_that_a_column_names() {
    let dir = folder();
    // Both raters and the metric prefer system b to a for each stimulus; the metric is blind to the
    // stimulus.
    let (mut ratings, mut scores) = (
        String::from("stimulus,system,rater,value\n"),
        String::from("stimulus,system,ssim\n"),
    );
    for stimulus in 1..=6 {
        for (system, bonus) in [("a", 0), ("b", 1)] {
            for rater in ["x", "y"] {
                let value = 2 * stimulus + bonus;
                ratings.push_str(&format!("{stimulus},{system},{rater},{value}\n"));
            }
            let score = f64::from(bonus) + 0.01 * f64::from((stimulus * 5) % 7);
            scores.push_str(&format!("{stimulus},{system},{score}\n"));
        }
    }
    let names = [
        "--item-column",
        "stimulus,system",
        "--group-column",
        "stimulus",
    ];
    let more = ["--group-column", "system", "--format", "csv"];
    let (out, ran) = meta(dir.path(), &ratings, &scores, &[&names[..], &more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.is_empty() || !ran.stderr.contains("left out"),
        "{}",
        ran.stderr
    );
    let found: Value = serde_json::from_slice(&fs::read(out.join("meta.json")).unwrap()).unwrap();
    let grouped = &found["result"]["metrics"][0]["grouped"];
    assert_eq!(grouped[0]["grouping"], "stimulus");
    assert_eq!(
        (&grouped[0]["n_groups"], &grouped[1]["n_groups"]),
        (&6.into(), &2.into())
    );
    assert_eq!(grouped[0]["statistics"][2]["statistic"], "kendall_tau_b");
    assert_eq!(grouped[0]["statistics"][2]["value"], 1.0);
    assert!(grouped[1]["statistics"][2]["value"].as_f64().unwrap() < 0.5);
    assert_eq!(
        found["request"]["group_columns"],
        serde_json::json!(["stimulus", "system"])
    );
    let line = ran
        .stdout
        .lines()
        .find(|line| line.starts_with("metric,ssim,,kendall_tau_b,stimulus,1"));
    assert!(
        line.is_some_and(|line| line.ends_with(",12,6,0,")),
        "{}",
        ran.stdout
    );

    let (_, ran) = meta(
        dir.path(),
        &ratings,
        &scores,
        &[&names[..], &["--format", "latex"]].concat(),
    );
    for words in [
        "% Needs \\usepackage{booktabs}.",
        "within stimulus",
        "ssim $\\uparrow$ & ",
        "Kendall $\\tau$-b",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}
