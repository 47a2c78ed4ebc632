//! Queries and keys, turned by the places of their tokens.

use crate::blocks::slices::values;
use crate::blocks::tensors::{is_packed, turn_tensors};
use crate::blocks::{Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Rows whose first `n_columns` columns, queries and keys side by side, are turned, each by its place in its
/// sequence or by its row.
pub(crate) fn turn_rows(
    projected: &Tensor,
    sequences: &Sequences,
    turns: &Turns,
    n_columns: usize,
) -> Result<Tensor> {
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
            let longest = self.sequences.rows().map(|rows| rows.len()).max();
            longest.unwrap_or(0)
        };
        if n_places > self.turns.n_positions() {
            bail!("{n_places} places, and turns for fewer");
        }
        let mut turned = values(storage, layout)?.to_vec();
        for rows in self.sequences.rows() {
            let first = if self.turns.are_of_rows() {
                rows.start
            } else {
                0
            };
            let rows = &mut turned[rows.start * row_width..rows.end * row_width];
            for (place, row) in rows.chunks_exact_mut(row_width).enumerate() {
                self.turns.turn(first + place, &mut row[..self.n_columns]);
            }
        }
        Ok((CpuStorage::F32(turned), layout.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Rotary;
    use candle_core::Device;

    #[test]
    fn rows_are_turned_by_their_places_or_by_themselves() -> Result<()> {
        let rows = Tensor::new(&[[1_f32, 0.0, 5.0]; 3], &Device::Cpu)?;
        let sequences = Sequences::new([1, 2]);
        let turned = |turns: &Turns| turn_rows(&rows, &sequences, turns, 2)?.to_vec2::<f32>();
        let turns = Rotary::new(2, 10.0).turns(3);
        let row = |angle: f32| vec![angle.cos(), angle.sin(), 5.0];
        assert_eq!(turned(&turns)?, [row(0.0), row(0.0), row(1.0)]);
        let of_rows = turns.clone().of_rows();
        assert_eq!(turned(&of_rows)?, [row(0.0), row(1.0), row(2.0)]);
        let halved = turned(&of_rows.scaled(0.5))?;
        assert_eq!(halved[1], [0.5 * 1_f32.cos(), 0.5 * 1_f32.sin(), 5.0]);
        assert!(turned(&Rotary::new(2, 10.0).turns(2).of_rows()).is_err());
        Ok(())
    }
}
