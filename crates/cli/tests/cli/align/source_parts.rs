//! Which features and layers contribute to the recovery, and brains that predict models.

use crate::support::alignments::{ALIGN, Arrays, DRAW, N_STIMULI, N_VOXELS, refused, units};
use crate::support::*;

#[test]
fn features_and_layers_that_carry_the_recovery() {
    let dir = Arrays::written();
    let printed = dir.succeed(&format!("{DRAW} --controls attribution,block-ablation --format markdown")).stdout;
    contains(&printed, &["Contributions of layers"]);
    let found = dir.json("run/align.json");
    assert!(check_outcomes(&dir.join("run")) > 10);
    let ids = found["conventions"].list();
    for id in ["recovery-attribution", "recovery-blocks"] {
        assert!(ids.iter().any(|own| own == id), "{id}");
    }
    let layers = found["contributions"].list();
    let mean = |of: &Value, key: &str| of[key]["mean"].number();
    assert_eq!(layers.iter().map(|own| own["block"].text()).collect::<Vec<_>>(), ["early", "late"]);
    let shapley: f64 = layers.iter().map(|own| mean(own, "shapley")).sum();
    assert!((shapley - mean(&layers[0], "whole")).abs() < 1e-12);
    // With two layers, the loss without one is what the other alone lacks.
    let loss = mean(&layers[0], "whole") - mean(&layers[1], "alone");
    assert!((mean(&layers[0], "loss") - loss).abs() < 1e-12);

    let unit = &units(&dir, "run")["a.lh.V1.json"];
    for (source, n_features) in unit["sources"].list().iter().zip([N_VOXELS, 8]) {
        for fit in source["fits"].list() {
            let directions = fit["attribution"].list();
            assert!(!directions.is_empty());
            for direction in directions.iter().map(|own| &own["value"]) {
                let features = direction["features"].list();
                assert_eq!(features.len(), n_features);
                let of = |key: &str| features.iter().map(|own| own[key].number()).collect::<Vec<f64>>();
                assert!(of("share").is_sorted_by(|one, other| one >= other));
                assert!((of("share").iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!((of("weight").iter().map(|w| w * w).sum::<f64>() - 1.0).abs() < 1e-9);
                let blocks: f64 = direction["blocks"].list().iter().map(|share| share.number()).sum();
                let expected = if n_features == 8 { 1.0 } else { 0.0 };
                assert!((blocks - expected).abs() < 1e-9);
            }
        }
    }
    let tables = ["attribution", "block_shares", "contributions"];
    let is_there = |name: &str| dir.has(format!("run/{name}.parquet"));
    assert!(tables.into_iter().all(is_there) && dir.has("run/figures/contributions.svg"));
    dir.succeed(&format!("{DRAW} --controls none"));
    assert!(!tables.into_iter().any(is_there) && !dir.has("run/figures/contributions.svg"));
}

#[test]
fn brains_predict_models() {
    let dir = Arrays::written();
    dir.succeed(DRAW);
    assert!(dir.has("run/paper.json"));
    let printed = dir.succeed(&format!("{DRAW} --reverse --controls all -v")).stdout;
    // A regression snapshot.
    assert_snapshot!(printed, @"
    Chance is not excluded: p of so few draws of the null (2) cannot be 0.05 or less (`--null 20`). It is not shown which brain has the highest score: corrected ProfileMean 0.945 for b lh V1 and 0.926 for a lh V1 (difference 0.019, no p; too few for a test: 1 target unit).

    Recovery of reproducible response dimensions, 1 target unit

    source   accuracy  corrected  ProfileMean   null  BrainRefScore  noise-corrected  ShapeDist  next fold   rank  stability
    a lh V1     0.971      0.926        0.968  0.567              -                -          -      0.982  3.333      0.852
    b lh V1     0.973      0.945        0.977  0.578              -                -          -      0.984  3.667      0.805

    Models are the targets and brains the sources. ProfileMean: how much of a model's first 10 dimensions, by their share of its variance, a brain's responses recover, 0 to 1.
    A model has no measurement noise: accuracy has no noise ceiling on its side, noise of the brain lowers all scores, and BrainRefScore and ShapeDist, which need other subjects' responses to the same target, have no value.
    Accuracy: correlation of predicted and measured responses to held-out stimuli. Next fold: ProfileMean by the references of the next fold. Rank: number of dimensions that the fit keeps. Stability: how far these are the same in every fold.
    Means over models; no intervals: there is 1 target unit, fewer than 5 (--interval-units)
    In 1 of 1 target units all regularisations score the same in validation of some fits (0 of 6 of sources, 2 of 18 behind references): the data do not determine it there, and the smallest is taken. There may be too few stimuli in each inner fold
    Chance: accuracy 0; corrected 0: (ProfileMean - null) / (1 - null)

    Above chance: coverage has no zero floor

    source   ProfileMean   null  corrected       p  p, corrected  p ≤ 0.05, uncorrected
    a lh V1        0.968  0.567      0.926  0.3333        0.3333  0 of 1
    b lh V1        0.977  0.578      0.945  0.3333        0.3333  0 of 1

    Stimuli of the source are permuted among the training images, and rank and regularisation are selected again: the null shows what a source without information recovers
    p: of the mean over target units, which share the orders of the draws; corrected over the sources by the largest of each draw. p ≤ 0.05, uncorrected: in how many target units p is at most 0.05, one by one; without information, about one in twenty is. Whether a source recovers more than chance is for p: all subjects saw the same stimuli, so what a source happens to share with these recurs in all of them, and an interval of the corrected score can miss 0

    b lh V1 less other sources, corrected ProfileMean

    source   difference  p  p, Holm
    a lh V1       0.019  -        -

    no intervals: there is 1 target unit, fewer than 5. Holm's correction is over every two sources (1); align.json has all

    Target references

                                    value
    effective rank                  2.568
    consensus rank                  2.000
    1 partitions: coverage, purity  0.990, 0.990
    2 partitions: coverage, purity  0.998, 0.998

    Accuracy against ProfileMean: a correlation takes at least five brains; here: 2

    Controls

    control               of           rank  accuracy  ProfileMean  FullRefCov  BrainRefScore
    target-pca-1          the target  1.000         -        0.470       0.443              -
    target-pca-2          the target  2.000         -        0.846       0.830              -
    target-pca-matched    the target  2.000         -        0.846       0.830              -
    random-directions     the target  2.000         -        0.367       0.368              -
    selected              brains      3.500     0.972        0.972       0.963              -
    fixed-rank-2          brains      2.000     0.823        0.778       0.769              -
    fixed-rank-3          brains      3.000     0.963        0.960       0.951              -
    response-permutation  brains      1.500     0.118        0.563       0.572              -

    Selected: the sources' own subspaces. BrainRefScore of fixed ranks and of balanced partitions is over donors under the same control; rows of single models are in align.json. Chance: accuracy 0; random directions show what as many directions cover without a fit. FullRefCov: ProfileMean of all dimensions, by their weight

    Direction-wise held-out prediction beside coverage

    sources  directions  Pearson  high less low quarter
    brains           48  0.320                    0.152

    DirCov against Pearson's r of predicted and measured test responses along the same directions of the reference. Descriptive: directions, folds and sources are no independent sample

    Accuracy from all features and from the subspace

    sources   rank  all features  subspace  source components   kept
    brains   3.500         0.997     0.972              0.897  0.975

    Regularisation of readouts selected on the reserved chunk, ranks to 32; source components: as many principal components of the source
    ");
    let found = dir.json("run/align.json");
    assert_eq!(found["units"][0][0]["subject"], "model");
    assert_eq!(found["units"][0][1], 8);
    assert_eq!((&found["config"]["reverse"], &found["config"]["settings"]["donors"]), (&true.into(), &false.into()));
    let sources = found["sources"].list();
    let names: Vec<&str> = sources.iter().map(|own| own["source"].text()).collect();
    assert_eq!(names, ["a lh V1", "b lh V1"]);
    assert!(sources.iter().all(|own| own["brain_ref_score"]["mean"].is_null()));
    // Four latents determine both the responses and the features.
    assert!(sources[0]["accuracy"]["mean"].number() > 0.9);
    // The paper has no such results.
    for name in ["paper.json", "paper.md", "figures/cumulative_weights.svg"] {
        assert!(!dir.has(format!("run/{name}")), "{name}");
    }
    assert!(dir.has("run/figures/recovery_curves.svg"));
    dir.succeed("report --align run --out page.html");
    let html = dir.read("page.html");
    contains(&html, &["How much of a model does each brain recover?", "takes at least five brains; here: 2"]);
    // The same command reads the results again, and the file can also request them.
    let again = "align --config align.toml --out run";
    dir.succeed(&format!("{again} --reverse --controls all"));
    dir.prepend("align.toml", "reverse = true\n");
    dir.succeed(&format!("{again} --controls all"));
    assert_snapshot!(dir.run(&format!("{again} --controls all --dry-run")), @"
    exit 0, stdout:
    1 models as targets, 36 stimuli, 2 units of brains as sources of each

    Estimated time on 2 threads: under a second for fits. The estimate scales times that were measured on another machine; yours may take half or twice as long.
    Memory: about [SIZE].
    ");
}

#[test]
fn what_brains_cannot_predict_is_refused() {
    let mut arrays = Arrays::new();
    arrays.write();
    let dir = &arrays.dir;
    let mut said = format!("{}\n", dir.run(&format!("{ALIGN} --reverse --stimulus-scores")));
    dir.replace("align.toml", "inner_folds = 2", "inner_folds = 7");
    dir.prepend("align.toml", "reverse = true\n");
    said += &refused(dir);
    arrays.write();
    dir.replace("align.toml", "[settings]\n", "[settings]\nreverse = true\n");
    said += &refused(dir);
    arrays.sources.clear();
    arrays.write();
    arrays.dir.prepend("align.toml", "reverse = true\n");
    said += &refused(&arrays.dir);
    assert_eq!(N_STIMULI, 36);
    assert_snapshot!(said, @"
    exit 2, stderr: error: --stimulus-scores needs repeated trials of the targets, and with `reverse` these are models; leave one of them out
    exit 1, stderr: error: model features: inner fold 5 of a test chunk of 12 stimuli cannot be halved; a target without measurement noise needs two stimuli or more in each of the 7 inner folds of every test chunk: use more stimuli, or fewer `inner_folds` or `outer_folds`
    exit 2, stderr: error: align.toml:19: unknown key `reverse`; expected one of `seed`, `outer_folds`, `inner_folds`, `partitions`, `balance`, `reference_rank`, `prefixes`, `null`, `null_p`, `null_select`, `controls`, `fixed_ranks`, `random_draws`, `response_draws`, `subspace`, `donors`, `interval`, `resamples`, `interval_units`; `reverse` belongs to no table: write it at the top of the file, before the first [table]
    exit 2, stderr: error: `reverse` makes models the targets, and there are none: name them as [[sources]]
    ");
}
