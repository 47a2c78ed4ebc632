//! Contributions of features, layers and brains in simulations with known truth.

use super::{Fold, fitted, fold, overlap, simulation};
use crate::prelude::*;

/// The columns of all parts in one matrix.
fn beside(parts: &[&Matrix]) -> Matrix {
    let columns: Vec<&[f64]> =
        parts.iter().flat_map(|part| (0..part.n_columns()).map(|column| part.column(column))).collect();
    Matrix::from_fn(parts[0].n_rows(), columns.len(), |row, column| columns[column][row])
}

fn attribution(fold: &Fold, features: &Matrix, directions: &Matrix) -> Vec<Attribution> {
    let (source, subspace) = fitted(fold, features);
    let found = Attribution::of((&source, features), &fold.target, &subspace, directions).unwrap();
    found.into_iter().map(Result::unwrap).collect()
}

/// Each of three blocks spans one latent dimension and a fourth spans none. Along the part of a dimension's voxel
/// pattern that is orthogonal to the others, the prediction comes from its own block.
#[test]
fn attribution_finds_the_features_that_carry_a_direction() {
    let simulation = simulation();
    let fold = fold(&simulation);
    let blocks: Vec<Matrix> = [vec![0], vec![1], vec![2], vec![]]
        .iter()
        .enumerate()
        .map(|(set, spanned)| simulation.features(spanned, 8, 0.3, set as u64).unwrap())
        .collect();
    let features = beside(&blocks.iter().collect::<Vec<_>>());
    // The simulated basis is orthonormal, and its first columns span the patterns of the first dimensions: column d is
    // orthogonal to the patterns before it, so only dimensions from d on predict anything along it.
    let planted = fold.unit.planted(3);
    assert!(overlap(&planted, &planted) > 0.999);
    let last = Matrix::from_fn(planted.n_rows(), 1, |row, _| planted.get(row, 2));
    let found = attribution(&fold, &features, &last).remove(0);
    let share = |block: usize| found.shares[8 * block..8 * (block + 1)].iter().sum::<f64>();
    assert!(share(2) > 0.9, "{:?}", [0, 1, 2, 3].map(share));
    assert!(share(0).abs() < 0.1 && share(1).abs() < 0.1 && share(3).abs() < 0.05);
    // A feature whose own weight is near 0 by chance has a low correlation.
    let size = |block: usize| {
        let own = &found.correlations[8 * block..8 * (block + 1)];
        own.iter().map(|r| r.abs()).sum::<f64>() / 8.0
    };
    assert!(size(2) > 0.7, "{:?}", found.correlations);
    assert!([0, 1, 3].iter().all(|&block| size(block) < 0.2));
}

pub(super) fn source(name: &str, features: Matrix) -> SourceFeatures {
    SourceFeatures {
        name: name.to_owned(),
        blocks: vec![("all".to_owned(), features.n_columns())],
        features,
    }
}

/// The responses of the simulation's first two subjects in its first region, and sources.
fn study(simulation: &Simulation, sources: Vec<SourceFeatures>) -> Study {
    let mut study = Study::simulated(simulation, sources).unwrap();
    study.units.retain(|unit| unit.trials.unit().roi == "V1v");
    study.units.truncate(2);
    study
}

/// Aligns every unit of a study with all its sources; all units are of one region.
pub(super) fn aligned(study: &Study, folds: FoldPlan, settings: &AlignSettings) -> Vec<UnitResult> {
    let plan = StudyPlan::draw(study, settings, folds, None).unwrap();
    let models = ReadySource::models(study, &plan).unwrap();
    let donors = ReadySource::donors(&study.units.iter().collect::<Vec<_>>(), &plan, settings).unwrap();
    study
        .units
        .iter()
        .map(|unit| align_unit(unit, (&donors, &models), &plan, settings).unwrap())
        .collect()
}

fn folds() -> FoldPlan {
    FoldPlan::draw(200, 4, 3, Seed(0)).unwrap()
}

fn settings(controls: Vec<Control>, null: usize) -> AlignSettings {
    AlignSettings {
        outer_folds: 4,
        partitions: 4,
        null,
        controls,
        donors: false,
        ..AlignSettings::default()
    }
}

/// A layer without information contributes as much as its permuted rows, two equal layers each lose little, and the
/// only layer with a dimension loses much.
#[test]
fn a_layer_contributes_what_only_it_knows() {
    let simulation = simulation();
    let parts = [
        ("first", simulation.features(&[0], 10, 0.4, 0).unwrap()),
        ("first again", simulation.features(&[0], 10, 0.4, 1).unwrap()),
        ("second", simulation.features(&[1], 10, 0.4, 2).unwrap()),
        ("nothing", simulation.features(&[], 10, 1.0, 3).unwrap()),
    ];
    let blocks = parts.iter().map(|(name, own)| ((*name).to_owned(), own.n_columns()));
    let source = SourceFeatures {
        name: "layers".to_owned(),
        blocks: blocks.collect(),
        features: beside(&parts.each_ref().map(|(_, own)| own)),
    };
    let study = study(&simulation, vec![source]);
    let settings = settings(vec![Control::BlockAblation], 19);
    let found = contributions(&aligned(&study, folds(), &settings), &settings).unwrap();
    assert_eq!(found.len(), 2 * 4);
    for unit in found.chunks(4) {
        let [first, again, second, nothing] = unit else {
            panic!()
        };
        let p = |own: &Contribution| own.null.unwrap().p;
        assert_eq!(p(second), 0.05, "{second:?}");
        assert!(p(nothing) > 0.05, "{nothing:?}");
        assert!(nothing.loss.variance.abs() < 0.01 && nothing.alone.variance.abs() < 0.05);
        assert!(second.loss.variance > 0.15, "{second:?}");
        for copy in [first, again] {
            assert!(copy.alone.variance > 0.2 && copy.loss.variance < 0.02, "{copy:?}");
        }
        // Equal layers share their contribution, and all shares sum to the whole.
        let shapley = [first, again, second, nothing].map(|own| own.shapley.unwrap());
        assert!((shapley[0] - shapley[1]).abs() < 0.1 * shapley[0], "{shapley:?}");
        assert!(shapley[3].abs() < 0.02, "{shapley:?}");
        let sum: f64 = shapley.iter().sum();
        assert!((sum - nothing.whole.variance).abs() < 1e-12);
    }
}

/// Brains predict a model that consists of what they respond to, but not an unrelated one.
#[test]
fn brains_recover_a_model_of_what_they_know() {
    let simulation = simulation();
    let strange = Simulation::new(SimulationOptions {
        seed: Seed(99),
        ..simulation.options().clone()
    })
    .unwrap();
    let means = simulation.unit(0, 0).unwrap().trials.means();
    let mixed = Matrix::from_fn(200, 20, |row, column| {
        (0..60).map(|voxel| means.get(row, voxel) * f64::from((voxel * 7 + column * 3) as u32 % 5)).sum()
    });
    let sources = vec![
        source("of its responses", mixed),
        source("of shared dimensions", simulation.features(&[0, 1, 2], 30, 0.0, 0).unwrap()),
        source("of something else", strange.features(&[0, 1, 2], 30, 0.0, 0).unwrap()),
    ];
    let forward = study(&simulation, sources);
    let reversed = forward.reversed().unwrap();
    assert_eq!(reversed.sources[0].name, "subj01 lh V1v");
    assert!(reversed.units.iter().all(|unit| unit.trials.unit().is_model()));
    let settings = settings(Vec::new(), 19);
    let scores = unit_scores(&aligned(&reversed, folds(), &settings), &settings).unwrap();
    let of = |model: &str, brain: usize| {
        let source = &reversed.sources[brain].name;
        let found = scores.iter().find(|own| own.unit.subject == model && own.source == *source).unwrap();
        let recovered = found.recovered.as_ref().unwrap();
        assert_eq!((recovered.brain_ref_score, recovered.shape_distance), (None, None));
        (found.accuracy, recovered.profile_mean().unwrap(), recovered.main_null().unwrap().p)
    };
    let (accuracy, mean, p) = of("of its responses", 0);
    assert!(accuracy > 0.95 && mean > 0.98 && p == 0.05, "{accuracy} {mean} {p}");
    for brain in [0, 1] {
        let (accuracy, mean, p) = of("of shared dimensions", brain);
        assert!(accuracy > 0.8 && mean > 0.9 && p == 0.05, "{accuracy} {mean} {p}");
        let (accuracy, _, p) = of("of something else", brain);
        assert!(accuracy.abs() < 0.15 && p > 0.05, "{accuracy} {p}");
    }
}
