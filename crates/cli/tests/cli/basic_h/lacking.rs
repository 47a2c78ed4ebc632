//! BASIC-H's inputs, and the messages when one is missing.

use super::appendix_d3::appendix_d3;
use crate::support::*;

#[test]
fn what_is_lacking_is_said() {
    let dir = folder();
    appendix_d3(dir.path());
    for side in ["gt", "recon"] {
        dir.write(&format!("captions/{side}/captions.json"), r#"{"1": "a boat"}"#);
    }
    fs::create_dir(dir.join("no_weights")).unwrap();
    let here = format!("--observations . --metrics basic_h --wordnet {}", arg(&wordnet()));
    let refused = |options: &str, code: i32, parts: &[&str]| {
        let ran = dir.run(&format!("score --out run --overwrite {options}"));
        assert_eq!(ran.code, code, "{ran}");
        ran.says(parts);
        assert_eq!(ran.stdout, "", "data goes to stdout, messages do not");
    };
    let unknown = [
        "basic_object_f1 needs an encoder",
        "\"all-mpnet-base\" is none",
        "--set phrase_encoder=all-mpnet-base-v2",
        "all-MiniLM-L6-v2",
    ];
    refused(&format!("{here} --set phrase_encoder=all-mpnet-base"), 2, &unknown);
    // The default model is known, but its weights are not on this machine.
    let missing = ["all-mpnet-base-v2", "model.safetensors", "tokenizer.json"];
    refused(&format!("{here} --offline --weights no_weights"), 1, &missing);
    let nowhere = "--observations . --metrics basic_h --wordnet /nonexistent --set basic_soft=off";
    refused(nowhere, 1, &["/nonexistent", "wordnet-base"]);
    let captions = ["--set parser=t5 needs captions of both sides", "--gt captions=FILE", "--set parser=file"];
    refused("--observations . --set parser=t5", 2, &captions);
    let weights = ["expected three numbers", "4:4:2"];
    refused("--observations . --set basic_weights=4:4", 2, &weights);
    refused("--observations . --preset basic,capture", 2, &["one of basic, capture (BASIC-H)"]);
    let graphs = ["basic_object_f1 needs scene graphs of both sides", "scene_graphs.json"];
    refused("--observations captions --metrics basic_h", 2, &graphs);
    let one_side = ["scene graphs are given for the stimuli", "add --recon scene-graphs=FILE"];
    refused("--gt scene-graphs=gt/scene_graphs.json", 2, &one_side);
}
