//! Several subjects of a system, and several pairs of a stimulus: what is over stimuli.

use crate::support::observations::write_features;
use crate::support::{arg, folder, picture, record, refused, succeed, summary, write};
use neurogauge::formats::image_file::write_png;
use serde_json::Value;
use std::path::{Path, PathBuf};

const STEMS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

/// A run of so grainy reconstructions of the same stimuli.
fn run(root: &Path, name: &str, grain: f32) -> PathBuf {
    let (gt, recon) = (root.join("gt"), root.join("recon").join(name));
    for stem in STEMS {
        let file = format!("{stem}.png");
        write_png(&gt.join(&file), &picture(stem, 16, 0.0)).unwrap();
        write_png(&recon.join(&file), &picture(stem, 16, grain)).unwrap();
    }
    let out = root.join("runs").join(name);
    let images = ["score", arg(&gt), arg(&recon), "--metrics", "pixcorr,ssim"];
    succeed(&[&images[..], &["--pixel-size", "16", "--out", arg(&out)]].concat());
    out
}

/// Two systems of so many subjects.
fn runs(root: &Path, n_subjects: usize) -> Vec<PathBuf> {
    let subjects = (1..=n_subjects).flat_map(|s| [("fine", s, 40.0), ("coarse", s, 120.0)]);
    subjects
        .map(|(system, s, grain)| run(root, &format!("{system}_s{s}"), grain + 40.0 * s as f32))
        .collect()
}

fn compare(runs: &[PathBuf], options: &[&str]) -> String {
    let runs: Vec<&str> = runs.iter().map(|run| arg(run)).collect();
    succeed(&[&["compare"], &runs[..], options].concat()).stdout
}

fn compare_json(runs: &[PathBuf], options: &[&str]) -> Value {
    let json = ["--format", "json", "--subjects", "{system}_s{subject}"];
    serde_json::from_str(&compare(runs, &[&json[..], options].concat())).unwrap()
}

fn pixcorr<'a>(row: &'a Value, end: &str) -> &'a Value {
    &row["estimates"][0][end]
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn systems_are_compared_by_the_mean_over_their_subjects() {
    let dir = folder();
    let mut runs = runs(dir.path(), 4);
    // Subjects are matched by name, whatever the order of the runs.
    runs.swap(1, 7);
    let found = compare_json(&runs, &[]);
    assert_eq!(found["title"], "2 systems on 8 shared pairs");
    let rows = found["rows"].as_array().unwrap();
    let names: Vec<String> = (rows.iter())
        .map(|row| format!("{} {} {}", row["system"], row["subject"], row["n_subjects"]))
        .collect();
    let fine = [1, 2, 3, 4].map(|s| format!("\"fine\" \"{s}\" null"));
    assert_eq!(names[..4], fine);
    assert_eq!(names[4], "\"fine\" null 4");
    assert_eq!(names[9], "\"coarse\" null 4");
    assert_eq!(found["subjects"][1]["system"], "coarse");

    // Of each subject what its run alone has, and the mean over these.
    let alone = summary(&dir.path().join("runs/fine_s2"));
    for (end, place) in [("low", 0), ("high", 1)] {
        let of_run = number(&alone["pixcorr"]["interval"][place]);
        assert!((number(pixcorr(&rows[1], end)) - of_run).abs() < 1e-12);
    }
    let means: Vec<f64> = rows[..4]
        .iter()
        .map(|row| number(pixcorr(row, "mean")))
        .collect();
    let mean = means.iter().sum::<f64>() / 4.0;
    assert!((number(pixcorr(&rows[4], "mean")) - mean).abs() < 1e-12);
    assert_eq!(pixcorr(&rows[4], "n"), 8);
    assert_eq!(
        (
            &rows[0]["estimates"][0]["rank"],
            &rows[4]["estimates"][0]["rank"]["rank"]
        ),
        (&Value::Null, &Value::from(1.0))
    );

    // One difference for each metric, over eight stimuli that all say the same: two of 256 ways to put their signs.
    let differences = found["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 2);
    assert_eq!(differences[0]["n"], 8);
    assert_eq!(number(&differences[0]["p_value"]), 2.0 / 256.0);
    let said = found["notes"].to_string();
    let what = "95% intervals for new stimuli, these subjects (studentised bootstrap over stimuli, averaged over subjects first, 2000 resamples)";
    assert!(said.contains(what), "{said}");

    // Every format has the subjects.
    let pattern = ["--subjects", "{system}_s{subject}"];
    let text = compare(&runs, &pattern);
    for line in [
        "fine, subject 1 ",
        "fine, mean of 4 subjects ",
        "* best, + second",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let ranks = text.split("rank, 1 is best").nth(1).unwrap();
    assert!(!ranks.contains("subject 1"), "{ranks}");
    let csv = compare(&runs, &[&pattern[..], &["--format", "csv"]].concat());
    assert!(csv.contains("stand_in,subject\nfine,pixcorr,"), "{csv}");
    assert!(csv.contains(",false,mean\n"), "{csv}");
    let latex = compare(&runs, &[&pattern[..], &["--format", "latex"]].concat());
    assert!(
        latex.contains("fine, mean of 4 subjects & \\textbf{"),
        "{latex}"
    );
    let page = dir.path().join("page.html");
    let report = ["report", arg(&runs[0]), arg(&runs[2]), "--no-images"];
    succeed(&[&report[..], &pattern, &["--out", arg(&page)]].concat());
    let page = std::fs::read_to_string(page).unwrap();
    for part in [
        "Means over subjects",
        "fine, mean of 2 subjects",
        "--subjects '{system}_s{subject}'",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn new_subjects_take_five() {
    let dir = folder();
    let five = runs(dir.path(), 5);
    let four = compare_json(&five[..8], &["--new-subjects"]);
    let mean = &four["rows"][4];
    assert_eq!(
        (mean["n_subjects"].as_u64(), pixcorr(mean, "low")),
        (Some(4), &Value::Null)
    );
    assert!(pixcorr(&four["rows"][0], "low").is_number());
    assert_eq!(four["differences"][0]["p_value"], Value::Null);
    let said = four["notes"].to_string();
    assert!(
        said.contains("no interval or test for new subjects: fine has 4 subjects"),
        "{said}"
    );

    let these = compare_json(&five, &[]);
    let new = compare_json(&five, &["--new-subjects"]);
    let width = |found: &Value| {
        let mean = &found["rows"][5];
        assert_eq!(mean["n_subjects"], 5);
        number(pixcorr(mean, "high")) - number(pixcorr(mean, "low"))
    };
    assert!(width(&new) > width(&these));
    assert_eq!(new["request"]["population"], "new");
    let said = new["notes"].to_string();
    assert!(
        said.contains("95% intervals for new subjects and new stimuli"),
        "{said}"
    );
    assert!(new["differences"][0]["p_value"].is_number());
    let text = compare(
        &five,
        &["--subjects", "{system}_s{subject}", "--new-subjects"],
    );
    assert!(
        text.contains("p and interval: Student's t over subjects and stimuli of the"),
        "{text}"
    );
}

#[test]
fn a_pattern_that_does_not_fit_the_runs_is_refused() {
    let dir = folder();
    let runs = runs(dir.path(), 1);
    for (pattern, code, part) in [
        (
            "{system}-{subject}",
            2,
            "the run \"fine_s1\" is not called as --subjects '{system}-{subject}' says",
        ),
        (
            "{system}_s{subject}",
            2,
            "\"fine\" has one subject by --subjects '{system}_s{subject}'",
        ),
        ("{system}", 2, "such as {system}_s{subject}"),
    ] {
        let words = [
            "compare",
            arg(&runs[0]),
            arg(&runs[1]),
            "--subjects",
            pattern,
        ];
        refused(&words, code, &[part]);
    }
}

/// Features of four samples of each of three stimuli.
fn samples(root: &Path, name: &str, noise: f32) {
    let stems: Vec<String> = (0..12)
        .map(|pair| format!("{}_{}", pair / 4, pair % 4))
        .collect();
    let row = |pair: usize, noise: f32| {
        let angle = (pair / 4) as f32 * 2.1 + noise * (pair as f32 * 1.7).sin();
        [angle.cos(), (angle + 2.1).cos(), (angle + 4.2).cos()]
    };
    let rows = |noise: f32| -> Vec<(&str, [f32; 3])> {
        (stems.iter().enumerate())
            .map(|(pair, stem)| (stem.as_str(), row(pair, noise)))
            .collect()
    };
    // No two rows are equal, so only the pattern knows that they show the same stimulus.
    write_features(&root.join(name).join("gt"), "clip", &rows(0.01));
    write_features(&root.join(name).join("recon"), "clip", &rows(noise));
}

#[test]
fn stimuli_are_what_the_pattern_says() {
    let dir = folder();
    for (name, noise) in [("near", 0.3), ("far", 1.5)] {
        samples(dir.path(), name, noise);
    }
    let scored = |name: &str, out: &str, options: &[&str]| {
        let (from, out) = (dir.path().join(name), dir.path().join(out));
        let words = [
            "score",
            "--observations",
            arg(&from),
            "--metrics",
            "clip,clip_correlation",
        ];
        (
            succeed(&[&words[..], options, &["--out", arg(&out)]].concat()).stdout,
            out,
        )
    };
    let pattern = ["--stimulus-pattern", "{stimulus}_*"];
    let (text, near) = scored("near", "a", &pattern);
    let (_, far) = scored("far", "b", &pattern);
    assert_eq!(
        record(&near)["repeated_stimuli"][0],
        serde_json::json!(["0_0", "0_1", "0_2", "0_3"])
    );
    assert_eq!(record(&near)["request"]["stimulus_pattern"], "{stimulus}_*");
    let clip = &summary(&near)["clip"];
    assert_eq!(
        (&clip["pool_size"], &clip["n"]),
        (&Value::from(8), &Value::from(12))
    );
    let what = "95% intervals for new stimuli (studentised bootstrap over stimuli, each with all its pairs, 2000 resamples)";
    assert!(text.contains(what), "{text}");
    // Three means of four: Student's t with two degrees of freedom.
    let correlation = summary(&near)["clip_correlation"].clone();
    let values = crate::support::values(&near, "clip_correlation");
    let means: Vec<f64> = values
        .chunks(4)
        .map(|four| four.iter().sum::<f64>() / 4.0)
        .collect();
    let mean = means.iter().sum::<f64>() / 3.0;
    let variance = means.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / 2.0;
    let reach = 4.302_652_729_911_275 * (variance / 3.0).sqrt();
    let high = number(&correlation["interval"][1]);
    assert!(
        (high - (mean + reach).min(1.0)).abs() < 1e-9,
        "{high} {mean} {reach}"
    );

    // Without the pattern, a pair is its own stimulus.
    let (text, plain) = scored("near", "plain", &[]);
    assert!(text.contains("studentised bootstrap over pairs"), "{text}");
    assert_eq!(summary(&plain)["clip"]["pool_size"], 11);

    // Twelve pairs could decide, three stimuli cannot.
    let found = compare(&[near, far], &["--format", "json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    let differences = found["differences"].as_array().unwrap();
    for difference in differences.iter().filter(|d| !d["p_value"].is_null()) {
        assert_eq!(
            (&difference["n"], &difference["n_stimuli"]),
            (&Value::from(12), &Value::from(3))
        );
        assert_eq!(difference["smallest_p"], 0.25);
        assert_eq!(difference["verdict"], "not_decidable");
    }
    let said = found["notes"].to_string();
    assert!(said.contains("3 stimuli cannot give p ≤ 0.05"), "{said}");
    let (from, other) = (dir.path().join("near"), dir.path().join("other"));
    let words = ["score", "--observations", arg(&from), "--metrics", "clip"];
    let wrong = ["--stimulus-pattern", "s{stimulus}", "--out", arg(&other)];
    let part = "the pair \"0_0\" is not called as --stimulus-pattern 's{stimulus}' says";
    refused(&[&words[..], &wrong].concat(), 2, &[part]);
}

#[test]
fn systems_of_a_study_are_subjects_where_it_says_so() {
    let dir = folder();
    runs(dir.path(), 2);
    let system = |name: &str| format!("[[systems]]\nname = '{name}'\nrun = 'runs/{name}'\n");
    let systems: String = ["fine_s1", "coarse_s1", "fine_s2", "coarse_s2"]
        .map(system)
        .concat();
    let config = dir.path().join("study.toml");
    write(
        &config,
        &format!("subjects = '{{system}}_s{{subject}}'\n{systems}"),
    );
    let out = dir.path().join("study");
    succeed(&["study", "--config", arg(&config), "--out", arg(&out)]);
    let text = std::fs::read_to_string(out.join("study.md")).unwrap();
    let rows = [
        "fine, subject 1",
        "fine, subject 2",
        "fine, mean of 2 subjects",
        "coarse, subject 1",
    ];
    let places: Vec<usize> = rows.iter().map(|row| text.find(row).expect(row)).collect();
    assert!(places.is_sorted(), "{text}");
}
