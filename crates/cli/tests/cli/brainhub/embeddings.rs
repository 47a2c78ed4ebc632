//! CLIP-S and RefCLIP-S of embeddings.

use super::measures::{captioning, captions, near, value};
use crate::support::{arg, folder, record, refused, scores, succeed, values, write};
use std::path::{Path, PathBuf};

/// Stems "1" and "2"; the first has two references, the second one.
fn embeddings(root: &Path) -> [PathBuf; 4] {
    let file = |name: &str, shape: &[u64], values: &[f32]| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        neurogauge::formats::npy::write_f32(&path, shape, values).unwrap();
        path
    };
    [
        file("images.npy", &[2, 2], &[1.0, 0.0, 0.0, 2.0]),
        file("good.npy", &[2, 2], &[3.0, 4.0, -4.0, 3.0]),
        file("bad.npy", &[2, 2], &[0.0, -5.0, 0.0, 0.0]),
        file("references.npy", &[3, 2], &[1.0, 0.0, 0.0, 1.0, -4.0, 3.0]),
    ]
}

#[test]
fn clip_scores_of_embeddings_by_hand() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let [images, of_good, of_bad, references] = embeddings(dir.path());
    let decoded = captioning(&reference, &[&good, &bad], &out, &[]);
    let of_captions = ["--caption-embeddings", arg(&of_good), arg(&of_bad)];
    let of_images = ["--image-embeddings", arg(&images)];
    let args = [&decoded[..], &of_captions, &of_images].concat();
    let ran = succeed(&args);
    assert!(
        ran.stdout.contains("CLIP-S") && !ran.stdout.contains("RefCLIP-S"),
        "{}",
        ran.stdout
    );
    // Cosines 0.6 and 0.6.
    let near_all = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).for_each(|(a, b)| near(*a, *b));
    };
    near_all(&values(&out, "good/clip_s"), &[1.5, 1.5]);
    near(value(&out, "good", "clip_s"), 1.5);
    // Of the other, one points away from its image, and one is zero throughout.
    let column = scores(&out).column("bad/clip_s").unwrap().to_vec();
    assert_eq!(column[0], Ok(0.0));
    assert_eq!(
        column[1].clone().unwrap_err().to_string(),
        "empty reconstruction"
    );

    let with_references = ["--reference-embeddings", arg(&references)];
    succeed(&[&args[..], &with_references].concat());
    // Nearest references: 0.8 of 0.6 and 0.8; the same direction.
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    let expected = [harmonic(1.5, 0.8), harmonic(1.5, 1.0)];
    near_all(&values(&out, "good/ref_clip_s"), &expected);
    let recorded = record(&out);
    let conventions = recorded["conventions"].as_array().unwrap();
    assert!(conventions.iter().any(|id| id == "clip-score-rows"));
    let roles: Vec<&str> = recorded["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|input| input["role"].as_str()?.strip_prefix("embeddings/"))
        .collect();
    assert_eq!(
        roles,
        ["images", "captions/good", "captions/bad", "references"]
    );
}

#[test]
fn rows_of_embeddings_go_by_ids_and_blocks_of_references_by_images() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, _) = captions(dir.path());
    write(
        &reference,
        r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog", "a dog"]}"#,
    );
    let write_rows = |name: &str, shape: &[u64], values: &[f32], ids: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        neurogauge::formats::npy::write_f32(&path, shape, values).unwrap();
        write(&path.with_file_name("ids.json"), ids);
        path
    };
    let images = write_rows("a/i.npy", &[2, 2], &[0.0, 2.0, 1.0, 0.0], r#"["2", "1"]"#);
    let of_good = write_rows("b/c.npy", &[2, 2], &[3.0, 4.0, -4.0, 3.0], r#"["1", "2"]"#);
    let blocks = [0.0, 1.0, -4.0, 3.0, 1.0, 0.0, 0.0, 1.0];
    let references = write_rows("c/r.npy", &[2, 2, 2], &blocks, r#"["2", "1"]"#);
    let options = [
        "--image-embeddings",
        arg(&images),
        "--caption-embeddings",
        arg(&of_good),
        "--reference-embeddings",
        arg(&references),
    ];
    succeed(&captioning(&reference, &[&good], &out, &options));
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    let found = values(&out, "good/ref_clip_s");
    near(found[0], harmonic(1.5, 0.8));
    near(found[1], harmonic(1.5, 1.0));
    near(value(&out, "good", "clip_s"), 1.5);
}

#[test]
fn embeddings_that_do_not_fit_are_refused() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let [images, of_good, of_bad, references] = embeddings(dir.path());
    let refuse = |options: &[&str], code, parts: &[&str]| {
        let args = captioning(&reference, &[&good, &bad], &out, options);
        refused(&args, code, parts);
    };
    let of_captions = ["--caption-embeddings", arg(&of_good), arg(&of_bad)];
    let of_images = ["--image-embeddings", arg(&images)];
    refuse(&of_captions, 2, &["add --image-embeddings"]);
    refuse(
        &[
            "--image-embeddings",
            arg(&images),
            "--caption-embeddings",
            arg(&of_good),
        ],
        2,
        &["1 files for 2 of --decoded"],
    );
    let others = ["--caption-embeddings", arg(&of_good), arg(&references)];
    refuse(
        &[&of_images[..], &others].concat(),
        1,
        &["references.npy", "[3, 2]", "2 rows"],
    );
    let wide = dir.path().join("wide.npy");
    neurogauge::formats::npy::write_f32(&wide, &[2, 3], &[1.0; 6]).unwrap();
    let others = ["--caption-embeddings", arg(&of_good), arg(&wide)];
    refuse(
        &[&of_images[..], &others].concat(),
        1,
        &["wide.npy", "2 values per row"],
    );
    let more = ["--reference-embeddings", arg(&images)];
    refuse(
        &[&of_images[..], &of_captions, &more].concat(),
        1,
        &["images.npy", "the 3 reference captions one after the other"],
    );
}
