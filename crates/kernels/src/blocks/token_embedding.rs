//! Turns maps of patches into sequences of tokens.

use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{Error, Layout, Result, Shape, Tensor};

/// Puts tokens before the patches of an image and adds a position vector to each, if there are positions.
#[derive(Debug, Clone)]
pub struct TokenEmbedding {
    /// A vector for each token; the first ones include the learned tokens.
    table: Vec<f32>,
    /// Used on a GPU instead of `table`: shape (token, feature).
    tensor: Option<Tensor>,
    /// Number of tokens before the patches.
    n_first: usize,
    /// Number of patches with positions; `None` if there are no positions, so that any number will do.
    n_patches: Option<usize>,
    n_features: usize,
    first_is_mean: bool,
}

impl TokenEmbedding {
    /// With a learned token of `n_features` before the patches; `positions` has a vector for it and for each patch.
    pub fn with_class_token(class_token: &Tensor, positions: &Tensor) -> Result<Self> {
        let n_features = class_token.elem_count();
        let positions = positions.flatten_all()?.reshape(((), n_features))?;
        let first = (positions.get(0)? + class_token.flatten_all()?)?;
        let others = positions.narrow(0, 1, positions.dim(0)? - 1)?;
        Self::with_first_tokens(Some(&first.unsqueeze(0)?), Some(&others), n_features)
    }

    /// With learned tokens of `n_features` before the patches; `positions` has a vector for each patch but not for
    /// these tokens. Both are optional.
    pub fn with_first_tokens(first: Option<&Tensor>, positions: Option<&Tensor>, n_features: usize) -> Result<Self> {
        let rows = |tensor: &Tensor| tensor.flatten_all()?.reshape(((), n_features));
        let (first, positions) = (first.map(rows).transpose()?, positions.map(rows).transpose()?);
        let n_rows = |rows: &Option<Tensor>| rows.as_ref().map(|rows| rows.dim(0)).transpose();
        let (n_first, n_patches) = (n_rows(&first)?.unwrap_or(0), n_rows(&positions)?);
        let parts: Vec<Tensor> = first.into_iter().chain(positions).collect();
        let (table, tensor) = match parts.first() {
            None => (Vec::new(), None),
            Some(_) => Self::table(Tensor::cat(&parts, 0)?)?,
        };
        Ok(TokenEmbedding {
            table,
            tensor,
            n_first,
            n_patches,
            n_features,
            first_is_mean: false,
        })
    }

    /// With the mean of the patches as a token before them.
    pub fn with_mean_token(positions: &Tensor, n_features: usize) -> Result<Self> {
        let positions = positions.flatten_all()?.reshape(((), n_features))?;
        let n_patches = Some(positions.dim(0)? - 1);
        let (table, tensor) = Self::table(positions)?;
        Ok(TokenEmbedding {
            table,
            tensor,
            n_first: 1,
            n_patches,
            n_features,
            first_is_mean: true,
        })
    }

    /// The values of the rows, and the tensor itself if it is not in main memory.
    fn table(rows: Tensor) -> Result<(Vec<f32>, Option<Tensor>)> {
        if is_packed(&rows) {
            Ok((rows.flatten_all()?.to_vec1()?, None))
        } else {
            Ok((Vec::new(), Some(rows)))
        }
    }

    /// Number of tokens before the patches.
    pub fn n_first(&self) -> usize {
        self.n_first
    }

    /// Number of patches per image, if it fits the number of positions.
    fn n_patches(&self, n_images: usize, n_values: usize) -> Option<usize> {
        let n = n_values / (n_images * self.n_features).max(1);
        let whole = n * n_images * self.n_features == n_values;
        (whole && self.n_patches.is_none_or(|expected| expected == n)).then_some(n)
    }

    /// The tokens, shape (image, token, feature), of maps of shape (image, row, column, feature).
    pub fn forward(&self, maps: &Tensor) -> Result<Tensor> {
        match &self.tensor {
            Some(table) => self.embed_tensor(maps, table),
            None => on_values([maps], |[x], [layout]| self.computed(x, layout)),
        }
    }

    fn embed_tensor(&self, maps: &Tensor, table: &Tensor) -> Result<Tensor> {
        let n_images = maps.dim(0)?;
        let Some(n_patches) = self.n_patches(n_images, maps.elem_count()) else {
            return Err(self.refused(maps.shape()));
        };
        let shape = (n_images, n_patches, self.n_features);
        let patches = maps.contiguous()?.reshape(shape)?;
        let zeros = |shape| Tensor::zeros(shape, patches.dtype(), patches.device());
        let mut table = table.unsqueeze(0)?;
        if self.n_patches.is_none() {
            table = Tensor::cat(&[&table, &zeros((1, n_patches, self.n_features))?], 1)?;
        }
        let tokens = match self.n_first {
            0 => patches,
            _ if self.first_is_mean => Tensor::cat(&[&patches.mean_keepdim(1)?, &patches], 1)?,
            n => Tensor::cat(&[&zeros((n_images, n, self.n_features))?, &patches], 1)?,
        };
        tokens.broadcast_add(&table)
    }

    fn refused(&self, found: &Shape) -> Error {
        let n_patches = self.n_patches.map_or_else(String::new, |n| format!("{n} "));
        Error::Msg(format!(
            "maps of {found:?} are not {n_patches}patches of {} features for each image",
            self.n_features
        ))
    }

    fn computed(&self, maps: &[f32], layout: &Layout) -> Output {
        let n_images = layout.dims().first().copied().unwrap_or(0);
        let n_patches = self.n_patches(n_images, layout.shape().elem_count());
        let (Some(n_patches), Some(&n_features)) = (n_patches, layout.dims().last()) else {
            return Err(self.refused(layout.shape()));
        };
        if n_features != self.n_features {
            return Err(self.refused(layout.shape()));
        }
        let n_tokens = self.n_first + n_patches;
        let mut out = zeros(n_images * n_tokens * n_features);
        if n_patches > 0 {
            let images = maps.chunks_exact(n_patches * n_features);
            for (image, out) in images.zip(out.chunks_exact_mut(n_tokens * n_features)) {
                self.embed(image, out);
            }
        }
        let shape = (n_images, n_tokens, n_features);
        Ok((out, shape.into()))
    }

    fn embed(&self, patches: &[f32], out: &mut [f32]) {
        let (first, rest) = out.split_at_mut(self.n_first * self.n_features);
        rest.copy_from_slice(patches);
        if self.first_is_mean {
            for patch in patches.chunks_exact(self.n_features) {
                for (sum, value) in first.iter_mut().zip(patch) {
                    *sum += value;
                }
            }
            let n_patches = (patches.len() / self.n_features) as f32;
            for sum in first.iter_mut() {
                *sum /= n_patches;
            }
        }
        for (value, position) in out.iter_mut().zip(&self.table) {
            *value += position;
        }
    }
}
