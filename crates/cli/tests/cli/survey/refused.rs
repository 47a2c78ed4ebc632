//! Files that are not answers to a survey, and inputs that no survey can be made from.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed, write};
use serde_json::{Value, json};
use std::fs;

#[test]
fn what_is_no_answer_to_this_survey_is_refused() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let page = &record["pages"][0];
    let (file, out) = (dir.path().join("r.json"), dir.path().join("ratings"));
    let sound = || result(&record, page, "r", rating);
    let refused_with = |change: &dyn Fn(&mut Value), parts: &[&str]| {
        let mut changed = sound();
        change(&mut changed);
        write(&file, &changed.to_string());
        refused(
            &read(&file, &survey, &out),
            1,
            &[parts, &["r.json"]].concat(),
        );
    };
    refused_with(
        &|found| found["survey"] = json!("another"),
        &["of the survey \"another\""],
    );
    refused_with(
        &|found| found["page"] = json!("p99"),
        &["the survey has no page \"p99\""],
    );
    refused_with(
        &|found| found["ratings"]["semantic"][0] = json!(6),
        &["a rating of 6; expected 1 to 5"],
    );
    refused_with(
        &|found| found["ratings"]["perceptual"] = json!([1]),
        &["perceptual", "ratings"],
    );
    refused_with(
        &|found| found["format"] = json!("other"),
        &["\"other\", version 1; expected \"neurogauge-survey-result\""],
    );
    write(&file, "{");
    refused(
        &read(&file, &survey, &out),
        1,
        &["expected a result of a survey's page"],
    );
    let code = dir.path().join("mail.txt");
    write(&code, "neurogauge1.abc");
    refused(&read(&code, &survey, &out), 1, &["cut off"]);
    // A result that came twice counts once.
    write(&file, &sound().to_string());
    fs::copy(&file, dir.path().join("again.json")).unwrap();
    let again = dir.path().join("again.json");
    let args = [
        &["survey", "read", arg(&file)][..],
        &read(&again, &survey, &out)[2..],
    ]
    .concat();
    succeed(&args).says(&["it counts once"]);
    // Of one page answered twice, the first counts under a name, and without one both do.
    let twice = dir.path().join("twice");
    for (number, rater) in ["", "", "ann", "ann"].into_iter().enumerate() {
        let mut found = result(&record, page, rater, rating);
        found["result"] = json!(number.to_string());
        write(&twice.join(format!("{number}.json")), &found.to_string());
    }
    let third = dir.path().join("third");
    let ran = succeed(&read(&twice, &survey, &third));
    ran.says(&[
        "3.json: ann answered page p1 before",
        "1.json: somebody without a name answered page p1",
    ]);
    let raters = &json_of(&third.join("read.json"))["raters"];
    let names: Vec<&str> = raters
        .as_array()
        .unwrap()
        .iter()
        .map(|rater| strings(rater, "rater"))
        .collect();
    assert_eq!(names, ["ann", "p1", "p1 (2)"]);
    let gt = dir.path().join("gt");
    refused(
        &[
            "survey",
            "make",
            "--gt",
            arg(&gt),
            "--recon",
            &format!("a:b={}", arg(&gt)),
            "--out",
            arg(&out),
        ],
        2,
        &["\"a:b\" is no name of a system"],
    );
    let questions = dir.path().join("q.json");
    let words = include_str!("../../../../survey/questions/seed-1.json")
        .replace("\"semantic\"", "\"rater\"");
    write(&questions, &words);
    let args = [
        "survey",
        "make",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&gt),
        "--questions",
        arg(&questions),
        "--out",
        arg(&out),
    ];
    refused(&args, 1, &["q.json", "question 1", "the id \"rater\""]);
}
