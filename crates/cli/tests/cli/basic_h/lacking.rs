//! BASIC-H's inputs, and the messages when one is missing.

use super::appendix_d3::appendix_d3;
use crate::support::arguments::score_observations;
use crate::support::{arg, folder, refused, wordnet, write};

#[test]
fn what_is_lacking_is_said() {
    let dir = folder();
    appendix_d3(dir.path());
    let run = dir.path().join("run");
    let observations = score_observations(dir.path(), &run, &[]);
    let with = |options: &[&'static str]| [&observations[..], options].concat();
    let wordnet = wordnet();
    let here = ["--wordnet", arg(&wordnet)];
    let unknown = ["--metrics", "basic_h", "--phrase-encoder", "all-mpnet-base"];
    refused(
        &[&with(&unknown)[..], &here].concat(),
        2,
        &[
            "basic_object_f1 needs an encoder",
            "\"all-mpnet-base\" is none",
            "--phrase-encoder all-mpnet-base-v2",
            "all-MiniLM-L6-v2",
        ],
    );
    // The default is known, and its weights are not here.
    let nowhere = dir.path().join("no_weights");
    std::fs::create_dir(&nowhere).unwrap();
    let offline = [&here[..], &["--offline", "--weights", arg(&nowhere)]].concat();
    refused(
        &[&with(&["--metrics", "basic_h"])[..], &offline].concat(),
        1,
        &["all-mpnet-base-v2", "model.safetensors", "tokenizer.json"],
    );
    refused(
        &with(&[
            "--metrics",
            "basic_h",
            "--wordnet",
            "/nonexistent",
            "--basic-soft",
            "off",
        ]),
        1,
        &["/nonexistent", "wordnet-base"],
    );
    refused(
        &with(&["--parser", "t5"]),
        2,
        &[
            "--parser t5 needs captions of both sides",
            "--gt-captions",
            "--parser file",
        ],
    );
    refused(
        &with(&["--basic-weights", "4:4"]),
        2,
        &["expected three numbers", "4:4:2"],
    );
    refused(
        &with(&["--preset", "basic,capture"]),
        2,
        &["one of basic, capture (BASIC-H)"],
    );
    let captions = folder();
    for side in ["gt", "recon"] {
        write(
            &captions.path().join(side).join("captions.json"),
            r#"{"1": "a boat"}"#,
        );
    }
    let observations = score_observations(captions.path(), &run, &[]);
    refused(
        &[&observations[..], &["--metrics", "basic_h"]].concat(),
        2,
        &[
            "basic_object_f1 needs scene graphs of both sides",
            "scene_graphs.json",
        ],
    );
    let graphs = dir.path().join("gt/scene_graphs.json");
    refused(
        &[
            "score",
            "--gt-scene-graphs",
            arg(&graphs),
            "--out",
            arg(&run),
        ],
        2,
        &[
            "scene graphs are given for the stimuli",
            "add --recon-scene-graphs",
        ],
    );
}
