//! From maps of patches to sequences of tokens.

use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{CpuStorage, CustomOp1, Error, Layout, Result, Shape, Tensor};

/// Puts a token before the patches of an image and adds to each its position's vector.
#[derive(Debug, Clone)]
pub(crate) struct TokenEmbedding {
    /// One vector for each token; a learned first token is part of the first.
    table: Vec<f32>,
    /// In place of it, where it lies elsewhere: shape (token, feature).
    tensor: Option<Tensor>,
    n_tokens: usize,
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
        let table = Tensor::cat(&[&first.unsqueeze(0)?, &others], 0)?;
        Ok(TokenEmbedding {
            first_is_mean: false,
            ..Self::with_mean_token(&table, n_features)?
        })
    }

    /// With the mean of the patches before them.
    pub(crate) fn with_mean_token(positions: &Tensor, n_features: usize) -> Result<Self> {
        let positions = positions.flatten_all()?.reshape(((), n_features))?;
        let (mut table, mut tensor) = (Vec::new(), None);
        let n_tokens = positions.dim(0)?;
        if is_packed(&positions) {
            table = positions.flatten_all()?.to_vec1()?;
        } else {
            tensor = Some(positions);
        }
        Ok(TokenEmbedding {
            table,
            tensor,
            n_tokens,
            n_features,
            first_is_mean: true,
        })
    }

    /// Number of tokens of an image.
    pub(crate) fn n_tokens(&self) -> usize {
        self.n_tokens
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
        let n_patches = self.n_tokens - 1;
        if maps.elem_count() != n_images * n_patches * self.n_features {
            return Err(self.refused(maps.shape()));
        }
        let shape = (n_images, n_patches, self.n_features);
        let patches = maps.contiguous()?.reshape(shape)?;
        let first = if self.first_is_mean {
            patches.mean_keepdim(1)?
        } else {
            patches.narrow(1, 0, 1)?.zeros_like()?
        };
        Tensor::cat(&[&first, &patches], 1)?.broadcast_add(table)
    }

    fn refused(&self, found: &Shape) -> Error {
        Error::Msg(format!(
            "maps of {found:?} are not {} patches of {} features for each image",
            self.n_tokens - 1,
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
        let n_patch_values = self.table.len() - self.n_features;
        let found = layout.shape().elem_count();
        if layout.dims().last() != Some(&self.n_features) || found != n_images * n_patch_values {
            return Err(self.refused(layout.shape()));
        }
        let maps = values(maps, layout)?;
        let mut out = zeros(n_images * self.table.len());
        if n_patch_values > 0 {
            let images = maps.chunks_exact(n_patch_values);
            for (image, out) in images.zip(out.chunks_exact_mut(self.table.len())) {
                self.embed(image, out);
            }
        }
        let shape = (n_images, self.n_tokens(), self.n_features);
        Ok((CpuStorage::F32(out), shape.into()))
    }
}

impl TokenEmbedding {
    fn embed(&self, patches: &[f32], out: &mut [f32]) {
        let (first, rest) = out.split_at_mut(self.n_features);
        rest.copy_from_slice(patches);
        if self.first_is_mean {
            for patch in patches.chunks_exact(self.n_features) {
                for (sum, value) in first.iter_mut().zip(patch) {
                    *sum += value;
                }
            }
            let n_patches = (self.n_tokens() - 1) as f32;
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
