//! Answers become ratings.

use super::questionnaires::*;
use crate::support::{arg, folder, refused, succeed, write};
use neurogauge::formats::ratings::{self, RatingColumns};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn answers_become_ratings_that_meta_reads() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let record = json_of(&survey.join("survey.json"));
    let pages = record["pages"].as_array().unwrap();
    assert_eq!(
        (
            pages.len(),
            fs::read_dir(survey.join("pages")).unwrap().count()
        ),
        (6, 6)
    );
    // One rater looks at nothing.
    let answers = answer(dir.path(), &survey, |number| match number {
        4 => ("<i>careless</i>, \"1\"".into(), Box::new(|_: &Value| 3)),
        number => (format!("r{number}"), Box::new(rating)),
    });
    let out = dir.path().join("ratings");
    let ran = succeed(&read(&answers, &survey, &out));
    ran.says(&[
        "1 failed more than 25% of their attention checks and do not count: <i>careless</i>",
    ]);
    assert!(
        ran.stdout.contains("2 of 4") && ran.stdout.contains("0 of 4"),
        "{}",
        ran.stdout
    );
    let found = json_of(&out.join("read.json"));
    assert_eq!(found["raters_per_pair"], json!([2, 3]));
    assert_eq!(found["consistency"][0]["n"], json!(5 * 4));
    assert_eq!(found["consistency"][0]["mean_difference"], json!(0.0));
    assert_eq!(found["consistency"][0]["icc"], json!(1.0));

    // The truth as a metric, for each system and for both.
    let scores = |items: &dyn Fn(usize, u64) -> String| {
        let lines = (0..N as u64).flat_map(|stem| {
            [0, 1]
                .map(|system| items(stem as usize, system) + &format!(",{}\n", (stem + system) % 5))
        });
        format!("item,metric\n{}", lines.collect::<String>())
    };
    let metrics = dir.path().join("scores.csv");
    write(
        &metrics,
        &scores(&|stem, system| format!("{stem}/{}", ["one", "two"][system as usize])),
    );
    let quick = [
        "--permutations",
        "5",
        "--no-figures",
        "--combinations",
        "off",
        "--value-column",
        "semantic,perceptual",
    ];
    let meta = |human: &str, metrics: &Path, to: &Path| {
        let human = out.join(human);
        let args = [
            "meta",
            "--human",
            arg(&human),
            "--metrics",
            arg(metrics),
            "--out",
            arg(to),
        ];
        succeed(&[&args[..], &quick].concat());
        ["semantic", "perceptual"].map(|question| {
            let found = json_of(&to.join(question).join("meta.json"));
            let metric = &found["result"]["metrics"][0];
            (
                metric["n_items"].as_u64().unwrap(),
                metric["statistics"][3]["value"].as_f64().unwrap(),
            )
        })
    };
    let [semantic, perceptual] = meta("ratings.csv", &metrics, &dir.path().join("meta"));
    assert!(
        semantic.0 == 24 && (semantic.1 - 1.0).abs() < 1e-12,
        "{semantic:?}"
    );
    assert!(
        perceptual.0 == 24 && (perceptual.1 + 1.0).abs() < 1e-12,
        "{perceptual:?}"
    );
    let alone: String = (0..N)
        .map(|stem| format!("{stem},{}\n", (stem + 1) % 5))
        .collect();
    let of_two = dir.path().join("two.csv");
    write(&of_two, &format!("item,metric\n{alone}"));
    let [semantic, _] = meta("ratings-two.csv", &of_two, &dir.path().join("meta-two"));
    assert!(
        semantic.0 == 12 && (semantic.1 - 1.0).abs() < 1e-12,
        "{semantic:?}"
    );

    // Other options are another result, which does not replace this one by accident.
    let args = [&read(&answers, &survey, &out)[..], &["--keep-failed"]].concat();
    refused(
        &args,
        1,
        &["holds a finished run of other inputs or options"],
    );
    succeed(&[&args[..], &["--overwrite"]].concat());
    assert_eq!(
        json_of(&out.join("read.json"))["raters_per_pair"],
        json!([3, 3])
    );
}

#[test]
fn answers_of_which_none_counts_are_no_ratings() {
    let dir = folder();
    let survey = make(dir.path(), "survey", &[]);
    let answers = answer(dir.path(), &survey, |number| {
        (format!("r{number}"), Box::new(|_: &Value| 3))
    });
    let out = dir.path().join("ratings");
    let ran = refused(
        &read(&answers, &survey, &out),
        1,
        &[
            "answers: no pair has a valid rater: ",
            " raters failed more than 25% of their attention checks (r0, r1, ",
            "--keep-failed counts them all the same, --failed-share SHARE allows more",
        ],
    );
    assert!(!ran.stderr.contains("neurogauge meta") && !out.exists());
    let args = [&read(&answers, &survey, &out)[..], &["--keep-failed"]].concat();
    let next = format!(
        "; next: neurogauge meta --human {} --value-column semantic,perceptual --metrics RUN-OF-one",
        arg(&out.join("ratings-one.csv"))
    );
    succeed(&args).says(&[&next]);
}

#[test]
fn names_may_be_anything_that_a_file_can_be_called() {
    let dir = folder();
    let [gt, one, _] = images(dir.path());
    for name in [
        "<img src=x onerror=alert(1)>",
        "a,\"b\"",
        "=1+1",
        "</script>".replace('/', "_").as_str(),
        "line\nbreak",
    ] {
        for side in [&gt, &one] {
            fs::copy(side.join("0.png"), side.join(format!("{name}.png"))).unwrap();
        }
    }
    let survey = dir.path().join("survey");
    succeed(&[
        "survey",
        "make",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&one),
        "--raters",
        "1",
        "--out",
        arg(&survey),
    ]);
    let record = json_of(&survey.join("survey.json"));
    let file = dir.path().join("r.json");
    let pages = record["pages"].as_array().unwrap();
    write(
        &file,
        &result(&record, &pages[0], "a,\"b\"\n<c>", |trial| {
            match strings(trial, "kind") {
                "identical" => 5,
                "mismatched" => 1,
                _ => 1 + (strings(trial, "stimulus").len() as u64) % 5,
            }
        })
        .to_string(),
    );
    let out = dir.path().join("ratings");
    succeed(&read(&file, &survey, &out));
    let human = out.join("ratings.csv");
    let table = ratings::read(
        &human,
        &RatingColumns {
            value: Some("semantic".into()),
            ..Default::default()
        },
        Some((1.0, 5.0)),
    );
    let table = table.unwrap();
    assert_eq!(table.raters, ["a,\"b\"\n<c>"]);
    assert!(
        table.items.len() == N + 5 && table.items.contains(&"a,\"b\"".to_owned()),
        "{:?}",
        table.items
    );
}
