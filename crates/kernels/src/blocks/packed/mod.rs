//! A weight matrix in the kernels' layout, and products with it.

pub(crate) mod halves;

use crate::blocks::activation::Activation;
use crate::blocks::kernel::{Form, Instructions, LINE, Line, ROWS, Target, Tile, multiply_tile, prefetch};
use crate::blocks::memory::may_be_halved;
use crate::blocks::products::Products;
use crate::blocks::shared_rows::n_threads_for;
use halves::RoundedRows;
pub(super) use halves::{fits_bf16, fits_f16};
use rayon::prelude::*;

/// A matrix of shape (`n_steps`, `n_columns`), in panels as wide as a tile of the instructions (the last one of 16
/// columns if that is enough), step by step, padded with zeros.
#[derive(Debug, Clone, Default)]
pub struct PackedMatrix {
    pub instructions: Instructions,
    pub n_steps: usize,
    pub n_columns: usize,
    pub form: Form,
    pub lines: Vec<Line>,
}

/// Number of input and output values that a block of rows may use before the next panel: half of a second-level cache.
const BLOCK_FLOATS: usize = 1 << 18;
/// With fewer rows in a block, the panels would be read too often.
const MIN_BLOCK_ROWS: usize = 416;

/// What is done with a product before it is written.
#[derive(Debug, Clone, Copy)]
pub struct Epilogue<'a> {
    /// Added to every row; may be empty.
    pub bias: &'a [f32],
    /// A matrix like the output, added after the bias.
    pub residual: Option<&'a [f32]>,
    /// Applied last.
    pub activation: Activation,
}

impl Epilogue<'_> {
    /// Leaves the product unchanged.
    pub const NONE: Epilogue<'static> = Epilogue {
        bias: &[],
        residual: None,
        activation: Activation::Identity,
    };
}

impl PackedMatrix {
    /// Builds it from its columns: `column(c)` has a value for each step.
    pub fn from_columns<'a>(n_steps: usize, n_columns: usize, column: impl Fn(usize) -> &'a [f32]) -> Self {
        let mut packed = PackedMatrix::default();
        packed.set_columns(n_steps, n_columns, column);
        packed
    }

    /// Builds the weights of a map from its columns. If bf16 or f16 represents all of them exactly, they take half the
    /// memory (unless [`hold_in_f32`](crate::blocks::hold_in_f32) was called) and products have the same bits. For bf16
    /// products they are rounded.
    pub(crate) fn of_weights<'a>(
        n_steps: usize,
        n_columns: usize,
        column: impl Fn(usize) -> &'a [f32],
        products: Products,
    ) -> Self {
        let mut packed = PackedMatrix::default();
        packed.set_weights(n_steps, n_columns, column, products);
        packed
    }

    pub fn set_weights<'a>(
        &mut self,
        n_steps: usize,
        n_columns: usize,
        column: impl Fn(usize) -> &'a [f32],
        products: Products,
    ) {
        self.form = match products {
            Products::Bf16 => Form::Bf16Pairs,
            Products::F32 if may_be_halved() => halves::exact_form(n_steps, &(0..n_columns).map(&column)),
            Products::F32 => Form::Full,
        };
        if self.form == Form::Full {
            return self.set_columns(n_steps, n_columns, column);
        }
        let (form, n_pairs) = (self.form, n_steps.div_ceil(2));
        let panels = self.resize(n_steps, n_columns);
        let mut lines = self.lines.as_mut_slice();
        for (first, n_lines) in panels {
            let (panel, rest) = lines.split_at_mut(n_pairs * n_lines);
            lines = rest;
            for c in first..n_columns.min(first + LINE * n_lines) {
                let (line, place) = ((c - first) / LINE, (c - first) % LINE);
                for (step, &value) in column(c).iter().enumerate() {
                    let line = &mut panel[step / 2 * n_lines + line];
                    halves::put(line, form, step, place, value);
                }
            }
        }
    }

    /// Replaces the values, in the same memory.
    pub fn set_columns<'a>(&mut self, n_steps: usize, n_columns: usize, column: impl Fn(usize) -> &'a [f32]) {
        let panels = self.resize(n_steps, n_columns);
        let mut lines = self.lines.as_mut_slice();
        for (first, n_lines) in panels {
            let (panel, rest) = lines.split_at_mut(n_steps * n_lines);
            lines = rest;
            for c in first..n_columns.min(first + LINE * n_lines) {
                let (line, place) = ((c - first) / LINE, (c - first) % LINE);
                let steps = panel[line..].iter_mut().step_by(n_lines);
                for (target, &value) in steps.zip(column(c)) {
                    target.0[place] = value;
                }
            }
        }
    }

    /// Replaces the values by rows: `row(i)` has the values of all columns at step `i`.
    pub fn set_rows<'a>(&mut self, n_steps: usize, n_columns: usize, row: impl Fn(usize) -> &'a [f32]) {
        let panels = self.resize(n_steps, n_columns);
        let mut lines = self.lines.as_mut_slice();
        for (first, n_lines) in panels {
            let (panel, rest) = lines.split_at_mut(n_steps * n_lines);
            lines = rest;
            for (i, step) in panel.chunks_exact_mut(n_lines).enumerate() {
                let values = &row(i)[first..n_columns];
                for (line, values) in step.iter_mut().zip(values.chunks(LINE)) {
                    line.0[..values.len()].copy_from_slice(values);
                }
            }
        }
    }

    /// Clears it to zeros of this shape; returns its panels.
    fn resize(&mut self, n_steps: usize, n_columns: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        (self.n_steps, self.n_columns) = (n_steps, n_columns);
        let n_lines = self.steps_of_lines() * n_columns.div_ceil(LINE);
        self.lines.clear();
        self.lines.resize(n_lines, Line([0.0; LINE]));
        self.panels()
    }

    /// First column and number of lines of each panel.
    fn panels(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (n_columns, widest) = (self.n_columns, self.instructions.lines());
        (0..n_columns)
            .step_by(widest * LINE)
            .map(move |first| (first, widest.min((n_columns - first).div_ceil(LINE))))
    }

    /// Number of lines in a panel that is one line wide.
    fn steps_of_lines(&self) -> usize {
        match self.form {
            Form::Full => self.n_steps,
            Form::Bf16 | Form::F16 | Form::Bf16Pairs => self.n_steps.div_ceil(2),
        }
    }

    /// May a row consist of several runs of this length? Rounded rows and pairs of steps impose limits.
    pub(crate) fn reads_runs_of(&self, run_length: usize) -> bool {
        match self.form {
            Form::Full => true,
            Form::Bf16 | Form::F16 => run_length.is_multiple_of(2),
            Form::Bf16Pairs => false,
        }
    }

    /// The product with `n_rows` rows, each of which consists of `n_runs` runs of equal length: `run(row, s)` is run
    /// `s` of a row. Writes whole rows of `out`, which are `stride` apart. Idle threads share the rows.
    pub fn multiply<'a>(
        &self,
        n_rows: usize,
        n_runs: usize,
        run: impl Fn(usize, usize) -> &'a [f32] + Sync,
        out: &mut [f32],
        stride: usize,
        epilogue: Epilogue<'_>,
    ) {
        let n_threads = n_threads_for(n_rows * self.n_steps * self.n_columns);
        let tile_rows = self.instructions.rows();
        let n_shared = n_rows.div_ceil(n_threads).next_multiple_of(tile_rows);
        if n_threads == 1 || n_shared >= n_rows {
            return self.multiply_rows(n_rows, n_runs, run, out, stride, epilogue);
        }
        let n_values = out.len().min(n_rows * stride);
        let parts = out[..n_values].par_chunks_mut(n_shared * stride);
        parts.enumerate().for_each(|(part, out)| {
            let first = part * n_shared;
            let epilogue = Epilogue {
                residual: epilogue.residual.map(|of_all| &of_all[first * stride..]),
                ..epilogue
            };
            let run = |row: usize, s: usize| run(first + row, s);
            let n_rows = n_shared.min(n_rows - first);
            self.multiply_rows(n_rows, n_runs, run, out, stride, epilogue);
        });
    }

    fn multiply_rows<'a>(
        &self,
        n_rows: usize,
        n_runs: usize,
        run: impl Fn(usize, usize) -> &'a [f32],
        out: &mut [f32],
        stride: usize,
        epilogue: Epilogue<'_>,
    ) {
        if n_rows == 0 || self.n_columns == 0 {
            return;
        }
        let form = self.instructions.reading(self.form);
        let block_rows = (BLOCK_FLOATS / (self.n_steps + self.n_columns)).max(MIN_BLOCK_ROWS);
        let n_blocks = n_rows.div_ceil(block_rows);
        let bias = lines_of(epilogue.bias, self.n_columns);
        let mut widened = Vec::new();
        for block in 0..n_blocks {
            let (start, end) = share(n_rows, n_blocks, block);
            let rounded = (self.form == Form::Bf16Pairs).then(|| {
                let shape = (end - start, self.n_steps);
                let in_pairs = form == Form::Bf16Pairs;
                RoundedRows::of((start..end).map(|row| run(row, 0)), shape, in_pairs)
            });
            let run_length = match &rounded {
                Some(rounded) => rounded.width(),
                None => self.n_steps / n_runs,
            };
            let mut runs: Vec<[&[f32]; ROWS]> = vec![[&[]; ROWS]; n_runs];
            // Tiles of nearly equal height, since a last tile of few rows would cost as much as a full one.
            let n_tiles = (end - start).div_ceil(self.instructions.rows());
            let mut lines = self.lines.as_slice();
            for (first, n_lines) in self.panels() {
                let (panel, rest) = lines.split_at(self.steps_of_lines() * n_lines);
                lines = rest;
                // While this panel is used, the next one is prefetched, a part during each tile. With a single tile,
                // all of it would be fetched before any work is done, so the kernel prefetches by itself. For narrow
                // panels it does that early enough, too.
                let is_wide = self.instructions.lines() > 1;
                let ahead = if n_tiles > 1 && is_wide { panel.len() } else { 0 };
                let next = &lines[..ahead.min(lines.len())];
                let panel = if form == Form::Full && self.form != Form::Full {
                    halves::widen(panel, n_lines, self.form, &mut widened);
                    widened.as_slice()
                } else {
                    panel
                };
                for index in 0..n_tiles {
                    let (from, to) = share(next.len(), n_tiles, index);
                    prefetch(&next[from..to]);
                    let (from, to) = share(end - start, n_tiles, index);
                    let (from, height) = (start + from, to - from);
                    for (s, rows) in runs.iter_mut().enumerate() {
                        for (r, row) in rows[..height].iter_mut().enumerate() {
                            *row = match &rounded {
                                Some(rounded) => rounded.row(from + r - start),
                                None => run(from + r, s),
                            };
                        }
                    }
                    let tile = Tile {
                        n_rows: height,
                        runs: &runs,
                        run_length,
                        panel,
                        form,
                        bias: &bias[first / LINE..][..n_lines],
                    };
                    let place = from * stride + first;
                    let mut target = Target {
                        out: &mut out[place..],
                        residual: epilogue.residual.map(|residual| &residual[place..]),
                        stride,
                        width: (LINE * n_lines).min(self.n_columns - first),
                        rectify: epilogue.activation == Activation::Relu,
                    };
                    multiply_tile(self.instructions, tile, &mut target);
                }
            }
            if epilogue.activation != Activation::Relu {
                let rows = &mut out[start * stride..];
                activate(rows, end - start, stride, self.n_columns, epilogue.activation);
            }
        }
    }
}

/// The bias in whole lines, or zeros without a bias.
fn lines_of(bias: &[f32], n_columns: usize) -> Vec<Line> {
    let mut lines = vec![Line([0.0; LINE]); n_columns.div_ceil(LINE)];
    for (line, values) in lines.iter_mut().zip(bias.chunks(LINE)) {
        line.0[..values.len()].copy_from_slice(values);
    }
    lines
}

/// Applies activations other than ReLU to the rows of a block, which are still in the cache.
#[multiversion::multiversion(targets = "simd")]
fn activate(rows: &mut [f32], n_rows: usize, stride: usize, width: usize, activation: Activation) {
    if activation == Activation::Identity {
        return;
    }
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    for row in rows.chunks_mut(stride).take(n_rows) {
        activation.apply::<FUSED>(&mut row[..width]);
    }
}

/// Start and end of part `index` out of `n_parts` nearly equal ones.
fn share(n: usize, n_parts: usize, index: usize) -> (usize, usize) {
    (index * n / n_parts, (index + 1) * n / n_parts)
}

/// The rows of a matrix, each as one run.
pub fn matrix_rows<'a>(values: &'a [f32], width: usize) -> impl Fn(usize, usize) -> &'a [f32] + Sync {
    move |row, _| &values[row * width..(row + 1) * width]
}
