//! Milliseconds of one target unit of NSD size on one thread: 600 voxels, 309 training images, a
//! source of 600 and one of 3840 features, and a reference of 20 partitions over 103 images.
//!
//!     RAYON_NUM_THREADS=1 cargo run --release -p neurogauge-alignment --example time_alignment

#![allow(clippy::print_stdout)]

use neurogauge_alignment::{
    AlignmentError, FoldPlan, Matrix, Partitions, PreparedSource, PreparedTarget, READOUT_ALPHAS,
    ReferenceOptions, SubspaceOptions, TargetReference, Trials, Unit, cross_validate, draw_orders,
    fit, null_profiles, read_out,
};
use neurogauge_core::Seed;
use neurogauge_core::synthetic::Synthetic;
use std::time::Instant;

const N_STIMULI: usize = 515;
const N_VOXELS: usize = 600;
const N_LATENTS: usize = 6;
const REPEATS: usize = 3;

fn noise(name: &str, n_rows: usize, n_columns: usize) -> Matrix {
    let values = Synthetic::new(name, 0);
    Matrix::from_fn(n_rows, n_columns, |row, column| {
        f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5
    })
}

/// Latent dimensions of falling strength, mixed into columns, plus noise.
fn mixed(name: &str, n_columns: usize, repeats: usize, noise_level: f64) -> Matrix {
    let latents = noise("latents", N_STIMULI, N_LATENTS);
    let weights = noise(&format!("{name} weights"), N_LATENTS, n_columns);
    let error = noise(&format!("{name} noise"), N_STIMULI * repeats, n_columns);
    Matrix::from_fn(N_STIMULI * repeats, n_columns, |row, column| {
        let signal: f64 = (0..N_LATENTS)
            .map(|d| latents.get(row / repeats, d) * weights.get(d, column) / (1.0 + d as f64))
            .sum();
        signal + noise_level * error.get(row, column)
    })
}

/// Median milliseconds of `repeats` calls.
fn milliseconds<T>(
    repeats: usize,
    mut call: impl FnMut() -> Result<T, AlignmentError>,
) -> Result<(T, f64), AlignmentError> {
    let mut result = call()?;
    let mut times = Vec::new();
    for _ in 0..repeats {
        let start = Instant::now();
        result = call()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok((result, times[repeats / 2]))
}

fn main() -> Result<(), AlignmentError> {
    let plan = FoldPlan::draw(N_STIMULI, 5, 5, Seed(0))?;
    let unit = Unit::new("subj01", "lh", "V1v");
    let stimuli: Vec<usize> = (0..N_STIMULI * REPEATS).map(|t| t / REPEATS).collect();
    let responses = mixed("target", N_VOXELS, REPEATS, 1.0);
    let trials = Trials::new(&unit, responses, &stimuli, N_STIMULI)?;
    let means = trials.means();
    let options = SubspaceOptions::default();

    let (target, prepare) = milliseconds(5, || PreparedTarget::new(&unit, &means, &plan, 0))?;
    println!("target, shared by its sources   {prepare:8.1} ms");
    for n_features in [600, 3840] {
        let features = mixed("source", n_features, 1, 0.5);
        let (source, prepare) =
            milliseconds(3, || PreparedSource::new("source", &features, &plan, 0))?;
        println!("source p = {n_features:4}, shared by targets {prepare:6.1} ms");
        let (selection, selecting) =
            milliseconds(7, || cross_validate(&source, &target, &options)?.select())?;
        println!("  selection                     {selecting:8.1} ms  {selection:?}");
        let (subspace, fitting) = milliseconds(7, || fit(&source, &target, &selection))?;
        println!("  fit                           {fitting:8.1} ms");
        let (readout, reading) =
            milliseconds(7, || read_out(&source, &target, &subspace, &READOUT_ALPHAS))?;
        println!(
            "  readout                       {reading:8.1} ms  r = {}",
            readout.accuracy
        );
        if n_features == 600 {
            let partitions = Partitions::draw(&trials, 20, Seed(1), 0);
            let (reference, time) = milliseconds(3, || {
                let test = &plan.folds[0].test;
                TargetReference::new(&trials, test, &partitions, &ReferenceOptions::default())
            })?;
            println!(
                "reference, 20 partitions        {time:8.1} ms  effective rank {:.3}",
                reference.effective_rank()
            );
            let orders = draw_orders(plan.folds[0].training.len(), 20, Seed(2), 0);
            let (_, time) = milliseconds(3, || {
                null_profiles(&source, &target, &selection, &reference, &orders, 20)
            })?;
            println!("null, 20 draws                  {time:8.1} ms");
        }
    }
    Ok(())
}
