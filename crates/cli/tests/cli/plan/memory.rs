//! A dry run's forecast of memory, compared with the peak of the command.
//!
//! The peak is `VmHWM` of the process: the most main memory that it had at once, including its own code. The forecast
//! is an estimate from sizes: the allocator keeps pages for up to a second, so the peak itself varies by a tenth from
//! run to run.

#![cfg(target_os = "linux")]

use crate::support::*;

/// The least and the largest forecast, relative to the peak.
const SHARES: [f64; 2] = [0.8, 1.25];

/// Compares the forecast of a command with its peak, on `n_threads` threads.
#[track_caller]
fn is_forecast(dir: &Folder, line: &str, n_threads: usize) {
    let command = |line: &str, cache: &str| {
        let mut command = dir.command(line, cache);
        command.env("RAYON_NUM_THREADS", n_threads.to_string());
        command
    };
    let dry = command(&format!("{line} --dry-run"), "cache").output().unwrap();
    let forecast = forecast_in(&String::from_utf8(dry.stdout).unwrap());
    // Each run has its own folder and an empty cache.
    let of_run = |attempt: usize| {
        let line = line.replace("--out run", &format!("--out run{attempt}"));
        forecast / peak(&mut command(&line, &format!("cache{attempt}")))
    };
    let mut shares = vec![of_run(1)];
    if !(SHARES[0]..=SHARES[1]).contains(&shares[0]) {
        // The median of three.
        shares.extend([2, 3].map(of_run));
        shares.sort_by(f64::total_cmp);
    }
    let share = shares[shares.len() / 2];
    println!("{line}, {n_threads} threads: {forecast} MB forecast, shares of the peaks {shares:.2?}");
    assert!((SHARES[0]..=SHARES[1]).contains(&share), "{forecast} MB forecast, shares of the peaks {shares:?}");
}

/// Megabytes in a line such as `memory: about 1.2 GB, most of it ...`.
#[track_caller]
fn forecast_in(said: &str) -> f64 {
    let mut lines = said.lines();
    let of_memory = lines.find_map(|line| {
        let (_, words) = line.split_once("emory: about ")?;
        let mut words = words.split([' ', ',', '.']).filter(|word| !word.is_empty());
        // `1.2 GB` has three parts.
        Some(words.by_ref().take(3).collect::<Vec<_>>())
    });
    match of_memory.as_deref() {
        Some([whole, tenths, "GB"]) => format!("{whole}.{tenths}").parse::<f64>().unwrap() * 1e3,
        Some([whole, "MB", ..]) => whole.parse().unwrap(),
        other => panic!("{other:?} in {said}"),
    }
}

/// The peak memory of a command, in megabytes.
#[track_caller]
fn peak(command: &mut Command) -> f64 {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut kibibytes = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(found) = line.and_then(|line| line.split_whitespace().next()) {
            // The last value counts: it only grows, except when the process becomes the command.
            kibibytes = found.parse::<u64>().unwrap();
        }
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success());
            return kibibytes as f64 * 1024.0 / 1e6;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Smooth pictures with some grain: `gt/NAME.png` and `recon/NAME.png`.
fn pictures(dir: &Folder, names: impl Iterator<Item = String>, side_px: usize) {
    for (place, name) in names.enumerate() {
        for (side, phase) in [("gt", 3), ("recon", 11)] {
            let value = |index: usize| {
                let (x, y) = (index / 3 % side_px, index / 3 / side_px);
                let grain = (index * 2_654_435_761) >> 7 & 15;
                ((x * phase + y * (place % 7)) * 96 / side_px + grain) as u8
            };
            let picture = Image::new(side_px, side_px, (0..side_px * side_px * 3).map(value).collect()).unwrap();
            write_png(&dir.join(format!("{side}/{name}.png")), &picture).unwrap();
        }
    }
}

fn numbered(n: usize) -> impl Iterator<Item = String> {
    (0..n).map(|number| number.to_string())
}

const SCORE: &str = "score --gt gt --recon recon --out run --metrics";

#[test]
fn of_images_and_clips() {
    for (n, side_px, metrics, n_threads) in [
        (1000, 32, "pixcorr --set pixel_size=32", 1),
        (12, 256, "pixcorr,ssim,psnr", 2),
        (6, 1024, "pixcorr", 2),
        (4, 256, "resnet18-untrained-0:embedding", 1),
        // Its largest layer has more than half of its weights, and is in memory twice while it is read.
        (4, 256, "alexnet-untrained-0:features.11", 1),
        // Prepared images wait for the detector.
        (8, 256, "object_f1 --detector placeholder-detector", 2),
    ] {
        let dir = folder();
        pictures(&dir, numbered(n), side_px);
        is_forecast(&dir, &format!("{SCORE} {metrics}"), n_threads);
    }
    let dir = folder();
    let frames = (0..5).flat_map(|clip| (0..6).map(move |frame| format!("c{clip}_{frame}")));
    pictures(&dir, frames, 256);
    is_forecast(&dir, &format!("{SCORE} pixcorr --parts {{item}}_{{frame}}"), 1);
}

/// Captions of `n` pairs.
fn captions(dir: &Folder, n: usize) {
    for (side, noun) in [("gt", "dog"), ("recon", "horse")] {
        let captions = (0..n).map(|pair| {
            (pair.to_string(), format!("a {noun} with {} balls on a beach near {pair} people", pair % 7).into())
        });
        let captions: Map<String, Value> = captions.collect();
        dir.write(&format!("{side}.json"), serde_json::to_vec(&captions).unwrap());
    }
}

const CAPTIONS: &str = "score --gt captions=gt.json --recon captions=recon.json --out run --metrics cap_sim";

#[test]
fn of_few_and_many_captions() {
    let dir = folder();
    captions(&dir, 100);
    let weights = weights();
    is_forecast(&dir, &format!("{CAPTIONS} --weights {}", arg(&weights)), 2);
    let dir = folder();
    captions(&dir, 3000);
    is_forecast(&dir, &format!("{CAPTIONS} --set text_encoder=placeholder"), 1);
}

/// A matrix and its ids.
fn matrix(dir: &Folder, place: &str, [n_rows, n_columns]: [usize; 2], seed: usize) {
    let value = |index: usize| ((index + seed) * 2_654_435_761 % 1009) as f32 / 1009.0;
    let values: Vec<f32> = (0..n_rows * n_columns).map(value).collect();
    let (folder, _) = place.rsplit_once('/').unwrap();
    let ids: Vec<String> = numbered(n_rows).collect();
    dir.write(&format!("{folder}/ids.json"), serde_json::to_vec(&ids).unwrap());
    write_f32(&dir.join(format!("{place}.npy")), &[n_rows as u64, n_columns as u64], &values).unwrap();
}

#[test]
fn of_similarities_of_all_pairs() {
    let dir = folder();
    for (side, seed) in [("gt", 1), ("recon", 2)] {
        matrix(&dir, &format!("{side}/features/mine.layer"), [3000, 64], seed);
    }
    is_forecast(&dir, "score --observations . --out run --metrics mine:layer", 2);
}

/// Two subjects with two repeats of each stimulus, and a model.
fn study(dir: &Folder, n_stimuli: usize, n_voxels: usize, n_features: usize) {
    let mut toml = String::new();
    let stimuli: Vec<f32> = (0..2 * n_stimuli).map(|trial| (trial % n_stimuli) as f32).collect();
    for (seed, subject) in ["a", "b"].iter().enumerate() {
        matrix(dir, &format!("{subject}/trials"), [2 * n_stimuli, n_voxels], seed);
        write_f32(&dir.join(format!("{subject}/stimuli.npy")), &[stimuli.len() as u64], &stimuli).unwrap();
        toml += &format!(
            "[[targets]]\nsubject = \"{subject}\"\nroi = \"V1\"\ntrials = \"{subject}/trials.npy\"\nstimuli = \"{subject}/stimuli.npy\"\n"
        );
    }
    matrix(dir, "model/layer", [n_stimuli, n_features], 5);
    toml += "[[sources]]\nname = \"model\"\nfeatures = [\"model/layer.npy\"]\n";
    toml += "[settings]\nouter_folds = 3\ninner_folds = 2\npartitions = 3\nnull = 2\nresamples = 50\n";
    dir.write("align.toml", toml);
}

#[test]
fn of_small_and_large_alignments() {
    for (n_stimuli, n_voxels, n_features, n_threads) in [(40, 30, 10, 1), (200, 5000, 2000, 2)] {
        let dir = folder();
        study(&dir, n_stimuli, n_voxels, n_features);
        is_forecast(&dir, "align --config align.toml --out run", n_threads);
    }
}
