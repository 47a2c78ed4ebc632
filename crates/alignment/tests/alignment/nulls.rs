//! Draws of the null against fits of permuted features.

use crate::prelude::*;

fn plan() -> FoldPlan {
    FoldPlan::draw(40, 5, 5, Seed(1)).unwrap()
}

/// Repeats of each stimulus: 3, except some with 2 or 4.
fn trials(q: usize) -> Trials {
    let latents = noise("latents", 40, 4);
    let stimuli: Vec<usize> = (0..40).flat_map(|s| std::iter::repeat_n(s, [3, 2, 3, 4][s % 4])).collect();
    let signal = mixed("target", &latents, q, 0.0);
    let error = noise("trial noise", stimuli.len(), q);
    let responses = Matrix::from_fn(stimuli.len(), q, |trial, voxel| {
        signal.get(stimuli[trial], voxel) + 0.6 * error.get(trial, voxel)
    });
    Trials::new(&Unit::new("s", "rh", "V1v"), responses, &stimuli, 40).unwrap()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-11), "{found:?} {expected:?}");
}

#[test]
fn a_null_draw_equals_a_fit_of_the_permuted_source() {
    let latents = noise("latents", 40, 4);
    let (x, y) = (mixed("wide", &latents, 70, 0.4), mixed("target", &latents, 31, 0.5));
    let plan = plan();
    let trials = trials(31);
    let pool = &plan.folds[1].test;
    let partitions = Partitions::draw(&trials, 2, Seed(5), 0);
    let reference = TargetReference::new(&trials, pool, &partitions, &ReferenceOptions::default()).unwrap();
    let (source, target) = prepared(&x, &y, &plan, 1);
    let options = SubspaceOptions::default();
    let selection = cross_validate(&source, &target, &options).unwrap().select_alpha(3).unwrap();
    let orders = draw_orders(24, 3, Seed(9), 1);
    let fast = null_profiles(&source, &target, &selection, &reference, &orders, 10).unwrap();
    for (order, fast) in orders.iter().zip(fast) {
        let training = &plan.folds[1].training.stimuli;
        let mut rows: Vec<usize> = (0..40).collect();
        for (place, &from) in order.iter().enumerate() {
            rows[training[place]] = training[from];
        }
        let permuted = PreparedSource::new("x", &x.rows(&rows), &plan, 1).unwrap();
        let subspace = fit(&permuted, &target, &selection).unwrap();
        let slow = FoldProfile::new(&reference, &subspace.basis, 10).unwrap().unwrap();
        assert_close(&fast.unwrap().top_k, &slow.top_k);

        // With a new selection: the whole procedure with the source's rows permuted, each pair in the inner fold of its
        // source row.
        let mut moved = plan.clone();
        for inner in &mut moved.folds[1].training.inner {
            let held_out = inner.clone();
            *inner = (0..24).filter(|&i| held_out.contains(&order[i])).collect();
        }
        let (permuted, still) = prepared(&x.rows(&rows), &y, &moved, 1);
        let slow = null_profile_reselected(&permuted, &still, &options, &reference, 10);
        let paired = PreparedTarget::paired(trials.unit(), &y, &plan, 1, order).unwrap();
        let fast = null_profile_reselected(&source, &paired, &options, &reference, 10);
        assert_close(&fast.unwrap().unwrap().top_k, &slow.unwrap().unwrap().top_k);
        let selection = cross_validate(&source, &paired, &options).unwrap();
        let of_permuted = cross_validate(&permuted, &still, &options).unwrap();
        for rank in 1..=selection.max_rank() {
            for alpha in 0..options.alphas.len() {
                assert_close(&selection.of(rank, alpha), &of_permuted.of(rank, alpha));
            }
        }
    }
    assert!(PreparedTarget::paired(trials.unit(), &y, &plan, 1, &[0; 24]).is_err());
}

#[test]
fn null_orders_are_one_order_of_each_chunk_in_all_folds() {
    let plan = plan();
    let orders = draw_null_orders(&plan, 3, Seed(2));
    assert_eq!(orders, draw_null_orders(&plan, 3, Seed(2)));
    let chunk_of = |stimulus: usize| {
        let in_test = |fold: &OuterFold| fold.test.stimuli.contains(&stimulus);
        plan.folds.iter().position(in_test)
    };
    for draw in 0..3 {
        let mut partners = vec![None; 40];
        for (fold, orders) in plan.folds.iter().zip(&orders) {
            let pool = &fold.training.stimuli;
            for (position, &with) in orders[draw].iter().enumerate() {
                let (stimulus, with) = (pool[position], pool[with]);
                assert_eq!(chunk_of(stimulus), chunk_of(with));
                let known = partners[stimulus].get_or_insert(with);
                assert_eq!(*known, with, "draw {draw}, stimulus {stimulus}");
            }
        }
        let mut all: Vec<usize> = partners.into_iter().flatten().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..40), "each stimulus is a partner once");
    }
    assert_ne!(orders[0][0], orders[0][1]);
}
