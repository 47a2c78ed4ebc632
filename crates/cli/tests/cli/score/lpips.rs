//! `neurogauge score` with LPIPS, whose heads the user gives.

use crate::support;
use crate::support::arguments::score_again;
use crate::support::image_pairs::ImagePairs;
use crate::support::lpips_files::{write_alexnet, write_heads};
use crate::support::{arg, folder, picture, record, refused, succeed, summary, values};
use neurogauge::core::Image;
use neurogauge::formats::image_file::{read_rgb8, write_png};
use neurogauge::metrics::PixelOptions;
use neurogauge::models::{LocalImageModel, Lpips, LpipsHeads};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const STEMS: [&str; 3] = ["1", "2", "10"];

/// Both metrics at the smallest size that AlexNet accepts.
const SMALL: [&str; 4] = ["--pixel-size", "63", "--first-size", "63"];

struct Data {
    pairs: ImagePairs,
    heads: PathBuf,
}

impl Data {
    fn new(root: &Path) -> Data {
        let heads = root.join("alex.safetensors");
        write_heads(&heads, 1.0);
        let pairs = ImagePairs::new(root, &STEMS);
        Data { pairs, heads }
    }

    fn args<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        self.pairs.args(&[&SMALL, options].concat())
    }
}

#[test]
fn pairs_have_the_distances_of_their_resized_images_and_the_weights_are_recorded() {
    let dir = folder();
    let data = Data::new(dir.path());
    let alexnet = dir.path().join("alexnet.safetensors");
    write_alexnet(&alexnet);
    let checkpoint = format!("alexnet={}", arg(&alexnet));
    let options = [
        "--checkpoint",
        &checkpoint,
        "--lpips-heads",
        arg(&data.heads),
    ];
    let ran = succeed(&data.args(&options));
    assert!(
        ran.stdout.contains("LPIPS (AlexNet) \u{2193}"),
        "{}",
        ran.stdout
    );
    // The heads of VGG-16 were not given.
    ran.says(&["lpips_vgg"]);

    let backbone = LocalImageModel::custom("alexnet", &alexnet).unwrap();
    let lpips = Lpips::load(&backbone, LpipsHeads::open(&data.heads).unwrap()).unwrap();
    let image = |folder: &Path, stem: &str| -> Image<f32> {
        let options = PixelOptions {
            size_px: Some(63),
            first_size_px: Some(63),
            ..PixelOptions::default()
        };
        let image = read_rgb8(&folder.join(format!("{stem}.png"))).unwrap();
        options.apply(image.to_unit_float()).unwrap()
    };
    let expected: Vec<f64> = STEMS
        .iter()
        .map(|stem| {
            let (gt, recon) = (image(&data.pairs.gt, stem), image(&data.pairs.recon, stem));
            lpips.compare(&gt, &recon).unwrap().total()
        })
        .collect();
    assert_eq!(values(&data.pairs.run, "lpips_alex"), expected);
    // The noise of the reconstructions grows from stem to stem.
    assert!(expected.is_sorted() && expected[0] > 0.0, "{expected:?}");
    assert_eq!(summary(&data.pairs.run)["lpips_alex"]["stand_in"], false);

    let before = record(&data.pairs.run);
    let models = before["models"].as_array().unwrap();
    for identity in [lpips.backbone(), lpips.heads().identity()] {
        assert!(models.contains(&json!(identity)), "{models:?}");
        assert_eq!(identity.sha256.len(), 64);
    }
    let again = succeed(&data.args(&options));
    again.says(&["nothing was computed"]);

    let repeated = dir.path().join("repeated");
    let run_json = data.pairs.run.join("run.json");
    let repeat = score_again(&run_json, &repeated, &[]);
    let ran = succeed(&repeat);
    assert!(!ran.stderr.contains("may differ"), "{}", ran.stderr);
    assert_eq!(values(&repeated, "lpips_alex"), expected);

    // A journal records which heads computed a score.
    write_heads(&data.heads, 2.0);
    succeed(&data.args(&options));
    let doubled: Vec<f64> = expected.iter().map(|value| 2.0 * value).collect();
    support::close(&values(&data.pairs.run, "lpips_alex"), &doubled);
    assert_ne!(
        record(&data.pairs.run)["fingerprint"],
        before["fingerprint"]
    );
    let run_json = dir.path().join("before.json");
    fs::write(&run_json, before.to_string()).unwrap();
    let repeat = score_again(&run_json, &repeated, &[]);
    let note = "recorded with lpips_alex-heads";
    refused(
        &repeat,
        1,
        &[note, "repeated with lpips_alex-heads", "--accept-changes"],
    );
    succeed(&[&repeat[..], &["--accept-changes", "--overwrite"]].concat()).says(&[note]);

    // Images of one size, or the pair is named; so is a size that the network cannot see.
    write_png(&data.pairs.recon.join("2.png"), &wide()).unwrap();
    let only = [&options[..], &["--metrics", "lpips_alex"]].concat();
    refused(
        &data.args(&only),
        1,
        &["\"2\"", "lpips_alex", "63 x 63 px", "126 x 63 px"],
    );
    write_png(&data.pairs.recon.join("2.png"), &picture("2", 48, 50.0)).unwrap();
    let inputs = [
        "score",
        "--gt",
        arg(&data.pairs.gt),
        "--recon",
        arg(&data.pairs.recon),
    ];
    let smaller = ["--out", arg(&data.pairs.run), "--pixel-size", "62"];
    let smaller = [&inputs[..], &smaller, &only].concat();
    refused(&smaller, 1, &["62 x 62 px", "at least 63 px"]);
}

fn wide() -> Image<u8> {
    let square = picture("wide", 48, 4.0);
    let rows = square.data().chunks(48 * 3);
    let data = rows.flat_map(|row| [row, row].concat()).collect();
    Image::new(96, 48, data).unwrap()
}

#[test]
fn without_heads_it_is_left_out_and_asked_for_it_says_which_file_is_needed() {
    let dir = folder();
    let data = Data::new(dir.path());
    let ran = succeed(&data.args(&[]));
    ran.says(&["lpips_alex, lpips_vgg"]);
    for (metric, parts) in [
        ("lpips_alex", ["v0.1/alex.pth", "alexnet"]),
        ("lpips_vgg", ["v0.1/vgg.pth", "vgg16"]),
    ] {
        let parts = [&parts[..], &["--lpips-heads", "package lpips", "PyPI"]].concat();
        refused(&data.args(&["--metrics", metric]), 2, &parts);
    }
    // Heads of the other network do not do.
    let heads = ["--lpips-heads", arg(&data.heads)];
    let vgg = [&heads[..], &["--metrics", "lpips_vgg"]].concat();
    refused(&data.args(&vgg), 2, &["v0.1/vgg.pth"]);
    let twice = [heads, heads].concat();
    refused(&data.args(&twice), 2, &["the second file for lpips_alex"]);

    // With heads and without the network: omitted, or an error that names the missing file.
    let ran = succeed(&data.args(&heads));
    let note = "for want of weights on this machine: lpips_alex";
    ran.says(&[note]);
    let asked = [&heads[..], &["--metrics", "lpips_alex"]].concat();
    refused(&data.args(&asked), 1, &["weights of alexnet"]);
}

#[test]
fn a_file_that_holds_no_heads_is_refused_before_anything_is_computed() {
    let dir = folder();
    let data = Data::new(dir.path());
    let alexnet = dir.path().join("alexnet.safetensors");
    write_alexnet(&alexnet);
    let absent = dir.path().join("absent.pth");
    for (file, part) in [
        (&alexnet, "no lin0.model.1.weight"),
        (&absent, "absent.pth"),
    ] {
        refused(&data.args(&["--lpips-heads", arg(file)]), 1, &[part]);
    }
    assert!(!data.pairs.run.exists());
}

#[test]
fn the_device_of_the_network_is_recorded_and_decides_what_is_known_already() {
    let dir = folder();
    let data = Data::new(dir.path());
    let alexnet = dir.path().join("alexnet.safetensors");
    write_alexnet(&alexnet);
    let checkpoint = format!("alexnet={}", arg(&alexnet));
    let heads = arg(&data.heads);
    let only = ["--metrics", "lpips_alex", "--lpips-heads", heads];
    let options = [&only[..], &["--checkpoint", &checkpoint]].concat();
    succeed(&data.args(&options));
    assert_eq!(record(&data.pairs.run)["device"], "cpu");
    let cpu = values(&data.pairs.run, "lpips_alex");

    let wide = [&options[..], &["--device", "cpu-f64"]].concat();
    let ran = succeed(&data.args(&wide));
    ran.says(&["3 pairs scored"]);
    assert_eq!(record(&data.pairs.run)["device"], "cpu-f64");
    let others = values(&data.pairs.run, "lpips_alex");
    assert_ne!(cpu, others);
    for (a, b) in cpu.iter().zip(&others) {
        assert!((a - b).abs() < 1e-5 * a, "{a} {b}");
    }

    let run_json = data.pairs.run.join("run.json");
    let repeated = dir.path().join("repeated");
    let repeat = score_again(&run_json, &repeated, &[]);
    succeed(&repeat);
    assert_eq!(values(&repeated, "lpips_alex"), others);
    let elsewhere = [&repeat[..], &["--device", "cpu"]].concat();
    let note = "recorded with image models on cpu-f64, repeated on cpu";
    refused(&elsewhere, 1, &[note, "--accept-changes"]);
    let accepted = ["--accept-changes", "--overwrite"];
    succeed(&[&elsewhere[..], &accepted].concat()).says(&[note]);
    assert_eq!(values(&repeated, "lpips_alex"), cpu);

    // A run without any network has no device.
    succeed(&data.args(&["--metrics", "pixcorr"]));
    assert_eq!(record(&data.pairs.run)["device"], Value::Null);
}
