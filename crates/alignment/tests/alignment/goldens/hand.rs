//! hand.json: a 6 x 3 case derived by hand, and tables of scores.

use super::inputs::{rows, unit};
use super::*;
use crate::prelude::*;

#[test]
fn the_one_standard_error_rule_on_tables() {
    let goldens = golden("hand.json");
    for name in ["table", "tied_table"] {
        let golden = &goldens[name];
        let table: Vec<Vec<Vec<f64>>> = serde_json::from_value(golden["scores"].clone()).unwrap();
        let selection = CandidateScores::of_table(&numbers(&golden["grid"]), &table).unwrap().select().unwrap();
        assert_selection(name, &selection, golden);
    }
}

#[test]
fn the_case_of_six_stimuli() {
    let golden = &golden("hand.json")["case"];
    let (x, y) = (rows(&golden["x"]), rows(&golden["y"]));
    let pool = || Pool::new((0..6).collect(), vec![vec![0, 1, 2], vec![3, 4, 5]]).unwrap();
    // The readout is applied to its own training rows.
    let plan = FoldPlan {
        n_stimuli: 6,
        folds: vec![OuterFold {
            training: pool(),
            reserved: vec![0],
            test: pool(),
        }],
    };
    let axes = |n: usize| Matrix::from_fn(3, n, |row, column| f64::from(row == column));
    let reference = TargetReference::of_bases(&[[axes(2), axes(1)]]).unwrap();
    assert_all_near("weights", &reference.weights, &Value::from(vec![1.0, 0.5]));
    assert_near("effective rank", reference.effective_rank().unwrap(), &golden["erank"]);
    let source = PreparedSource::new("hand", &x, &plan, 0).unwrap();
    let target = PreparedTarget::new(&unit(), &y, &plan, 0).unwrap();
    let mut bases = Vec::new();
    for rank in [1, 2] {
        let golden_rank = &golden[format!("rank_{rank}")];
        let what = format!("rank {rank}");
        let selection = Selection {
            rank,
            alpha: number(&golden["alpha"]),
            score: 0.0,
            best_score: 0.0,
            standard_error: 0.0,
            alpha_is_tied: false,
        };
        let subspace = fit(&source, &target, &selection).unwrap();
        assert_all_near(&what, &subspace.strengths, &golden_rank["strengths"]);
        assert_projector(&what, &subspace.basis, &golden_rank["target"]);
        let rank = source_effective_rank(&subspace);
        assert_near_or_none(&what, rank, &golden_rank["effective_rank"]);
        let profile = FoldProfile::new(&reference, &subspace.basis, 3).unwrap().unwrap();
        for (found, expected) in profile.directional.iter().zip(numbers(&golden_rank["dir_cov"])) {
            assert!((found - expected).abs() < TOLERANCE, "{what}");
        }
        assert_all_near(&what, &profile.top_k, &golden_rank["top_k_cov"]);
        assert_near(&what, profile.full, &golden_rank["full_ref_cov"]);
        let profile = Profile::of_folds(&[profile]).unwrap();
        assert_near(&what, profile.mean(3).unwrap(), &golden_rank["profile_mean_3"]);
        let basis = SourceBasis::new(&source, &x, &subspace).unwrap();
        let shares = basis.block_use(&[0..1, 1..2]).unwrap().unwrap();
        assert_all_near(&what, &shares, &golden_rank["block_use"]);
        let readout = read_out(&source, &target, &subspace, &[1.0]).unwrap();
        assert_near(&what, readout.accuracy, &golden_rank["accuracy_alpha_1"]);
        bases.push(basis);
    }
    let stability = bases[0].stability(&bases[1]).unwrap();
    assert_near_or_none("stability", stability, &golden["stability"]);
}
