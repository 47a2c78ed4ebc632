//! Queries and keys, turned by the places of their tokens.

use crate::blocks::slices::values;
use crate::blocks::tensors::{is_packed, turn_tensors};
use crate::blocks::{Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Rows whose first `n_columns` columns, queries and keys side by side, are turned, each by its place in its
/// sequence or by its row.
pub fn turn_rows(projected: &Tensor, sequences: &Sequences, turns: &Turns, n_columns: usize) -> Result<Tensor> {
    if !is_packed(projected) {
        return turn_tensors(projected, sequences, turns, n_columns);
    }
    projected.apply_op1_no_bwd(&Turned {
        sequences,
        turns,
        n_columns,
    })
}

struct Turned<'a> {
    sequences: &'a Sequences,
    turns: &'a Turns,
    n_columns: usize,
}

impl CustomOp1 for Turned<'_> {
    fn name(&self) -> &'static str {
        "turned-queries-and-keys"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let n_places = if self.turns.are_of_rows() {
            n_rows
        } else {
            self.sequences.rows().map(|rows| rows.len()).max().unwrap_or(0)
        };
        if n_places > self.turns.n_positions() {
            bail!("{n_places} places, and turns for fewer");
        }
        let mut turned = values(storage, layout)?.to_vec();
        for rows in self.sequences.rows() {
            let first = if self.turns.are_of_rows() { rows.start } else { 0 };
            let rows = &mut turned[rows.start * row_width..rows.end * row_width];
            for (place, row) in rows.chunks_exact_mut(row_width).enumerate() {
                self.turns.turn(first + place, &mut row[..self.n_columns]);
            }
        }
        Ok((CpuStorage::F32(turned), layout.shape().clone()))
    }
}
