//! Batches and exports of Mechanical Turk.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed, write};
use neurogauge::formats::image_file::read_rgb8;
use serde_json::json;
use std::fs;

#[test]
fn a_crowd_has_tasks_whose_export_is_read() {
    let dir = folder();
    let survey = make(
        dir.path(),
        "survey",
        &[
            "--mturk-images",
            "https://example.org/p/",
            "--repeats",
            "2",
            "--attention-checks",
            "4",
        ],
    );
    let record = json_of(&survey.join("survey.json"));
    let batch = fs::read_to_string(survey.join("mturk/batch.csv")).unwrap();
    let tasks = record["tasks"].as_array().unwrap();
    assert_eq!((tasks.len(), batch.lines().count()), (24 + 4 + 8, 37));
    for line in batch.lines().skip(1) {
        for address in line.split(',').skip(1) {
            let name = address.strip_prefix("https://example.org/p/").unwrap();
            assert!(survey.join("mturk/images").join(name).exists(), "{name}");
        }
    }
    let template = fs::read_to_string(survey.join("mturk/template.html")).unwrap();
    assert!(
        template.contains("src=\"${stimulus}\"")
            && template.contains("name=\"perceptual\" value=\"5\""),
        "{template}"
    );

    // One worker's answers in a column, the other's with one for each point; one assignment was rejected.
    let export = |is_marked: bool, worker: &str| {
        let marks = |rating: u64| {
            (1..=5)
                .map(|point| (point == rating).to_string())
                .collect::<Vec<_>>()
                .join(",")
        };
        let answers = |rating: u64| {
            if is_marked {
                marks(rating)
            } else {
                rating.to_string()
            }
        };
        let columns = |question: &str| match is_marked {
            true => (1..=5)
                .map(|point| format!("Answer.{question}.{point}"))
                .collect::<Vec<_>>()
                .join(","),
            false => format!("Answer.{question}"),
        };
        let mut text = format!(
            "WorkerId,AssignmentStatus,Input.item,{},{}\n",
            columns("semantic"),
            columns("perceptual")
        );
        for task in tasks {
            let rating = rating(task);
            text += &format!(
                "{worker},Approved,{},{},{}\n",
                strings(task, "id"),
                answers(rating),
                answers(rating)
            );
        }
        text + &format!(
            "X,Rejected,{},{},{}\n",
            strings(&tasks[0], "id"),
            answers(1),
            answers(1)
        )
    };
    let answers = dir.path().join("answers");
    write(&answers.join("a.csv"), &export(false, "W1"));
    write(&answers.join("b.csv"), &export(true, "W2"));
    let out = dir.path().join("ratings");
    succeed(&read(&answers, &survey, &out)).says(&[
        "1 rejected assignments are left out",
        "fewer than the 3 raters",
    ]);
    let found = json_of(&out.join("read.json"));
    assert_eq!(
        (&found["raters"][0]["rater"], &found["raters"][1]["rater"]),
        (&json!("W1"), &json!("W2"))
    );
    assert_eq!(
        (
            &found["raters"][1]["n_pairs"],
            &found["raters"][1]["n_checks"]
        ),
        (&json!(24), &json!(8))
    );
    assert_eq!(
        (&found["raters"][0]["failed"], &found["raters_per_pair"]),
        (&json!([]), &json!([2, 2]))
    );
    let ratings = fs::read_to_string(out.join("ratings.csv")).unwrap();
    assert_eq!(ratings.lines().count(), 49);
    assert!(ratings.contains("\n3/one,W2,4,4,3,one\n"), "{ratings}");
    refused(
        &[
            "survey",
            "read",
            arg(&survey.join("mturk/batch.csv")),
            "--survey",
            arg(&survey),
            "--out",
            arg(&out),
        ],
        1,
        &["no column \"WorkerId\""],
    );
}

#[test]
fn a_task_shows_the_pictures_that_it_names() {
    let dir = folder();
    for (size, shown_px) in [("16", 16), ("8", 8)] {
        let address = [
            "--mturk-images",
            "https://example.org",
            "--image-format",
            "png",
            "--image-size",
            size,
        ];
        let survey = make(dir.path(), size, &address);
        let record = json_of(&survey.join("survey.json"));
        let batch = fs::read_to_string(survey.join("mturk/batch.csv")).unwrap();
        for (task, line) in record["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .zip(batch.lines().skip(1))
        {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[0], strings(task, "id"));
            let sides = [
                ("gt", "stimulus"),
                (task["system"].as_str().unwrap_or("gt"), "reconstruction"),
            ];
            for ((folder, field), address) in sides.into_iter().zip(&cells[1..]) {
                let file = survey
                    .join("mturk/images")
                    .join(address.rsplit('/').next().unwrap());
                let found = read_rgb8(&file).unwrap();
                assert_eq!((found.width_px(), found.height_px()), (shown_px, shown_px));
                let original = dir
                    .path()
                    .join(folder)
                    .join(format!("{}.png", strings(task, field)));
                assert_eq!(
                    found == read_rgb8(&original).unwrap(),
                    shown_px == 16,
                    "{file:?}"
                );
            }
        }
    }
}
