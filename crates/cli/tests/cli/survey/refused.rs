//! Files that are not answers to a survey, and inputs from which no survey can be made.

use super::questionnaires::*;
use crate::support::*;

#[test]
fn what_is_no_answer_to_this_survey_is_refused() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "");
    let sound = || result(&record, &record["pages"][0], "r", rating);
    let read = |file: &str| dir.run(&format!("survey read {file} --survey survey --out ratings"));
    let with = |path: &str, value: Value| {
        let mut changed = sound();
        *changed.pointer_mut(path).unwrap() = value;
        changed.to_string()
    };
    let texts = [
        with("/survey", json!("another")),
        with("/page", json!("p99")),
        with("/ratings/semantic/0", json!(6)),
        with("/ratings/perceptual", json!([1])),
        with("/format", json!("other")),
        "{".to_owned(),
    ];
    dir.write("mail.txt", "neurogauge1.abc");
    let said = dir.said_of("r.json", texts, "survey read r.json --survey survey --out ratings", "ratings");
    let said = said + &read("mail.txt").to_string();
    // The id of a survey depends on its questions, whose words may change.
    assert_snapshot!(said.replace(record["survey"].text(), "[SURVEY]"), @r#"
    exit 1, stderr: error: r.json: survey: of the survey "another"; the folder holds the survey "[SURVEY]"
    exit 1, stderr: error: r.json: page: the survey has no page "p99"
    exit 1, stderr: error: r.json: semantic: a rating of 6; expected 1 to 5
    exit 1, stderr: error: r.json: perceptual: expected 20 ratings
    exit 1, stderr: error: r.json: format: "other", version 1; expected "neurogauge-survey-result", version 1
    exit 1, stderr: error: r.json:1:1: the file ends within an object; expected a result of a survey's page
    exit 1, stderr: error: mail.txt: its text: a code that is cut off; copy all of it, to the eight letters behind its second dot
    "#);
    // A result that was saved twice counts once.
    for file in ["r.json", "again.json"] {
        dir.write(file, sound().to_string());
    }
    assert_snapshot!(read("r.json again.json").messages(), @"
    warning: again.json: holds a result that r.json holds, too; it counts once
    warning: ratings: 24 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 0
    ratings: ratings of 24 pairs by 1 of 1 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    // If one page is answered twice, only the first counts for the same name, and both without a name.
    for (number, rater) in ["", "", "ann", "ann"].into_iter().enumerate() {
        let mut found = result(&record, &record["pages"][0], rater, rating);
        found["result"] = json!(number.to_string());
        dir.write(&format!("twice/{number}.json"), found.to_string());
    }
    assert_snapshot!(dir.run("survey read twice --survey survey --out third").messages(), @"
    warning: twice/1.json: somebody without a name answered page p1, and so did somebody before: taken for two people
    warning: twice/3.json: ann answered page p1 before; this time does not count
    warning: ratings: 12 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 0
    third: ratings of 24 pairs by 3 of 3 raters; next: neurogauge meta --human third/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    let raters = &dir.json("third/read.json")["raters"];
    let names: Vec<&str> = raters.list().iter().map(|rater| strings(rater, "rater")).collect();
    assert_eq!(names, ["ann", "p1", "p1 (2)"]);
}

#[test]
fn names_and_ids_that_mean_something_else_are_refused() {
    let dir = stimuli_and_systems();
    let words = include_str!("../../../../survey/questions/seed-1.json");
    dir.write("q.json", words.replace("\"semantic\"", "\"rater\""));
    let table = r#"
    --recon a:b=one
      exit 2, stderr: error: "a:b" is no name of a system: expected letters, digits, spaces and . - _, 80 at most, beginning with a letter, a digit or _
    --recon one --questions q.json
      exit 1, stderr: error: q.json: question 1: the id "rater"; expected small letters, digits and _, beginning with a letter, and none of item, rater, stem, system, value, rating, answer, score, stimulus, image, id, worker, annotator, participant, subject, workerid
    "#;
    dir.refuses("survey make --gt gt --out survey", "survey", table);
}
