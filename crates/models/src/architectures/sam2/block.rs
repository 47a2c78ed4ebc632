//! A block of the trunk: attention within windows or over the whole map, then a perceptron.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    LayerNorm, Linear, Mlp, Shift, TokenColumns, Window, Windows, attend_across, max_pool,
};

/// Pools by the maximum over 2 x 2 positions.
const HALVING: Window = Window::square(2, 2, 0);

/// Attention and a perceptron: each has a norm before it, and its result is added to its input.
pub(super) struct Block {
    pub(super) norm: LayerNorm,
    pub(super) attention: Attention,
    /// Only in the first block of a stage that halves the map: maps the normalised input to the residual.
    pub(super) widening: Option<Linear>,
    /// The perceptron and its norm.
    pub(super) perceptron: Mlp,
}

impl Block {
    /// The output for a map of shape (1, row, column, channel).
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let normalised = self.norm.forward(x)?;
        let shortcut = match &self.widening {
            Some(widening) => max_pool(&widening.forward(&normalised)?, HALVING)?,
            None => x.clone(),
        };
        let halves = self.widening.is_some();
        let x = self.attention.forward(&normalised, halves, &shortcut)?;
        self.perceptron.forward_residual(&x, &x)
    }
}

/// Every position attends to its window. Windows at the map's edge are padded with zeros, which take part in the
/// attention.
pub(super) struct Attention {
    /// The queries include the scores' factor.
    pub(super) query_key_value: Linear,
    pub(super) output: Linear,
    pub(super) n_heads: usize,
    /// Side of the windows; `None` attends over the whole map.
    pub(super) window: Option<usize>,
}

impl Attention {
    /// The attention of positions, added to the residual. If it `halves` the map, queries are pooled by the maximum
    /// over 2 x 2 positions.
    fn forward(&self, x: &Tensor, halves: bool, residual: &Tensor) -> Result<Tensor> {
        let (n_images, height, width, _) = x.dims4()?;
        let Some(size) = self.window else {
            let projected = self.query_key_value.forward(x)?.flatten(1, 2)?;
            let attended = self.attend(&projected, (height, width), halves)?;
            let (_, height, width, _) = residual.dims4()?;
            let attended = attended.reshape((n_images, height, width, ()))?;
            return self.output.forward_residual(&attended, residual);
        };
        let whole = Windows::new(n_images, (height, width), size, Shift::None);
        let projected = (self.query_key_value).forward_picked(x, whole.arrangement.rows())?;
        let projected = projected.reshape(((), size * size, projected.dim(1)?))?;
        let attended = self.attend(&projected, (size, size), halves)?;
        let after = match halves {
            true => Windows::new(n_images, (height / 2, width / 2), size / 2, Shift::None),
            false => whole,
        };
        let places = after.arrangement.places();
        self.output.forward_picked_residual(&attended, places, residual)
    }

    /// Attention within sequences that are maps of this size.
    fn attend(&self, projected: &Tensor, (height, width): (usize, usize), halves: bool) -> Result<Tensor> {
        let (n_sequences, _, n_columns) = projected.dims3()?;
        let n = n_columns / 3;
        let columns = |first| TokenColumns {
            tokens: projected,
            first,
        };
        let (n_heads, keys, values) = (self.n_heads, columns(n), columns(2 * n));
        if !halves {
            return attend_across([columns(0), keys, values], n, n_heads, true);
        }
        let queries = projected.narrow(2, 0, n)?.contiguous()?;
        let queries = max_pool(&queries.reshape((n_sequences, height, width, n))?, HALVING)?;
        let queries = TokenColumns {
            tokens: &queries.flatten(1, 2)?,
            first: 0,
        };
        attend_across([queries, keys, values], n, n_heads, true)
    }
}
