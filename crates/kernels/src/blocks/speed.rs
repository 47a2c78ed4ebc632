//! Measures how long products take on this processor, for `examples/time_models` of `models`, and provides single
//! layers whose instructions are counted.

mod layer;

pub use layer::{Layer, LayerKind, MapLayer};

use crate::blocks::kernel::{Instructions, fused_chains};
use crate::blocks::packed::{Epilogue, PackedMatrix, matrix_rows};
use crate::blocks::products::Products;
use neurogauge_core::synthetic::Synthetic;
use std::time::Instant;

/// Columns and rows of a part of a product that is timed separately.
const PART_COLUMNS: usize = 128;
const PART_ROWS: usize = 416;

/// The instructions that products use.
pub fn instructions() -> String {
    format!("{:?}", Instructions::best())
}

/// Fused multiply-adds that one thread does in registers, in operations per second: the upper limit for products. 0 if
/// the processor has no such instruction.
pub fn peak() -> f64 {
    let rounds = (0..200).map(|_| {
        let start = Instant::now();
        let operations = fused_chains(Instructions::best(), 20_000);
        operations as f64 / start.elapsed().as_secs_f64()
    });
    rounds.fold(0.0, f64::max)
}

/// The precision in which the weights of a product are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// In 32 bits.
    F32,
    /// In bf16, multiplied in f32.
    Bf16,
    /// In f16, multiplied in f32.
    F16,
}

/// A product of (`n_rows`, `n_steps`) with weights of (`n_steps`, `n_columns`), on one thread.
#[derive(Debug)]
pub struct Product {
    n_rows: usize,
    n_columns: usize,
    x: Vec<f32>,
    n_steps: usize,
    /// Panels of this many columns.
    weights: Vec<PackedMatrix>,
    out: Vec<f32>,
    /// The shortest time of each part, s.
    best: Vec<f64>,
}

impl Product {
    /// Builds it from random numbers.
    pub fn new((n_rows, n_steps, n_columns): (usize, usize, usize), weights: Weights) -> Self {
        let noise = Synthetic::new("product", 0);
        let value = |index: usize| noise.uniform(index as u64) - 0.5;
        let round = |value: f32| match weights {
            Weights::F32 => value,
            Weights::Bf16 => half::bf16::from_f32(value).to_f32(),
            Weights::F16 => half::f16::from_f32(value).to_f32(),
        };
        let columns: Vec<f32> = (0..n_steps * n_columns).map(|i| round(value(i))).collect();
        let matrices = columns.chunks(PART_COLUMNS * n_steps).map(|columns| {
            let column = |c: usize| &columns[c * n_steps..][..n_steps];
            let n_columns = columns.len() / n_steps;
            PackedMatrix::of_weights(n_steps, n_columns, column, Products::F32)
        });
        let weights: Vec<PackedMatrix> = matrices.collect();
        Product {
            n_rows,
            n_columns,
            x: (0..n_rows * n_steps).map(value).collect(),
            n_steps,
            best: vec![f64::INFINITY; n_rows.div_ceil(PART_ROWS) * weights.len()],
            weights,
            out: vec![0.0; n_rows * n_columns],
        }
    }

    /// Number of operations in the product.
    pub fn operations(&self) -> f64 {
        2.0 * (self.n_rows * self.n_steps * self.n_columns) as f64
    }

    /// Computes the product once. Returns the sum of the shortest times of its parts so far: other work on the machine
    /// seldom disturbs the same part every time.
    pub fn seconds(&mut self) -> f64 {
        let width = self.n_columns;
        let parts = self.out.chunks_mut(PART_ROWS * width);
        let mut best = self.best.iter_mut();
        for (out, x) in parts.zip(self.x.chunks(PART_ROWS * self.n_steps)) {
            let n_rows = x.len() / self.n_steps;
            for (index, (weights, best)) in self.weights.iter().zip(&mut best).enumerate() {
                let rows = matrix_rows(x, self.n_steps);
                let out = &mut out[index * PART_COLUMNS..];
                let start = Instant::now();
                weights.multiply(n_rows, 1, rows, out, width, Epilogue::NONE);
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        self.best.iter().sum()
    }
}
