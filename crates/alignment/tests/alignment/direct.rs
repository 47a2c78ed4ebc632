//! The algebra against the plain computation of the same fits.

use crate::plain;

use faer::Mat;
use neurogauge_alignment::*;
use neurogauge_core::Seed;
use plain::{mixed, noise, prepared};

const TOLERANCE: f64 = 1e-9;

/// 40 stimuli: a wide and a narrow source, few voxels, dead columns, a single latent dimension.
fn cases() -> Vec<(&'static str, Matrix, Matrix)> {
    let latents = noise("latents", 40, 4);
    let wide = mixed("wide", &latents, 70, 0.4);
    let target = mixed("target", &latents, 31, 0.5);
    let with_dead = |x: &Matrix| {
        Matrix::from_fn(x.n_rows(), x.n_columns(), |row, column| match column {
            2 => 0.3,
            5 if row == 7 => f64::NAN,
            _ => x.get(row, column),
        })
    };
    let one = noise("one", 40, 1);
    vec![
        ("p > n", wide.clone(), target.clone()),
        ("p < k_max", mixed("narrow", &latents, 5, 0.4), target.clone()),
        ("q < 20", wide.clone(), mixed("few", &latents, 6, 0.5)),
        ("dead columns", with_dead(&wide), with_dead(&target)),
        ("one dimension", mixed("a", &one, 12, 0.2), mixed("b", &one, 15, 0.2)),
        ("no signal", noise("c", 40, 30), noise("d", 40, 25)),
    ]
}

fn plan() -> FoldPlan {
    FoldPlan::draw(40, 5, 5, Seed(1)).unwrap()
}

fn projector(basis: &Matrix) -> Mat<f64> {
    let basis = plain::dense(basis);
    &basis * basis.transpose()
}

fn largest_difference(x: &Mat<f64>, y: &Mat<f64>) -> f64 {
    (x - y).norm_max()
}

#[test]
fn selections_scores_projectors_and_accuracies_equal_the_plain_computation() {
    let (plan, options) = (plan(), SubspaceOptions::default());
    for (name, x, y) in cases() {
        for fold in [0, 3] {
            let outer = &plan.folds[fold];
            let pool = &outer.training;
            let (source, target) = prepared(&x, &y, &plan, fold);
            let candidates = cross_validate(&source, &target, &options).unwrap();
            assert_eq!(candidates.max_rank(), 20.min(x.n_columns()).min(y.n_columns()).min(12), "{name}");
            let mut worst: f64 = 0.0;
            // Beyond the rank of the inner fits nothing is well-posed.
            let top = candidates.max_rank().min(if name == "dead columns" { 10 } else { 12 });
            for rank in 1..=top {
                for (place, &alpha) in options.alphas.iter().enumerate() {
                    let plain = plain::validation(&x, &y, pool, rank, alpha);
                    for (ours, plain) in candidates.of(rank, place).iter().zip(&plain) {
                        worst = worst.max((ours - plain).abs());
                    }
                }
            }
            assert!(worst < TOLERANCE, "{name}: scores differ by {worst}");

            let selection = candidates.select().unwrap();
            let subspace = fit(&source, &target, &selection).unwrap();
            let (x_training, _) = plain::scores(&x, &pool.stimuli, &[]);
            let (y_training, _) = plain::scores(&y, &pool.stimuli, &[]);
            let plain_fit = plain::fit(&x_training, &y_training, selection.rank, selection.alpha);
            let difference = largest_difference(&projector(&subspace.basis), &plain_fit.projector());
            assert!(difference < TOLERANCE, "{name}: projectors differ by {difference}");

            let readout = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap();
            let (alpha, accuracy) =
                plain::read_out(&x, &y, pool, &outer.test.stimuli, &plain_fit.source, &READOUT_ALPHAS);
            assert_eq!(readout.alpha, alpha, "{name}");
            assert!((readout.accuracy - accuracy).abs() < TOLERANCE, "{name}: {} {accuracy}", readout.accuracy);
            println!(
                "{name} fold {fold}: rank {} alpha {} scores {worst:.1e} projectors {difference:.1e} accuracy {:.4} {:.1e}",
                selection.rank,
                selection.alpha,
                accuracy,
                (readout.accuracy - accuracy).abs()
            );
        }
    }
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

/// 60 stimuli in the test pool, so that the fits between views are well-posed.
#[test]
fn reference_and_profile_equal_the_plain_computation() {
    let trials = trials(21);
    let pool = Pool::draw((0..40).filter(|s| s % 10 != 3).collect(), 5, Seed(3), 0).unwrap();
    let partitions = Partitions::draw(&trials, 4, Seed(5), 0);
    let reference = TargetReference::new(&trials, &pool, &partitions, &ReferenceOptions::default()).unwrap();

    let options = SubspaceOptions::default();
    let mut soft = Mat::<f64>::zeros(21, 21);
    for (labels, selections) in partitions.labels().iter().zip(&reference.selections) {
        let view = |label: u8| {
            let all = trials.repeats().iter().map(|repeats| {
                let chosen: Vec<usize> = repeats.iter().copied().filter(|&t| labels[t] == label).collect();
                chosen
            });
            let chosen: Vec<Vec<usize>> = all.collect();
            Matrix::from_fn(40, 21, |s, voxel| {
                let sum: f64 = chosen[s].iter().map(|&t| trials.responses().get(t, voxel)).sum();
                sum / chosen[s].len() as f64
            })
        };
        let views = [view(0), view(1)];
        for (direction, selection) in selections.iter().enumerate() {
            let (x, y) = (&views[direction], &views[1 - direction]);
            let (x_z, _) = plain::scores(x, &pool.stimuli, &[]);
            let (y_z, _) = plain::scores(y, &pool.stimuli, &[]);
            let fit = plain::fit(&x_z, &y_z, selection.rank, selection.alpha);
            soft += fit.projector() * faer::Scale(1.0 / 8.0);
            // The candidate that was selected scores as in the plain computation.
            let plain = plain::validation(x, y, &pool, selection.rank, selection.alpha);
            let mean = plain.iter().sum::<f64>() / 5.0;
            assert!((mean - selection.score).abs() < TOLERANCE);
            assert!(options.alphas.contains(&selection.alpha));
        }
    }
    let eigen = soft.self_adjoint_eigen(faer::Side::Lower).unwrap();
    for (j, weight) in reference.weights.iter().enumerate() {
        assert!((weight - eigen.S().column_vector()[20 - j]).abs() < 1e-12, "weight {j}");
    }
    let source = noise("other", 40, 30);
    let plan = plan();
    let (source, target) = prepared(&source, &trials.means(), &plan, 0);
    let selection = cross_validate(&source, &target, &options).unwrap().select_alpha(3).unwrap();
    let subspace = fit(&source, &target, &selection).unwrap();
    let profile = FoldProfile::new(&reference, &subspace.basis, 20).unwrap().unwrap();
    let p = projector(&subspace.basis);
    let (mut covered, mut total) = (0.0, 0.0);
    for j in 0..reference.weights.len() {
        let u = eigen.U().col(20 - j).to_owned();
        let weight = eigen.S().column_vector()[20 - j];
        covered += weight * (u.transpose() * &p * &u);
        total += weight;
        if j < 20 {
            assert!((profile.top_k[j] - covered / total).abs() < TOLERANCE, "prefix {j}");
        }
    }
    let full = (0..21).map(|i| p.row(i) * soft.col(i)).sum::<f64>() / (0..21).map(|i| soft[(i, i)]).sum::<f64>();
    assert!((profile.full - full).abs() < 1e-12);
}

#[test]
fn a_null_draw_equals_a_fit_of_the_permuted_source() {
    let (_, x, y) = cases().remove(0);
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
        for (fast, slow) in fast.unwrap().top_k.iter().zip(&slow.top_k) {
            assert!((fast - slow).abs() < 1e-11);
        }
    }
    // Selected again: the whole procedure with the rows of the source permuted, each pair in the inner
    // fold that the row of the source had.
    for order in &orders {
        let mut moved = plan.clone();
        let pool = &mut moved.folds[1].training;
        let rows = pool.stimuli.clone();
        for inner in &mut pool.inner {
            let held_out = inner.clone();
            *inner = (0..24).filter(|&i| held_out.contains(&order[i])).collect();
        }
        let mut from: Vec<usize> = (0..40).collect();
        for (place, &with) in order.iter().enumerate() {
            from[rows[place]] = rows[with];
        }
        let (permuted, still) = prepared(&x.rows(&from), &y, &moved, 1);
        let slow = null_profile_reselected(&permuted, &still, &options, &reference, 10);
        let paired = PreparedTarget::paired(trials.unit(), &y, &plan, 1, order).unwrap();
        let fast = null_profile_reselected(&source, &paired, &options, &reference, 10);
        let (fast, slow) = (fast.unwrap().unwrap(), slow.unwrap().unwrap());
        for (fast, slow) in fast.top_k.iter().zip(&slow.top_k) {
            assert!((fast - slow).abs() < 1e-11, "{fast} {slow}");
        }
        let selection = cross_validate(&source, &paired, &options).unwrap();
        let of_permuted = cross_validate(&permuted, &still, &options).unwrap();
        for rank in 1..=selection.max_rank() {
            for alpha in 0..options.alphas.len() {
                let scores = selection.of(rank, alpha);
                for (fast, slow) in scores.iter().zip(of_permuted.of(rank, alpha)) {
                    assert!((fast - slow).abs() < 1e-11, "{fast} {slow}");
                }
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
