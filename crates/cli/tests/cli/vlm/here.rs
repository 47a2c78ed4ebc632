//! Models that are asked without a server.

use super::Pairs;
use crate::support::checkpoints::write_scorer;
use crate::support::{n_asked, record, scores, step};
use insta::assert_snapshot;
use neurogauge::core::ModelIdentity;
use neurogauge::formats::image_file::read_rgb8;
use neurogauge::models::local_vlm::YesNoVlm;
use neurogauge::models::{AnswerScore, ClipFlanT5};
use serde_json::json;

const SCORE: &str = "--metrics object_f1_vlm --vlm-model stand-in-vlm";

/// The placeholder lists two colours of each image, and its numbers are marked.
#[test]
fn lists_of_objects_need_no_server() {
    let pairs = Pairs::new(&["a", "b", "c"]);
    assert_snapshot!(pairs.run(SCORE), @"
    exit 0, stdout:
    run: 3 pairs
    System: run

    Metric                 mean  95% interval    n  undefined
    Semantic
      Object F1 (VLM) ↑†  1.000  [0.439, 1.000]  3          0

    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 3 pairs: no test of two systems can reach p < 0.25, and 95% intervals are at least ±4.3 standard errors wide (large n: ±2.0).
    Object F1 (VLM): intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr: run: 3 pairs scored
    ");
    for side in ["gt", "recon"] {
        let names = format!("run/observations/{side}/vlm_categories.json");
        let names = pairs.dir.json(names);
        assert_eq!(names.as_object().unwrap().len(), 3, "{names}");
        assert_eq!(names["a"].as_array().unwrap().len(), 2, "{names}");
    }
    let values = scores(&pairs.out());
    let column = values.column("object_f1_vlm").unwrap();
    assert!(column.iter().all(Result::is_ok), "{column:?}");

    let first = record(&pairs.out());
    let asked = &step(&first, "vlm_categories")["recipe"];
    assert_eq!(asked["makes"], "vlm_categories");
    assert_eq!(asked["model"]["id"], "colour-words");
    assert_eq!(asked["prompt"]["id"], "seed-objects");
    let options = json!({
        "temperature": 0.0, "seed": 0, "max_tokens": 512, "fields": {"repetition_penalty": 1.05},
    });
    assert_eq!(asked["options"], options);
    assert_eq!(first["metrics"][0]["stand_in"], true);

    // Another penalty is another question, and another run.
    let again = pairs.run(&format!("{SCORE} --vlm-field repetition_penalty=1 --overwrite"));
    assert_eq!(again.code, 0, "{again}");
    let second = record(&pairs.out());
    let options = &step(&second, "vlm_categories")["recipe"]["options"];
    assert_eq!(options["fields"]["repetition_penalty"], 1);
    assert_ne!(first["fingerprint"], second["fingerprint"]);
}

#[test]
fn what_a_model_here_would_pass_over_is_refused() {
    let pairs = Pairs::new(&["a", "b"]);
    std::fs::create_dir(pairs.dir.join("none")).unwrap();
    let wrong = [
        "stand-in-vlm --vlm http://127.0.0.1:1",
        "stand-in-vlm --vlm-temperature 0.5",
        "stand-in-vlm --vlm-field top_p=0.5",
        "clip_flant5_xl --vlm-asks captions",
        "qwen2.5-vl-7b --weights none",
    ];
    let start = "score gt recon --out run --metrics object_f1_vlm --vlm-model";
    assert_snapshot!(pairs.dir.refusals(start, &wrong, "run"), @r#"
    stand-in-vlm --vlm http://127.0.0.1:1
      exit 2, stderr: error: --vlm URL: stand-in-vlm needs no server; leave out its address, or say what the server calls its model
    stand-in-vlm --vlm-temperature 0.5
      exit 2, stderr: error: models that are asked here write greedily; expected temperature 0 and seed 0
    stand-in-vlm --vlm-field top_p=0.5
      exit 2, stderr: error: the field "top_p" of a request says nothing to a model that is asked here; expected repetition_penalty
    clip_flant5_xl --vlm-asks captions
      exit 2, stderr: error: clip_flant5_xl says yes or no and writes no text, so no captions; expected VQA scores
    qwen2.5-vl-7b --weights none
      exit 1, stderr:
      error: the weights of qwen2.5-vl-7b are not on this machine, and downloading is not allowed.
      Fetch these files from https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct, revision [HASH]:
        config.json                             1374 bytes  sha256 [HASH]
        generation_config.json                   216 bytes  sha256 [HASH]
        preprocessor_config.json                 350 bytes  sha256 [HASH]
        tokenizer.json                       7031645 bytes  sha256 [HASH]
        model-00001-of-00005.safetensors  3900233256 bytes  sha256 [HASH]
        model-00002-of-00005.safetensors  3864726320 bytes  sha256 [HASH]
        model-00003-of-00005.safetensors  3864726424 bytes  sha256 [HASH]
        model-00004-of-00005.safetensors  3864733680 bytes  sha256 [HASH]
        model-00005-of-00005.safetensors  1089994880 bytes  sha256 [HASH]
        model.safetensors.index.json           57619 bytes  sha256 [HASH]
      and put them into
        [CACHE]/models/qwen2.5-vl-7b/[HASH]
      or into any folder DIR (or DIR/qwen2.5-vl-7b) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    "#);
}

/// Options of a run of VQAScore by this model, about two captions.
fn vqa_score(pairs: &Pairs, model: &str) -> String {
    let of_stimuli = r#"{"a": ["a red dog", "another"], "b": "a blue boat"}"#;
    pairs.dir.write("gt.json", of_stimuli);
    pairs.dir.write("recon.json", r#"{"a": "a cat", "b": "a ship"}"#);
    format!("--metrics vqa_score --vlm-model {model} --gt-captions gt.json --recon-captions recon.json")
}

/// The placeholder answers yes with probability 1/4, 1/2 or 3/4.
#[test]
fn vqa_scores_need_no_server() {
    let pairs = Pairs::new(&["a", "b"]);
    let ran = pairs.run(&vqa_score(&pairs, "stand-in-vlm"));
    assert_eq!(ran.code, 0, "{ran}");
    let values = scores(&pairs.out());
    for value in values.column("vqa_score").unwrap() {
        let quarters = 4.0 * value.as_ref().unwrap();
        assert!((quarters - quarters.round()).abs() < 1e-9, "{value:?}");
    }
    let record = record(&pairs.out());
    let asked = &step(&record, "vqa_scores")["recipe"];
    assert_eq!(asked["makes"], "vqa_scores");
    assert_eq!(asked["prompt"]["id"], "vqa-question");
    assert_eq!(asked["options"].get("fields"), None, "no penalty");
    assert_eq!(record["metrics"][0]["stand_in"], true);
}

/// A small CLIP-FlanT5 with generated weights: a run writes the model's answer for each reconstruction and the caption
/// of its stimulus, and it is asked once.
#[test]
fn clip_flant5_scores_each_reconstruction_and_is_asked_once() {
    let pairs = Pairs::new(&["a", "b"]);
    let weights = write_scorer(&pairs.dir.join("clip_t5"));
    let options = vqa_score(&pairs, "clip_flant5_xl --checkpoint clip_flant5_xl=clip_t5/model.safetensors");
    let identity = ModelIdentity {
        id: "clip_flant5_xl-custom".to_owned(),
        revision: String::new(),
        sha256: String::new(),
        stand_in: false,
    };
    let first_token = "--vlm-field score=\"first-token\" --overwrite";
    for (score, name, more) in [(AnswerScore::T2v, "t2v", ""), (AnswerScore::FirstToken, "first-token", first_token)] {
        let model = ClipFlanT5::load(&weights, identity.clone(), score).unwrap();
        let expected = [("a", "a red dog"), ("b", "a blue boat")].map(|(stem, caption)| {
            let image = read_rgb8(&pairs.dir.join(format!("recon/{stem}.png"))).unwrap();
            let question = format!("Does this figure show \"{caption}\"? Please answer yes or no.");
            let said = model.beginnings(&image.to_unit_float(), &question).unwrap();
            said[0].logprob.exp()
        });
        assert!((expected[0] - expected[1]).abs() > 1e-6, "{expected:?}");
        let ran = pairs.run(&format!("{options} {more}"));
        assert_eq!(ran.code, 0, "{ran}");
        let values = scores(&pairs.out());
        let column = values.column("vqa_score").unwrap();
        assert_eq!(column[..], expected.map(Ok));
        let record = record(&pairs.out());
        let step = step(&record, "vqa_scores");
        let asked = &step["recipe"];
        assert_eq!(asked["model"]["id"], "clip_flant5_xl-custom");
        assert_eq!(asked["options"]["fields"], json!({ "score": name }));
        assert_eq!(step["outcome"].get("n_cut_off"), None);
        let plan = pairs.run(&format!("{options} {more} --dry-run"));
        assert!(plan.stdout.contains("2 items, 2 known"), "{plan}");
    }
}

/// It writes no captions, so if none are given, another model writes them: SEED's captioner.
#[test]
fn a_model_that_only_scores_is_not_asked_for_captions() {
    let pairs = Pairs::new(&["a", "b"]);
    write_scorer(&pairs.dir.join("clip_t5"));
    let options =
        "--metrics vqa_score --vlm-model clip_flant5_xl --checkpoint clip_flant5_xl=clip_t5/model.safetensors";
    let ran = pairs.run(&format!("{options} --captioner stand-in-captioner"));
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(n_asked(&record(&pairs.out())), 1);
    assert!(pairs.out().join("observations/gt/captions.json").exists());
    std::fs::create_dir(pairs.dir.join("none")).unwrap();
    assert_snapshot!(pairs.run(&format!("{options} --weights none --overwrite")), @"
    exit 1, stderr:
    error: the weights of git_large_coco are not on this machine, and downloading is not allowed.
    Fetch these files from https://huggingface.co/microsoft/git-large-coco, revision main:
      config.json            size not published  sha256 not published
      tokenizer_config.json  size not published  sha256 not published
      tokenizer.json         size not published  sha256 not published
      model.safetensors      size not published  sha256 not published
    and put them into
      [DIR]/cache/models/git_large_coco/main
    or into any folder DIR (or DIR/git_large_coco) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    Or give captions, so that git_large_coco is not needed: --observations, or --gt-captions and --recon-captions
    ");
}
