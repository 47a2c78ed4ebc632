//! `neurogauge models`: the list of published weights and their licences.

use crate::support::arguments::score_observations;
use crate::support::{self, arg, folder, refused, succeed};
use std::fs;

#[test]
fn the_list_says_for_each_model_what_is_published_and_what_its_licence_forbids() {
    let list = succeed(&["models", "list"]).stdout;
    let about = |id: &str| {
        let start = list.find(&format!("{id}\n  ")).unwrap();
        let lines = list[start..].lines().skip(1);
        let lines: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).collect();
        lines.join("\n")
    };
    let swav = about("swav_resnet50");
    for part in [
        "ResNet-50, https://dl.fbaipublicfiles.com/deepcluster/swav_800ep_pretrain.pth.tar",
        "CC-BY-NC-4.0, size not published, sha256 not published",
        "terms: commercial use is forbidden",
        "not here; `neurogauge models fetch` downloads it",
    ] {
        assert!(swav.contains(part), "{part:?} in\n{swav}");
    }
    let alexnet = about("alexnet");
    assert!(
        alexnet.contains("BSD-3-Clause, 244 MB, sha256 7be5be791159"),
        "{alexnet}"
    );
    assert!(
        alexnet.contains("terms: the licence is torchvision's"),
        "{alexnet}"
    );
    let efficientnet = about("efficientnet_b1");
    assert!(
        efficientnet.contains("sha256 c27df63c... (no more"),
        "{efficientnet}"
    );
    let clip = about("clip_vit_l_14");
    assert!(clip.contains("MIT, 933 MB, sha256 b8cca3fd"), "{clip}");
    assert!(!clip.contains("terms:"), "{clip}");
}

#[test]
fn what_the_licence_forbids_is_said_at_fetch_time_even_if_nothing_can_be_fetched() {
    refused(
        &["models", "fetch", "swav_resnet50", "--offline"],
        1,
        &[
            "swav_resnet50: licence CC-BY-NC-4.0",
            "swav_resnet50: commercial use is forbidden",
            "the weights of swav_resnet50 are not on this machine, and downloading is not allowed",
            "https://dl.fbaipublicfiles.com/deepcluster/swav_800ep_pretrain.pth.tar",
            "(or DIR/swav_resnet50) given as --weights DIR",
        ],
    );
    refused(
        &["models", "fetch", "alexnot"],
        2,
        &["(did you mean \"alexnet\"?); `neurogauge models list` lists the models"],
    );
}

#[test]
fn a_file_of_which_no_hash_is_published_is_recorded_and_checked_from_then_on() {
    let dir = folder();
    let path = dir.path().join("swav_800ep_pretrain.pth.tar");
    fs::write(&path, "weights").unwrap();
    let verify = [
        "models",
        "verify",
        "swav_resnet50",
        "--weights",
        arg(dir.path()),
    ];
    let ran = succeed(&verify);
    ran.says(&["no hash of it is published"]);
    assert!(ran.stdout.contains("every file has the recorded SHA-256"));
    fs::write(&path, "other weights").unwrap();
    refused(
        &verify,
        1,
        &[
            "is not the published file",
            "(recorded beside it",
            "nothing was loaded",
        ],
    );
}

#[test]
fn a_file_with_other_first_digits_is_refused() {
    let dir = folder();
    let place = dir.path().join("efficientnet_b1");
    fs::create_dir(&place).unwrap();
    fs::write(place.join("efficientnet_b1-c27df63c.pth"), "weights").unwrap();
    refused(
        &[
            "models",
            "verify",
            "efficientnet_b1",
            "--weights",
            arg(dir.path()),
        ],
        1,
        &[
            "has 7 bytes and SHA-256 9a12",
            "expected a size that is not published and SHA-256 c27df63c...",
        ],
    );
}

#[test]
fn a_folder_given_for_one_model_is_not_taken_for_another_of_the_same_file_names() {
    let weights = support::weights();
    let verify = [
        "models",
        "verify",
        "clip_vit_l_14_hf",
        "--weights",
        arg(&weights),
    ];
    refused(
        &verify,
        1,
        &["the weights of clip_vit_l_14_hf are not on this machine"],
    );
}

#[test]
fn a_model_of_images_is_no_text_encoder() {
    let dir = folder();
    let observations = dir.path().join("observations");
    for side in ["gt", "recon"] {
        let captions = r#"{"1": "a dog", "2": "a cat"}"#;
        support::write(&observations.join(side).join("captions.json"), captions);
    }
    let run = dir.path().join("run");
    let inputs = score_observations(&observations, &run, &[]);
    let args = [&inputs[..], &["--text-encoder", "alexnet"]].concat();
    refused(
        &args,
        2,
        &["no model is called \"alexnet\"", "all-MiniLM-L6-v2"],
    );
}
