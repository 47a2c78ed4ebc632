//! Long computations stop when their threads are asked to, and watching does not change them.

#![allow(clippy::unwrap_used)]

use neurogauge::alignment::{FoldPlan, Matrix, PreparedSource, PreparedTarget, SubspaceOptions, Unit, cross_validate};
use neurogauge::core::stopping::{Stopped, watch};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{Outcome, Seed};
use neurogauge::metrics::decoding::identification::{Draws, IdentificationOptions, identify};
use neurogauge::metrics::losses::{EmbeddingHingeOptions, pairwise_hinge_of_embeddings};
use neurogauge::stats::{BootstrapOptions, estimate};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn in_watched_threads<T: Send>(is_asked: bool, work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    let flag = Arc::new(AtomicBool::new(is_asked));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .start_handler(move |_| watch(Arc::clone(&flag)))
        .build()
        .unwrap();
    catch_unwind(AssertUnwindSafe(|| pool.install(work)))
}

fn check<T: Send + PartialEq + Debug>(name: &str, work: impl Fn() -> T + Sync) {
    let stopped = in_watched_threads(true, &work).unwrap_err();
    assert!(stopped.is::<Stopped>(), "{name}");
    assert_eq!(in_watched_threads(false, &work).unwrap(), work(), "{name}");
}

fn rows(name: &str, n: usize, n_features: usize) -> Vec<Vec<f32>> {
    let values = Synthetic::new(name, 0);
    let row = |row: usize| (0..n_features).map(move |j| values.uniform((row * n_features + j) as u64));
    (0..n).map(|i| row(i).collect()).collect()
}

fn matrix(name: &str, n: usize, n_columns: usize) -> Matrix {
    let rows = rows(name, n, n_columns);
    Matrix::from_fn(n, n_columns, |row, column| f64::from(rows[row][column]))
}

#[test]
fn identification_stops() {
    let (gt, recon) = (rows("gt", 12, 30), rows("recon", 12, 30));
    let pairs: Vec<(&[f32], &[f32])> = gt.iter().zip(&recon).map(|(x, y)| (&x[..], &y[..])).collect();
    for draws in [
        Draws::Exact,
        Draws::Seeded {
            trials: 50,
            seed: Seed(1),
        },
    ] {
        let options = IdentificationOptions {
            draws,
            ..IdentificationOptions::default()
        };
        check("identify", || identify(&pairs, None, &options).unwrap());
    }
}

#[test]
fn the_pairwise_hinge_loss_stops() {
    let values = |name: &str| -> Vec<f64> { rows(name, 9, 7).concat().into_iter().map(f64::from).collect() };
    let (truth, predicted) = (values("truth"), values("predicted"));
    let options = EmbeddingHingeOptions::default();
    check("pairwise hinge", || pairwise_hinge_of_embeddings(&truth, &predicted, 9, &options).unwrap());
}

#[test]
fn the_bootstrap_stops() {
    let outcomes: Vec<Outcome> = (0..40).map(|pair| Ok(f64::from(pair % 7))).collect();
    check("bootstrap", || estimate(&[&outcomes], &BootstrapOptions::default()).unwrap());
}

#[test]
fn an_alignment_stops() {
    let plan = FoldPlan::draw(30, 5, 3, Seed(2)).unwrap();
    let unit = Unit::new("some", "target", "unit");
    check("alignment", || {
        let source = PreparedSource::new("source", &matrix("source", 30, 8), &plan, 0).unwrap();
        let target = PreparedTarget::new(&unit, &matrix("target", 30, 6), &plan, 0).unwrap();
        cross_validate(&source, &target, &SubspaceOptions::default()).unwrap()
    });
}
