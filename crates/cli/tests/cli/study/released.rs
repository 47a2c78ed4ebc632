//! A run beside the scores that SEED released, and ratings with addresses as items.

use super::tables::lines;
use crate::support::study_data::StudyData;
use crate::support::*;

#[test]
fn scores_of_a_file_stand_beside_those_of_the_run() {
    let StudyData { dir, stems } = StudyData::new(6);
    let mut text = dir.read("study.toml");
    text.truncate(text.find("[[choices").unwrap());
    // Without SEED, which has its own EffNet, EffNet is a part whose worst cases are listed.
    dir.succeed(
        "score gt 'middle one/images' --observations 'middle one/observations' --set image_models=placeholder \
         --set text_encoder=placeholder --metrics object_f1,cap_sim,effnet --out run",
    );
    let text = text
        .replace("recon = \"middle one/images\"\nobservations = \"middle one/observations\"\n", "run = \"run\"\n")
        .replace(
            "scores = [\"vqa.csv\"]\nhigher_is_better = [\"vqa_score\"]",
            "scores = [\"eval_metrics.csv\"]\npublished = \"seed-nsd\"",
        )
        .replace("near/observations\"\n", "near/observations\"\npublished = \"MindEye2, reproduced\"\n");
    dir.write("study.toml", &text);
    let of_item = |(place, stem): (usize, &String)| format!("{stem},{},{},{}\n", place % 4, place % 3, place % 2);
    let all: String = stems.iter().enumerate().map(of_item).collect();
    dir.write("eval_metrics.csv", format!("item,effnet,obj_f1,git_st\n{all}"));
    let ran = dir.succeed("study --config study.toml --out out --figure-format svg");
    let published = "Means beside published ones: near (SEED v1 Table 3)";
    assert!(dir.read("out/study.md").contains(published), "{ran}");

    let out = dir.join("out");
    let table = lines(&out.join("tables/table1_agreement_middle_one.csv"));
    let of = |name: &str| table.iter().find(|line| line["Metric"] == name);
    let find = |name: &str| of(name).unwrap_or_else(|| panic!("{name} in {table:?}"));
    let pearson = |name: &str| find(name)["published Pearson"].as_str();
    assert_eq!(pearson("EffNet (eval_metrics) ↓"), "0.748");
    assert_eq!(pearson("obj_f1 ↑"), "0.708");
    // SEED from the run's parts depends on placeholders like the parts.
    assert_eq!(pearson("SEED† ↑"), "");
    let meta = dir.json("out/meta/middle_one/meta.json");
    let role = meta["metrics"].list().last().unwrap();
    assert_eq!(role["source"], "average of object_f1 + cap_sim + effnet (raw scores)");
    // EffNet of the run depends on a placeholder here.
    assert_eq!(pearson("EffNet† ↓"), "");
    // Results about the run's own metrics are still found by their names.
    let parts = lines(&out.join("tables/table5_parts_middle_one.csv"));
    for name in ["Object F1", "EffNet (eval_metrics)"] {
        assert!(parts.iter().any(|line| line["Metric"] == name), "{parts:?}");
    }
    let worst = meta["worst_cases"]["metrics"].list();
    assert_eq!(worst.iter().map(|metric| &metric["metric"]).collect::<Vec<_>>(), ["effnet", "object_f1", "cap_sim"]);
    // Numbers from the first version of the paper are named after it.
    let means = lines(&out.join("tables/table3_v1_published.csv"));
    assert_eq!(means.iter().find(|line| line["Metric"] == "Object F1 ↑").unwrap()["published"], "0.507");
}

#[test]
fn rated_items_may_be_addresses() {
    let dir = StudyData::new(4).dir;
    let mut text = dir.read("study.toml");
    text.truncate(text.find("[[choices").unwrap());
    dir.write("study.toml", &text);
    let study = "study --config study.toml --out out --overwrite --figure-format svg";
    dir.succeed(study);
    let tables = || {
        ["table1_agreement_middle_one.csv", "table5_parts_middle_one.csv"]
            .map(|name| dir.read(format!("out/tables/{name}")))
    };
    let plain = tables();
    let named = dir.read("ratings.csv");
    let addresses = named.lines().enumerate().map(|(place, line)| match place {
        0 => format!("{line}\n"),
        _ => format!("https://x.org/gt/{}\n", line.replacen(',', ".png,", 1)),
    });
    let addresses: String = addresses.collect();
    // Two numbers in each name are a question.
    let with_subject = named
        .lines()
        .enumerate()
        .map(|(place, line)| format!("{}{line}\n", if place == 0 { "" } else { "s1_" }));
    dir.write("ratings.csv", with_subject.collect::<String>());
    assert_snapshot!(dir.run(study), @r#"
    exit 1, stderr:
    note: system 1 of 3: near
    note: system 2 of 3: middle one
    note: system 3 of 3: far
    error: system "middle one": out/runs/middle_one: no item of it was rated: it has "scene-1", "scene-2", "scene-3", ..., ratings.csv has "s1_scene-1", "s1_scene-2", "s1_scene-3", ...; join = "s1_{stem}" in its [[ratings]] would join 4 of the 4 rated items
    "#);
    dir.write("ratings.csv", addresses);
    dir.succeed(study);
    assert_eq!(tables(), plain, "names without folder and ending need no option");
    let file = "file = \"ratings.csv\"";
    dir.write("study.toml", text.replace(file, &format!("{file}\njoin = \"stem\"")));
    dir.succeed(study);
    assert_eq!(tables(), plain);
    let ratings = &dir.json("out/study.json")["config"]["ratings"][0];
    assert_eq!(ratings["join"], "stem");
}
