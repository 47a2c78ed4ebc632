//! BASIC from two folders: words from a server, masks from (placeholder) networks.

use super::Pairs;
use super::chat_server::{Asked, Reply, VlmServer};
use crate::support::{arg, record, scores, wordnet};

/// Masks without weights, of boxes that hardly have to fit.
const MASKS: [&str; 8] = [
    "--masks",
    "stand-in-segmenter",
    "--mask-detector",
    "stand-in-detector",
    "--box-threshold",
    "0.01",
    "--text-threshold",
    "0.01",
];

fn answer(asked: &Asked) -> Reply {
    if !asked
        .prompt
        .starts_with("You are a visual understanding assistant.")
    {
        return Reply::Says("A red dog.".to_owned());
    }
    match asked.n_before {
        // Fences, words around them, and a comma too many.
        0 if asked.n_all == 0 => Reply::Says("I see a dog.".to_owned()),
        _ => Reply::Says(
            "Of course:\n```json\n{\"foreground_objects\": [{\"object\": \"dog\", \"semantic_category\": \"animal\", \
             \"parts\": [\"head\",]}],\n\"background_elements\": [{\"element\": \"sky\"}]}\n```"
                .to_owned(),
        ),
    }
}

#[test]
fn masks_are_made_of_the_categories_that_the_server_says() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(answer);
    let plan = pairs.score(
        "basic_l",
        &server.url,
        &[&MASKS[..], &["--dry-run"]].concat(),
    );
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    for part in [
        "gt/categories by tiny-vlm (asked, prompt basic-categories), of gt/images: 2 items, 0 known",
        "gt/masks by box-masks, of gt/images: 2 items, known once there are categories",
    ] {
        assert!(plan.stdout.contains(part), "{}", plan.stdout);
    }
    let ran = pairs.score("basic_l", &server.url, &MASKS);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        server.asked().len(),
        5,
        "one answer had no JSON and was asked for again"
    );
    let categories =
        std::fs::read_to_string(pairs.out.join("observations/gt/categories.json")).unwrap();
    let categories: serde_json::Value = serde_json::from_str(&categories).unwrap();
    assert_eq!(categories["a"]["foreground_objects"][0]["parts"][0], "head");
    for (side, stem) in [("gt", "a"), ("gt", "b"), ("recon", "a"), ("recon", "b")] {
        let masks = pairs
            .out
            .join(format!("observations/{side}/masks/{stem}.json"));
        let masks = std::fs::read_to_string(masks).unwrap();
        let named = ["dog", "head", "sky"]
            .iter()
            .any(|name| masks.contains(name));
        assert!(named, "masks have the names of the categories: {masks}");
    }
    let metrics = record(&pairs.out)["metrics"].to_string();
    assert!(metrics.contains("\"stand_in\":true"), "{metrics}");
    assert!(ran.stdout.contains('†'), "{}", ran.stdout);
}

#[test]
fn an_image_without_categories_has_no_masks_and_no_value() {
    let pairs = Pairs::new(&["a", "b"]);
    let server = VlmServer::start(|asked| match asked.n_all {
        0 | 1 => Reply::Says("I see a dog.".to_owned()),
        _ => answer(asked),
    });
    let ran = pairs.score("basic_l", &server.url, &MASKS);
    ran.says(&["no JSON in the answer", "it has no categories"]);
    let values = scores(&pairs.out);
    let reasons = values.column("salient_iou").unwrap();
    let of_first = reasons[0].as_ref().unwrap_err().to_string();
    assert_eq!(of_first, "no masks of the stimulus");
    assert!(!pairs.out.join("observations/gt/masks/a.json").exists());
    assert!(pairs.out.join("observations/gt/masks/b.json").exists());
    assert_ne!(ran.code, 0, "an image failed");
    assert_ne!(ran.stdout, "", "and the table is printed all the same");
}

#[test]
fn a_dry_run_lists_all_weights_that_are_missing_and_downloads_none() {
    let pairs = Pairs::new(&["a", "b"]);
    let wordnet = wordnet();
    let more = ["--wordnet", arg(&wordnet), "--dry-run"];
    let plan = pairs.score("basic", "http://localhost:1", &more);
    assert_eq!(plan.code, 1, "{}", plan.stdout);
    let fetch = "neurogauge models fetch grounding_dino_tiny sam2.1_hiera_large factual_t5 all-mpnet-base-v2";
    for part in [
        "gt/masks by sam2.1_hiera_large, of gt/images: 2 items, known once there are categories",
        "gt/scene_graphs by factual_t5",
        "  basic_h: computed\n",
        "missing weights\n",
        "  factual_t5: ",
        &format!("  fetch them: {fetch}\n"),
    ] {
        assert!(plan.stdout.contains(part), "{part:?} in\n{}", plan.stdout);
    }
    plan.says(&[
        "grounding_dino_tiny (",
        "sam2.1_hiera_large (",
        "factual_t5 (",
        "all-mpnet-base-v2 (",
        "MB)",
        "neurogauge models fetch grounding_dino_tiny sam2.1_hiera_large factual_t5 all-mpnet-base-v2",
    ]);
}
