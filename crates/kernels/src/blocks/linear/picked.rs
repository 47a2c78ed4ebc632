//! An affine map of picked rows.

use super::Linear;
use crate::blocks::slices::{values, zeros};
use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, bail};

/// A map of picked rows.
pub(super) struct Picked<'a> {
    pub(super) linear: &'a Linear,
    pub(super) rows: &'a [Option<u32>],
}

impl Picked<'_> {
    fn map(&self, x: &[f32], shape: &Shape, residual: Option<&[f32]>) -> Result<CpuStorage> {
        let n_in = self.linear.n_in;
        let n_rows = x.len() / n_in;
        let beyond = |row: &Option<u32>| row.is_some_and(|row| row as usize >= n_rows);
        if shape.dims().last() != Some(&n_in) || self.rows.iter().any(beyond) {
            bail!("a map of {n_in} features of picked rows got {shape:?}");
        }
        let nothing = zeros(n_in);
        let row = |index: usize, _| match self.rows[index] {
            Some(row) => &x[row as usize * n_in..][..n_in],
            None => &nothing,
        };
        let mut out = zeros(self.rows.len() * self.linear.n_out());
        self.linear.map_rows(row, residual, &mut out);
        Ok(CpuStorage::F32(out))
    }
}

impl CustomOp1 for Picked<'_> {
    fn name(&self) -> &'static str {
        "linear-picked"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let out = self.map(values(x, layout)?, layout.shape(), None)?;
        let shape = (self.rows.len(), self.linear.n_out());
        Ok((out, shape.into()))
    }
}

impl CustomOp2 for Picked<'_> {
    fn name(&self) -> &'static str {
        "linear-picked-residual"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        layout: &Layout,
        residual: &CpuStorage,
        residual_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let residual = values(residual, residual_layout)?;
        if residual.len() != self.rows.len() * self.linear.n_out() {
            bail!("a residual of {:?} for {} rows", residual_layout.shape(), self.rows.len());
        }
        let out = self.map(values(x, layout)?, layout.shape(), Some(residual))?;
        Ok((out, residual_layout.shape().clone()))
    }
}
