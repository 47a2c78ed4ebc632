//! The visible content is compared: transparent pixels, the scale of floats, and the order of stacks.

use crate::support::*;
use base64::prelude::{BASE64_STANDARD, Engine};

const PX: usize = 24;

/// Picture number `n`: waves with their own direction and colours.
fn wave(n: usize, at: usize) -> f32 {
    let (pixel, channel) = (at / 3, at % 3);
    let (x, y) = ((pixel % PX) as f32 / PX as f32, (pixel / PX) as f32 / PX as f32);
    let angle = (2 * n * n + 3 * channel) as f32;
    0.5 + 0.45 * (6.0 * (x * angle.cos() + y * angle.sin()) + n as f32).sin()
}

fn values(n: usize) -> Vec<f32> {
    (0..PX * PX * 3).map(|at| wave(n, at)).collect()
}

/// The same picture, slightly blurred to the right.
fn decoded(n: usize) -> Vec<f32> {
    let own = values(n);
    let before = |at: usize| own[at.saturating_sub(3)];
    (0..own.len()).map(|at| (own[at] + before(at)) / 2.0).collect()
}

fn stimuli(folder: &Path, names: &[String]) {
    fs::create_dir(folder).unwrap();
    for (n, name) in names.iter().enumerate() {
        let levels = values(n).into_iter().map(|value| (value * 255.0).round() as u8);
        write_png(&folder.join(format!("{name}.png")), &Image::new(PX, PX, levels.collect()).unwrap()).unwrap();
    }
}

fn stack(path: &Path, images: &[Vec<f32>]) {
    write_f32(path, &[images.len() as u64, PX as u64, PX as u64, 3], &images.concat()).unwrap();
}

fn pixcorr(dir: &Folder, run: &str) -> f64 {
    dir.json(format!("{run}/summary.json"))["pixcorr"]["value"].number()
}

/// The mean over pairs of Pearson's correlation.
fn expected(n: usize) -> f64 {
    let of_pair = |n: usize| {
        let levels = |value: f32| f64::from((value * 255.0).round()) / 255.0;
        let gt: Vec<f64> = values(n).into_iter().map(levels).collect();
        let recon: Vec<f64> = decoded(n).into_iter().map(f64::from).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (a, b) = (mean(&gt), mean(&recon));
        let product = |f: fn(f64, f64) -> f64| gt.iter().zip(&recon).map(|(x, y)| f(x - a, y - b)).sum::<f64>();
        product(|x, y| x * y) / (product(|x, _| x * x) * product(|_, y| y * y)).sqrt()
    };
    (0..n).map(of_pair).sum::<f64>() / n as f64
}

const SCORE: &str = "score gt recon.npy --metrics pixcorr --set pixel_size=own --overwrite --out run";

#[test]
fn a_stack_in_another_order_is_found_and_the_option_decides() {
    let names: Vec<String> = (0..12).map(|n| format!("img{n}")).collect();
    let in_order = |key: fn(&usize) -> String| {
        let mut rows: Vec<usize> = (0..12).collect();
        rows.sort_by_key(key);
        rows
    };
    let as_text = in_order(|n| format!("img{n}"));
    let reversed = in_order(|n| format!("{:02}", 11 - n));
    let shifted: Vec<usize> = (0..12).map(|n| (n + 1) % 12).collect();
    for (rows, option) in [(as_text, "text"), (reversed, "reversed")] {
        let dir = folder();
        stimuli(&dir.path().join("gt"), &names);
        let images: Vec<Vec<f32>> = rows.iter().map(|&n| decoded(n)).collect();
        stack(&dir.path().join("recon.npy"), &images);
        // The test follows the suggestion of the error about names.
        let said = dir.run(&format!("{SCORE} --match {{number}}"));
        assert_eq!(said.code, 1, "{}", said.stderr);
        assert!(said.stderr.contains(&format!("--set stack_order={option} pairs them so")), "{}", said.stderr);
        let checked = dir.run("check gt recon.npy --match {number}");
        assert!(checked.code == 1 && checked.stdout.contains("--set stack_order"), "{}", checked.stdout);
        dir.succeed(&format!("{SCORE} --set stack_order={option}"));
        assert!((pixcorr(&dir, "run") - expected(12)).abs() < 1e-6);
        // The option keeps the natural order.
        dir.succeed(&format!("{SCORE} --set stack_order=natural"));
        assert!(pixcorr(&dir, "run") < expected(12) - 0.2);
    }
    let dir = folder();
    stimuli(&dir.path().join("gt"), &names);
    let images: Vec<Vec<f32>> = shifted.iter().map(|&n| decoded(n)).collect();
    stack(&dir.path().join("recon.npy"), &images);
    let said = dir.run(&format!("{SCORE} --match {{number}}"));
    assert!(said.code == 1 && said.stderr.contains("with the row before"), "{}", said.stderr);
    // In the order of the names, there is no message.
    let images: Vec<Vec<f32>> = (0..12).map(decoded).collect();
    stack(&dir.path().join("recon.npy"), &images);
    let said = dir.run(&format!("{SCORE} --match {{number}}"));
    assert_eq!((said.code, said.stderr.contains("order")), (0, false), "{}", said.stderr);
    assert!((pixcorr(&dir, "run") - expected(12)).abs() < 1e-6);
    // If images show nothing of the stimuli, the order is unknown.
    let images: Vec<Vec<f32>> = (20..32).map(decoded).collect();
    stack(&dir.path().join("recon.npy"), &images);
    let said = dir.run(&format!("{SCORE} --match {{number}}"));
    assert!(said.code == 0 && said.stdout.contains("--set stack_order=text takes them so"), "{}", said.stdout);
}

#[test]
fn files_that_count_from_1_beside_a_stack_pair_by_position() {
    let dir = folder();
    let names: Vec<String> = (1..=12).map(|n| format!("scene-{n}")).collect();
    stimuli(&dir.path().join("gt"), &names);
    let images: Vec<Vec<f32>> = (0..12).map(decoded).collect();
    stack(&dir.path().join("recon.npy"), &images);
    let said = dir.run(SCORE);
    assert!(said.code == 1 && said.stderr.contains("--set stack_order=natural"), "{}", said.stderr);
    // The numbers pair each image with the next one.
    let said = dir.run(&format!("{SCORE} --match {{number}} --pairs shared"));
    assert!(said.code == 1 && said.stderr.contains("another order"), "{}", said.stderr);
    dir.succeed(&format!("{SCORE} --set stack_order=natural"));
    assert!((pixcorr(&dir, "run") - expected(12)).abs() < 1e-6);
}

#[test]
fn floats_on_another_scale_are_refused_until_it_is_named() {
    let names: Vec<String> = (0..3).map(|n| n.to_string()).collect();
    let dir = folder();
    stimuli(&dir.path().join("gt"), &names);
    let of_unit = |scale: fn(f32) -> f32| -> Vec<Vec<f32>> {
        (0..3).map(|n| decoded(n).into_iter().map(scale).collect()).collect()
    };
    let ssim = |options: &str| {
        dir.succeed(&format!("score gt recon.npy --metrics ssim --set pixel_size=own --overwrite --out run {options}"));
        dir.json("run/summary.json")["ssim"]["value"].number()
    };
    stack(&dir.path().join("recon.npy"), &of_unit(|value| value));
    let right = ssim("");
    for (option, scale) in [("0..255", (|value| value * 255.0) as fn(f32) -> f32), ("-1..1", |value| value * 2.0 - 1.0)]
    {
        stack(&dir.path().join("recon.npy"), &of_unit(scale));
        for command in ["score --out far", "check"] {
            let said = dir.run(&format!("{command} gt recon.npy"));
            let text = said.stdout + &said.stderr;
            assert!(said.code == 1 && text.contains(&format!("such as --set values={option}")), "{text}");
        }
        assert!((ssim(&format!("--set values={option}")) - right).abs() < 1e-5, "{option}");
        assert!(ssim("--set values=as-they-are") < right - 0.1, "{option}");
    }
    // An overshoot is reported, and clipping is available.
    stack(&dir.path().join("recon.npy"), &of_unit(|value| value * 1.2 - 0.1));
    let shown = dir.succeed("score gt recon.npy --metrics ssim --set pixel_size=own --out over").stdout;
    assert!(shown.contains("--set values=clip"), "{shown}");
    let clipped = ssim("--set values=clip");
    stack(&dir.path().join("recon.npy"), &of_unit(|value| (value * 1.2 - 0.1).clamp(0.0, 1.0)));
    assert_eq!(ssim(""), clipped);
}

/// Cut-outs of 6 x 6 px with other colours in transparent pixels, and opaque reconstructions of their appearance on
/// white, written by Pillow 12.
const CUT_OUTS: [[&str; 2]; 2] = [
    [
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAGCAYAAADgzO9IAAAAXUlEQVR42gXBAREEQQgDwdmqFxIpkYKTRwpSIgUnXDdBJ+XSgIsun2buQXWtoNUK54iufczkvMAulo8dWnUoBZ5r++i53m318KNhAFbEPMeX8v9tfEyYGlYBB4/4AArjOXtboKI8AAAAAElFTkSuQmCC",
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAGCAIAAABvrngfAAAAY0lEQVR42gXBAQHCMBADwAwM4ICXgAOCg0koDsBBJUxC5mASImESgpLnDq4ildi2SGqClOx0CzNJty+cRVQAw8H9vWiJu7QLGqTIyhOdVnkW04Egj+vr83tgO7Y1txNfrOP8A4paNhNVR0pHAAAAAElFTkSuQmCC",
    ],
    [
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAGCAYAAADgzO9IAAAAXElEQVR42gXBAWEEQQwDsbkiMZSFEih+JoFiKGHiSp8nBFcSh75DHDE3jw1Fz/b0Vjypf2fZ6JMgyS9nNkAmXa53oHU5mbiga3J9fkWUOWdVtMvo9dZ9eZ2Mh/APzltBF/PFuvUAAAAASUVORK5CYII=",
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAGCAIAAABvrngfAAAAYklEQVR42gXBAQGDMBADwAATMAcLTn4OcMBLqQQc8FKCgzlY6gAH5W7x0K8jtvfR1M7tXmN2R4Zo2mVQlbM/ir3MsMwOtZgUhkAj1LhTHQAkjSyCCI0qvjxY0zcrIaUv8v8AEE40TMbM2pcAAAAASUVORK5CYII=",
    ],
];

/// Stimuli and reconstructions 0 and 1.
pub(super) fn cut_outs(dir: &Folder) {
    for (side, place) in [("gt", 0), ("recon", 1)] {
        for (n, pair) in CUT_OUTS.iter().enumerate() {
            let png = BASE64_STANDARD.decode(pair[place]).unwrap();
            fs::create_dir_all(dir.path().join(side)).unwrap();
            fs::write(dir.path().join(format!("{side}/{n}.png")), png).unwrap();
        }
    }
}

#[test]
fn cut_outs_are_refused_until_their_background_is_named() {
    let dir = folder();
    cut_outs(&dir);
    dir.write("r.csv", "item,x,y\n0,1,2\n1,4,5\n2,2,3\n");
    dir.write("m.csv", "item,m\n0,0.9\n1,0.1\n2,0.3\n");
    let shown = [
        "gallery --gt gt --recon mine=recon --pick 0 --overwrite --out shown.svg",
        "survey make --gt gt --recon mine=recon --overwrite --out survey",
        "meta --human r.csv --metrics m.csv --higher-is-better m --gt gt --recon recon --resamples 20 --overwrite --out people",
    ];
    for command in [
        "score gt recon --metrics pixcorr --set pixel_size=own --out run",
        "check gt recon",
        "perceive --images gt --with placeholder --out seen",
        "multiverse gt mine=recon --metrics pixcorr --out all",
        "audit --test gt --recon recon --features placeholder --out audit",
    ]
    .into_iter()
    .chain(shown)
    {
        let said = dir.run(command);
        let text = said.stdout.clone() + &said.stderr;
        assert!(said.code == 1 && text.contains("--set alpha=white"), "{command}: {said}");
    }
    for (command, record) in shown.into_iter().zip(["", "survey/survey.json", "people/meta.json"]) {
        let said = dir.succeed(&format!("{command} --set alpha=white"));
        let text = match record {
            "" => said.stderr,
            record => dir.read(record),
        };
        assert!(text.contains("2 of 2 have transparent pixels, which are put on white"), "{text}");
        // The user's choice does not cause a warning.
        assert!(!text.contains("warning: gt images"), "{text}");
    }
    // Expected: means of NumPy's corrcoef after Pillow's alpha_composite on each background.
    for (alpha, expected) in
        [("white", 0.9318708023582549), ("black", 0.114447858910869), ("as-stored", 0.6226717769818937)]
    {
        let score =
            format!("score gt recon --metrics pixcorr --set pixel_size=own --overwrite --out run --set alpha={alpha}");
        contains(&dir.succeed(&score).stdout, &["2 of 2 have transparent pixels"]);
        assert!((pixcorr(&dir, "run") - expected).abs() < 1e-6, "{alpha}");
        assert_eq!(dir.run(&format!("check gt recon --set alpha={alpha}")).code, 0);
        assert_eq!(dir.json("run/run.json")["request"]["reading"]["alpha"], alpha);
    }
}

#[test]
fn words_that_are_no_scale_or_background_are_refused() {
    let dir = folder();
    assert_snapshot!(dir.run("score a b --set values=unit"), @r#"exit 2, stderr: error: invalid value 'values=unit' for '--set <ID=VALUE>': values is "unit": expected one of 0..255, -1..1, clip, as-they-are"#);
    assert_snapshot!(dir.run("score a b --set alpha=grey"), @r#"exit 2, stderr: error: invalid value 'alpha=grey' for '--set <ID=VALUE>': alpha is "grey": expected one of white, black, as-stored"#);
    assert_snapshot!(dir.run("score a b --set stack_order=alphabetical"), @r#"exit 2, stderr: error: invalid value 'stack_order=alphabetical' for '--set <ID=VALUE>': stack_order is "alphabetical": expected one of natural, text, reversed"#);
}
