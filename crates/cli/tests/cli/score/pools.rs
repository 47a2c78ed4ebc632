//! Identification among a common pool.

use super::identification::{GT, RECON, dataset, score};
use crate::support::arguments::score_observations;
use crate::support::observations::write_features;
use crate::support::{arg, close, folder, record, refused, scores, succeed, summary, values};
use serde_json::Value;

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
    let inputs = score_observations(dir.path(), &out, &[]);
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
