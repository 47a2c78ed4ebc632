//! CLIP-S and RefCLIP-S of embeddings.

use super::measures::{CAPTION, captions, near, value};
use crate::support::*;

/// Stems "1" and "2"; the first has two references, the second one.
fn embeddings() -> Folder {
    let dir = captions();
    let write = |name: &str, shape: &[u64], values: &[f32]| {
        write_f32(&dir.join(name), shape, values).unwrap();
    };
    write("images.npy", &[2, 2], &[1.0, 0.0, 0.0, 2.0]);
    write("good.npy", &[2, 2], &[3.0, 4.0, -4.0, 3.0]);
    write("bad.npy", &[2, 2], &[0.0, -5.0, 0.0, 0.0]);
    write("references.npy", &[3, 2], &[1.0, 0.0, 0.0, 1.0, -4.0, 3.0]);
    write("wide.npy", &[2, 3], &[1.0; 6]);
    dir
}

const BOTH: &str = "good.json bad.json";

#[test]
fn clip_scores_of_embeddings_by_hand() {
    let dir = embeddings();
    let args = format!("{CAPTION} {BOTH} --image-embeddings images.npy --caption-embeddings good.npy bad.npy");
    let ran = dir.succeed(&args);
    assert!(ran.stdout.contains("CLIP-S") && !ran.stdout.contains("RefCLIP-S"), "{ran}");
    // Both cosines are 0.6.
    let near_all = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).for_each(|(a, b)| near(*a, *b));
    };
    near_all(&dir.values("out", "good/clip_s"), &[1.5, 1.5]);
    near(value(&dir.join("out"), "good", "clip_s"), 1.5);
    // One embedding of the other system points away from its image, and one is all zeros.
    let column = dir.scores("out").column("bad/clip_s").unwrap().to_vec();
    assert_eq!(column[0], Ok(0.0));
    assert_eq!(column[1].clone().unwrap_err().to_string(), "empty reconstruction");

    dir.succeed(&format!("{args} --reference-embeddings references.npy"));
    // The nearest references have 0.8 (of 0.6 and 0.8), and the same direction.
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    near_all(&dir.values("out", "good/ref_clip_s"), &[harmonic(1.5, 0.8), harmonic(1.5, 1.0)]);
    let recorded = dir.record("out");
    assert!(recorded["conventions"].list().iter().any(|id| id == "clip-score-rows"));
    let inputs = recorded["inputs"].list().iter();
    let roles: Vec<&str> = inputs.filter_map(|input| input["role"].as_str()?.strip_prefix("embeddings/")).collect();
    assert_eq!(roles, ["images", "captions/good", "captions/bad", "references"]);

    // Embeddings that do not fit are refused.
    let table = "
    --caption-embeddings good.npy bad.npy
      exit 2, stderr: error: CLIP-S compares captions with their images: add --image-embeddings FILE
    --image-embeddings images.npy --caption-embeddings good.npy
      exit 2, stderr: error: --caption-embeddings: 1 files for 2 of RECON; CLIP-S needs one for each, in the same order
    --image-embeddings images.npy --caption-embeddings good.npy references.npy
      exit 1, stderr: error: references.npy: an array of shape [3, 2]; expected 2 rows, one for each image of reference.json in the natural order of its stems, or an ids.json beside the file that says which is which
    --image-embeddings images.npy --caption-embeddings good.npy wide.npy
      exit 1, stderr: error: wide.npy: an array of shape [2, 3]; expected 2 values per row, as the images' embeddings have
    --image-embeddings images.npy --caption-embeddings good.npy bad.npy --reference-embeddings images.npy
      exit 1, stderr: error: images.npy: an array of shape [2, 2]; expected the 3 reference captions one after the other, in the natural order of the stems (3, 2), or, where each image has equally many, (2, captions, 2)
    ";
    dir.refuses(&format!("{} {BOTH}", CAPTION.replace("--out out", "--out other")), "other", table);
}

#[test]
fn rows_of_embeddings_go_by_ids_and_blocks_of_references_by_images() {
    let dir = captions();
    dir.write("reference.json", r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog", "a dog"]}"#);
    let write_rows = |name: &str, shape: &[u64], values: &[f32], ids: &str| {
        dir.write(&format!("{name}/ids.json"), ids);
        write_f32(&dir.join(name).join("rows.npy"), shape, values).unwrap();
    };
    write_rows("i", &[2, 2], &[0.0, 2.0, 1.0, 0.0], r#"["2", "1"]"#);
    write_rows("c", &[2, 2], &[3.0, 4.0, -4.0, 3.0], r#"["1", "2"]"#);
    write_rows("r", &[2, 2, 2], &[0.0, 1.0, -4.0, 3.0, 1.0, 0.0, 0.0, 1.0], r#"["2", "1"]"#);
    let rows = "--image-embeddings i/rows.npy --caption-embeddings c/rows.npy --reference-embeddings r/rows.npy";
    dir.succeed(&format!("{CAPTION} good.json {rows}"));
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    let found = dir.values("out", "good/ref_clip_s");
    near(found[0], harmonic(1.5, 0.8));
    near(found[1], harmonic(1.5, 1.0));
    near(value(&dir.join("out"), "good", "clip_s"), 1.5);
}
