//! A run beside the scores that SEED released, and ratings whose items are addresses.

use super::tables::{json, lines};
use crate::support::study_data::StudyData;
use crate::support::{arg, folder, refused, succeed, write};
use std::fs;

#[test]
fn scores_of_a_file_stand_beside_those_of_the_run() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 6);
    let (config, out) = (data.config(""), dir.path().join("out"));
    let mut text = fs::read_to_string(&config).unwrap();
    text.truncate(text.find("[[choices").unwrap());
    // Without SEED, whose EffNet is another, EffNet is a part whose worst cases are looked for.
    let images = |side: &str| dir.path().join(side).display().to_string();
    let (gt, recon) = (images("gt"), images("middle one/images"));
    let observations = images("middle one/observations");
    let run = dir.path().join("run");
    let inputs = [
        "score",
        &gt,
        &recon,
        "--observations",
        &observations,
        "--out",
        arg(&run),
    ];
    let models = ["--image-models", "stand-in", "--text-encoder", "stand-in"];
    succeed(
        &[
            &inputs[..],
            &models,
            &["--metrics", "object_f1,cap_sim,effnet"],
        ]
        .concat(),
    );
    let text = text
        .replace(
            "recon = \"middle one/images\"\nobservations = \"middle one/observations\"\n",
            "run = \"run\"\n",
        )
        .replace(
            "scores = [\"vqa.csv\"]\nhigher_is_better = [\"vqa_score\"]",
            "scores = [\"eval_metrics.csv\"]\npublished = \"seed-nsd\"",
        )
        .replace(
            "near/observations\"\n",
            "near/observations\"\npublished = \"MindEye2, reproduced\"\n",
        );
    fs::write(&config, &text).unwrap();
    let of_item = |(place, stem): (usize, &String)| {
        format!("{stem},{},{},{}\n", place % 4, place % 3, place % 2)
    };
    let all: String = data.stems.iter().enumerate().map(of_item).collect();
    write(
        &dir.path().join("eval_metrics.csv"),
        &format!("item,effnet,obj_f1,git_st\n{all}"),
    );
    let ran = succeed(&data.args(&config, &out));

    let table = lines(&out.join("tables/table1_agreement_middle_one.csv"));
    let of = |name: &str| table.iter().find(|line| line["Metric"] == name);
    let find = |name: &str| of(name).unwrap_or_else(|| panic!("{name} in {table:?}"));
    assert_eq!(
        find("EffNet (eval_metrics) ↓")["published Pearson"],
        "0.748"
    );
    assert_eq!(find("obj_f1 ↑")["published Pearson"], "0.708");
    // SEED is based on placeholders if the run's parts are.
    assert_eq!(find("SEED† ↑")["published Pearson"], "");
    let meta = json(&out.join("meta/middle_one/meta.json"));
    let role = meta["metrics"].as_array().unwrap().last().unwrap();
    assert_eq!(
        role["source"],
        "average of object_f1 + cap_sim + effnet (raw scores)"
    );
    // EffNet of the run rests on a placeholder here.
    assert_eq!(find("EffNet† ↓")["published Pearson"], "");
    // All that is about the run's own metrics is still found by their names.
    let parts = lines(&out.join("tables/table5_parts_middle_one.csv"));
    assert!(
        parts.iter().any(|line| line["Metric"] == "Object F1"),
        "{parts:?}"
    );
    assert!(
        parts
            .iter()
            .any(|line| line["Metric"] == "EffNet (eval_metrics)"),
        "{parts:?}"
    );
    let worst = meta["worst_cases"]["metrics"].as_array().unwrap();
    let worst: Vec<&str> = worst
        .iter()
        .map(|metric| metric["metric"].as_str().unwrap())
        .collect();
    assert_eq!(worst, ["effnet", "object_f1", "cap_sim"]);
    // Numbers from the first version of the paper are named after it.
    let means = lines(&out.join("tables/table3_v1_published.csv"));
    let object_f1 = means
        .iter()
        .find(|line| line["Metric"] == "Object F1 ↑")
        .unwrap();
    assert_eq!(object_f1["published"], "0.507");
    assert!(
        ran.stdout
            .contains("Means beside published ones: near (SEED v1 Table 3)"),
        "{}",
        ran.stdout
    );
}

#[test]
fn rated_items_may_be_addresses() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 6);
    let (config, out) = (data.config(""), dir.path().join("out"));
    let mut text = fs::read_to_string(&config).unwrap();
    text.truncate(text.find("[[choices").unwrap());
    let plain = dir.path().join("plain");
    fs::write(&config, &text).unwrap();
    succeed(&["study", "--config", arg(&config), "--out", arg(&plain)]);
    let ratings = dir.path().join("ratings.csv");
    let named = fs::read_to_string(&ratings).unwrap();
    let addresses = named.lines().enumerate().map(|(place, line)| match place {
        0 => format!("{line}\n"),
        _ => format!("https://x.org/gt/{}\n", line.replacen(',', ".png,", 1)),
    });
    let addresses: String = addresses.collect();
    fs::write(&ratings, addresses).unwrap();
    refused(
        &data.args(&config, &out),
        1,
        &[
            "system \"middle one\"",
            "join = \"stem\" in its [[ratings]] would join 6 of the 6 rated items",
        ],
    );
    let text = text.replace(
        "file = \"ratings.csv\"",
        "file = \"ratings.csv\"\njoin = \"stem\"",
    );
    fs::write(&config, &text).unwrap();
    succeed(&data.args(&config, &out));
    for table in [
        "tables/table1_agreement_middle_one.csv",
        "tables/table5_parts_middle_one.csv",
    ] {
        assert_eq!(
            fs::read(out.join(table)).unwrap(),
            fs::read(plain.join(table)).unwrap()
        );
    }
    assert_eq!(
        json(&out.join("study.json"))["config"]["ratings"][0]["join"],
        "stem"
    );
}
