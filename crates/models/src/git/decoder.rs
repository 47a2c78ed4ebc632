//! From the tokens of images to words.

use crate::blocks::{
    Embedding, LayerNorm, NoBias, Past, PastScratch, Sequences, WideLinear, attend_rows,
    attend_to_past, host_values,
};
use candle_core::{Device, Result as EngineResult, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// A causal BERT, with a map to the logits of the next word.
pub(crate) struct TextDecoder {
    pub(super) words: Embedding,
    pub(super) positions: Embedding,
    pub(super) norm: LayerNorm,
    pub(super) layers: Vec<DecoderLayer>,
    pub(super) output: WideLinear,
    pub(super) n_heads: usize,
    pub(super) width: usize,
}

/// One transformer block. Every map runs on all threads: of a few rows, reading its weights takes longest.
pub(crate) struct DecoderLayer {
    pub(super) query_key_value: WideLinear,
    pub(super) attention_output: WideLinear,
    pub(super) attention_norm: LayerNorm,
    pub(super) expand: WideLinear,
    pub(super) contract: WideLinear,
    pub(super) output_norm: LayerNorm,
}

/// The captions that are being written, a row for each.
pub(crate) struct Captions {
    /// What the tokens of each row's image left behind, layer by layer. Several rows may have one image.
    images: Vec<Arc<Vec<Past>>>,
    /// The same of the tokens written.
    texts: Vec<Vec<Past>>,
    n_written: u32,
}

impl Captions {
    /// Row `i` becomes row `rows[i]`.
    pub(super) fn reorder(&mut self, rows: &[usize]) {
        self.images = rows.iter().map(|&row| self.images[row].clone()).collect();
        self.texts = rows.iter().map(|&row| self.texts[row].clone()).collect();
    }
}

impl TextDecoder {
    /// Features of a token.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A row for each image, none of which has a text yet. `tokens` are those of the images, end to end, `n_tokens`
    /// each: shape (token, feature).
    pub(super) fn begin(&self, tokens: Tensor, n_tokens: usize) -> EngineResult<Captions> {
        let (n_rows, width) = tokens.dims2()?;
        let n_images = n_rows / n_tokens;
        let sequences = Sequences::new([n_tokens]);
        let mut images: Vec<Vec<Past>> = vec![Vec::new(); n_images];
        let mut x = tokens;
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.query_key_value.forward(&x)?;
            let values = projected.flatten_all()?.to_vec1::<f32>()?;
            let rows = values.par_chunks_exact(3 * width * n_tokens);
            images.par_iter_mut().zip(rows).for_each(|(pasts, rows)| {
                let mut past = Past::default();
                for row in rows.chunks_exact(3 * width) {
                    past.extend(&row[width..], width);
                }
                pasts.push(past);
            });
            if index + 1 == self.layers.len() {
                // The text needs no more of the image than that.
                break;
            }
            let attended = (0..n_images).into_par_iter().map(|image| {
                let own = projected.narrow(0, image * n_tokens, n_tokens)?;
                attend_rows(&own, &sequences, self.n_heads, &NoBias)
            });
            let attended = attended.collect::<EngineResult<Vec<Tensor>>>()?;
            x = layer.behind_attention(&Tensor::cat(&attended, 0)?, &x)?;
        }
        let n_layers = self.layers.len();
        Ok(Captions {
            images: images.into_iter().map(Arc::new).collect(),
            texts: vec![vec![Past::default(); n_layers]; n_images],
            n_written: 0,
        })
    }

    /// The logits of the word after these, one of which goes to the end of every row.
    pub(super) fn append(&self, captions: &mut Captions, ids: &[u32]) -> EngineResult<Vec<f32>> {
        let place = self.positions.forward(&[captions.n_written])?;
        let words = self.words.forward(ids)?.broadcast_add(&place)?;
        let mut x = self.norm.forward(&words)?;
        let (n_rows, width) = x.dims2()?;
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.query_key_value.forward(&x)?;
            let projected = projected.flatten_all()?.to_vec1::<f32>()?;
            let mut attended = vec![0.0; n_rows * width];
            attended
                .par_chunks_exact_mut(width)
                .zip(projected.par_chunks_exact(3 * width))
                .zip(captions.images.par_iter().zip(&mut captions.texts))
                .for_each_init(
                    PastScratch::default,
                    |scratch, ((out, row), (image, text))| {
                        let (query, keys_values) = row.split_at(width);
                        text[index].extend(keys_values, width);
                        let pasts = [&image[index], &text[index]];
                        attend_to_past(query, &pasts, &[], self.n_heads, scratch, out);
                    },
                );
            let attended = Tensor::from_vec(attended, (n_rows, width), &Device::Cpu)?;
            x = layer.behind_attention(&attended, &x)?;
        }
        captions.n_written += 1;
        host_values(&self.output.forward(&x)?)
    }
}

impl DecoderLayer {
    fn behind_attention(&self, attended: &Tensor, x: &Tensor) -> EngineResult<Tensor> {
        let x = (self.attention_output.forward(attended)? + x)?;
        let x = self.attention_norm.forward(&x)?;
        let inner = self.expand.forward(&x)?;
        let y = (self.contract.forward(&inner)? + &x)?;
        self.output_norm.forward(&y)
    }
}
