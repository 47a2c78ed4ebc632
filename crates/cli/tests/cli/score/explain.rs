//! `check --explain`: what it prints for files with a mistake and for a published number.

use crate::support::*;

const N: usize = 12;
const PX: usize = 64;

/// Stimuli, and reconstructions with as much noise in BGR, in float stacks.
fn exchanged() -> Folder {
    let dir = folder();
    let (seen, noise) = (Synthetic::new("seen", 0), Synthetic::new("noise", 0));
    // Blocks of 8 px in colours.
    let gt = |i: usize| {
        let (pair, x, y, channel) = (i / (PX * PX * 3), i / 3 % PX / 8, i / 3 / PX % PX / 8, i % 3);
        seen.uniform((((pair * 8 + y) * 8 + x) * 3 + channel) as u64)
    };
    let write = |name: &str, value: &dyn Fn(usize) -> f32| {
        let values: Vec<f32> = (0..N * PX * PX * 3).map(value).collect();
        write_f32(&dir.join(name), &[N as u64, PX as u64, PX as u64, 3], &values).unwrap();
    };
    let near = |i: usize| 0.7 * gt(i) + 0.3 * noise.uniform(i as u64);
    write("gt.npy", &gt);
    write("recon.npy", &near);
    write("bgr.npy", &|i| near(i / 3 * 3 + 2 - i % 3));
    dir
}

#[test]
fn what_the_files_show_is_told_with_what_mends_it() {
    let dir = exchanged();
    let ran = dir.succeed("check gt.npy bgr.npy --explain");
    let words = [
        "Suspected mistakes",
        "the files show: red and blue of the reconstructions are exchanged (BGR)",
        "x[..., ::-1]",
    ];
    contains(&ran.stdout.replace('\n', " "), &words);
    let ran = dir.succeed("check gt.npy recon.npy --explain pixcorr");
    contains(&ran.stdout, &["the files of 12 pairs show none of these mistakes"]);
    assert!(!dir.succeed("check gt.npy recon.npy").stdout.contains("mistakes"));
    let exchanged = dir.succeed("check bgr.npy gt.npy --explain pixcorr").stdout.replace('\n', " ");
    assert!(!exchanged.contains("sides are exchanged"), "bgr says nothing: {exchanged}");
    let exchanged = dir.succeed("check recon.npy gt.npy --explain pixcorr").stdout.replace('\n', " ");
    contains(
        &exchanged,
        &["the files show: the sides are exchanged (recon.npy is called", "give the stimuli first"],
    );
}

#[test]
fn a_number_of_another_code_is_told_in_standard_errors() {
    let dir = exchanged();
    dir.succeed("score gt.npy recon.npy --metrics ssim --preset mindvideo --out other");
    let of_code = dir.values("other", "ssim");
    let mean = of_code.iter().sum::<f64>() / N as f64;
    let ran = dir.succeed(&format!("check gt.npy recon.npy --explain ssim={mean:.6} --json"));
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let suppositions = found["explanation"]["suppositions"].list();
    let of = |words: &str| {
        let is_it =
            |found: &&Value| found["mistakes"].list().iter().any(|mistake| mistake.as_str().unwrap().contains(words));
        let found = suppositions.iter().find(is_it).unwrap();
        let [mean, error] = [0, 1].map(|place| found["values"][0][place].as_f64().unwrap());
        (mean, error)
    };
    let (found, error) = of("mindvideo");
    let sd = (of_code.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (N - 1) as f64).sqrt();
    assert!((found - mean).abs() < 1e-9 && (error - sd / (N as f64).sqrt()).abs() < 1e-9, "{found} {error}");
    // The files as they are have another value.
    let own = suppositions[0]["values"][0][0].as_f64().unwrap();
    assert!((own - mean).abs() > 2.0 * error);
    let said = dir.succeed(&format!("check gt.npy recon.npy --explain ssim={mean:.6}")).stdout.replace('\n', " ");
    contains(&said, &["as by mindvideo", "nearness is no proof", "--preset mindvideo"]);
    contains(&said, &["not tried: mistakes that both sides share"]);
}

/// Of models, and under the identification of another code. Images are rounded to 8 bits.
#[test]
fn metrics_of_models_are_scored_again_for_each_mistake() {
    let dir = exchanged();
    let models = "--set image_models=placeholder";
    dir.succeed(&format!("score gt.npy recon.npy --metrics clip,effnet {models} --out right"));
    dir.succeed(&format!("score gt.npy recon.npy --metrics clip {models} --preset mirage --out mirage"));
    let ran = dir.succeed(&format!("check gt.npy bgr.npy --explain clip,effnet {models} --json"));
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let of = |mistakes: &[&str], metric: usize, place: usize| {
        let is_it = |found: &&Value| {
            let own = found["mistakes"].list();
            let pairs = own.iter().zip(mistakes);
            own.len() == mistakes.len() && pairs.into_iter().all(|(own, words)| own.as_str().unwrap().contains(words))
        };
        let own = found["explanation"]["suppositions"].list().iter().find(is_it).unwrap();
        own["values"][metric][place].as_f64().unwrap()
    };
    let mean = |run: &str, metric: &str| {
        let values = dir.values(run, metric);
        values.iter().sum::<f64>() / values.len() as f64
    };
    for (place, metric) in ["clip", "effnet"].into_iter().enumerate() {
        let right = mean("right", metric);
        let (undone, as_is) = (of(&["BGR"], place, 0), of(&[], place, 0));
        assert!((undone - right).abs() < 0.01 && (as_is - right).abs() > 0.05, "{metric}: {right} {undone} {as_is}");
    }
    // As the summary of the run: an interval of 95% is 2 · 1.96 standard errors.
    let summary = dir.summary("right");
    let [low, high] = [0, 1].map(|end| summary["effnet"]["interval"][end].as_f64().unwrap());
    assert!((of(&["BGR"], 1, 1) / ((high - low) / 3.92) - 1.0).abs() < 0.1);
    // MIRAGE's code subtracts one of the eleven others: 10 / 11.
    let undone = of(&["BGR", "as by mirage"], 0, 0);
    assert!((undone - 10.0 / 11.0).abs() < 1e-9 && (mean("mirage", "clip") - undone).abs() < 1e-9, "{undone}");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let dir = exchanged();
    let refused = |args: &str, words: &str| {
        let said = format!("{}", dir.run(args));
        assert!(said.contains("exit ") && said.contains(words), "{words}: {said}");
    };
    refused("check gt.npy recon.npy --explain nothing", "expected the id of a metric");
    refused("check gt.npy recon.npy --explain ssim=much", "expected a published value as a number");
    refused("check gt.npy recon.npy --explain ssim=nan", "expected a published value as a number");
    write_f32(&dir.join("few.npy"), &[2, 8, 8, 3], &[0.5; 2 * 192]).unwrap();
    refused("check gt.npy recon.npy --explain clip=0.9", "clip_vit_l_14");
    refused("check few.npy few.npy --explain", "2 pairs: mistakes are looked for in 8 or more");
}
