//! `neurogauge score`: identification from feature files, and lists of metrics.

use crate::support::arguments::score_observations;
use crate::support::observations::write_features;
use crate::support::{self, arg, close, folder, record, refused, scores, succeed, summary, values};
use neurogauge::core::{Side, Undefined};
use std::path::{Path, PathBuf};

type Rows<'a> = [(&'a str, [f32; 3])];

/// Correlations by hand, stimulus by reconstruction:
///
/// | | 1 | 2 | 10 |
/// |---|---|---|---|
/// | 1 (up) | 1 | -1/2 | 1/2 |
/// | 2 (down) | -1 | 1/2 | -1/2 |
/// | 10 (bent) | 1/2 | -1 | 1 |
pub(crate) const GT: [(&str, [f32; 3]); 3] = [
    ("10", [1.0, 3.0, 2.0]),
    ("1", [1.0, 2.0, 3.0]),
    ("2", [3.0, 2.0, 1.0]),
];

pub(crate) const RECON: [(&str, [f32; 3]); 3] = [
    ("1", [2.0, 3.0, 4.0]),
    ("2", [3.0, 1.0, 2.0]),
    ("10", [1.0, 3.0, 2.0]),
];

pub(crate) fn dataset(root: &Path, model: &str, gt: &Rows<'_>, recon: &Rows<'_>) -> PathBuf {
    write_features(&root.join("gt"), model, gt);
    write_features(&root.join("recon"), model, recon);
    root.to_owned()
}

pub(crate) fn score(observations: &Path, run: &Path, options: &[&str]) -> support::Ran {
    let inputs = ["score", "--observations", arg(observations), "--out"];
    succeed(&[&inputs[..], &[arg(run), "--overwrite"], options].concat())
}

#[test]
fn identification_stands_beside_the_correlation_it_rests_on() {
    let dir = folder();
    let run = dir.path().join("run");
    dataset(dir.path(), "alexnet.features.4", &GT, &RECON);
    let ran = score(dir.path(), &run, &[]);
    close(&values(&run, "alexnet2"), &[1.0, 1.0, 1.0]);
    close(&values(&run, "alexnet2_correlation"), &[1.0, 0.5, 1.0]);
    let note = "AlexNet(2): two-way identification of each reconstruction among 2 other stimuli; \
                chance 0.5";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    ran.says(&["alexnet5, inception, clip"]);
    assert!(!ran.stderr.contains("_pool"), "{}", ran.stderr);
    assert_eq!(summary(&run)["alexnet2"]["pool_size"], 2);
    assert_eq!(summary(&run)["alexnet2"]["chance"], 0.5);
    // All found: the exact bound of three of three, scipy.stats.binomtest(3, 3).proportion_ci(method="exact").
    let interval = &summary(&run)["alexnet2"]["interval"];
    assert!((interval[0].as_f64().unwrap() - 0.2924).abs() < 1e-4);
    assert_eq!(interval[1], 1.0);
    let csv = std::fs::read_to_string(run.join("summary.csv")).unwrap();
    assert!(
        csv.lines().next().unwrap().ends_with(",stand_in,chance"),
        "{csv}"
    );
    assert_eq!(summary(&run)["alexnet2_correlation"].get("pool_size"), None);
    assert_eq!(
        record(&run)["metrics"][0]["origin"],
        "features/alexnet.features.4"
    );

    // The correlation comes along when only the identification is asked for.
    let run = dir.path().join("asked");
    score(dir.path(), &run, &["--metrics", "alexnet2"]);
    let ids: Vec<String> = scores(&run).columns.into_iter().map(|c| c.0).collect();
    assert_eq!(ids, ["alexnet2", "alexnet2_correlation"]);
}

#[test]
fn direction_and_ties_are_options() {
    let dir = folder();
    let up = [1.0, 2.0, 3.0];
    // Both other reconstructions equal the first stimulus's reconstruction.
    let recon = [("1", up), ("2", up), ("10", up)];
    dataset(dir.path(), "clip", &GT, &recon);
    let identified = |options: &[&str]| {
        let run = dir.path().join("run");
        let ran = score(dir.path(), &run, options);
        (values(&run, "clip"), ran.stdout)
    };
    // r with up: 1 for the first stimulus, -1 for the second, 1/2 for the third.
    close(&identified(&[]).0, &[1.0, 0.0, 0.5]);
    let stimulus = ["--identification-direction", "stimulus"];
    let (found, stdout) = identified(&stimulus);
    close(&found, &[0.0; 3]);
    assert!(
        stdout.contains("each stimulus among 2 other reconstructions"),
        "{stdout}"
    );
    for (ties, expected) in [("half", 0.5), ("win", 1.0)] {
        let options = [&stimulus[..], &["--identification-ties", ties]].concat();
        close(&identified(&options).0, &[expected; 3]);
    }
}

#[test]
fn more_ways_are_named_in_tables_and_draws_repeat() {
    let dir = folder();
    let recon = [("1", GT[1].1), ("2", GT[0].1), ("10", GT[2].1)];
    dataset(dir.path(), "clip", &GT, &recon);
    let identified = |name: &str, options: &[&str]| {
        let run = dir.path().join(name);
        let ran = score(dir.path(), &run, options);
        (run, ran.stdout)
    };
    let (run, stdout) = identified("three", &["--n-way", "3"]);
    close(&values(&run, "clip"), &[1.0, 0.0, 0.0]);
    assert!(stdout.contains("CLIP 3-way"), "{stdout}");
    assert!(
        stdout.contains("with distractors from 2 other stimuli"),
        "{stdout}"
    );
    assert_eq!(summary(&run)["clip"]["label"], "CLIP 3-way");
    let (run, stdout) = identified("top", &["--n-way", "3", "--top-k", "2"]);
    // The third is nearer to its own stimulus than to the first; the second is nearer to both others.
    close(&values(&run, "clip"), &[1.0, 0.0, 1.0]);
    assert!(stdout.contains("CLIP 3-way top-2"), "{stdout}");

    let draws = ["--draws", "50", "--seed", "7"];
    let (first, stdout) = identified("first", &draws);
    assert!(stdout.contains("50 draws per pair, seed 7"), "{stdout}");
    let (again, _) = identified("again", &[&draws[..], &["--threads", "1"]].concat());
    assert_eq!(values(&first, "clip"), values(&again, "clip"));

    let out = dir.path().join("refused");
    let inputs = score_observations(dir.path(), &out, &[]);
    let usage = |options: &[&str], parts: &[&str]| {
        refused(&[&inputs[..], options].concat(), 2, parts);
    };
    usage(
        &["--n-way", "4"],
        &["clip", "4 with 2 others", "at most one more"],
    );
    usage(
        &["--n-way", "3", "--top-k", "3"],
        &["top k is 3", "fewer than there are ways"],
    );
}

#[test]
fn nsd8_is_the_eight_of_the_tables() {
    let dir = folder();
    let out = dir.path().join("run");
    dataset(dir.path(), "alexnet2", &GT, &RECON);
    for model in ["alexnet5", "inception", "clip", "effnet", "swav"] {
        dataset(dir.path(), model, &GT, &RECON);
    }
    let stems = ["1", "2", "10"];
    let (gt, recon) = support::image_folders(&dir.path().join("images"), &stems);
    let images = ["--gt", arg(&gt), "--recon", arg(&recon)];
    let inputs = ["--metrics", "nsd8", "--pixel-size", "48"];
    score(dir.path(), &out, &[&images[..], &inputs].concat());
    let ids: Vec<String> = scores(&out).columns.into_iter().map(|c| c.0).collect();
    let eight = [
        "pixcorr",
        "ssim",
        "alexnet2",
        "alexnet5",
        "inception",
        "clip",
        "effnet",
        "swav",
    ];
    assert_eq!(ids[..8], eight);
    assert!(
        ids[8..].iter().all(|id| id.ends_with("_correlation")),
        "{ids:?}"
    );

    let out = dir.path().join("refused");
    let inputs = score_observations(dir.path(), &out, &[]);
    let without_images = [&inputs[..], &["--metrics", "nsd8"]].concat();
    refused(&without_images, 2, &["pixcorr needs images"]);
    let unknown = [&inputs[..], &["--metrics", "nsd9"]].concat();
    refused(&unknown, 2, &["\"nsd9\" (did you mean \"nsd8\"?)"]);
    let unlike = [&inputs[..], &["--metrics", "loudness"]].concat();
    refused(&unlike, 2, &["\"loudness\"", "clip_pool", "nsd8"]);
}

#[test]
fn constant_features_are_undefined_and_leave_the_pool() {
    let dir = folder();
    let run = dir.path().join("run");
    let mut gt = GT;
    gt[2].1 = [0.0; 3];
    dataset(dir.path(), "clip", &gt, &RECON);
    let ran = score(dir.path(), &run, &[]);
    let outcome = scores(&run).column("clip").unwrap()[1].clone();
    let reason = Undefined::Constant(Side::Gt).to_string();
    assert_eq!(outcome.unwrap_err().to_string(), reason);
    assert_eq!(summary(&run)["clip"]["pool_size"], 1);
    assert!(ran.stdout.contains("were left out: 2"), "{}", ran.stdout);
}

#[test]
fn classification_accuracy_of_given_probabilities() {
    let dir = folder();
    let run = dir.path().join("run");
    let classes = "class_probabilities";
    let recon = [
        ("1", [2.0, 5.0, 4.0]),
        ("2", [3.0, 1.0, 2.0]),
        ("10", [2.0, 1.0, 3.0]),
    ];
    dataset(dir.path(), classes, &GT, &recon);
    // One of two wrong classes is more probable than the right one, none, both.
    let options = ["--metrics", "n_way_accuracy_2", "--right-classes", "1"];
    score(dir.path(), &run, &options);
    close(&values(&run, "n_way_accuracy_2"), &[0.5, 1.0, 0.0]);
    let kept = &record(&run)["request"]["options"]["n_way_accuracy"];
    assert_eq!(kept["right_classes"], 1);
    // Three of three classes are right, and none is left to draw.
    let ran = score(dir.path(), &run, &["--metrics", "n_way"]);
    let reason = "fewer classes than are to be drawn";
    assert!(ran.stdout.contains(reason), "{}", ran.stdout);
}
