//! Models that run without a server.

use crate::support::*;
use neurogauge::core::ModelIdentity;
use neurogauge::models::local_vlm::YesNoVlm;
use neurogauge::models::{AnswerScore, ClipFlanT5};

const SCORE: &str = "--metrics object_f1_vlm --vlm-model placeholder-vlm";

/// The placeholder lists two colours for each image, and its numbers are marked.
#[test]
fn lists_of_objects_need_no_server() {
    let pairs = images(&["a", "b", "c"]);
    let shown = lines_with(&pairs.cached(SCORE).done().stdout, &["mean", "Object F1 (VLM) ↑", "†"]);
    assert_snapshot!(shown, @"
    Metric                 mean  95% interval    n  undefined
      Object F1 (VLM) ↑†  1.000  [0.439, 1.000]  3          0
    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    ");
    for side in ["gt", "recon"] {
        let names = pairs.json(format!("run/observations/{side}/vlm_categories.json"));
        assert_eq!(names.fields().len(), 3, "{names}");
        assert_eq!(names["a"].list().len(), 2, "{names}");
    }
    let values = pairs.scores("run");
    let column = values.column("object_f1_vlm").unwrap();
    assert!(column.iter().all(Result::is_ok), "{column:?}");

    let first = pairs.record("run");
    let asked = &step(&first, "vlm_categories")["recipe"];
    assert_eq!([&asked["makes"], &asked["model"]["id"]], ["vlm_categories", "colour-words"]);
    assert_eq!(asked["prompt"]["id"], "seed-objects");
    let options = json!({
        "temperature": 0.0, "seed": 0, "max_tokens": 512, "fields": {"repetition_penalty": 1.05},
    });
    assert_eq!(asked["options"], options);
    assert_eq!(first["metrics"][0]["stand_in"], true);

    // Another penalty makes another question, and another run.
    pairs.cached(&format!("{SCORE} --vlm-field repetition_penalty=1 --overwrite")).done();
    let second = pairs.record("run");
    let options = &step(&second, "vlm_categories")["recipe"]["options"];
    assert_eq!(options["fields"]["repetition_penalty"], 1);
    assert_ne!(first["fingerprint"], second["fingerprint"]);
}

#[test]
fn what_a_model_here_would_pass_over_is_refused() {
    let pairs = images(&["a", "b"]);
    fs::create_dir(pairs.join("none")).unwrap();
    let start = "score gt recon --out run --metrics object_f1_vlm --vlm-model";
    let table = r#"
    placeholder-vlm --vlm http://127.0.0.1:1
      exit 2, stderr: error: --vlm URL: placeholder-vlm needs no server; leave out its address, or say what the server calls its model
    placeholder-vlm --set vlm_temperature=0.5
      exit 2, stderr: error: models that are asked here write greedily; expected temperature 0 and seed 0
    placeholder-vlm --vlm-field top_p=0.5
      exit 2, stderr: error: the field "top_p" of a request says nothing to a model that is asked here; expected repetition_penalty
    clip_flant5_xl --vlm-asks captions
      exit 2, stderr: error: clip_flant5_xl says yes or no and writes no text, so no captions; expected VQA scores
    qwen2.5-vl-7b --weights none
      exit 1, stderr:
      error: the weights of qwen2.5-vl-7b are not on this machine, and downloading is not allowed.
      [HOW TO FETCH qwen2.5-vl-7b]
    "#;
    pairs.refuses(start, "run", table);
}

/// Options for VQAScore by this model, with two captions.
fn vqa_score(pairs: &Folder, model: &str) -> String {
    pairs.write("gt.json", r#"{"a": ["a red dog", "another"], "b": "a blue boat"}"#);
    pairs.write("recon.json", r#"{"a": "a cat", "b": "a ship"}"#);
    format!("--metrics vqa_score --vlm-model {model} --gt captions=gt.json --recon captions=recon.json")
}

/// The placeholder answers yes with a probability of 1/4, 1/2 or 3/4.
#[test]
fn vqa_scores_need_no_server() {
    let pairs = images(&["a", "b"]);
    pairs.cached(&vqa_score(&pairs, "placeholder-vlm")).done();
    for value in pairs.scores("run").column("vqa_score").unwrap() {
        let quarters = 4.0 * value.as_ref().unwrap();
        assert!((quarters - quarters.round()).abs() < 1e-9, "{value:?}");
    }
    let record = pairs.record("run");
    let asked = &step(&record, "vqa_scores")["recipe"];
    assert_eq!([&asked["makes"], &asked["prompt"]["id"]], ["vqa_scores", "vqa-question"]);
    assert_eq!(asked["options"].get("fields"), None, "no penalty");
    assert_eq!(record["metrics"][0]["stand_in"], true);
}

/// A small CLIP-FlanT5 with generated weights: a run writes the model's answer for each reconstruction and its
/// stimulus's caption, and asks only once.
#[test]
fn clip_flant5_scores_each_reconstruction_and_is_asked_once() {
    let pairs = images(&["a", "b"]);
    let weights = write_scorer(&pairs.join("clip_t5"));
    let options = vqa_score(&pairs, "clip_flant5_xl --checkpoint clip_flant5_xl=clip_t5/model.safetensors");
    let identity = ModelIdentity::named("clip_flant5_xl-custom");
    let first_token = "--vlm-field score=\"first-token\" --overwrite";
    for (score, name, more) in [(AnswerScore::T2v, "t2v", ""), (AnswerScore::FirstToken, "first-token", first_token)] {
        let model = ClipFlanT5::load(&weights, identity.clone(), score).unwrap();
        let expected = [("a", "a red dog"), ("b", "a blue boat")].map(|(stem, caption)| {
            let image = read_rgb8(&pairs.join(format!("recon/{stem}.png"))).unwrap();
            let question = format!("Does this figure show \"{caption}\"? Please answer yes or no.");
            model.beginnings(&image.to_unit_float(), &question).unwrap()[0].logprob.exp()
        });
        assert!((expected[0] - expected[1]).abs() > 1e-6, "{expected:?}");
        pairs.cached(&format!("{options} {more}")).done();
        assert_eq!(pairs.scores("run").column("vqa_score").unwrap()[..], expected.map(Ok));
        let record = pairs.record("run");
        let step = step(&record, "vqa_scores");
        let asked = &step["recipe"];
        assert_eq!(asked["model"]["id"], "clip_flant5_xl-custom");
        assert_eq!(asked["options"]["fields"], json!({ "score": name }));
        assert_eq!(step["outcome"].get("n_cut_off"), None);
        contains(&pairs.cached(&format!("{options} {more} --dry-run")).stdout, &["2 items, 2 known"]);
    }

    // It writes no captions, so without given ones another model writes them: SEED's captioner.
    let options = "--metrics vqa_score --vlm-model clip_flant5_xl --checkpoint clip_flant5_xl=clip_t5/model.safetensors --overwrite";
    pairs.cached(&format!("{options} --captioner placeholder-captioner")).done();
    assert_eq!(n_asked(&pairs.record("run")), 1);
    assert!(pairs.has("run/observations/gt/captions.json"));
    fs::create_dir(pairs.join("none")).unwrap();
    assert_snapshot!(pairs.cached(&format!("{options} --weights none")), @"
    exit 1, stderr:
    error: the weights of git_large_coco are not on this machine, and downloading is not allowed.
    [HOW TO FETCH git_large_coco]
    Or give captions, so that git_large_coco is not needed: --observations, or --gt captions=FILE and --recon captions=FILE
    ");
}
