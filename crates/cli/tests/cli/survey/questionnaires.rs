//! Small surveys and their answers.

use crate::support::*;

pub(crate) const N: usize = 12;

/// Writes stimuli and reconstructions of two systems: `gt`, `one` and `two`.
pub(crate) fn stimuli_and_systems() -> Folder {
    let dir = folder();
    for side in ["gt", "one", "two"] {
        fs::create_dir_all(dir.join(side)).unwrap();
        pictures(&dir.join(side), side, N, 16, 20.0);
    }
    dir
}

/// Makes a survey of both systems in the folder `out`; returns its `survey.json`.
pub(crate) fn make(dir: &Folder, out: &str, more: &str) -> Value {
    let survey = "survey make --gt gt --recon one=one two=two --raters 3 --pairs-per-page 12";
    dir.succeed(&format!("{survey} --out {out} {more}"));
    dir.json(format!("{out}/survey.json"))
}

/// The command that reads `answers` to the survey in the folder `survey`.
pub(crate) const READ: &str = "survey read answers --survey survey --out ratings";

pub(crate) fn strings<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// An attentive rater's rating for a trial: for pairs, it depends on stimulus and system.
pub(crate) fn rating(trial: &Value) -> u64 {
    let stem: u64 = strings(trial, "stimulus").parse().unwrap();
    match strings(trial, "kind") {
        "identical" => 5,
        "mismatched" => 1,
        _ => 1 + (stem + u64::from(strings(trial, "system") == "two")) % 5,
    }
}

/// The file that a page saves.
pub(crate) fn result(survey: &Value, page: &Value, rater: &str, rating: impl Fn(&Value) -> u64) -> Value {
    let trials = page["trials"].list();
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
            // Checks are answered correctly in both questions.
            "perceptual": trials.iter().zip(&ratings).zip(&other).map(|((trial, same), other)| {
                if matches!(strings(trial, "kind"), "identical" | "mismatched") { same } else { other }
            }).collect::<Vec<_>>(),
        },
        "seconds": vec![2.5; trials.len()],
    })
}

/// Writes one file for each page into a folder of answers.
pub(crate) fn answer(dir: &Folder, survey: &Value, raters: impl Fn(usize) -> (String, Box<dyn Fn(&Value) -> u64>)) {
    for (number, page) in survey["pages"].list().iter().enumerate() {
        let (rater, rating) = raters(number);
        dir.write(&format!("answers/{number}.json"), result(survey, page, &rater, rating).to_string());
    }
}
