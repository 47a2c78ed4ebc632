//! `neurogauge score --set parser=t5`, with a synthetic parser.

use super::parser::{Setting, WORDS, both_sides, score};
use crate::support::*;

/// "c" alone is a token of this tokenizer; NaN in its weights spoils the captions that contain it.
#[test]
fn a_caption_that_cannot_be_parsed_is_named_and_the_others_go_on() {
    let setting = Setting::new();
    let texts = [("1", "a man"), ("2", "a man 2"), ("5", "the boat")];
    let owned = texts.map(|(stem, text)| (stem, text.to_owned()));
    setting.write_captions("captions.json", &owned);
    let tokenizer = golden("scene_graph_text")["tokenizer"].clone();
    let pieces = tokenizer["model"]["vocab"].list();
    let two = pieces.iter().position(|piece: &Value| piece[0] == "\u{2581}2").unwrap();
    write_parser(&setting.path("parser"), |name, values| {
        if name == "shared.weight" {
            values[two * 48..(two + 1) * 48].fill(f32::NAN);
        }
        // The model must not generate that token itself.
        if name == "lm_head.weight" {
            values[two * 48..(two + 1) * 48].fill(0.0);
        }
    });
    assert_snapshot!(setting.perceive("out", ""), @r#"
    exit 1, stdout: out/scene_graphs.json
    stderr:
    note: caption of "2": T5: the logits of token 1 hold a value that is no finite number, so no text can be written; are the weights sound?
    note: captions: of 3 images, captions by stem
    factual_t5-custom: scene graphs of 2 of 3 images, 3 captions read by the model now; sentences by our own rules (Punkt's parameters: --punkt DIR)
    error: 1 image has no scene graph: captions "2" (T5: the logits of token 1 hold a value that is no finite number, so no text can be written; are the weights sound?). All others are done; repair these and call again
    "#);
    assert_eq!(setting.graphs("out").into_iter().map(|(stem, _)| stem).collect::<Vec<String>>(), ["1", "5"]);

    setting.write_captions("gt/captions.json", &texts.map(|(stem, _)| (stem, "the boat".to_owned())));
    setting.write_captions("recon/captions.json", &owned);
    score(&setting, "run", "--set parser=t5").exits(1).says(&["recon/captions \"2\""]);
    let run = setting.path("run");
    let reason = |metric: &str| scores(&run).column(metric).unwrap()[1].clone().unwrap_err().to_string();
    assert_eq!(reason("basic_h"), "basic_object_f1 is undefined");
    assert_eq!(reason("basic_object_f1"), "no scene graph of the reconstruction");
    assert_eq!(step(&record(&run), "scene_graphs")["outcome"].clone()["failed"][0]["stem"], "2");
}

#[test]
fn a_run_parses_both_sides_and_scores_as_the_files_would() {
    let setting = Setting::new();
    both_sides(&setting);
    score(&setting, "run", "--set parser=t5").done();
    let run = setting.path("run");
    let journal = setting.path("cache/scene_graphs/factual_t5-custom.jsonl");
    let lines = || fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines(), 5, "each caption once");
    let recorded = record(&run);
    assert_eq!(recorded["request"]["graph_parser"]["t5"]["n_beams"], 5);
    let recipe = &step(&recorded, "scene_graphs")["recipe"];
    assert_eq!([&recipe["model"]["id"], &recipe["sentences"]["rules"]], ["factual_t5-custom", "own"]);
    assert_eq!(recorded["models"], json!([recipe["model"]]));
    let roles = recorded["inputs"].list().iter().map(|i| &i["role"]);
    assert_eq!(roles.collect::<Vec<_>>(), ["gt/captions", "recon/captions"]);

    // The graphs that the run keeps, given as files.
    let values = scores(&run).columns;
    assert!(values.iter().any(|(_, column)| column.contains(&Ok(1.0))));
    for side in ["gt", "recon"] {
        let graphs = format!("{side}/scene_graphs.json");
        fs::copy(run.join("observations").join(&graphs), setting.path(&graphs)).unwrap();
    }
    for (out, parser) in [("of_files", "--set parser=file"), ("of_default", "")] {
        score(&setting, out, parser).done();
        assert_eq!(scores(&setting.path(out)).columns, values);
    }

    // The run is read, repeated, and run with other options; all share the cache.
    score(&setting, "run", "--set parser=t5").says(&["already finished"]);
    let repeat = format!("score --from-run run/run.json --out repeated {}", setting.checkpoint());
    setting.dir.run_with_cache(&repeat, "cache").done();
    assert_eq!(scores(&setting.path("repeated")).columns, values);
    assert_eq!(lines(), 5);
    score(&setting, "run", "--set parser=t5 --set parser_beams=2 --threads 4").done();
    assert_eq!(lines(), 10);
    assert_eq!(step(&record(&run), "scene_graphs")["recipe"].clone()["options"]["n_beams"], 2);
}

#[test]
fn a_stand_in_s_captions_make_scores_that_mean_nothing() {
    let setting = Setting::new();
    image_folders(&setting.path("images"), &["1", "2"]);
    let parser = format!("--set parser=t5 {} --set parser_tokens=12", setting.checkpoint());
    let models = format!("--captioner placeholder-captioner {parser}");
    let score = format!("score images/gt images/recon --out run --metrics basic_h {WORDS}");
    setting.dir.succeed(&format!("{score} {models}"));
    let record = setting.dir.json("run/run.json");
    assert_eq!(step(&record, "captions")["recipe"]["model"]["id"], "colour-words");
    for metric in record["metrics"].list() {
        assert_eq!(metric["stand_in"], true, "{metric}");
    }
    for file in ["gt/captions.json", "recon/scene_graphs.json"] {
        assert!(setting.path("run/observations").join(file).exists(), "{file}");
    }
}
