//! `neurogauge meta`: one rater, several questions in one table, and exports of Mechanical Turk.

use crate::support::{Ran, arguments, folder, neurogauge, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const SCORES: &str = "item,ssim\na,0.1\nb,0.3\nc,0.2\nd,0.4\ne,0.9\n";
const GROUPED: &str =
    "item,sem_1,sem_2,perc_1,perc_2\na,1,1,5,4\nb,2,3,4,4\nc,3,2,3,3\nd,4,4,2,1\ne,5,5,1,2\n";

fn meta(dir: &Path, ratings: &str, more: &[&str]) -> (PathBuf, Ran) {
    let (human, metrics, out) = (dir.join("r.csv"), dir.join("m.csv"), dir.join("out"));
    write(&human, ratings);
    write(&metrics, SCORES);
    let _ = fs::remove_dir_all(&out);
    let quick = ["--permutations", "20", "--no-figures"];
    let ran = neurogauge(&arguments::meta(
        &human,
        &[&metrics],
        &out,
        &[&quick, more].concat(),
    ));
    (out, ran)
}

fn tau(folder: &Path) -> f64 {
    let found: Value =
        serde_json::from_slice(&fs::read(folder.join("meta.json")).unwrap()).unwrap();
    found["result"]["metrics"][0]["statistics"][2]["value"]
        .as_f64()
        .unwrap()
}

#[test]
fn one_figure_for_each_item_is_a_survey_of_one_rater() {
    let dir = folder();
    let ratings = "item,mos\na,1.2\nb,2.5\nc,3.1\nd,3.9\ne,4.8\n";
    let (out, ran) = meta(dir.path(), ratings, &["--combinations", "off"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("no item was rated by two raters"),
        "{}",
        ran.stdout
    );
    let found: Value = serde_json::from_slice(&fs::read(out.join("meta.json")).unwrap()).unwrap();
    let agreement = &found["result"]["agreement"];
    assert_eq!(
        agreement["icc_undefined"],
        "no item was rated by two raters"
    );
    let figure = &found["result"]["metrics"][0]["statistics"][1];
    assert!(figure["interval"][0].as_f64().unwrap() < figure["value"].as_f64().unwrap());
}

#[test]
fn columns_in_groups_are_warned_of_and_patterns_make_questions_of_them() {
    let dir = folder();
    let (_, ran) = meta(dir.path(), GROUPED, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.says(&[
        "fall into groups: sem_* (2), perc_* (2)",
        "--rater-columns 'sem_*' --rater-columns 'perc_*'",
    ]);

    let patterns = [
        "--rater-columns",
        "sem_*",
        "--rater-columns",
        "likeness=perc_*",
    ];
    let (out, ran) = meta(dir.path(), GROUPED, &patterns);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("fall into groups"), "{}", ran.stderr);
    assert!(tau(&out.join("sem")) > 0.0 && tau(&out.join("likeness")) < 0.0);
    assert!(!out.join("meta.json").exists());

    let (out, ran) = meta(dir.path(), GROUPED, &["--rater-columns", "perc_*"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(tau(&out) < 0.0);
    let (_, ran) = meta(dir.path(), GROUPED, &["--rater-columns", "other_*"]);
    assert_eq!(ran.code, 1);
    ran.says(&["no column is called \"other_*\"", "sem_1"]);
}

#[test]
fn an_export_of_mechanical_turk_is_recognised() {
    let dir = folder();
    let mut ratings = String::from(
        "HITId,AssignmentStatus,WorkerId,Input.image,Input.prompt,Answer.clarity,Answer.likeness,Answer.comment\n",
    );
    for (place, item) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        for worker in 0..2 {
            let (clear, like) = (place + 1, 5 - place);
            ratings.push_str(&format!(
                "h,Approved,W{worker},{item},p,{clear},{like},fine\n"
            ));
        }
    }
    ratings.push_str("h,Rejected,W9,a,p,5,5,fine\n");
    let (out, ran) = meta(dir.path(), &ratings, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.says(&[
        "question clarity",
        "question likeness",
        "1 rejected assignments are left out",
    ]);
    assert!(tau(&out.join("clarity")) > 0.0 && tau(&out.join("likeness")) < 0.0);
    let (out, ran) = meta(dir.path(), &ratings, &["--value-column", "Answer.likeness"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(tau(&out) < 0.0);

    let unclear = ratings
        .replace("Input.image", "Input.left")
        .replace(",p,", ",q,");
    let unclear = unclear.replacen(",q,", ",r,", 1);
    let (_, ran) = meta(dir.path(), &unclear, &[]);
    assert_eq!(ran.code, 1);
    ran.says(&[
        "Input.left, Input.prompt could all be the item",
        "--item-column Input.left,Input.prompt",
    ]);
}

#[test]
fn an_item_of_several_columns_is_offered_where_it_would_help() {
    let dir = folder();
    let ratings = "item,system,rater,value\na,one,x,1\na,two,x,2\n";
    let (_, ran) = meta(dir.path(), ratings, &[]);
    assert_eq!(ran.code, 1);
    ran.says(&["--item-column item,system"]);
}
