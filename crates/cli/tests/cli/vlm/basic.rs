//! BASIC from two folders: words from a server, and masks from placeholder networks.

use super::chat_server::{Asked, ChatServer, Reply};
use crate::support::*;

/// Masks without weights, from boxes with low thresholds.
const MASKS: &str = "--masks placeholder-segmenter --set mask_detector=placeholder-detector --set box_threshold=0.01 --set text_threshold=0.01";

fn answer(asked: &Asked) -> Reply {
    if !asked.prompt.starts_with("You are a visual understanding assistant.") {
        return Reply::Says("A red dog.".to_owned());
    }
    match asked.n_before {
        // Code fences, words around them, and an extra comma.
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
    let pairs = images(&["a", "b"]);
    let server = ChatServer::start(answer);
    assert_snapshot!(pairs.score("basic_l", &server.url, &format!("{MASKS} --dry-run")), @"
    exit 0, stdout:
    observe
      gt/categories by tiny-vlm (asked, prompt basic-categories), of gt/images: 2 items, 0 known
      recon/categories by tiny-vlm (asked, prompt basic-categories), of recon/images: 2 items, 0 known
      gt/masks by box-masks, of gt/images: 2 items, known once there are categories
      recon/masks by box-masks, of recon/images: 2 items, known once there are categories
    compare 2 pairs
      salient_iou: computed, rests on a placeholder
      semantic_iou: computed, rests on a placeholder
      instance_iou: computed, rests on a placeholder
      part_iou: computed, rests on a placeholder
      basic_l: computed, rests on a placeholder
    memory: about [SIZE], and in addition that of tiny-vlm, which is not known before the run
    ");
    let ran = pairs.score("basic_l", &server.url, MASKS).done();
    assert_eq!(server.asked().len(), 5, "one answer had no JSON and was asked for again");
    let categories = pairs.json("run/observations/gt/categories.json");
    assert_eq!(categories["a"]["foreground_objects"][0]["parts"][0], "head");
    for (side, stem) in [("gt", "a"), ("gt", "b"), ("recon", "a"), ("recon", "b")] {
        let masks = pairs.read(format!("run/observations/{side}/masks/{stem}.json"));
        let mut names = ["dog", "head", "sky"].iter();
        assert!(names.any(|name| masks.contains(name)), "masks have the names of the categories: {masks}");
    }
    contains(&pairs.record("run")["metrics"].to_string(), &["\"stand_in\":true"]);
    assert!(ran.stdout.contains('†'), "{ran}");
}

#[test]
fn an_image_without_categories_has_no_masks_and_no_value() {
    let pairs = images(&["a", "b"]);
    let server = ChatServer::start(|asked| match asked.n_all {
        0 | 1 => Reply::Says("I see a dog.".to_owned()),
        _ => answer(asked),
    });
    let ran = pairs.score("basic_l", &server.url, MASKS);
    assert_snapshot!(ran.messages(), @r#"
    note: image "a": no JSON in the answer
    note: image "a": image "a" ([DIR]/gt): it has no categories, so there is nothing to ask masks for
    run: 2 pairs scored
    warning: masks: 4 of 8 masks have no label, since no word of the prompt fits their box well enough; where there are categories they count at no level
    error: 1 image has no categories: gt/images "a" (no JSON in the answer). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let of_first = pairs.scores("run").column("salient_iou").unwrap()[0].as_ref().unwrap_err().to_string();
    assert_eq!(of_first, "no masks of the stimulus");
    let masks = pairs.join("run/observations/gt/masks");
    assert!(!masks.join("a.json").exists() && masks.join("b.json").exists());
    assert_ne!(ran.code, 0, "an image failed");
    assert_ne!(ran.stdout, "", "and the table is printed all the same");
}

#[test]
fn a_dry_run_lists_all_weights_that_are_missing_and_downloads_none() {
    let pairs = images(&["a", "b"]);
    let more = format!("--wordnet {} --dry-run", arg(&wordnet()));
    assert_snapshot!(pairs.score("basic", "http://localhost:1", &more), @"
    exit 1, stdout:
    observe
      gt/captions by tiny-vlm (asked, prompt basic-description), of gt/images: 2 items, 0 known
      recon/captions by tiny-vlm (asked, prompt basic-description), of recon/images: 2 items, 0 known
      gt/categories by tiny-vlm (asked, prompt basic-categories), of gt/images: 2 items, 0 known
      recon/categories by tiny-vlm (asked, prompt basic-categories), of recon/images: 2 items, 0 known
      gt/masks by sam2.1_hiera_large, of gt/images: 2 items, known once there are categories
      recon/masks by sam2.1_hiera_large, of recon/images: 2 items, known once there are categories
      gt/scene_graphs by factual_t5, of gt/captions: 2 items, known once there are captions
      recon/scene_graphs by factual_t5, of recon/captions: 2 items, known once there are captions
    compare 2 pairs
      basic_object_f1: computed
      basic_attribute_f1: computed
      basic_relation_f1: computed
      basic_h: computed
      salient_iou: computed
      semantic_iou: computed
      instance_iou: computed
      part_iou: computed
      basic_l: computed
      basic: computed
    memory: about [SIZE], and in addition that of tiny-vlm and factual_t5, which is not known before the run
    missing weights
      grounding_dino_tiny: about 689 MB
      sam2.1_hiera_large: 898 MB
      factual_t5: about 990 MB
      all-mpnet-base-v2: about 438 MB
      fetch them: neurogauge models fetch grounding_dino_tiny sam2.1_hiera_large factual_t5 all-mpnet-base-v2
    stderr:
    error: the weights of grounding_dino_tiny (about 689 MB), sam2.1_hiera_large (898 MB), factual_t5 (about 990 MB), all-mpnet-base-v2 (about 438 MB) are not on this machine, and a dry run downloads nothing.
    Fetch them: neurogauge models fetch grounding_dino_tiny sam2.1_hiera_large factual_t5 all-mpnet-base-v2
    ");
}
