//! Queries and keys, turned by the places of their tokens.

use crate::blocks::slices::values;
use crate::blocks::{Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, bail};

/// Turns the queries and keys of rows of queries, keys and values, side by side, each by its place in its sequence.
pub(super) struct Turned<'a> {
    pub(super) sequences: &'a Sequences,
    pub(super) turns: &'a Turns,
}

impl CustomOp1 for Turned<'_> {
    fn name(&self) -> &'static str {
        "turned-queries-and-keys"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, row_width) = layout.shape().dims2()?;
        let both = row_width / 3 * 2;
        let longest = self.sequences.rows().map(|rows| rows.len()).max();
        if longest.unwrap_or(0) > self.turns.n_positions() {
            bail!("{longest:?} places, and turns for fewer");
        }
        let mut turned = values(storage, layout)?.to_vec();
        for rows in self.sequences.rows() {
            let rows = &mut turned[rows.start * row_width..rows.end * row_width];
            for (place, row) in rows.chunks_exact_mut(row_width).enumerate() {
                self.turns.turn(place, &mut row[..both]);
            }
        }
        Ok((CpuStorage::F32(turned), layout.shape().clone()))
    }
}
