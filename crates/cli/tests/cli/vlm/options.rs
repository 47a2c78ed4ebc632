//! The options, before anything is sent.

use crate::support::{arg, folder, image_folders, refused, succeed, write};

#[test]
fn prompts_are_listed_and_printed() {
    let list = succeed(&["prompts"]).stdout;
    for id in [
        "basic-description",
        "basic-categories",
        "seed-objects",
        "Table S7",
    ] {
        assert!(list.contains(id), "{list}");
    }
    let text = succeed(&["prompts", "basic-description-relations"]).stdout;
    assert_eq!(
        text,
        "Describe the image in detail, focusing on visible objects and their relationships.\n"
    );
    refused(
        &["prompts", "basic-desciption"],
        2,
        &["did you mean", "basic-description"],
    );
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["a", "b"]);
    let out = dir.path().join("run");
    let server = ["--vlm", "http://127.0.0.1:1"];
    let model = ["--vlm-model", "m"];
    let metric = ["--metrics", "cap_sim", "--text-encoder", "stand-in"];
    let args = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&out),
    ];
    let all = |more: &[&[&'static str]]| [&args[..], &metric, &more.concat()].concat();
    refused(&all(&[&server]), 2, &["--vlm-model NAME"]);
    refused(
        &all(&[&["--vlm-tokens", "9"]]),
        2,
        &["--vlm-tokens", "--vlm URL"],
    );
    refused(
        &all(&[&["--vlm", "localhost:8000"], &model]),
        2,
        &["expected an address such as"],
    );
    refused(
        &all(&[&server, &model, &["--vlm-prompt", "basic"]]),
        2,
        &["no prompt is called"],
    );
    refused(
        &all(&[&server, &model, &["--vlm-prompt", "captions=/nowhere"]]),
        2,
        &["/nowhere"],
    );
    refused(
        &all(&[&server, &model, &["--vlm-field", "messages=[]"]]),
        2,
        &["\"messages\""],
    );
    refused(
        &all(&[&server, &model, &["--vlm-field", "top_p=high"]]),
        2,
        &["expected JSON"],
    );
    refused(
        &all(&[
            &server,
            &model,
            &["--captioner", "git_large_coco", "--vlm-asks", "captions"],
        ]),
        2,
        &["leave one of them away"],
    );
    let idle = [&args[..], &["--metrics", "pixcorr"], &server, &model].concat();
    refused(&idle, 2, &["nothing is asked of m", "--vlm-asks"]);
    let captions = dir.path().join("captions.json");
    write(&captions, r#"{"a": "A dog.", "b": "A cat."}"#);
    let given = [
        "--gt-captions",
        arg(&captions),
        "--recon-captions",
        arg(&captions),
        "--vlm-asks",
        "captions",
    ];
    let given = [&all(&[&server, &model])[..], &given].concat();
    refused(&given, 2, &["there are captions already"]);
}

#[test]
fn a_plan_says_what_is_asked_of_whom_and_the_environment_may_name_the_server() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["a", "b"]);
    let out = dir.path().join("run");
    let own = dir.path().join("own.txt");
    write(&own, "What is this?\n");
    let own = format!("captions={}", own.display());
    let args = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&out),
        "--metrics",
        "cap_sim,object_f1_vlm",
        "--text-encoder",
        "stand-in",
        "--vlm-model",
        "tiny/vlm",
        "--vlm-prompt",
        &own,
    ];
    let nowhere = [
        "tiny/vlm is to be asked",
        "--vlm URL",
        "NEUROGAUGE_VLM",
        "Models that need no server: qwen2.5-vl-7b",
    ];
    refused(&[&args[..], &["--dry-run"]].concat(), 2, &nowhere);
    let served = ["--vlm", "http://localhost:1", "--dry-run"];
    let plan = succeed(&[&args[..], &served].concat()).stdout;
    for part in [
        "gt/captions by tiny/vlm (asked, prompt own), of gt/images: 2 items, 0 known",
        "recon/vlm_categories by tiny/vlm (asked, prompt seed-objects), of recon/images: 2 items, 0 known",
    ] {
        assert!(plan.contains(part), "{plan}");
    }
    refused(&args, 2, &nowhere);
}
