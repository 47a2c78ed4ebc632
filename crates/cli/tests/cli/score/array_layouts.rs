//! Pictures in arrays as codes save them: grey, with alpha, in `.npz` with names, and what is said of them.

use crate::support::*;

const N: usize = 6;
const SIDE: usize = 16;

/// Grey pictures of noise.
fn grey(name: &str) -> Vec<f32> {
    let noise = Synthetic::new(name, 0);
    (0..(N * SIDE * SIDE) as u64).map(|place| noise.uniform(place)).collect()
}

/// Pearson's correlation of two pictures.
fn pearson(a: &[f32], b: &[f32]) -> f64 {
    let mean = |values: &[f32]| values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(&a, &b)| of(f64::from(a) - mean_a, f64::from(b) - mean_b)).sum()
    };
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn grey_pictures_of_every_layout_have_the_same_values() {
    let dir = folder();
    let (gt, recon) = (grey("gt"), grey("recon"));
    let [n, side] = [N, SIDE].map(|size| size as u64);
    write_f32(&dir.join("gt.npy"), &[n, side, side], &gt).unwrap();
    let pictures = gt.chunks_exact(SIDE * SIDE).zip(recon.chunks_exact(SIDE * SIDE));
    let expected: Vec<f64> = pictures.map(|(gt, recon)| pearson(gt, recon)).collect();
    let copied: Vec<f32> = recon.iter().flat_map(|&value| [value; 3]).collect();
    let opaque: Vec<f32> = recon.iter().flat_map(|&value| [value, value, value, 1.0]).collect();
    let mut said = String::new();
    for (shape, values) in [
        (&[n, side, side][..], &recon),
        (&[n, 1, side, side], &recon),
        (&[n, side, side, 1], &recon),
        (&[n, side, side, 3], &copied),
        (&[n, side, side, 4], &opaque),
    ] {
        write_f32(&dir.join("recon.npy"), shape, values).unwrap();
        let ran = dir.succeed("score gt.npy recon.npy --metrics pixcorr --set pixel_size=own --out run --overwrite");
        close(&dir.values("run", "pixcorr"), &expected);
        said += &format!("{shape:?}\n{}\n", lines_with(&ran.stdout, &["recon images: 6"]));
    }
    assert_snapshot!(said, @"
    [6, 16, 16]
    recon images: 6 grey pictures of 16 x 16 px from (n images, height, width), copied to three channels
    [6, 1, 16, 16]
    recon images: 6 grey pictures of 16 x 16 px from (n images, 1, height, width), copied to three channels
    [6, 16, 16, 1]
    recon images: 6 grey pictures of 16 x 16 px from (n images, height, width, 1), copied to three channels
    [6, 16, 16, 3]

    [6, 16, 16, 4]
    recon images: 6 pictures with alpha of 16 x 16 px from (n images, height, width, 4)
    ");
}

#[test]
fn names_in_an_npz_pair_with_files() {
    let dir = folder();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/picture_layouts");
    dir.copy(golden.join("named.npz"), "recons.npz");
    dir.copy(golden.join("numpy.mat"), "recons.mat");
    for (index, stem) in ["n02", "12", "7", "cat", "dog_\u{e9}"].into_iter().enumerate() {
        dir.picture(format!("gt/{stem}.png"), &format!("picture {index}"), 24, 4.0);
    }
    let score = |recon: &str| {
        dir.run(&format!(
            "score gt {recon} --metrics pixcorr --set pixel_size=8 --set proportions=squashed --out run --overwrite"
        ))
    };
    // The ids pair the pictures with the files, in whatever order; with a key, rows are called by their numbers.
    let ran = score("recons.npz");
    assert!(
        ran.to_string().contains("recon images: 5 pictures of 7 x 6 px, named by the ids in the file"),
        "{ran}"
    );
    let by_ids = dir.values("run", "pixcorr");
    assert_eq!(by_ids.len(), 5);
    score("recons.npz:recon").says(&["pairing images"]);
    // In natural order (7, 12, cat, ...), the second is the second row.
    for recon in ["recons.mat", "recons.mat:recons", "recons.npz:recon"] {
        score(&format!("{recon} --set stack_order=natural")).done();
        assert_eq!(dir.values("run", "pixcorr")[1].to_bits(), by_ids[1].to_bits(), "{recon}");
    }
}
