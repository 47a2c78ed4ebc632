//! Rotates queries and keys by the positions of their tokens.

use crate::blocks::slices::on_values;
use crate::blocks::tensors::{is_packed, turn_tensors};
use crate::blocks::{Sequences, Turns};
use candle_core::{Result, Tensor, bail};

/// Rotates the first `n_columns` columns, queries and keys side by side, of each row by its position in its sequence,
/// or by its row.
pub fn turn_rows(projected: &Tensor, sequences: &Sequences, turns: &Turns, n_columns: usize) -> Result<Tensor> {
    if !is_packed(projected) {
        return turn_tensors(projected, sequences, turns, n_columns);
    }
    on_values([projected], |[projected], [layout]| {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let n_places = if turns.are_of_rows() {
            n_rows
        } else {
            sequences.rows().map(|rows| rows.len()).max().unwrap_or(0)
        };
        if n_places > turns.n_positions() {
            bail!("{n_places} places, and turns for fewer");
        }
        let mut turned = projected.to_vec();
        for rows in sequences.rows() {
            let first = if turns.are_of_rows() { rows.start } else { 0 };
            let rows = &mut turned[rows.start * row_width..rows.end * row_width];
            for (place, row) in rows.chunks_exact_mut(row_width).enumerate() {
                turns.turn(first + place, &mut row[..n_columns]);
            }
        }
        Ok((turned, layout.shape().clone()))
    })
}
