//! The mark of a placeholder follows what it made: every placeholder, every writer, every reader.

use super::detections::images;
use crate::support::{Folder, record};

/// What `perceive` is told, what `score` is told to make the same, the kind that it makes and a metric of it.
const PLACEHOLDERS: [(&str, &str, &str, &str); 5] = [
    (
        "--with placeholder-detector",
        "--detector placeholder-detector",
        "detections",
        "object_f1",
    ),
    (
        "--with placeholder-captioner",
        "--captioner placeholder-captioner",
        "captions",
        "rouge_l",
    ),
    (
        "--vlm-model placeholder-vlm --vlm-asks vlm-categories",
        "--vlm-model placeholder-vlm",
        "vlm_categories",
        "object_f1_vlm",
    ),
    (
        "--vlm-model placeholder-vlm --vlm-asks image-texts",
        "--vlm-model placeholder-vlm",
        "image_texts",
        "text_recall",
    ),
    (
        "--with placeholder:grid4",
        "--image-models placeholder",
        "features",
        "clip",
    ),
];

/// All metrics of the run are marked.
#[track_caller]
fn is_marked(dir: &Folder, run: &str, of: &str) {
    let metrics = record(&dir.join(run))["metrics"].clone();
    let metrics = metrics.as_array().unwrap();
    assert!(!metrics.is_empty(), "{of}");
    assert!(
        metrics.iter().all(|metric| metric["stand_in"] == true),
        "{of}: {metrics:?}"
    );
}

#[test]
fn the_mark_of_a_placeholder_follows_its_files() {
    for (with, made, kind, metric) in PLACEHOLDERS {
        let dir = images(&["gt", "recon"]);
        for side in ["gt", "recon"] {
            dir.succeed(&format!("perceive --images {side} --out obs/{side} {with}"));
        }
        let given = match kind {
            "features" => "mean-colours:grid4:correlation",
            _ => metric,
        };
        dir.succeed(&format!(
            "score --observations obs --metrics {given} --out of_folder"
        ));
        is_marked(&dir, "of_folder", &format!("{kind} of perceive"));
        let file = match kind {
            "detections" | "features" => kind.to_owned(),
            kind => format!("{kind}.json"),
        };
        let option = kind.replace('_', "-");
        dir.succeed(&format!(
            "score --gt-{option} obs/gt/{file} --recon-{option} obs/recon/{file} --metrics {given} --out of_files"
        ));
        is_marked(&dir, "of_files", &format!("{kind} given by path"));
        if kind == "features" {
            continue;
        }
        dir.succeed(&format!(
            "score gt recon {made} --metrics {metric} --out run"
        ));
        dir.succeed(&format!(
            "score --observations run/observations --metrics {metric} --out of_run"
        ));
        is_marked(&dir, "of_run", &format!("{kind} of a run"));
    }
}

#[test]
fn seed_s_layout_keeps_the_mark_both_ways() {
    let dir = images(&["gt", "recon"]);
    let models = "--detector placeholder-detector --captioner placeholder-captioner";
    dir.succeed(&format!(
        "score gt recon {models} --metrics object_f1,rouge_l --export-layout official --out run"
    ));
    dir.succeed("score --observations run/evaluations/run --metrics object_f1,rouge_l --out again");
    is_marked(&dir, "again", "the exported folder");
    for side in ["gt", "recon"] {
        dir.succeed(&format!("perceive --images {side} --layout official --with placeholder-detector,placeholder-captioner --out seed/{side}"));
    }
    dir.succeed(
        "score --gt-detections seed/gt --recon-detections seed/recon --gt-captions seed/gt/captions.npy --recon-captions seed/recon/captions.npy \
         --metrics object_f1,rouge_l --out of_layout",
    );
    is_marked(&dir, "of_layout", "perceive in SEED's layout");
}

/// Masks of a placeholder's boxes, by a placeholder.
#[test]
fn what_is_made_of_a_placeholder_s_files_is_marked() {
    let dir = images(&["gt"]);
    dir.succeed("perceive --images gt --out boxes --with placeholder-detector --max-detections 2");
    dir.succeed(
        "perceive --images gt --out masks --boxes boxes/detections --masks placeholder-segmenter",
    );
    let recipe = dir.json("masks/masks.recipe.json");
    assert_eq!(recipe["stand_in"], true, "{recipe}");
}
