//! `neurogauge score --parser t5`, with a synthetic parser.

use super::parser::{Setting, both_sides, score};
use crate::support::arguments::{score_again, score_images};
use crate::support::checkpoints::write_parser;
use crate::support::{self, neurogauge, neurogauge_with_cache, record, scores, step};
use serde_json::{Value, json};
use std::fs;

/// "c" alone is a token of this tokenizer; weights that are no numbers there spoil the captions that have it.
#[test]
fn a_caption_that_cannot_be_parsed_is_named_and_the_others_go_on() {
    let setting = Setting::new();
    let texts = [("1", "a man"), ("2", "a man 2"), ("5", "the boat")];
    setting.write_captions(
        "captions.json",
        &texts.map(|(stem, text)| (stem, text.to_owned())),
    );
    let tokenizer = support::checkpoints::golden("scene_graph_text")["tokenizer"].clone();
    let pieces = tokenizer["model"]["vocab"].as_array().unwrap();
    let two = pieces
        .iter()
        .position(|piece| piece[0] == "\u{2581}2")
        .unwrap();
    write_parser(&setting.path("parser"), |name, values| {
        if name == "shared.weight" {
            values[two * 48..(two + 1) * 48].fill(f32::NAN);
        }
        // The writer is not to choose that token itself.
        if name == "lm_head.weight" {
            values[two * 48..(two + 1) * 48].fill(0.0);
        }
    });
    let ran = setting.perceive("out", &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&[
        "caption of \"2\": ",
        "weights sound?",
        "1 image has no scene graph: captions \"2\"",
    ]);
    let stems: Vec<String> = setting
        .graphs("out")
        .into_iter()
        .map(|(stem, _)| stem)
        .collect();
    assert_eq!(stems, ["1", "5"]);

    setting.write_captions(
        "gt/captions.json",
        &texts.map(|(s, _)| (s, "the boat".to_owned())),
    );
    setting.write_captions(
        "recon/captions.json",
        &texts.map(|(s, t)| (s, t.to_owned())),
    );
    let ran = score(&setting, "run", &["--parser", "t5"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["recon/captions \"2\""]);
    let column = scores(&setting.path("run"))
        .column("basic_h")
        .unwrap()
        .to_vec();
    let reason = column[1].clone().unwrap_err().to_string();
    assert!(reason.contains("basic_object_f1"), "{reason}");
    let part = scores(&setting.path("run"))
        .column("basic_object_f1")
        .unwrap()
        .to_vec();
    assert_eq!(
        part[1].clone().unwrap_err().to_string(),
        "no scene graph of the reconstruction"
    );
    assert_eq!(
        step(&record(&setting.path("run")), "scene_graphs")["outcome"]["failed"][0]["stem"],
        "2"
    );
}

#[test]
fn a_run_parses_both_sides_and_scores_as_the_files_would() {
    let setting = Setting::new();
    both_sides(&setting);
    let ran = score(&setting, "run", &["--parser", "t5"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let run = setting.path("run");
    let journal = setting.path("cache/scene_graphs/factual_t5-custom.jsonl");
    let lines = || fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines(), 5, "each caption once");
    let recorded = record(&run);
    assert_eq!(recorded["request"]["graph_parser"]["t5"]["n_beams"], 5);
    let recipe = &step(&recorded, "scene_graphs")["recipe"];
    assert_eq!(recipe["model"]["id"], "factual_t5-custom");
    assert_eq!(recipe["sentences"]["rules"], "own");
    assert_eq!(recorded["models"], json!([recipe["model"]]));
    let roles: Vec<&Value> = recorded["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| &i["role"])
        .collect();
    assert_eq!(roles, ["gt/captions", "recon/captions"]);

    // The graphs that the run keeps, given as files.
    let graphs = |side: &str| {
        run.join("observations")
            .join(side)
            .join("scene_graphs.json")
    };
    let values = scores(&run).columns;
    assert!(values.iter().any(|(_, column)| column.contains(&Ok(1.0))));
    for side in ["gt", "recon"] {
        fs::copy(graphs(side), setting.path(side).join("scene_graphs.json")).unwrap();
    }
    let ran = score(&setting, "of_files", &["--parser", "file"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(scores(&setting.path("of_files")).columns, values);
    let of_default = score(&setting, "of_default", &[]);
    assert_eq!(of_default.code, 0, "{}", of_default.stderr);
    assert_eq!(scores(&setting.path("of_default")).columns, values);

    // Read back, repeated, and run again with other options; the cache serves all runs.
    let again = score(&setting, "run", &["--parser", "t5"]);
    again.says(&["already finished"]);
    let (run_json, repeated, checkpoint) = (
        run.join("run.json"),
        setting.path("repeated"),
        setting.checkpoint(),
    );
    let args = score_again(&run_json, &repeated, &["--checkpoint", &checkpoint]);
    assert_eq!(neurogauge_with_cache(&args, &setting.path("cache")).code, 0);
    assert_eq!(scores(&repeated).columns, values);
    assert_eq!(lines(), 5);
    let other = score(
        &setting,
        "run",
        &["--parser", "t5", "--parser-beams", "2", "--threads", "4"],
    );
    assert_eq!(other.code, 0, "{}", other.stderr);
    assert_eq!(lines(), 10);
    assert_eq!(
        step(&record(&run), "scene_graphs")["recipe"]["options"]["n_beams"],
        2
    );
}

#[test]
fn a_stand_in_s_captions_make_scores_that_mean_nothing() {
    let setting = Setting::new();
    let (gt, recon) = support::image_folders(&setting.path("images"), &["1", "2"]);
    let (out, checkpoint) = (setting.path("run"), setting.checkpoint());
    let args = score_images(
        &gt,
        &recon,
        &out,
        &[
            "--captioner",
            "stand-in-captioner",
            "--parser",
            "t5",
            "--metrics",
            "basic_h",
            "--basic-synonyms",
            "off",
            "--basic-lemmas",
            "off",
            "--basic-soft",
            "off",
            "--checkpoint",
            &checkpoint,
            "--parser-tokens",
            "12",
        ],
    );
    let ran = neurogauge(&args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let record = record(&out);
    assert_eq!(
        step(&record, "captions")["recipe"]["model"]["id"],
        "colour-words"
    );
    for metric in record["metrics"].as_array().unwrap() {
        assert_eq!(metric["stand_in"], true, "{metric}");
    }
    for (kind, side) in [("captions", "gt"), ("scene_graphs", "recon")] {
        assert!(
            out.join(format!("observations/{side}/{kind}.json"))
                .exists()
        );
    }
}
