//! Ratings and scores whose items have different names.

use super::released::{N, npz, ratings};
use crate::support::arguments::meta;
use crate::support::{arg, folder, record_of, refused, succeed, write};
use std::path::Path;

const QUICK: [&str; 6] = [
    "--permutations",
    "5",
    "--combinations",
    "off",
    "--no-figures",
    "--worst",
];

fn args<'a>(human: &'a Path, metrics: &'a Path, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&meta(human, &[metrics], out, &QUICK)[..], &["0"], more].concat()
}

#[test]
fn the_join_that_would_match_items_is_offered_and_recorded() {
    let dir = folder();
    let out = dir.path().join("out");
    let scores = npz(dir.path());
    for (name, join, unlike) in [
        ("https://x.org/gt/{}.png", "stem", "https://x.org/gt/0.png"),
        ("img_00{}.jpg", "number", "img_000.jpg"),
        ("s1_gt_{}", "s1_gt_{stem}", "s1_gt_0"),
        (
            "pairs/{}/recon2.png",
            "pairs/{stem}/recon2.png",
            "pairs/0/recon2.png",
        ),
    ] {
        let human = ratings(dir.path(), name);
        // As a shell reads it.
        let written = match join.contains('{') {
            true => format!("'{join}'"),
            false => join.to_owned(),
        };
        let offer = format!("; --join {written} would join {N} of the {N} rated items");
        let ran = refused(
            &args(&human, &scores, &out, &[]),
            1,
            &[
                "eval_metrics.npz: no item of it was rated: it has \"0\", \"1\", ",
                &offer,
            ],
        );
        ran.says(&[&format!("ratings.csv has {unlike:?}")]);
        assert!(!out.exists());
        succeed(&args(&human, &scores, &out, &["--join", join]));
        let found = record_of(&out, "meta.json");
        assert_eq!(found["result"]["metrics"][0]["n_items"], N);
        assert_eq!(found["request"]["join"], join);
        std::fs::remove_dir_all(&out).unwrap();
    }
    // Numbers keep the scores with their items in any order.
    let human = ratings(dir.path(), "{}");
    let exact = dir.path().join("exact");
    succeed(&args(&human, &scores, &exact, &[]));
    let human = ratings(dir.path(), "00{}.png");
    succeed(&args(&human, &scores, &out, &["--join", "number"]));
    let statistics = |out: &Path| record_of(out, "meta.json")["result"]["metrics"].clone();
    assert_eq!(statistics(&exact), statistics(&out));
    assert!(
        record_of(&exact, "meta.json")["request"]
            .get("join")
            .is_none()
    );
}

#[test]
fn labels_of_classes_join_as_scores_do() {
    let dir = folder();
    let (human, scores) = (ratings(dir.path(), "https://x.org/{}.png"), npz(dir.path()));
    let labels = dir.path().join("labels.csv");
    let lines: String = (0..N)
        .map(|item| format!("{item},a,{}\n", ["a", "b"][item % 2]))
        .collect();
    write(&labels, &format!("item,gt_label,recon_label\n{lines}"));
    let out = dir.path().join("out");
    succeed(&args(
        &human,
        &scores,
        &out,
        &["--join", "stem", "--classes", arg(&labels)],
    ));
    assert_eq!(record_of(&out, "meta.json")["classes"]["n_labelled"], N);
}

#[test]
fn items_that_a_join_cannot_distinguish_are_both_named() {
    let dir = folder();
    let human = dir.path().join("twice.csv");
    write(
        &human,
        "item,x,y\ngt/0.png,1,2\nrecon/0.png,2,2\nelse/1.png,3,1\n",
    );
    let (scores, out) = (npz(dir.path()), dir.path().join("out"));
    refused(
        &args(&human, &scores, &out, &["--join", "stem"]),
        1,
        &[
            "twice.csv: the rated items \"gt/0.png\" and \"recon/0.png\" are the same item when items are joined by stem",
        ],
    );
    // Nothing is offered that would not do.
    refused(
        &args(&human, &scores, &out, &[]),
        1,
        &["ids must be the same in both"],
    );
    refused(
        &args(&human, &scores, &out, &["--join", "stems"]),
        2,
        &["expected exact, stem, number, or what the rated items are called"],
    );
    let human = ratings(dir.path(), "x{}y1");
    refused(
        &args(&human, &scores, &out, &["--join", "number"]),
        1,
        &["--join 'x{stem}y1' would join"],
    );
}

#[test]
fn an_export_of_google_forms_is_held_against_released_scores() {
    let dir = folder();
    let (plain, scores) = (ratings(dir.path(), "{}"), npz(dir.path()));
    let table = std::fs::read_to_string(&plain).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    // A line for each person, a column for each item.
    let mut form = "Timestamp".to_owned();
    for row in &rows {
        form += &format!(",How similar? [{}.png]", row[0]);
    }
    form.push('\n');
    for rater in 1..=5 {
        let own: Vec<&str> = rows.iter().map(|row| row[rater]).collect();
        form += &format!("2026/01/0{rater} 10:00:00 am,{}\n", own.join(","));
    }
    let human = dir.path().join("form.csv");
    write(&human, &form);
    let (out, expected) = (dir.path().join("out"), dir.path().join("expected"));
    let ran = succeed(&args(&human, &scores, &out, &["--join", "stem"]));
    ran.says(&["form.csv: read as an export of Google Forms: 40 items, a rater for each line"]);
    succeed(&args(&plain, &scores, &expected, &[]));
    let result = |out: &Path| record_of(out, "meta.json")["result"].clone();
    assert_eq!(result(&out), result(&expected));
}
