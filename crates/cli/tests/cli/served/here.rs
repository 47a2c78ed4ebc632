//! Models that are asked without a server.

use super::Pairs;
use crate::support::{Ran, arg, neurogauge_with_cache, record, refused, scores};
use serde_json::{Value, json};

const METRIC: [&str; 2] = ["--metrics", "object_f1_vlm"];
const MODEL: [&str; 2] = ["--mllm-model", "stand-in-mllm"];

fn score(pairs: &Pairs, more: &[&str]) -> Ran {
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
    neurogauge_with_cache(&[&args[..], &METRIC, &MODEL, more].concat(), &cache)
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
    let asked = &first["asked"][0];
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
        &["--mllm-field", "repetition_penalty=1", "--overwrite"],
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    let second = record(&pairs.out);
    assert_eq!(
        second["asked"][0]["options"]["fields"]["repetition_penalty"],
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
        (["--mllm", "http://127.0.0.1:1"], "needs no server"),
        (["--mllm-temperature", "0.5"], "greedily"),
        (["--mllm-field", "top_p=0.5"], "top_p"),
        (["--mllm-asks", "vqa-scores"], "no probabilities"),
    ] {
        refused(&[&args[..], &METRIC, &MODEL, &more].concat(), 2, &[said]);
    }
    let missing = ["--mllm-model", "qwen2.5-vl-7b"];
    let folder = pairs.dir.path().join("none");
    let weights = ["--weights", arg(&folder)];
    let ran = [&args[..], &METRIC, &missing, &weights].concat();
    refused(&ran, 1, &["qwen2.5-vl-7b", "Qwen/Qwen2.5-VL-7B-Instruct"]);
}
