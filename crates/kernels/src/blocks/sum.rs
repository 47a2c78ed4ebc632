//! Sums of tensors.

use crate::blocks::slices::on_values;
use crate::blocks::tensors::is_packed;
use candle_core::{Result, Tensor, bail};

/// `x + y`. A `y` with fewer dimensions, or with first dimensions of length 1, is added to each part of `x` of its
/// shape. In main memory this runs on the caller's thread; the engine would start threads of its own.
///
/// # Errors
/// The last dimensions of `x` are not those of `y`.
pub fn sum(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    if !is_packed(x) || !is_packed(y) {
        return x.broadcast_add(y);
    }
    let part: Vec<usize> = y.dims().iter().copied().skip_while(|&length| length == 1).collect();
    if !x.dims().ends_with(&part) {
        bail!("{:?} cannot be added to {:?}", y.shape(), x.shape());
    }
    on_values([&x.contiguous()?, &y.contiguous()?], |[x, y], [layout, _]| {
        let mut out = x.to_vec();
        for part in out.chunks_exact_mut(y.len().max(1)) {
            part.iter_mut().zip(y).for_each(|(value, y)| *value += y);
        }
        Ok((out, layout.shape().clone()))
    })
}
