//! `neurogauge score` for images: values and files.

use crate::support::image_pairs::SCORE;
use crate::support::*;
use neurogauge::core::image::{Filter, resize_float};
use neurogauge::metrics::PixelOptions;
use neurogauge::metrics::decoding::pixcorr::pixcorr;
use neurogauge::metrics::decoding::ssim::ssim;

pub(crate) const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

#[test]
fn a_run_holds_every_score_and_what_it_takes_to_repeat_it() {
    let dir = images(&STEMS);
    let ran = dir.succeed(&format!("--threads 8 {SCORE}"));
    // A regression snapshot of the table.
    assert_snapshot!(ran, @"
    exit 0, stdout:
    run: 5 pairs
    System: run

    Metric        mean  95% interval    n  undefined
    Low-Level
      PixCorr ↑  0.944  [0.891, 0.997]  5          0
      SSIM ↑     0.776  [0.609, 0.943]  5          0
      PSNR ↑     24.59  [19.00, 30.19]  5          0

    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 5 pairs: no test of two systems can reach p < 0.062, and 95% intervals are at least ±2.8 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr:
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    note: left out, for want of weights: alexnet2, alexnet5, inception, clip, effnet, swav, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation. `neurogauge models fetch alexnet inception_v3 clip_vit_l_14 efficientnet_b1 swav_resnet50` gets them, and so does asking for a metric by name with --metrics
    run: 5 pairs scored
    ");
    let scored = dir.scores("run");
    assert_eq!(scored.pairs, ["1", "2", "10", "a", "b"], "natural order");
    let prepared = |folder: &Path, stem: &str| -> Image<f32> {
        let image = read_rgb8(&folder.join(format!("{stem}.png"))).unwrap();
        PixelOptions::default().apply(image.to_unit_float()).unwrap()
    };
    let of = |metric: &str| scored.column(metric).unwrap();
    for (index, stem) in scored.pairs.iter().enumerate() {
        let (a, b) = (prepared(&dir.join("gt"), stem), prepared(&dir.join("recon"), stem));
        assert_eq!(of("pixcorr")[index], pixcorr(&a, &b).unwrap());
        assert_eq!(of("ssim")[index], ssim(&a, &b).unwrap());
    }
    let mean = dir.values("run", "ssim").iter().sum::<f64>() / 5.0;
    let entry = &dir.summary("run")["ssim"];
    assert!((entry["value"].number() - mean).abs() < 1e-15);
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&5.into(), &0.into()));
    let [low, high] = [0, 1].map(|end| entry["interval"][end].number());
    assert!(low < mean && mean < high);
    for file in ["run.json", "scores.parquet", "summary.md", "summary.tex", "summary.csv"] {
        assert!(dir.join("run").join(file).is_file(), "{file}");
    }

    // The number of threads changes no bit.
    dir.succeed("--threads 1 score gt recon --out one");
    for file in ["scores.parquet", "summary.json"] {
        assert!(dir.bytes(format!("run/{file}")) == dir.bytes(format!("one/{file}")), "{file}");
    }
}

#[test]
fn undefined_scores_are_counted_and_explained() {
    let dir = images(&["1", "2", "3"]);
    write_png(&dir.join("recon/2.png"), &Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap()).unwrap();
    let ran = dir.succeed(SCORE);
    let entry = &dir.summary("run")["pixcorr"];
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&2.into(), &1.into()));
    assert_eq!(entry["undefined_pairs"]["constant reconstruction"], 1);
    assert!(dir.summary("run")["ssim"].get("undefined_pairs").is_none());
    for text in [ran.stdout, dir.read("run/summary.md"), dir.read("run/summary.tex")] {
        assert!(text.contains("PixCorr: 1 pair undefined (constant reconstruction)"), "{text}");
    }
    contains(&dir.read("run/summary.csv"), &[",2,1,constant reconstruction,higher,"]);
    let outcome = dir.scores("run").column("pixcorr").unwrap()[1].clone();
    assert_eq!(outcome.unwrap_err().to_string(), "constant reconstruction");

    // An optional metric is scored on request; its explanation is printed for people.
    dir.picture("recon/2.png", "2", 48, 40.0);
    let score = |options: &str| {
        let ran = dir.succeed(&format!("{SCORE} {options}"));
        (dir.summary("run"), ran)
    };
    assert!(score("").0.get("ms_ssim").is_none());
    let (found, ran) = score("--metrics ms_ssim --set pixel_size=100");
    let reason = "images too small for five scales: their shorter side is below 176 px";
    assert!(ran.stdout.contains(&format!("MS-SSIM: 3 pairs undefined ({reason})")), "{ran}");
    assert_eq!(found["ms_ssim"]["undefined_pairs"][reason], 3);
    assert_eq!(score("--metrics ms_ssim").0["ms_ssim"]["n"], 3);
}

#[test]
fn stacks_give_the_same_scores_as_folders() {
    let dir = folder();
    let stems = ["0", "1", "2"];
    image_folders(dir.path(), &stems);
    for side in ["gt", "recon"] {
        let image = |stem: &str| read_rgb8(&dir.join(format!("{side}/{stem}.png"))).unwrap();
        let values: Vec<f32> = stems.iter().flat_map(|stem| image(stem).to_unit_float().into_data()).collect();
        write_f32(&dir.join(format!("{side}.npy")), &[3, 48, 48, 3], &values).unwrap();
    }
    let [folders, stacks] = ["gt recon", "gt.npy recon.npy"].map(|images| {
        dir.succeed(&format!("score {images} --out run --overwrite"));
        dir.bytes("run/scores.parquet")
    });
    assert_eq!(folders, stacks);
}

#[test]
fn images_of_two_proportions_are_compared_where_they_are_squashed() {
    let dir = folder();
    let picture = |width_px: usize, height_px: usize, step: usize| {
        let values = (0..width_px * height_px * 3).map(|place| (place * step % 251) as u8);
        Image::new(width_px, height_px, values.collect()).unwrap()
    };
    let (wide, tall) = (picture(60, 40, 7), picture(40, 50, 11));
    write_png(&dir.join("gt/a.png"), &wide).unwrap();
    write_png(&dir.join("recon/a.png"), &tall).unwrap();
    let score = format!("{SCORE} --metrics pixcorr,ssim --set pixel_size=32");
    assert_snapshot!(dir.run(&score), @r#"exit 1, stderr: error: pair "a": the stimulus is 60 x 40 px and the reconstruction 40 x 50 px (48 x 32 px and 32 x 40 px after resizing); both must have the same shape for pixcorr, ssim: crop or pad one side, or score other metrics with --metrics, or squash both with --set proportions=squashed. `neurogauge check` lists all such pairs"#);
    dir.succeed(&format!("{score} --set proportions=squashed"));
    let [a, b] =
        [wide, tall].map(|image| resize_float(&image.to_unit_float(), 32, 32, Filter::Bilinear, false).unwrap());
    let scored = dir.scores("run");
    assert_eq!(scored.column("pixcorr").unwrap(), [pixcorr(&a, &b).unwrap()]);
    assert_eq!(scored.column("ssim").unwrap(), [ssim(&a, &b).unwrap()]);
}

#[test]
fn folders_below_a_folder_are_scored_as_they_are_checked() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "10"]);
    dir.succeed("score gt recon --out plain --metrics pixcorr");
    for side in [&gt, &recon] {
        fs::create_dir_all(side.join("a/b")).unwrap();
        fs::rename(side.join("1.png"), side.join("a/b/1.png")).unwrap();
        fs::rename(side.join("2.png"), side.join("a/2.png")).unwrap();
    }
    dir.succeed("check gt/** recon/**");
    dir.succeed("score gt/** recon/** --out run --metrics pixcorr");
    let found = dir.scores("run");
    assert_eq!(found.pairs, ["1", "2", "10"]);
    assert_eq!(found.columns, dir.scores("plain").columns);
    // The run is shown with its images, which can also be the pool.
    dir.succeed("gallery --recon mine=run --pick 10 --out figure.svg");
    dir.succeed("score gt/** recon/** --out pool --set image_models=placeholder --metrics clip_pool --pool gt/**");
    assert_snapshot!(dir.run("score none/** recon/** --out other --metrics pixcorr"), @"exit 1, stderr: error: [DIR]/none/**: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file");
}

#[test]
fn a_jpeg_that_asks_to_be_turned_is_named() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let turned = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_arrays/rotated_exif.jpg");
    for side in [&gt, &recon] {
        fs::copy(turned, side.join("turned.jpg")).unwrap();
    }
    let said = "1 of 3 have an EXIF orientation, by which viewers turn or mirror them; they are taken as their pixels are stored";
    let checked = dir.succeed("check --json gt recon");
    assert!(checked.stdout.contains(said), "{checked}");
    let ran = dir.succeed(&format!("{SCORE} --metrics pixcorr"));
    let found = dir.record("run")["findings"].to_string();
    assert!(found.contains("exif_orientation") && found.contains("turned.jpg"), "{found}");
    for side in ["gt", "recon"] {
        assert!(ran.stdout.contains(&format!("{side} images: {said}")), "{ran}");
    }
}
