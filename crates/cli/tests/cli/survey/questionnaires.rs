//! Small surveys and their answers.

use crate::support::{arg, pictures, succeed, write};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const N: usize = 12;

/// Stimuli and the reconstructions of two systems.
pub(crate) fn images(root: &Path) -> [PathBuf; 3] {
    ["gt", "one", "two"].map(|side| {
        let dir = root.join(side);
        fs::create_dir_all(&dir).unwrap();
        pictures(&dir, side, N, 16, 20.0)
    })
}

pub(crate) fn make(root: &Path, out: &str, more: &[&str]) -> PathBuf {
    let [gt, one, two] = images(root);
    let (one, two) = (format!("one={}", arg(&one)), format!("two={}", arg(&two)));
    let out = root.join(out);
    let args = [
        "survey",
        "make",
        "--gt",
        arg(&gt),
        "--recon",
        &one,
        &two,
        "--out",
        arg(&out),
    ];
    succeed(
        &[
            &args[..],
            &["--raters", "3", "--pairs-per-page", "12"],
            more,
        ]
        .concat(),
    );
    out
}

pub(crate) fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

pub(crate) fn strings<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// The rating of an attentive rater for a trial: for pairs, it depends on stimulus and system.
pub(crate) fn rating(trial: &Value) -> u64 {
    let stem: u64 = strings(trial, "stimulus").parse().unwrap();
    match strings(trial, "kind") {
        "identical" => 5,
        "mismatched" => 1,
        _ => 1 + (stem + u64::from(strings(trial, "system") == "two")) % 5,
    }
}

/// The file that a page saves.
pub(crate) fn result(
    survey: &Value,
    page: &Value,
    rater: &str,
    rating: impl Fn(&Value) -> u64,
) -> Value {
    let trials = page["trials"].as_array().unwrap();
    let ratings: Vec<u64> = trials.iter().map(rating).collect();
    let other: Vec<u64> = ratings.iter().map(|rating| 6 - rating).collect();
    json!({
        "format": "neurogauge-survey-result",
        "version": 1,
        "survey": survey["survey"],
        "page": page["id"],
        "result": format!("{}-{rater}", page["id"]),
        "rater": rater,
        "ratings": {
            "semantic": ratings,
            // Checks are answered well in both questions.
            "perceptual": trials.iter().zip(&ratings).zip(&other).map(|((trial, same), other)| {
                let is_check = matches!(strings(trial, "kind"), "identical" | "mismatched");
                if is_check { same } else { other }
            }).collect::<Vec<_>>(),
        },
        "seconds": vec![2.5; trials.len()],
    })
}

/// One file for each page, in a folder of answers.
pub(crate) fn answer(
    root: &Path,
    survey: &Path,
    raters: impl Fn(usize) -> (String, Box<dyn Fn(&Value) -> u64>),
) -> PathBuf {
    let record = json_of(&survey.join("survey.json"));
    let answers = root.join("answers");
    for (number, page) in record["pages"].as_array().unwrap().iter().enumerate() {
        let (rater, rating) = raters(number);
        let text = result(&record, page, &rater, rating).to_string();
        write(&answers.join(format!("{number}.json")), &text);
    }
    answers
}

pub(crate) fn read<'a>(answers: &'a Path, survey: &'a Path, out: &'a Path) -> [&'a str; 7] {
    [
        "survey",
        "read",
        arg(answers),
        "--survey",
        arg(survey),
        "--out",
        arg(out),
    ]
}
