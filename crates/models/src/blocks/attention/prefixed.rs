//! Attention of texts that are written behind prefixes, such as the tokens of an image.

use super::past::{Past, PastScratch, attend_to_past};
use super::{GroupedHeads, NoBias, ScoreBias, attend_grouped};
use crate::blocks::{CausalMask, Sequences};
use candle_core::{Device, Result, Tensor};
use rayon::prelude::*;
use std::sync::Arc;

/// Prefixes of one length, which a decoder goes through layer by layer before it writes.
pub(crate) struct Prefixes {
    n_tokens: usize,
    heads: GroupedHeads,
    is_causal: bool,
    /// What the tokens of each prefix left behind, layer by layer.
    pasts: Vec<Vec<Past>>,
}

impl Prefixes {
    /// `n_rows` tokens, `n_tokens` for each prefix. Do they look at those before them only (`is_causal`), or at
    /// all of the prefix?
    pub(crate) fn new(
        n_rows: usize,
        n_tokens: usize,
        heads: GroupedHeads,
        is_causal: bool,
    ) -> Self {
        Prefixes {
            n_tokens,
            heads,
            is_causal,
            pasts: vec![Vec::new(); n_rows / n_tokens.max(1)],
        }
    }

    /// Keeps what the next layer's tokens leave behind, given their queries, keys and values side by side.
    pub(crate) fn keep(&mut self, projected: &Tensor) -> Result<()> {
        let row_width = projected.dim(1)?;
        let (n_queries, width) = (self.heads.query_columns(), self.heads.key_columns());
        let values = projected.flatten_all()?.to_vec1::<f32>()?;
        let rows = values.par_chunks_exact(row_width * self.n_tokens);
        self.pasts
            .par_iter_mut()
            .zip(rows)
            .for_each(|(pasts, rows)| {
                let mut past = Past::default();
                for row in rows.chunks_exact(row_width) {
                    past.extend(&row[n_queries..], width);
                }
                pasts.push(past);
            });
        Ok(())
    }

    /// What each token gets from its prefix, given the same.
    pub(crate) fn attend(&self, projected: &Tensor) -> Result<Tensor> {
        let sequences = Sequences::new([self.n_tokens]);
        let mask = CausalMask::new(&sequences);
        let bias: &(dyn ScoreBias + Sync) = if self.is_causal { &mask } else { &NoBias };
        let attended = (0..self.pasts.len()).into_par_iter().map(|prefix| {
            let own = projected.narrow(0, prefix * self.n_tokens, self.n_tokens)?;
            attend_grouped(&own, &sequences, self.heads, bias, true)
        });
        Tensor::cat(&attended.collect::<Result<Vec<Tensor>>>()?, 0)
    }

    /// A row for each prefix, none of which has a text yet.
    pub(crate) fn into_texts(self) -> PrefixedTexts {
        let n_layers = self.pasts.first().map_or(0, Vec::len);
        PrefixedTexts {
            n_prefix_tokens: self.n_tokens,
            heads: self.heads,
            texts: vec![vec![Past::default(); n_layers]; self.pasts.len()],
            prefixes: self.pasts.into_iter().map(Arc::new).collect(),
            n_written: 0,
        }
    }
}

/// Texts that are being written, a row for each.
pub(crate) struct PrefixedTexts {
    n_prefix_tokens: usize,
    heads: GroupedHeads,
    /// What the tokens of each row's prefix left behind, layer by layer. Several rows may have one prefix.
    prefixes: Vec<Arc<Vec<Past>>>,
    /// The same of the tokens written.
    texts: Vec<Vec<Past>>,
    n_written: usize,
}

impl PrefixedTexts {
    /// The number of tokens before every text.
    pub(crate) fn n_prefix_tokens(&self) -> usize {
        self.n_prefix_tokens
    }

    /// The number of tokens that every text has.
    pub(crate) fn n_written(&self) -> usize {
        self.n_written
    }

    /// Row `i` becomes row `rows[i]`.
    pub(crate) fn reorder(&mut self, rows: &[usize]) {
        self.prefixes = rows.iter().map(|&row| self.prefixes[row].clone()).collect();
        self.texts = rows.iter().map(|&row| self.texts[row].clone()).collect();
    }

    /// Adds a token to every text in a layer, given its query, key and value side by side (a row for each text), and
    /// gives what it gets from its prefix and its text.
    pub(crate) fn attend(&mut self, layer: usize, projected: &Tensor) -> Result<Tensor> {
        let (n_rows, row_width) = projected.dims2()?;
        let heads = self.heads;
        let width = heads.query_columns();
        let projected = projected.flatten_all()?.to_vec1::<f32>()?;
        let mut attended = vec![0.0; n_rows * width];
        attended
            .par_chunks_exact_mut(width)
            .zip(projected.par_chunks_exact(row_width))
            .zip(self.prefixes.par_iter().zip(&mut self.texts))
            .for_each_init(
                PastScratch::default,
                |scratch, ((out, row), (prefix, text))| {
                    let (query, key_value) = row.split_at(width);
                    text[layer].extend(key_value, heads.key_columns());
                    let pasts = [&prefix[layer], &text[layer]];
                    attend_to_past(query, &pasts, &[], heads, scratch, out);
                },
            );
        Tensor::from_vec(attended, (n_rows, width), &Device::Cpu)
    }

    /// The token that every layer was given is written.
    pub(crate) fn advance(&mut self) {
        self.n_written += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    #[test]
    fn prefixes_and_texts_are_one_causal_sequence() {
        check(GroupedHeads::each_own(2, 14));
        check(GroupedHeads {
            n_heads: 6,
            n_key_heads: 2,
            head_width: 5,
        });
    }

    /// Two prefixes of three tokens and two tokens behind each are what a causal sequence of five is.
    fn check(heads: GroupedHeads) {
        let width = heads.columns();
        let source = Synthetic::new("projected", 5);
        let row = |sequence: usize, token: usize| -> Vec<f32> {
            let first = (sequence * 5 + token) * width;
            let places = first..first + width;
            places.map(|i| source.uniform(i as u64) - 0.5).collect()
        };
        let tensor = |rows: Vec<Vec<f32>>| {
            let shape = (rows.len(), width);
            Tensor::from_vec(rows.concat(), shape, &Device::Cpu).unwrap()
        };
        let begin = |is_causal| {
            let rows = tensor((0..6).map(|i| row(i / 3, i % 3)).collect());
            let mut prefixes = Prefixes::new(6, 3, heads, is_causal);
            prefixes.keep(&rows).unwrap();
            let attended = prefixes.attend(&rows).unwrap().to_vec2::<f32>().unwrap();
            (prefixes.into_texts(), attended)
        };
        let (mut texts, of_prefixes) = begin(true);
        assert_eq!((texts.n_prefix_tokens(), texts.n_written()), (3, 0));
        let whole = |sequence: usize| {
            let rows = tensor((0..5).map(|token| row(sequence, token)).collect());
            let sequences = Sequences::new([5]);
            let mask = CausalMask::new(&sequences);
            let attended = attend_grouped(&rows, &sequences, heads, &mask, false).unwrap();
            attended.to_vec2::<f32>().unwrap()
        };
        let close = |a: &[f32], b: &[f32]| {
            assert!(
                a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6),
                "{a:?} {b:?}"
            );
        };
        for sequence in 0..2 {
            for token in 0..3 {
                close(&of_prefixes[3 * sequence + token], &whole(sequence)[token]);
            }
        }
        let first = tensor(vec![row(0, 3), row(1, 3)]);
        let attended = texts.attend(0, &first).unwrap().to_vec2::<f32>().unwrap();
        texts.advance();
        close(&attended[0], &whole(0)[3]);
        close(&attended[1], &whole(1)[3]);
        // Two rows of the second sequence; one goes on as it did.
        texts.reorder(&[1, 1]);
        let second = tensor(vec![row(1, 4), row(0, 4)]);
        let attended = texts.attend(0, &second).unwrap().to_vec2::<f32>().unwrap();
        close(&attended[0], &whole(1)[4]);
        assert!((attended[1][0] - attended[0][0]).abs() > 1e-4);
        assert_eq!(texts.n_written(), 1);

        // Where tokens of a prefix see all of it, the last sees what it saw.
        let (_, together) = begin(false);
        close(&together[2], &whole(0)[2]);
        assert!((together[0][0] - whole(0)[0][0]).abs() > 1e-4);
    }
}
