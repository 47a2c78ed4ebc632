//! Models that are asked without a server.

use super::Pairs;
use crate::support::checkpoints::write_scorer;
use crate::support::{
    Ran, arg, n_asked, neurogauge_with_cache, record, refused, scores, step, write,
};
use neurogauge::core::ModelIdentity;
use neurogauge::formats::image_file::read_rgb8;
use neurogauge::models::local_vlm::YesNoVlm;
use neurogauge::models::{AnswerScore, ClipFlanT5};
use serde_json::{Value, json};
use std::path::PathBuf;

const METRIC: [&str; 2] = ["--metrics", "object_f1_vlm"];
const MODEL: [&str; 2] = ["--vlm-model", "stand-in-vlm"];

fn score(pairs: &Pairs, more: &[&str]) -> Ran {
    run(pairs, &[&METRIC, &MODEL, more].concat())
}

fn run(pairs: &Pairs, more: &[&str]) -> Ran {
    let args = [
        "score",
        "--gt",
        arg(&pairs.gt),
        "--recon",
        arg(&pairs.recon),
        "--out",
        arg(&pairs.out),
    ];
    let cache = pairs.dir.path().join("cache");
    neurogauge_with_cache(&[&args[..], more].concat(), &cache)
}

fn names(pairs: &Pairs, side: &str) -> Value {
    let path = format!("observations/{side}/vlm_categories.json");
    serde_json::from_slice(&std::fs::read(pairs.out.join(path)).unwrap()).unwrap()
}

/// The placeholder lists two colours of each image, and its numbers are marked.
#[test]
fn lists_of_objects_need_no_server() {
    let pairs = Pairs::new(&["a", "b", "c"]);
    let ran = score(&pairs, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("not bit-reproducible"),
        "{}",
        ran.stderr
    );
    for side in ["gt", "recon"] {
        let names = names(&pairs, side);
        assert_eq!(names.as_object().unwrap().len(), 3, "{names}");
        assert_eq!(names["a"].as_array().unwrap().len(), 2, "{names}");
    }
    let values = scores(&pairs.out);
    assert!(
        values
            .column("object_f1_vlm")
            .unwrap()
            .iter()
            .all(Result::is_ok)
    );

    let first = record(&pairs.out);
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
    let again = score(
        &pairs,
        &["--vlm-field", "repetition_penalty=1", "--overwrite"],
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    let second = record(&pairs.out);
    assert_eq!(
        step(&second, "vlm_categories")["recipe"]["options"]["fields"]["repetition_penalty"],
        1
    );
    assert_ne!(first["fingerprint"], second["fingerprint"]);
}

#[test]
fn what_a_model_here_would_pass_over_is_refused() {
    let pairs = Pairs::new(&["a", "b"]);
    let (gt, recon, out) = (arg(&pairs.gt), arg(&pairs.recon), arg(&pairs.out));
    let args = ["score", "--gt", gt, "--recon", recon, "--out", out];
    for (more, said) in [
        (["--vlm", "http://127.0.0.1:1"], "needs no server"),
        (["--vlm-temperature", "0.5"], "greedily"),
        (["--vlm-field", "top_p=0.5"], "top_p"),
    ] {
        refused(&[&args[..], &METRIC, &MODEL, &more].concat(), 2, &[said]);
    }
    let scorer = ["--vlm-model", "clip_flant5_xl", "--vlm-asks", "captions"];
    let asked = [&args[..], &METRIC, &scorer].concat();
    refused(
        &asked,
        2,
        &["clip_flant5_xl", "writes no text", "VQA scores"],
    );
    let missing = ["--vlm-model", "qwen2.5-vl-7b"];
    let folder = pairs.dir.path().join("none");
    std::fs::create_dir(&folder).unwrap();
    let weights = ["--weights", arg(&folder)];
    let ran = [&args[..], &METRIC, &missing, &weights].concat();
    refused(&ran, 1, &["qwen2.5-vl-7b", "Qwen/Qwen2.5-VL-7B-Instruct"]);
}

/// Options of a run of VQAScore by this model, about two captions.
fn vqa_score<'a>(pairs: &Pairs, model: &'a str, files: &'a [PathBuf; 2]) -> Vec<&'a str> {
    write(
        &files[0],
        r#"{"a": ["a red dog", "another"], "b": "a blue boat"}"#,
    );
    write(&files[1], r#"{"a": "a cat", "b": "a ship"}"#);
    assert!(files.iter().all(|file| file.starts_with(pairs.dir.path())));
    let options = ["--metrics", "vqa_score", "--vlm-model", model];
    let captions = [
        "--gt-captions",
        arg(&files[0]),
        "--recon-captions",
        arg(&files[1]),
    ];
    [options, captions].concat()
}

fn caption_files(pairs: &Pairs) -> [PathBuf; 2] {
    ["gt.json", "recon.json"].map(|name| pairs.dir.path().join(name))
}

/// The placeholder answers yes with probability 1/4, 1/2 or 3/4.
#[test]
fn vqa_scores_need_no_server() {
    let pairs = Pairs::new(&["a", "b"]);
    let files = caption_files(&pairs);
    let options = vqa_score(&pairs, "stand-in-vlm", &files);
    let ran = run(&pairs, &options);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let values = scores(&pairs.out);
    for value in values.column("vqa_score").unwrap() {
        let quarters = 4.0 * value.as_ref().unwrap();
        assert!((quarters - quarters.round()).abs() < 1e-9, "{value:?}");
    }
    let record = record(&pairs.out);
    let asked = &step(&record, "vqa_scores")["recipe"];
    assert_eq!(asked["makes"], "vqa_scores");
    assert_eq!(asked["prompt"]["id"], "vqa-question");
    assert_eq!(asked["options"].get("fields"), None, "no penalty");
    assert_eq!(record["metrics"][0]["stand_in"], true);
}

/// A small CLIP-FlanT5 with generated weights: a run writes the model's answer for each reconstruction and the caption of its
/// stimulus, and it is asked once.
#[test]
fn clip_flant5_scores_each_reconstruction_and_is_asked_once() {
    let pairs = Pairs::new(&["a", "b"]);
    let weights = write_scorer(&pairs.dir.path().join("clip_t5"));
    let checkpoint = format!("clip_flant5_xl={}", arg(&weights));
    let files = caption_files(&pairs);
    let options = vqa_score(&pairs, "clip_flant5_xl", &files);
    let options = [&options[..], &["--checkpoint", &checkpoint]].concat();
    let identity = ModelIdentity {
        id: "clip_flant5_xl-custom".to_owned(),
        revision: String::new(),
        sha256: String::new(),
        stand_in: false,
    };
    for (score, name, more) in [
        (AnswerScore::T2v, "t2v", &[][..]),
        (
            AnswerScore::FirstToken,
            "first-token",
            &["--vlm-field", "score=\"first-token\"", "--overwrite"][..],
        ),
    ] {
        let model = ClipFlanT5::load(&weights, identity.clone(), score).unwrap();
        let expected = [("a", "a red dog"), ("b", "a blue boat")].map(|(stem, caption)| {
            let image = read_rgb8(&pairs.recon.join(format!("{stem}.png"))).unwrap();
            let question = format!("Does this figure show \"{caption}\"? Please answer yes or no.");
            let said = model.beginnings(&image.to_unit_float(), &question).unwrap();
            said[0].logprob.exp()
        });
        assert!((expected[0] - expected[1]).abs() > 1e-6, "{expected:?}");
        let ran = run(&pairs, &[&options[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let values = scores(&pairs.out);
        let column = values.column("vqa_score").unwrap();
        assert_eq!(column[..], expected.map(Ok));
        let record = record(&pairs.out);
        let step = step(&record, "vqa_scores");
        let asked = &step["recipe"];
        assert_eq!(asked["model"]["id"], "clip_flant5_xl-custom");
        assert_eq!(asked["options"]["fields"], json!({ "score": name }));
        assert_eq!(step["outcome"].get("n_cut_off"), None);
        let plan = run(&pairs, &[&options[..], more, &["--dry-run"]].concat());
        assert!(plan.stdout.contains("2 items, 2 known"), "{}", plan.stdout);
    }
}

/// It writes no captions, so if none are given, another model writes them: SEED's captioner.
#[test]
fn a_model_that_only_scores_is_not_asked_for_captions() {
    let pairs = Pairs::new(&["a", "b"]);
    let weights = write_scorer(&pairs.dir.path().join("clip_t5"));
    let checkpoint = format!("clip_flant5_xl={}", arg(&weights));
    let options = ["--metrics", "vqa_score", "--vlm-model", "clip_flant5_xl"];
    let more = [
        "--checkpoint",
        &checkpoint,
        "--captioner",
        "stand-in-captioner",
    ];
    let ran = run(&pairs, &[&options[..], &more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(n_asked(&record(&pairs.out)), 1);
    assert!(pairs.out.join("observations/gt/captions.json").exists());
    let weights = pairs.dir.path().join("none");
    std::fs::create_dir(&weights).unwrap();
    let usual = ["--checkpoint", &checkpoint, "--weights", arg(&weights)];
    let ran = run(&pairs, &[&options[..], &usual, &["--overwrite"]].concat());
    assert_ne!(ran.code, 0);
    ran.says(&["git_large_coco"]);
}
