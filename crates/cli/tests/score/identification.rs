//! `neurogauge score` and `compare`: identification from feature files, pools, lists of metrics.

use crate::support;
use crate::support::observations::write_features;
use crate::support::{arg, close, folder, record, refused, scores, succeed, summary, values};
use neurogauge::core::{Side, Undefined};
use serde_json::Value;
use std::path::{Path, PathBuf};

type Rows<'a> = [(&'a str, [f32; 3])];

/// Correlations by hand, stimulus by reconstruction:
///
/// | | 1 | 2 | 10 |
/// |---|---|---|---|
/// | 1 (up) | 1 | -1/2 | 1/2 |
/// | 2 (down) | -1 | 1/2 | -1/2 |
/// | 10 (bent) | 1/2 | -1 | 1 |
const GT: [(&str, [f32; 3]); 3] = [
    ("10", [1.0, 3.0, 2.0]),
    ("1", [1.0, 2.0, 3.0]),
    ("2", [3.0, 2.0, 1.0]),
];
const RECON: [(&str, [f32; 3]); 3] = [
    ("1", [2.0, 3.0, 4.0]),
    ("2", [3.0, 1.0, 2.0]),
    ("10", [1.0, 3.0, 2.0]),
];

fn dataset(root: &Path, model: &str, gt: &Rows<'_>, recon: &Rows<'_>) -> PathBuf {
    write_features(&root.join("gt"), model, gt);
    write_features(&root.join("recon"), model, recon);
    root.to_owned()
}

fn score(observations: &Path, run: &Path, options: &[&str]) -> support::Ran {
    let inputs = ["score", "--observations", arg(observations), "--out"];
    succeed(&[&inputs[..], &[arg(run)], options].concat())
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
    assert!(
        ran.stderr.contains("alexnet5, inception, clip"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("_pool"), "{}", ran.stderr);
    assert_eq!(summary(&run)["alexnet2"]["pool_size"], 2);
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
    // Both other reconstructions are the one of the first stimulus.
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
    let inputs = [
        "score",
        "--observations",
        arg(dir.path()),
        "--out",
        arg(&out),
    ];
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
fn a_common_pool_gives_a_second_column_with_its_size() {
    let dir = folder();
    dataset(dir.path(), "clip", &GT, &RECON);
    let pool = dir.path().join("pool");
    let rows = [
        ("a", [1.0, 2.0, 2.5]),
        ("b", [2.0, 2.0, 2.0]),
        ("c", [1.0, 3.0, 2.0]),
        ("d", [3.0, 2.0, 2.9]),
    ];
    write_features(&pool, "clip", &rows);
    let run = dir.path().join("run");
    let with_pool = ["--metrics", "clip", "--pool", arg(&pool)];
    let ran = score(dir.path(), &run, &with_pool);
    let ids: Vec<String> = scores(&run).columns.into_iter().map(|c| c.0).collect();
    assert_eq!(ids, ["clip", "clip_correlation", "clip_pool"]);
    close(&values(&run, "clip"), &[1.0, 1.0, 1.0]);
    // The second is more like d than like its own; the third ties with c, which is its own stimulus.
    close(&values(&run, "clip_pool"), &[1.0, 2.0 / 3.0, 2.0 / 3.0]);
    assert_eq!(summary(&run)["clip_pool"]["pool_size"], 3);
    for part in [
        "CLIP pool: two-way identification of each reconstruction among the 3 images of the pool",
        "clip_pool: 1 of the images that pairs are told from have features that are all equal",
        "1 images of the pool have the features of an image that is to be told from them",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    let pools = &record(&run)["pools"][1];
    assert_eq!(
        (&pools["n_others"], &pools["n_left_out"]),
        (&3.into(), &1.into())
    );
    let roles: Vec<Value> = record(&run)["inputs"].as_array().unwrap().clone();
    assert!(
        roles
            .iter()
            .any(|input| input["role"] == "pool/features/clip")
    );

    // The recorded run repeats, and notices that the pool has changed.
    let run_json = run.join("run.json");
    let again = dir.path().join("again");
    succeed(&["score", "--from-run", arg(&run_json), "--out", arg(&again)]);
    assert_eq!(scores(&run), scores(&again));
    write_features(&pool, "clip", &rows[..2]);
    let arguments = ["score", "--from-run", arg(&run_json), "--out", arg(&again)];
    refused(&arguments, 1, &["pool/features/clip", "has changed"]);
}

#[test]
fn pools_that_do_not_fit_are_refused() {
    let dir = folder();
    dataset(dir.path(), "clip", &GT, &RECON);
    let pool = dir.path().join("pool");
    let out = dir.path().join("run");
    let inputs = [
        "score",
        "--observations",
        arg(dir.path()),
        "--out",
        arg(&out),
    ];
    let arguments = [&inputs[..], &["--pool", arg(&pool)]].concat();
    refused(&arguments, 2, &["--pool", "no such folder"]);
    write_features(&pool, "swav", &GT);
    refused(
        &arguments,
        2,
        &["nothing is told from it", "swav", "clip.npy"],
    );
    let wide = neurogauge::core::Features::new(vec!["a".into()], 4, vec![0.0; 4]).unwrap();
    let wider = dir.path().join("wider");
    neurogauge::formats::features::write(&wider, "clip", &wide).unwrap();
    let arguments = [&inputs[..], &["--pool", arg(&wider)]].concat();
    refused(&arguments, 1, &["wider/clip.npy", "4 features", "have 3"]);
    let arguments = [&inputs[..], &["--metrics", "clip_pool"]].concat();
    refused(&arguments, 2, &["clip_pool needs", "in --pool"]);
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
    let inputs = [
        "score",
        "--observations",
        arg(dir.path()),
        "--out",
        arg(&out),
    ];
    let without_images = [&inputs[..], &["--metrics", "nsd8"]].concat();
    refused(&without_images, 2, &["pixcorr needs images"]);
    let unknown = [&inputs[..], &["--metrics", "nsd9"]].concat();
    refused(&unknown, 2, &["\"nsd9\"", "clip_pool", "nsd8"]);
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
fn compare_says_when_pools_differ() {
    let dir = folder();
    let pool = dir.path().join("pool");
    write_features(&pool, "clip", &GT[..2]);
    let all = dataset(&dir.path().join("all"), "clip", &GT, &RECON);
    let few = dataset(
        &dir.path().join("few"),
        "clip",
        &GT[..2],
        &[RECON[0], RECON[2]],
    );
    let runs = [dir.path().join("a"), dir.path().join("b")];
    for (observations, run) in [&all, &few].into_iter().zip(&runs) {
        score(observations, run, &["--pool", arg(&pool)]);
    }
    let compare = ["compare", arg(&runs[0]), arg(&runs[1])];
    let ran = succeed(&compare);
    let note = "CLIP: pairs were told from the others of their own run, which are not the same \
                (a: 2, b: 1)";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    assert!(!ran.stdout.contains("pools of the runs"), "{}", ran.stdout);
    assert!(ran.stdout.contains("clip_pool"), "{}", ran.stdout);

    write_features(&pool, "clip", &GT);
    score(&few, &runs[1], &["--pool", arg(&pool)]);
    let ran = succeed(&compare);
    let note = "CLIP pool: the pools of the runs are not the same (a: 2, b: 3)";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
}
