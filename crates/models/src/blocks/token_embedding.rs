//! From maps of patches to sequences of tokens.

use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{CpuStorage, CustomOp1, Error, Layout, Result, Shape, Tensor};

/// Puts tokens before the patches of an image and adds to each its position's vector, where there are positions.
#[derive(Debug, Clone)]
pub(crate) struct TokenEmbedding {
    /// One vector for each token; learned first tokens are part of the first.
    table: Vec<f32>,
    /// In place of it, where it is elsewhere: shape (token, feature).
    tensor: Option<Tensor>,
    /// Tokens before the patches.
    n_first: usize,
    /// Patches with positions; where there are no positions, any number of patches will do.
    n_patches: Option<usize>,
    n_features: usize,
    first_is_mean: bool,
}

impl TokenEmbedding {
    /// With a learned token of `n_features` before the patches; `positions` has a vector for it and for
    /// each patch.
    pub(crate) fn with_class_token(class_token: &Tensor, positions: &Tensor) -> Result<Self> {
        let n_features = class_token.elem_count();
        let positions = positions.flatten_all()?.reshape(((), n_features))?;
        let first = (positions.get(0)? + class_token.flatten_all()?)?;
        let others = positions.narrow(0, 1, positions.dim(0)? - 1)?;
        Self::with_first_tokens(Some(&first.unsqueeze(0)?), Some(&others), n_features)
    }

    /// With learned tokens of `n_features` before the patches, which have no positions; `positions` has a vector for each
    /// patch. Both are optional.
    pub(crate) fn with_first_tokens(
        first: Option<&Tensor>,
        positions: Option<&Tensor>,
        n_features: usize,
    ) -> Result<Self> {
        let rows = |tensor: &Tensor| tensor.flatten_all()?.reshape(((), n_features));
        let (first, positions) = (
            first.map(rows).transpose()?,
            positions.map(rows).transpose()?,
        );
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

    /// With the mean of the patches before them.
    pub(crate) fn with_mean_token(positions: &Tensor, n_features: usize) -> Result<Self> {
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

    /// The values of the rows, or the rows where these are elsewhere.
    fn table(rows: Tensor) -> Result<(Vec<f32>, Option<Tensor>)> {
        if is_packed(&rows) {
            Ok((rows.flatten_all()?.to_vec1()?, None))
        } else {
            Ok((Vec::new(), Some(rows)))
        }
    }

    /// Number of tokens before the patches.
    pub(crate) fn n_first(&self) -> usize {
        self.n_first
    }

    /// Patches of each of so many images in so many values, if they are as many as there are positions.
    fn n_patches(&self, n_images: usize, n_values: usize) -> Option<usize> {
        let n = n_values / (n_images * self.n_features).max(1);
        let whole = n * n_images * self.n_features == n_values;
        (whole && self.n_patches.is_none_or(|expected| expected == n)).then_some(n)
    }

    /// Shape (image, token, feature), of maps of (image, row, column, feature).
    pub(crate) fn forward(&self, maps: &Tensor) -> Result<Tensor> {
        match &self.tensor {
            Some(table) => self.embed_tensor(maps, table),
            None => maps.apply_op1_no_bwd(self),
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
}

impl CustomOp1 for TokenEmbedding {
    fn name(&self) -> &'static str {
        "token-embedding"
    }

    fn cpu_fwd(&self, maps: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let n_images = layout.dims().first().copied().unwrap_or(0);
        let n_patches = self.n_patches(n_images, layout.shape().elem_count());
        let (Some(n_patches), Some(&n_features)) = (n_patches, layout.dims().last()) else {
            return Err(self.refused(layout.shape()));
        };
        if n_features != self.n_features {
            return Err(self.refused(layout.shape()));
        }
        let maps = values(maps, layout)?;
        let n_tokens = self.n_first + n_patches;
        let mut out = zeros(n_images * n_tokens * n_features);
        if n_patches > 0 {
            let images = maps.chunks_exact(n_patches * n_features);
            for (image, out) in images.zip(out.chunks_exact_mut(n_tokens * n_features)) {
                self.embed(image, out);
            }
        }
        let shape = (n_images, n_tokens, n_features);
        Ok((CpuStorage::F32(out), shape.into()))
    }
}

impl TokenEmbedding {
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

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn maps() -> Tensor {
        let values = [1_f32, 2.0, 3.0, 6.0, 0.0, 0.0, 4.0, 4.0];
        Tensor::from_slice(&values, (2, 1, 2, 2), &Device::Cpu).unwrap()
    }

    fn positions() -> Tensor {
        let table = [[100_f32, 200.0], [10.0, 10.0], [20.0, 20.0]];
        Tensor::new(&[table], &Device::Cpu).unwrap()
    }

    #[test]
    fn the_class_token_comes_first() -> Result<()> {
        let class_token = Tensor::new(&[1_f32, -1.0], &Device::Cpu)?;
        let embedding = TokenEmbedding::with_class_token(&class_token, &positions())?;
        let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
        assert_eq!(tokens[0], [[101.0, 199.0], [11.0, 12.0], [23.0, 26.0]]);
        assert_eq!(tokens[1], [[101.0, 199.0], [10.0, 10.0], [24.0, 24.0]]);
        Ok(())
    }

    #[test]
    fn or_the_mean_of_the_patches() -> Result<()> {
        let embedding = TokenEmbedding::with_mean_token(&positions(), 2)?;
        let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
        assert_eq!(tokens[0], [[102.0, 204.0], [11.0, 12.0], [23.0, 26.0]]);
        assert_eq!(tokens[1][0], [102.0, 202.0]);
        Ok(())
    }

    #[test]
    fn learned_tokens_come_first_and_positions_are_optional() -> Result<()> {
        let registers = Tensor::new(&[[5_f32, 6.0], [7.0, 8.0]], &Device::Cpu)?;
        let embedding = TokenEmbedding::with_first_tokens(Some(&registers), None, 2)?;
        let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
        assert_eq!(tokens[1], [[5.0, 6.0], [7.0, 8.0], [0.0, 0.0], [4.0, 4.0]]);
        let one = maps().narrow(2, 0, 1)?.contiguous()?;
        assert_eq!(embedding.forward(&one)?.dims(), [2, 3, 2]);

        let positions = Tensor::new(&[[10_f32, 10.0], [20.0, 20.0]], &Device::Cpu)?;
        let embedding = TokenEmbedding::with_first_tokens(None, Some(&positions), 2)?;
        let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
        assert_eq!(tokens[0], [[11.0, 12.0], [23.0, 26.0]]);
        assert!(embedding.forward(&one).is_err());
        Ok(())
    }

    #[test]
    fn another_number_of_patches_is_refused() {
        let embedding = TokenEmbedding::with_mean_token(&positions(), 2).unwrap();
        let maps = maps().reshape((1, 2, 2, 2)).unwrap();
        let message = embedding.forward(&maps).unwrap_err().to_string();
        assert!(
            message.contains("are not 2 patches of 2 features"),
            "{message}"
        );
    }
}
