//! `neurogauge meta`: small surveys whose figures are known, a real one, and inputs that do not fit.

use crate::support::arguments::{meta, score_images};
use crate::support::{arg, folder, image_folders, neurogauge, shared_data, succeed, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

const RATINGS: &str = "item,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,4\nc,x,3\nc,y,3\nd,x,5\nd,y,5\n";
const SCORES: &str = "item,effnet,mine\na,0.9,0.1\nb,0.55,0.3\nc,0.5,0.2\nd,0.1,0.4\n";

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path.join("meta.json")).unwrap()).unwrap()
}

#[test]
fn a_small_survey_gives_the_figures_of_paper_and_pencil() {
    let dir = folder();
    let (ratings, scores) = (dir.path().join("r.csv"), dir.path().join("m.csv"));
    write(&ratings, RATINGS);
    write(&scores, SCORES);
    let run = |out: &str, threads: &str| {
        let out = dir.path().join(out);
        let ran = succeed(&[
            "--threads",
            threads,
            "meta",
            "--human",
            arg(&ratings),
            "--metrics",
            arg(&scores),
            "--out",
            arg(&out),
            "--scale",
            "1,5",
        ]);
        (ran, out)
    };
    let (ran, out) = run("one", "1");
    assert!(
        ran.stdout.contains("effnet ↓") && ran.stdout.contains("mine ↑"),
        "{}",
        ran.stdout
    );
    ran.says(&["mine: not a known metric"]);
    assert!(
        !ran.stderr.contains("effnet: not a known"),
        "{}",
        ran.stderr
    );
    let found = read(&out);
    let effnet = &found["result"]["metrics"][0]["statistics"];
    // Mean ratings 1, 3, 3, 5: the only tie is one that the metric gets at its threshold.
    assert_eq!(effnet[0]["value"], 1.0);
    assert_eq!(effnet[1]["value"], 5.0 / 6.0);
    assert_eq!(found["metrics"][0]["direction_from"], "registry");
    assert_eq!(found["metrics"][1]["direction_from"], "assumed");
    assert_eq!(found["inputs"][1]["sha256"].as_str().unwrap().len(), 64);

    let (_, again) = run("eight", "8");
    for name in ["meta.json", "meta.md", "meta.csv"] {
        assert_eq!(
            fs::read(out.join(name)).unwrap(),
            fs::read(again.join(name)).unwrap()
        );
    }
}

#[test]
fn a_run_of_score_is_a_source_of_metrics_and_strangers_are_listed() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3", "4"]);
    let run = dir.path().join("run");
    succeed(&score_images(&gt, &recon, &run, &[]));
    let ratings = dir.path().join("r.csv");
    write(&ratings, "item,x,y\n1,5,4\n2,4,4\n3,2,3\nz,1,1\n");
    let out = dir.path().join("out");
    let ran = succeed(&meta(&ratings, &[&run], &out, &["--format", "csv"]));
    assert!(
        ran.stdout
            .lines()
            .any(|line| line.starts_with("metric,ssim,,kendall_tau_b,"))
    );
    let found = read(&out);
    let codes: Vec<&str> = found["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["items_not_rated", "items_not_scored"]);
    assert_eq!(found["result"]["metrics"][0]["n_items"], 3);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let dir = folder();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        write(&path, text);
        path
    };
    let ratings = file("r.csv", RATINGS);
    let scores = file("m.csv", SCORES);
    let others = file("o.csv", "item,m\nq,1\nr,2\n");
    let out = dir.path().join("out");
    let refused = |human: &Path, metrics: &Path, more: &[&str], code: i32, words: &str| {
        let ran = neurogauge(&meta(human, &[metrics], &out, more));
        assert_eq!(ran.code, code, "{}", ran.stderr);
        ran.says(&[words]);
        assert!(!out.exists());
    };
    refused(&ratings, &others, &[], 1, "no item of it was rated");
    refused(&ratings, &scores, &["--scale", "1,4"], 1, "r.csv");
    refused(&ratings, &scores, &["--scale", "4,1"], 2, "the lower first");
    refused(
        &ratings,
        &scores,
        &["--lower-is-better", "typo"],
        2,
        "no metric here",
    );
    refused(&ratings, &scores, &["--level", "1.5"], 2, "level");
    refused(
        &ratings,
        &scores,
        &["--bootstrap", "both", "--interval", "bca"],
        2,
        "BCa",
    );
    let both = ["--lower-is-better", "mine", "--higher-is-better", "mine"];
    refused(&ratings, &scores, &both, 2, "\"mine\"");
}

#[test]
fn figures_without_a_value_say_why() {
    let dir = folder();
    let (ratings, scores) = (dir.path().join("r.csv"), dir.path().join("m.csv"));
    write(&ratings, RATINGS);
    write(&scores, "item,flat\na,1\nb,1\nc,1\nd,1\n");
    let out = dir.path().join("out");
    let ran = succeed(&meta(&ratings, &[&scores], &out, &[]));
    assert!(
        ran.stdout.contains("flat: constant metric"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("stimulus"));
    let flat = &read(&out)["result"]["metrics"][0]["statistics"][3];
    assert_eq!(flat["value"], Value::Null);
    assert_eq!(flat["undefined"], "constant metric");
}

#[test]
fn real_raters_prefer_the_metric_that_follows_them() {
    let Some(survey) = shared_data("human-ratings/tifa160_likert.csv") else {
        return;
    };
    let dir = folder();
    let text = fs::read_to_string(survey).unwrap();
    // Per item and system, one rater's answer with little and with much that has nothing to do with it.
    let (mut ratings, mut scores) = (
        String::from("item,rater,value\n"),
        String::from("item,near,far\n"),
    );
    let mut seen = std::collections::HashSet::new();
    for (line, row) in text.lines().skip(1).enumerate() {
        let fields: Vec<&str> = row.split(',').collect();
        let item = format!("{}/{}", fields[2], fields[1]);
        ratings.push_str(&format!("{item},{},{}\n", fields[4], fields[6]));
        if seen.insert(item.clone()) {
            let answer: f64 = fields[6].parse().unwrap();
            let noise = (line as f64 * 12.9898).sin();
            scores.push_str(&format!(
                "{item},{},{}\n",
                answer + 0.5 * noise,
                answer + 6.0 * noise
            ));
        }
    }
    let (human, metrics) = (dir.path().join("r.csv"), dir.path().join("m.csv"));
    write(&human, &ratings);
    write(&metrics, &scores);
    let out = dir.path().join("out");
    succeed(&meta(
        &human,
        &[&metrics],
        &out,
        &[
            "--higher-is-better",
            "near,far",
            "--resamples",
            "200",
            "--stimulus-pattern",
            "{stimulus}/*",
        ],
    ));
    let found = read(&out);
    assert_eq!(found["warnings"], serde_json::json!([]));
    assert_eq!(found["result"]["n_stimuli"], 160);
    assert_eq!(found["result"]["n_items"], 800);
    for statistic in found["result"]["differences"][0]["statistics"]
        .as_array()
        .unwrap()
    {
        assert!(
            statistic["interval"][0].as_f64().unwrap() > 0.0,
            "{statistic}"
        );
    }
}

#[test]
fn a_finished_evaluation_is_replaced_only_if_asked() {
    let dir = folder();
    let (ratings, scores) = (dir.path().join("r.csv"), dir.path().join("m.csv"));
    write(&ratings, RATINGS);
    write(&scores, SCORES);
    let out = dir.path().join("out");
    let args = [
        "meta",
        "--human",
        arg(&ratings),
        "--metrics",
        arg(&scores),
        "--out",
        arg(&out),
    ];
    succeed(&args);
    let first = read(&out);
    // Elsewhere the same ratings are the same.
    let moved = dir.path().join("moved.csv");
    fs::copy(&ratings, &moved).unwrap();
    let mut elsewhere = args;
    elsewhere[2] = arg(&moved);
    succeed(&elsewhere);
    let refuses = |args: &[&str], part: &str| {
        let ran = neurogauge(args);
        assert_eq!(ran.code, 1);
        ran.says(&["not replaced", "--overwrite", part]);
        assert_eq!(read(&out)["result"], first["result"]);
    };
    let other = [&args[..], &["--resamples", "50"]].concat();
    refuses(
        &other,
        "options.options.bootstrap.resamples: 1000 then, 50 now",
    );
    write(&scores, &SCORES.replace("0.55", "0.65"));
    refuses(&args, "SHA-256 of input.metrics");
    succeed(&[&other[..], &["--overwrite"]].concat());
    assert_ne!(read(&out)["result"], first["result"]);
}
