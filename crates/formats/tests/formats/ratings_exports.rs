//! Ratings in the export layouts of survey tools.

use crate::prelude::*;
use neurogauge_formats::ratings::{of_text, questions_of_text};

#[track_caller]
fn read(text: &str) -> RatingTable {
    of_text("survey.csv", text, &RatingColumns::default(), None).unwrap()
}

#[track_caller]
fn error(text: &str) -> String {
    of_text("survey.csv", text, &RatingColumns::default(), None).unwrap_err().to_string()
}

fn ratings(table: &RatingTable) -> (Vec<&str>, Vec<&str>, Vec<f64>) {
    (
        table.items.iter().map(String::as_str).collect(),
        table.raters.iter().map(String::as_str).collect(),
        table.values.iter().map(|value| value.unwrap_or(f64::MAX)).collect(),
    )
}

#[track_caller]
fn says(table: &RatingTable, expected: &[&str]) {
    let found: Vec<&str> = table.findings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(found, expected);
}

#[test]
fn google_forms_has_a_line_for_each_person() {
    let table = read(
        "Timestamp,How similar? [0.png],How similar? [1.png],Your age,Any comments?\n\
         2026/01/02 10:00:00 am,5,1,33,\"none, thanks\"\n2026/01/02 11:00:00 am,4,,41,\n",
    );
    let expected = (vec!["0.png", "1.png"], vec!["line 2", "line 3"], vec![5.0, 4.0, 1.0, f64::MAX]);
    assert_eq!(ratings(&table), expected);
    says(
        &table,
        &[
            "read as an export of Google Forms: 2 items, a rater for each line",
            "2 columns left out, taken for no ratings (Any comments?, Your age)",
        ],
    );
    // Without a grid, each question is an item.
    let text = "Timestamp,Email Address,pair 1,pair 2\nt,b@x.org,5,1\nu,a@x.org,4,2\n";
    let kept = RatingColumns {
        keep_emails: true,
        ..RatingColumns::default()
    };
    let table = of_text("survey.csv", text, &kept, None).unwrap();
    assert_eq!(ratings(&table), (vec!["pair 1", "pair 2"], vec!["a@x.org", "b@x.org"], vec![4.0, 5.0, 2.0, 1.0]));
    // Otherwise the first person of the table is the first rater.
    let table = read(text);
    assert_eq!(ratings(&table), (vec!["pair 1", "pair 2"], vec!["rater-01", "rater-02"], vec![5.0, 4.0, 1.0, 2.0]));
    says(
        &table,
        &[
            "read as an export of Google Forms: 2 items, raters by \"Email Address\"",
            "2 raters by e-mail address get pseudonyms (rater-01, ...)",
        ],
    );
}

#[test]
fn columns_called_by_addresses_are_named_nowhere() {
    let table = read("item,MOS,zoe@x.org,ann@x.org\n1,2,3,1\n2,3,2,4\n3,1.5,1,2\n");
    assert_eq!(ratings(&table).1, ["rater-01", "rater-02"]);
    assert!(!format!("{table:?}").contains('@'), "{table:?}");
}

#[test]
fn questions_of_a_grid_are_evaluated_one_by_one() {
    let text = "Timestamp,Meaning [0],Meaning [1],Colours [0],Colours [1]\nt,5,1,2,3\nu,4,2,3,2\n";
    let found = questions_of_text("survey.csv", text, &RatingColumns::default()).unwrap();
    let names: Vec<&str> = found.iter().filter_map(|question| question.name.as_deref()).collect();
    assert_eq!(names, ["Meaning", "Colours"]);
    let colours = of_text("survey.csv", text, &found[1].columns, None).unwrap();
    assert_eq!(colours.values, [2.0, 3.0, 3.0, 2.0].map(Some));
}

/// Three lines of headings, as in Qualtrics' exports.
const QUALTRICS: &str = "StartDate,Status,Duration (in seconds),ResponseId,Q1_1,Q1_2,Q2,Q3_First Click,PROLIFIC_PID\n\
     Start Date,Response Type,Duration (in seconds),Response ID,How similar? - cat.png,How similar? - dog.png,Why?,Timing,PROLIFIC_PID\n\
     \"{\"\"ImportId\"\":\"\"startDate\"\"}\",\"{\"\"ImportId\"\":\"\"status\"\"}\",x,x,x,x,x,x,x\n";

#[test]
fn qualtrics_has_three_lines_of_headings() {
    let table = read(&format!(
        "{QUALTRICS}2026,Survey Preview,9,R_0,1,1,,1,\n2026,IP Address,60,R_1,5,2,so,1.5,p1\n2026,IP Address,61,R_2,4,1,,2.5,p2\n"
    ));
    assert_eq!(ratings(&table), (vec!["cat.png", "dog.png"], vec!["p1", "p2"], vec![5.0, 4.0, 2.0, 1.0]));
    says(
        &table,
        &[
            "read as an export of Qualtrics: 2 items, raters by \"PROLIFIC_PID\"",
            "1 column left out, taken for no ratings (Q2)",
            "1 preview of the survey left out",
        ],
    );
    // Without Prolific, responses have their own ids.
    let table = read(&format!("{QUALTRICS}2026,IP Address,60,R_1,5,2,so,1.5,\n2026,IP Address,61,R_2,4,1,,2.5,\n"));
    assert_eq!(table.raters, ["R_1", "R_2"]);
    let words = error(&format!("{QUALTRICS}2026,IP Address,60,R_1,prima,mies,so,1.5,p1\n"));
    assert!(
        words.contains("no column of numbers besides; expected ratings as numbers (export the values"),
        "{words}"
    );
}

#[test]
fn two_columns_about_one_item_are_refused() {
    let words = error(&format!("{}2026,IP Address,60,R_1,5,2,so,1.5,p1\n", QUALTRICS.replace("dog.png", "cat.png")));
    assert!(words.contains("\"Q1_1\" and \"Q1_2\" ask the same of the item \"cat.png\""), "{words}");
}

#[test]
fn loops_of_qualtrics_are_items() {
    let table = read(
        "ResponseId,1_Q5,2_Q5\nResponse ID,How similar?,How similar?\n\"{\"\"ImportId\"\":\"\"_recordId\"\"}\",x,x\nR_1,5,2\nR_2,4,1\n",
    );
    assert_eq!(ratings(&table), (vec!["1", "2"], vec!["R_1", "R_2"], vec![5.0, 4.0, 2.0, 1.0]));
}

#[test]
fn jspsych_has_a_line_for_each_trial() {
    let text = "rt,stimulus,response,trial_type,trial_index,PROLIFIC_PID\n\
         100,hello,\" \",html-keyboard-response,0,p1\n900,img/0.png,3,image-button-response,1,p1\n\
         800,img/1.png,1,image-button-response,2,p1\n700,img/0.png,4,image-slider-response,1,p2\n";
    let table = read(text);
    assert_eq!(ratings(&table), (vec!["img/0.png", "img/1.png"], vec!["p1", "p2"], vec![3.0, 4.0, 1.0, f64::MAX]));
    says(
        &table,
        &[
            "read as an export of jsPsych: 2 items, raters by \"PROLIFIC_PID\"",
            "1 trials without a number as response are left out (html-keyboard-response)",
        ],
    );
    let words = error(&text.replace("PROLIFIC_PID", "device"));
    assert!(words.contains("says nowhere who answered; add it with jsPsych.data.addProperties"), "{words}");
    let words = error(&text.replace("img/0.png", "<img src='0.png'>"));
    assert!(words.contains("not HTML; add it to the data of each trial: data: {item: \"0\"}"), "{words}");
}

#[test]
fn other_tables_by_people_and_lists_of_people() {
    let table = read("Participant ID,0.png,1.png\nann,5,1\nbob,4,2\n");
    assert_eq!(ratings(&table), (vec!["0.png", "1.png"], vec!["ann", "bob"], vec![5.0, 4.0, 1.0, 2.0]));
    says(&table, &["read as a table with a line for each person: 2 items, raters by \"Participant ID\""]);
    let words = error("Submission id,Participant id,Status,Completion code,Age\ns,p,APPROVED,C,33\n");
    assert!(words.contains("Prolific's list of participants, which holds no ratings"), "{words}");
    // A line for each rating, all by different people by chance: read as before.
    let table = read("item,rater,value\n1,a,4\n2,b,5\n");
    assert_eq!((table.items.len(), table.findings.len()), (2, 0));
    // The same person answers twice.
    let words = error("Timestamp,Username,x [0],x [1]\nt,ann,1,2\nu,ann,2,2\n");
    assert!(words.contains("line 2") && words.contains("survey.csv:3") && words.contains("\"ann\""), "{words}");
}
