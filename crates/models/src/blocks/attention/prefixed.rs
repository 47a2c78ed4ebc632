//! Attention of texts that are written behind prefixes, such as the tokens of an image.

use super::pasts::{Pasts, SourcePasts, attend_to_pasts};
use super::{GroupedHeads, NoBias, ScoreBias, TokenColumns, attend_grouped};
use crate::blocks::tensors::is_packed;
use crate::blocks::{CausalMask, Sequences};
use candle_core::{Result, Tensor};
use rayon::prelude::*;

/// Prefixes of one length, which a decoder goes through layer by layer before it writes.
pub(crate) struct Prefixes {
    sequences: Sequences,
    n_tokens: usize,
    heads: GroupedHeads,
    is_causal: bool,
    /// The keys and values of the tokens, layer by layer.
    pasts: Vec<Pasts>,
    /// The same of texts that have no tokens yet.
    texts: Vec<Pasts>,
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
            sequences: Sequences::new(vec![n_tokens; n_rows / n_tokens.max(1)]),
            n_tokens,
            heads,
            is_causal,
            pasts: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Keeps what the next layer's tokens leave behind, given their queries, keys and values side by side.
    pub(crate) fn keep(&mut self, projected: &Tensor) -> Result<()> {
        let columns = kept(projected, self.heads);
        let past = Pasts::of_sequences(columns, self.heads, &self.sequences)?;
        self.pasts.push(past);
        self.texts
            .push(Pasts::none(self.sequences.len(), projected));
        Ok(())
    }

    /// The output of attention for each token over its prefix, given the same.
    pub(crate) fn attend(&self, projected: &Tensor) -> Result<Tensor> {
        let attend = |rows: &Tensor, sequences: &Sequences| {
            let mask = CausalMask::new(sequences);
            let bias: &(dyn ScoreBias + Sync) = if self.is_causal { &mask } else { &NoBias };
            attend_grouped(rows, sequences, self.heads, bias, true)
        };
        if !is_packed(projected) {
            return attend(projected, &self.sequences);
        }
        let attended = (0..self.sequences.len()).into_par_iter().map(|prefix| {
            let own = projected.narrow(0, prefix * self.n_tokens, self.n_tokens)?;
            attend(&own, &Sequences::new([self.n_tokens]))
        });
        Tensor::cat(&attended.collect::<Result<Vec<Tensor>>>()?, 0)
    }

    /// A row for each prefix, without a text yet.
    pub(crate) fn into_texts(self) -> PrefixedTexts {
        PrefixedTexts {
            n_prefix_tokens: self.n_tokens,
            heads: self.heads,
            prefixes: SourcePasts::new(self.pasts, self.sequences.len()),
            texts: self.texts,
            n_written: 0,
        }
    }
}

/// The keys and values among queries, keys and values side by side.
fn kept(projected: &Tensor, heads: GroupedHeads) -> TokenColumns<'_> {
    TokenColumns {
        tokens: projected,
        first: heads.query_columns(),
    }
}

/// Texts that are being written, a row for each.
pub(crate) struct PrefixedTexts {
    n_prefix_tokens: usize,
    heads: GroupedHeads,
    /// Keys and values of the tokens of each row's prefix, layer by layer. Several rows may have one prefix.
    prefixes: SourcePasts,
    /// The same of the tokens written.
    texts: Vec<Pasts>,
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
    pub(crate) fn reorder(&mut self, rows: &[usize]) -> Result<()> {
        self.prefixes.reorder(rows)?;
        self.texts
            .iter_mut()
            .try_for_each(|text| text.reorder(rows))
    }

    /// Adds a token to every text in a layer, given its query, key and value side by side (a row for each text), and
    /// gives what it gets from its prefix and its text.
    pub(crate) fn attend(&mut self, layer: usize, projected: &Tensor) -> Result<Tensor> {
        let heads = self.heads;
        self.texts[layer].extend(kept(projected, heads), heads)?;
        let pasts = [self.prefixes.layer(layer), &self.texts[layer]];
        let queries = TokenColumns {
            tokens: projected,
            first: 0,
        };
        attend_to_pasts(queries, heads, &pasts, &[], true)
    }

    /// The token that every layer was given is written.
    pub(crate) fn advance(&mut self) {
        self.n_written += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;
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
        texts.reorder(&[1, 1]).unwrap();
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
