//! Identification within a common pool.

use super::identification::{GT, RECON, dataset};
use crate::support::*;

#[test]
fn a_common_pool_gives_a_second_column_with_its_size() {
    let dir = folder();
    dataset(&dir, "clip", &GT, &RECON);
    let pool = dir.join("pool");
    let rows = [("a", [1.0, 2.0, 2.5]), ("b", [2.0, 2.0, 2.0]), ("c", [1.0, 3.0, 2.0]), ("d", [3.0, 2.0, 2.9])];
    write_features(&pool, "clip", &rows);
    let run = dir.join("run");
    let ran = dir.succeed("score --observations . --metrics clip --pool pool --out run");
    let ids: Vec<String> = dir.scores(&run).columns.into_iter().map(|c| c.0).collect();
    assert_eq!(ids, ["clip", "clip_pool"]);
    close(&dir.values(&run, "clip"), &[1.0, 1.0, 1.0]);
    // The second is more similar to d than to its own stimulus; the third ties with c, which is its own stimulus.
    close(&dir.values(&run, "clip_pool"), &[1.0, 2.0 / 3.0, 2.0 / 3.0]);
    assert_eq!(dir.summary(&run)["clip_pool"]["pool_size"], 3);
    ran.shows(&[
        "CLIP pool: two-way identification of each reconstruction among the 3 images of the pool",
        "clip_pool: 1 of the images that supply distractors have features that are all equal",
        "1 images of the pool have the features of an image that is identified among them",
    ]);
    let record = dir.record(&run);
    let pools = &record["pools"][1];
    assert_eq!([&pools["n_others"], &pools["n_left_out"]], [3, 1]);
    assert!(record["inputs"].list().iter().any(|input| input["role"] == "pool/features/clip"));

    // The recorded run repeats, and detects that the pool has changed.
    let again = "score --from-run run/run.json --out again";
    dir.succeed(again);
    assert_eq!(dir.scores(&run), dir.scores("again"));
    write_features(&pool, "clip", &rows[..2]);
    assert_snapshot!(dir.run(again), @r#"exit 1, stderr: error: pool/features/clip "" ([DIR]/pool/features/clip.npy) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run"#);
}

#[test]
fn pools_that_do_not_fit_are_refused() {
    let dir = folder();
    dataset(&dir, "clip", &GT, &RECON);
    write_features(&dir.join("other"), "swav", &GT);
    let wide = Features::new(vec!["a".into()], 4, vec![0.0; 4]).unwrap();
    features::write(&dir.join("wider"), "clip", &wide).unwrap();
    let score = "score -q --observations . --out run";
    assert_snapshot!(dir.refusals(score, &["--pool nowhere", "--pool other"], "run"), @"
    --pool nowhere
      exit 2, stderr: error: --pool [DIR]/nowhere: no such folder or file; expected a folder of images, or one with <model>.npy and ids.json
    --pool other
      exit 2, stderr: error: --pool [DIR]/other/features: no metric uses it; it has the features swav, and identification needs a file of the same name there and in the features folders of both sides, such as clip.npy
    ");
    assert_snapshot!(dir.run(&format!("{score} --pool wider")), @"exit 1, stderr: error: [DIR]/wider/clip.npy: 4 features per row, and the stimuli and reconstructions have 3; all must come from the same model and layer");
}

#[test]
fn compare_says_when_pools_differ() {
    let dir = folder();
    write_features(&dir.join("pool"), "clip", &GT[..2]);
    for (name, gt, recon) in [("all", &GT[..], &RECON[..]), ("few", &GT[..2], &[RECON[0], RECON[2]])] {
        write_features(&dir.join(name).join("gt"), "clip", gt);
        write_features(&dir.join(name).join("recon"), "clip", recon);
    }
    let score = |observed: &str, run: &str| {
        dir.succeed(&format!("score --observations {observed} --pool pool --out {run} --overwrite"));
    };
    score("all", "a");
    score("few", "b");
    let ran = dir.succeed("compare -v a b");
    let note = "CLIP: the distractors were the other pairs of each run, which are not the same \
                (a: 2, b: 1)";
    ran.shows(&[note, "clip_pool"]);
    assert!(!ran.stdout.contains("pools of the runs"), "{ran}");

    write_features(&dir.join("pool"), "clip", &GT);
    score("few", "b");
    dir.succeed("compare a b")
        .shows(&["CLIP pool: the pools of the runs are not the same (a: 2, b: 3)"]);
}
