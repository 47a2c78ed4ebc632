//! `neurogauge score` on images: values and files.

use crate::support::arguments::score_images;
use crate::support::{arg, folder, image_folders, neurogauge, scores, succeed, summary, write};
use neurogauge::core::Image;
use neurogauge::core::image::{Filter, resize_float};
use neurogauge::formats::image_file::{read_rgb8, write_png};
use neurogauge::metrics::PixelOptions;
use neurogauge::metrics::decoding::pixcorr::pixcorr;
use neurogauge::metrics::decoding::ssim::ssim;
use std::fs;

pub(crate) const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

#[test]
fn a_run_holds_every_score_and_what_it_takes_to_repeat_it() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let run = dir.path().join("run");
    let ran = succeed(&score_images(&gt, &recon, &run, &[]));
    assert!(
        ran.stdout.contains("PixCorr") && ran.stdout.contains("SSIM"),
        "{}",
        ran.stdout
    );
    ran.says(&["5 pairs scored"]);

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
fn undefined_scores_are_counted_and_explained() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let flat = Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap();
    write_png(&recon.join("2.png"), &flat).unwrap();
    let run = dir.path().join("run");
    let ran = succeed(&score_images(&gt, &recon, &run, &[]));
    let entry = &summary(&run)["pixcorr"];
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&2.into(), &1.into()));
    assert_eq!(entry["undefined_pairs"]["constant reconstruction"], 1);
    assert!(summary(&run)["ssim"].get("undefined_pairs").is_none());
    let note = "PixCorr: 1 pair undefined (constant reconstruction)";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    for file in ["summary.md", "summary.tex"] {
        assert!(
            fs::read_to_string(run.join(file)).unwrap().contains(note),
            "{file}"
        );
    }
    let csv = fs::read_to_string(run.join("summary.csv")).unwrap();
    assert!(
        csv.contains(",2,1,constant reconstruction,higher,"),
        "{csv}"
    );
    let reason = scores(&run).column("pixcorr").unwrap()[1]
        .clone()
        .unwrap_err();
    assert_eq!(reason.to_string(), "constant reconstruction");
}

/// A metric's own explanation is shown to people too.
#[test]
fn a_metric_on_request_is_scored_where_asked_for_and_says_why_not() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let [all, small, large] = ["all", "small", "large"].map(|run| dir.path().join(run));
    succeed(&score_images(&gt, &recon, &all, &[]));
    assert!(summary(&all).get("ms_ssim").is_none());
    let asked = ["--metrics", "ms_ssim"];
    let ran = succeed(&score_images(
        &gt,
        &recon,
        &small,
        &[&asked[..], &["--pixel-size", "100"]].concat(),
    ));
    let reason = "images too small for five scales: their shorter side is below 176 px";
    let note = format!("MS-SSIM: 3 pairs undefined ({reason})");
    assert!(ran.stdout.contains(&note), "{}", ran.stdout);
    assert_eq!(summary(&small)["ms_ssim"]["undefined_pairs"][reason], 3);
    succeed(&score_images(&gt, &recon, &large, &asked));
    assert_eq!(summary(&large)["ms_ssim"]["n"], 3);
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
        succeed(&score_images(gt, recon, &run, &[]));
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
    let ran = neurogauge(&score_images(&gt, &recon, &precious, &[]));
    assert_eq!(ran.code, 1);
    ran.says(&["not a run folder"]);
    assert_eq!(fs::read_dir(&precious).unwrap().count(), 1);
}

#[test]
fn images_of_two_proportions_are_compared_where_they_are_squashed() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    let picture = |width_px: usize, height_px: usize, step: usize| {
        let values = (0..width_px * height_px * 3).map(|place| (place * step % 251) as u8);
        Image::new(width_px, height_px, values.collect()).unwrap()
    };
    let (wide, tall) = (picture(60, 40, 7), picture(40, 50, 11));
    write_png(&gt.join("a.png"), &wide).unwrap();
    write_png(&recon.join("a.png"), &tall).unwrap();
    let metrics = ["--metrics", "pixcorr,ssim", "--pixel-size", "32"];
    let refused = neurogauge(&score_images(&gt, &recon, &dir.path().join("no"), &metrics));
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    refused.says(&["60 x 40 px", "40 x 50 px", "--proportions squashed"]);

    let run = dir.path().join("run");
    let squashed = [&metrics[..], &["--proportions", "squashed"]].concat();
    succeed(&score_images(&gt, &recon, &run, &squashed));
    let [a, b] = [wide, tall].map(|image| {
        resize_float(&image.to_unit_float(), 32, 32, Filter::Bilinear, false).unwrap()
    });
    let scored = scores(&run);
    assert_eq!(
        scored.column("pixcorr").unwrap(),
        [pixcorr(&a, &b).unwrap()]
    );
    assert_eq!(scored.column("ssim").unwrap(), [ssim(&a, &b).unwrap()]);
}

#[test]
fn folders_below_a_folder_are_scored_as_they_are_checked() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "10"]);
    let plain = dir.path().join("plain");
    succeed(&score_images(
        &gt,
        &recon,
        &plain,
        &["--metrics", "pixcorr"],
    ));
    for side in [&gt, &recon] {
        fs::create_dir_all(side.join("a/b")).unwrap();
        fs::rename(side.join("1.png"), side.join("a/b/1.png")).unwrap();
        fs::rename(side.join("2.png"), side.join("a/2.png")).unwrap();
    }
    let (gt, recon) = (gt.join("**"), recon.join("**"));
    succeed(&["check", arg(&gt), arg(&recon)]);
    let run = dir.path().join("run");
    let options = ["--metrics", "pixcorr"];
    succeed(&score_images(&gt, &recon, &run, &options));
    assert_eq!(scores(&run).pairs, ["1", "2", "10"]);
    assert_eq!(scores(&run).columns, scores(&plain).columns);
    // The run is shown with its images, and they can be the pool.
    let figure = dir.path().join("figure.svg");
    let system = format!("mine={}", arg(&run));
    succeed(&[
        "gallery",
        "--recon",
        &system,
        "--pick",
        "10",
        "--out",
        arg(&figure),
    ]);
    let pool = [
        "--image-models",
        "stand-in",
        "--metrics",
        "clip_pool",
        "--pool",
        arg(&gt),
    ];
    succeed(&score_images(&gt, &recon, &run, &pool));
    let missing = dir.path().join("none/**");
    let ran = neurogauge(&score_images(&missing, &recon, &run, &options));
    assert_eq!(ran.code, 1);
    ran.says(&["none/**: not found"]);
}

#[test]
fn a_jpeg_that_asks_to_be_turned_is_named() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let turned = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/formats_arrays/rotated_exif.jpg"
    );
    for side in [&gt, &recon] {
        fs::copy(turned, side.join("turned.jpg")).unwrap();
    }
    let said = "1 of 3 have an EXIF orientation, by which viewers turn or mirror them; they are taken as their pixels are stored";
    let checked = succeed(&["check", "--json", arg(&gt), arg(&recon)]);
    assert!(checked.stdout.contains(said), "{}", checked.stdout);
    let run = dir.path().join("run");
    let ran = succeed(&score_images(&gt, &recon, &run, &["--metrics", "pixcorr"]));
    for side in ["gt images: ", "recon images: "] {
        let finding = format!("{side}{said}");
        let found = crate::support::record(&run)["warnings"].to_string();
        assert!(ran.stdout.contains(&finding), "{}", ran.stdout);
        assert!(
            found.contains("exif_orientation") && found.contains("turned.jpg"),
            "{found}"
        );
    }
}
