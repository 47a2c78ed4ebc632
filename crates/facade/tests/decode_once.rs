//! Each image of a run is decoded once for any number of models and metrics. The test has its own program, since the
//! counter belongs to the process.

#![allow(clippy::unwrap_used)]

use neurogauge::core::Image;
use neurogauge::core::pair::{FrameMatch, OnMissingPart, Parts};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::image_source::n_decoded;
use neurogauge::models::ImagePreset;
use neurogauge::{CaptionerChoice, Input, InputPaths, RunSettings, ScoreRequest, Silent, score};
use std::path::{Path, PathBuf};

#[path = "../../cli/tests/cli/support/lpips_files.rs"]
mod lpips_files;
#[path = "../../cli/tests/cli/support/safetensors.rs"]
mod safetensors;

const N_PAIRS: usize = 100;

fn images(root: &Path, side: &str) -> PathBuf {
    let folder = root.join(side);
    for index in 0..N_PAIRS {
        let noise = Synthetic::new(&format!("{side}{index}"), 1);
        let pixels = (0..16 * 16 * 3).map(|i| (noise.uniform(i) * 255.0) as u8);
        let image = Image::new(16, 16, pixels.collect()).unwrap();
        write_png(&folder.join(format!("{index}.png")), &image).unwrap();
    }
    folder
}

/// Stimuli and three samples of each, all equal to one file: a clip or a still.
fn samples(root: &Path, file: &Path, n_items: usize) -> ScoreRequest {
    let ending = file.extension().unwrap().to_str().unwrap();
    let mut inputs = InputPaths::default();
    for (input, side, names) in [(Input::GT, "gt", [""].as_slice()), (Input::RECON, "recon", &["_a", "_b", "_c"])] {
        let folder = root.join(ending).join(side);
        std::fs::create_dir_all(&folder).unwrap();
        for item in 0..n_items {
            for name in names {
                std::fs::copy(file, folder.join(format!("{item}{name}.{ending}"))).unwrap();
            }
        }
        inputs.set(input, Some(folder));
    }
    let mut request = ScoreRequest {
        inputs,
        metrics: Some(vec!["ssim".to_owned(), "psnr".to_owned()]),
        ..ScoreRequest::default()
    };
    request.pairing.parts = Some(Parts {
        pattern: match ending {
            "gif" => "{item}_{sample}/{frame}".parse().unwrap(),
            _ => "{item}_{sample}".parse().unwrap(),
        },
        frames: FrameMatch::Nearest,
        on_missing: OnMissingPart::Error,
    });
    request
}

#[test]
fn a_hundred_pairs_are_decoded_once_for_all_models_and_metrics() {
    let dir = tempfile::tempdir().unwrap();
    let mut inputs = InputPaths::default();
    for (input, side) in [(Input::GT, "gt"), (Input::RECON, "recon")] {
        inputs.set(input, Some(images(dir.path(), side)));
    }
    let mut request = ScoreRequest {
        inputs,
        metrics: Some(["nsd8", "psnr", "cap_sim", "lpips_alex"].map(str::to_owned).to_vec()),
        captioner: Some(CaptionerChoice {
            model: "placeholder-captioner".to_owned(),
            options: Default::default(),
        }),
        text_encoder: "placeholder".to_owned(),
        ..ScoreRequest::default()
    };
    let (heads, alexnet) = (dir.path().join("heads.safetensors"), dir.path().join("alexnet.safetensors"));
    lpips_files::write_heads(&heads, 1.0);
    lpips_files::write_alexnet(&alexnet);
    request.models.lpips_heads.push(heads);
    request.models.checkpoints.insert("alexnet".to_owned(), alexnet);
    // The smallest images that AlexNet accepts.
    request.options.pixels.size_px = Some(63);
    request.perception.stand_in = true;
    request.perception.preset = ImagePreset::Nsd8Native;
    let settings = RunSettings {
        out: dir.path().join("run"),
        cache: Some(dir.path().join("cache")),
        ..RunSettings::default()
    };
    let run = score(&request, &settings, &Silent).unwrap();
    assert!(run.record.perceived.len() > 1, "{:?}", run.record.perceived);
    let lpips = run.scores.column("lpips_alex").unwrap();
    assert!(lpips.iter().all(Result::is_ok));
    assert_eq!(n_decoded(), 2 * N_PAIRS);
    // The same holds for clips, and for stimuli that one computation compares with several samples.
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/gif_frames");
    for file in [golden.join("moving.gif"), dir.path().join("gt/0.png")] {
        let before = n_decoded();
        let request = samples(dir.path(), &file, 5);
        let settings = RunSettings {
            out: dir.path().join("run-of").join(file.file_name().unwrap()),
            ..RunSettings::default()
        };
        let run = score(&request, &settings, &Silent).unwrap();
        assert_eq!(run.scores.pairs.len(), 5);
        assert_eq!(n_decoded() - before, 5 + 15, "{}", file.display());
    }
}
