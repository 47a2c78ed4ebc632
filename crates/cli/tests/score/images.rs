//! `neurogauge score` on images: values, files, resuming, repeating.

use crate::support::{
    arg, folder, image_folders, neurogauge, picture, scores, succeed, summary, write,
};
use neurogauge::core::Image;
use neurogauge::formats::image_file::read_rgb8;
use neurogauge::metrics::PixelOptions;
use neurogauge::metrics::decoding::{pixcorr::pixcorr, ssim::ssim};
use std::fs;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

#[test]
fn a_run_holds_every_score_and_what_it_takes_to_repeat_it() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let run = dir.path().join("run");
    let ran = succeed(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&run),
    ]);
    assert!(
        ran.stdout.contains("PixCorr") && ran.stdout.contains("SSIM"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("5 pairs scored"), "{}", ran.stderr);

    let scored = scores(&run);
    assert_eq!(scored.pairs, ["1", "2", "10", "a", "b"], "natural order");
    let prepared = |folder: &std::path::Path, stem: &str| -> Image<f32> {
        let image = read_rgb8(&folder.join(format!("{stem}.png"))).unwrap();
        PixelOptions::default()
            .apply(image.to_unit_float())
            .unwrap()
    };
    for (index, stem) in scored.pairs.iter().enumerate() {
        let (a, b) = (prepared(&gt, stem), prepared(&recon, stem));
        assert_eq!(
            scored.column("pixcorr").unwrap()[index],
            pixcorr(&a, &b).unwrap()
        );
        assert_eq!(scored.column("ssim").unwrap()[index], ssim(&a, &b).unwrap());
    }
    let values: Vec<f64> = scored
        .column("ssim")
        .unwrap()
        .iter()
        .map(|outcome| outcome.clone().unwrap())
        .collect();
    let mean = values.iter().sum::<f64>() / 5.0;
    let entry = &summary(&run)["ssim"];
    assert!((entry["mean"].as_f64().unwrap() - mean).abs() < 1e-15);
    assert_eq!(entry["n"], 5);
    assert_eq!(entry["n_undefined"], 0);
    let interval = entry["interval"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() < mean && mean < interval[1].as_f64().unwrap());
    for file in [
        "run.json",
        "scores.parquet",
        "summary.md",
        "summary.tex",
        "summary.csv",
    ] {
        assert!(run.join(file).is_file(), "{file}");
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let runs = ["1", "8"].map(|threads| {
        let run = dir.path().join(format!("run{threads}"));
        let ran = succeed(&[
            "--threads",
            threads,
            "score",
            "--gt",
            arg(&gt),
            "--recon",
            arg(&recon),
            "--out",
            arg(&run),
            "--format",
            "csv",
        ]);
        let files = ["scores.parquet", "summary.json"].map(|f| fs::read(run.join(f)).unwrap());
        (files, ran.stdout.replace("run8", "run1"))
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn a_finished_run_is_read_back_and_a_changed_one_is_done_anew() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let run = dir.path().join("run");
    let args = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&run),
    ];
    let first = succeed(&args);
    let again = succeed(&args);
    assert!(
        again.stderr.contains("nothing was computed"),
        "{}",
        again.stderr
    );
    assert_eq!(first.stdout, again.stdout);

    // Other options, another key.
    let other = succeed(&[&args[..], &["--pixel-size", "64"]].concat());
    assert!(other.stderr.contains("5 pairs scored"), "{}", other.stderr);
    assert_ne!(first.stdout, other.stdout);

    // Another image, another key; the other pairs come from the journal and stay as they were.
    succeed(&args);
    let before = scores(&run);
    neurogauge::formats::image_file::write_png(&recon.join("2.png"), &picture("2", 48, 200.0))
        .unwrap();
    succeed(&args);
    let after = scores(&run);
    for (stem, (old, new)) in before.pairs.iter().zip(
        before
            .column("ssim")
            .unwrap()
            .iter()
            .zip(after.column("ssim").unwrap()),
    ) {
        assert_eq!(old != new, stem == "2", "{stem}");
    }

    // A damaged output is noticed.
    fs::write(run.join("scores.parquet"), "rubbish").unwrap();
    assert!(succeed(&args).stderr.contains("5 pairs scored"));
    assert_eq!(scores(&run), after);
}

#[test]
fn an_interrupted_run_goes_on_and_ends_with_the_same_bits() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    let score = |run: &std::path::Path| {
        neurogauge(&[
            "score",
            "--gt",
            arg(&gt),
            "--recon",
            arg(&recon),
            "--out",
            arg(run),
        ])
    };
    assert_eq!(score(&whole).code, 0);

    // A truncated image stops the run; what was computed is kept.
    let image = recon.join("b.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = score(&broken);
    assert_eq!(failed.code, 1);
    assert!(failed.stderr.contains("b.png"), "{}", failed.stderr);
    assert!(!broken.join("scores.parquet").exists());
    let journal = fs::read_to_string(broken.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 4 * 3, "four pairs, three metrics");

    fs::write(&image, &bytes).unwrap();
    assert_eq!(score(&broken).code, 0);
    for file in ["scores.parquet", "summary.json"] {
        assert_eq!(
            fs::read(whole.join(file)).unwrap(),
            fs::read(broken.join(file)).unwrap()
        );
    }
}

#[test]
fn run_json_repeats_the_run_bit_for_bit_and_refuses_changed_inputs() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let (run, again) = (dir.path().join("run"), dir.path().join("again"));
    succeed(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&run),
        "--metrics",
        "ssim",
        "--pixel-size",
        "100",
        "--antialias",
        "on",
        "--seed",
        "7",
        "--level",
        "0.9",
    ]);
    let run_json = run.join("run.json");
    succeed(&["score", "--from-run", arg(&run_json), "--out", arg(&again)]);
    for file in ["scores.parquet", "summary.json"] {
        assert_eq!(
            fs::read(run.join(file)).unwrap(),
            fs::read(again.join(file)).unwrap()
        );
    }

    let refused = neurogauge(&[
        "score",
        "--from-run",
        arg(&run_json),
        "--out",
        arg(&again),
        "--seed",
        "8",
    ]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);

    neurogauge::formats::image_file::write_png(&gt.join("a.png"), &picture("other", 48, 1.0))
        .unwrap();
    let changed = neurogauge(&[
        "score",
        "--from-run",
        arg(&run_json),
        "--out",
        arg(&dir.path().join("third")),
    ]);
    assert_eq!(changed.code, 1);
    assert!(
        changed.stderr.contains("gt/images \"a\""),
        "{}",
        changed.stderr
    );
}

#[test]
fn undefined_scores_are_counted_and_explained() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let flat = Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap();
    neurogauge::formats::image_file::write_png(&recon.join("2.png"), &flat).unwrap();
    let run = dir.path().join("run");
    succeed(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&run),
    ]);
    let entry = &summary(&run)["pixcorr"];
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&2.into(), &1.into()));
    let reason = scores(&run).column("pixcorr").unwrap()[1]
        .clone()
        .unwrap_err();
    assert_eq!(reason.to_string(), "constant reconstruction");
}

#[test]
fn stacks_give_the_same_scores_as_folders() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["0", "1", "2"]);
    let stack = |folder: &std::path::Path, name: &str| {
        let path = dir.path().join(name);
        let values: Vec<f32> = ["0", "1", "2"]
            .iter()
            .flat_map(|stem| {
                let image = read_rgb8(&folder.join(format!("{stem}.png"))).unwrap();
                image.to_unit_float().into_data()
            })
            .collect();
        neurogauge::formats::npy::write_f32(&path, &[3, 48, 48, 3], &values).unwrap();
        path
    };
    let stacks = (stack(&gt, "gt.npy"), stack(&recon, "recon.npy"));
    let runs = [(&gt, &recon), (&stacks.0, &stacks.1)].map(|(gt, recon)| {
        let run = dir.path().join(format!("run-{}", gt.extension().is_some()));
        succeed(&[
            "score",
            "--gt",
            arg(gt),
            "--recon",
            arg(recon),
            "--out",
            arg(&run),
        ]);
        fs::read(run.join("scores.parquet")).unwrap()
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn a_folder_with_other_things_in_it_is_left_alone() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let precious = dir.path().join("precious");
    write(&precious.join("thesis.tex"), "years of work");
    let ran = neurogauge(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--out",
        arg(&precious),
    ]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("not a run folder"), "{}", ran.stderr);
    assert_eq!(fs::read_dir(&precious).unwrap().count(), 1);
}
