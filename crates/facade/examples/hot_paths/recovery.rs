//! The fits of recovery profiles, of a small unit: 100 stimuli, 60 voxels, a source of 80 features.

use crate::inputs::uniform;
use crate::{Failure, HotPath, Work};
use neurogauge::alignment::{
    FoldPlan, Matrix, PreparedSource, PreparedTarget, READOUT_ALPHAS, SubspaceOptions, Unit, cross_validate, fit,
    read_out, symmetric_eigenpairs,
};

const N_STIMULI: usize = 100;

pub(crate) const PATHS: &[HotPath] =
    &[("eigenpairs", eigenpairs), ("recovery-fit", fitted), ("recovery-null-draw", null_draw)];

fn eigenpairs() -> Result<Work, Failure> {
    let values = uniform("matrix", 100 * 100);
    let matrix = Matrix::from_fn(100, 100, |row, column| values[row * 100 + column] + values[column * 100 + row]);
    Ok(Box::new(move || Ok(symmetric_eigenpairs(&matrix)?.0[0])))
}

struct Unfitted {
    plan: FoldPlan,
    unit: Unit,
    features: Matrix,
    responses: Matrix,
}

impl Unfitted {
    fn new() -> Result<Self, Failure> {
        let every_fifth = |n: usize| -> Vec<Vec<usize>> { (0..5).map(|fold| (fold..n).step_by(5).collect()).collect() };
        let chunks = every_fifth(N_STIMULI);
        let inner: Vec<_> = chunks.iter().map(|c| every_fifth(c.len())).collect();
        let training: Vec<_> = chunks.iter().map(|c| every_fifth(3 * c.len())).collect();
        let (latents, noise) = (uniform("latents", N_STIMULI * 6), uniform("noise", 100 * 200));
        let mixed = |name: &str, n_columns: usize| {
            let weights = uniform(name, 6 * n_columns);
            Matrix::from_fn(N_STIMULI, n_columns, |row, column| {
                let signal: f64 = (0..6).map(|d| latents[row * 6 + d] * weights[d * n_columns + column]).sum();
                signal + noise[row * 200 + column + n_columns % 7]
            })
        };
        Ok(Unfitted {
            plan: FoldPlan::new(N_STIMULI, &chunks, &training, &inner)?,
            unit: Unit::new("subj01", "lh", "V1v"),
            features: mixed("source", 80),
            responses: mixed("target", 60),
        })
    }

    fn accuracy(&self, target: &PreparedTarget) -> Result<f64, Failure> {
        let source = PreparedSource::new("source", &self.features, &self.plan, 0)?;
        let selection = cross_validate(&source, target, &SubspaceOptions::default())?.select()?;
        let subspace = fit(&source, target, &selection)?;
        Ok(read_out(&source, target, &subspace, &READOUT_ALPHAS)?.accuracy)
    }
}

fn fitted() -> Result<Work, Failure> {
    let data = Unfitted::new()?;
    Ok(Box::new(move || data.accuracy(&PreparedTarget::new(&data.unit, &data.responses, &data.plan, 0)?)))
}

/// The same with responses paired at random.
fn null_draw() -> Result<Work, Failure> {
    let data = Unfitted::new()?;
    let mut order: Vec<usize> = (0..data.plan.folds[0].training.len()).collect();
    order.reverse();
    Ok(Box::new(move || {
        let (unit, plan) = (&data.unit, &data.plan);
        let target = PreparedTarget::paired(unit, &data.responses, plan, 0, &order)?;
        data.accuracy(&target)
    }))
}
