//! Changes that must not matter, and inputs that must be refused.

use crate::prelude::*;

const UNIT: fn() -> Unit = || Unit::new("subj03", "rh", "hV4");

fn plan() -> FoldPlan {
    FoldPlan::draw(60, 5, 5, Seed(2)).unwrap()
}

struct Found {
    selection: Selection,
    projector: Vec<f64>,
    accuracy: f64,
}

fn found(source: &Matrix, target: &Matrix) -> Found {
    let plan = plan();
    let (source, target) = prepared(source, target, &plan, 2);
    let scores = cross_validate(&source, &target, &SubspaceOptions::default()).unwrap();
    let selection = scores.select().unwrap();
    let subspace = fit(&source, &target, &selection).unwrap();
    let accuracy = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap().accuracy;
    let basis = &subspace.basis;
    let at = |i, j| (0..basis.n_columns()).map(|k| basis.get(i, k) * basis.get(j, k)).sum();
    Found {
        selection,
        projector: (0..basis.n_rows()).flat_map(|i| (0..=i).map(move |j| at(i, j))).collect(),
        accuracy,
    }
}

fn data() -> (Matrix, Matrix) {
    let latents = noise("latents", 60, 3);
    (mixed("source", &latents, 45, 0.3), mixed("target", &latents, 30, 0.3))
}

#[track_caller]
fn assert_same(one: &Found, other: &Found) {
    assert_eq!(one.selection.rank, other.selection.rank);
    assert_eq!(one.selection.alpha, other.selection.alpha);
    assert!((one.accuracy - other.accuracy).abs() < 1e-10);
    for (x, y) in one.projector.iter().zip(&other.projector) {
        assert!((x - y).abs() < 1e-10);
    }
}

#[test]
fn order_and_scale_of_features_do_not_matter() {
    let (source, target) = data();
    let changed = Matrix::from_fn(60, 45, |row, column| {
        let from = (column * 7) % 45;
        source.get(row, from) * (1.0 + from as f64) - 3.0
    });
    assert_same(&found(&source, &target), &found(&changed, &target));
}

#[test]
fn a_reflection_of_z_scored_features_changes_nothing_in_the_target_space() {
    // The second copy of each feature has the opposite sign: a reflection of the z-scored features.
    let (source, target) = data();
    let doubled = Matrix::from_fn(60, 90, |row, column| source.get(row, column / 2));
    let signed = Matrix::from_fn(60, 90, |row, column| [1.0, -1.0][column % 2] * source.get(row, column / 2));
    assert_same(&found(&doubled, &target), &found(&signed, &target));
}

#[test]
fn scale_of_voxels_does_not_matter_and_their_order_only_reorders() {
    let (source, target) = data();
    let scaled = Matrix::from_fn(60, 30, |row, v| 5.0 + target.get(row, v) * (2.0 + v as f64));
    assert_same(&found(&source, &target), &found(&source, &scaled));
    let reversed = Matrix::from_fn(60, 30, |row, voxel| target.get(row, 29 - voxel));
    let (one, other) = (found(&source, &target), found(&source, &reversed));
    assert_eq!(one.selection.rank, other.selection.rank);
    assert!((one.accuracy - other.accuracy).abs() < 1e-10);
    let at = |i: usize, j: usize| i.max(j) * (i.max(j) + 1) / 2 + i.min(j);
    for i in 0..30 {
        for j in 0..=i {
            let difference = one.projector[at(i, j)] - other.projector[at(29 - i, 29 - j)];
            assert!(difference.abs() < 1e-10);
        }
    }
}

fn trials(repeats: &[usize]) -> Trials {
    let stimuli: Vec<usize> = repeats.iter().enumerate().flat_map(|(s, &n)| std::iter::repeat_n(s, n)).collect();
    let responses = mixed("trials", &noise("t", stimuli.len(), 2), 12, 0.5);
    Trials::new(&UNIT(), responses, &stimuli, repeats.len()).unwrap()
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let trials = trials(&[3; 60]);
    let partitions = Partitions::draw(&trials, 6, Seed(3), 0);
    let plan = plan();
    let compute = || {
        let options = ReferenceOptions::default();
        let reference = TargetReference::new(&trials, &plan.folds[0].test, &partitions, &options).unwrap();
        let (x, _) = data();
        let (source, target) = prepared(&x, &trials.means(), &plan, 0);
        let scores = cross_validate(&source, &target, &SubspaceOptions::default()).unwrap();
        let orders = draw_orders(36, 8, Seed(7), 0);
        let selection = scores.select().unwrap();
        let null = null_profiles(&source, &target, &selection, &reference, &orders, 10).unwrap();
        (reference.weights.clone(), reference.directions.clone(), null)
    };
    let with = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(compute);
    assert_eq!(with(1), with(4));
}

#[test]
fn partitions_are_halves_and_the_odd_repeat_goes_either_way() {
    let trials = trials(&[2, 3, 4, 5]);
    let partitions = Partitions::draw(&trials, 200, Seed(3), 0);
    let mut odd = [0, 0];
    for labels in partitions.labels() {
        let ones: Vec<usize> =
            trials.repeats().iter().map(|repeats| repeats.iter().filter(|&&t| labels[t] == 1).count()).collect();
        assert_eq!((ones[0], ones[2]), (1, 2));
        assert!((1..=2).contains(&ones[1]) && (2..=3).contains(&ones[3]));
        odd[ones[1] - 1] += 1;
    }
    assert!(odd[0] > 70 && odd[1] > 70, "{odd:?}");
}

#[test]
fn what_cannot_be_computed_is_named() {
    let few = trials(&[3, 1, 2, 2, 2, 2]);
    let pool = Pool::draw((0..6).collect(), 2, Seed(0), 0).unwrap();
    let reference = |labels: Vec<Vec<u8>>, trials: &Trials| {
        let partitions = Partitions::new(labels, trials)?;
        TargetReference::new(trials, &pool, &partitions, &ReferenceOptions::default())
    };
    let plan = plan();
    let faults = [
        (reference(vec![vec![0; 12]], &few).err(), "subj03 rh hV4: stimulus 1 has 1 repeat"),
        (
            reference(vec![vec![0; 12]], &trials(&[2; 6])).err(),
            "partition 0 puts no repeat of stimulus 0 into view 1",
        ),
        (reference(vec![vec![0; 11]], &few).err(), "11 partition labels for 12 trials"),
        (reference(vec![vec![2; 12]], &few).err(), "labels trial 0 2"),
        (FoldPlan::draw(4, 5, 5, Seed(0)).err(), "4 stimuli cannot be divided into 5 outer folds"),
        (
            Pool::new(vec![3, 4], vec![vec![0], vec![0]]).err(),
            "inner fold 1 holds 0, which is in a fold already",
        ),
        (Pool::new(vec![3, 4, 9], vec![vec![0], vec![1]]).err(), "the inner folds hold 2 of 3 stimuli"),
        (
            PreparedSource::new("resnet50", &noise("x", 59, 3), &plan, 0).err(),
            "resnet50 has 59 stimuli, expected 60",
        ),
        (PreparedTarget::new(&UNIT(), &noise("x", 60, 0), &plan, 0).err(), "subj03 rh hV4 has no columns"),
    ];
    for (error, words) in faults {
        let error = error.unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
    let source = PreparedSource::new("x", &noise("x", 60, 3), &plan, 0).unwrap();
    let target = PreparedTarget::new(&UNIT(), &noise("y", 60, 3), &plan, 1).unwrap();
    assert!(cross_validate(&source, &target, &SubspaceOptions::default()).is_err());
}
