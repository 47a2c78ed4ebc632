//! Attention of texts that follow prefixes, such as the tokens of an image.

use super::pasts::{Pasts, SourcePasts, attend_to_pasts};
use super::{GroupedHeads, NoBias, ScoreBias, TokenColumns, attend_grouped};
use crate::blocks::tensors::is_packed;
use crate::blocks::{CausalMask, Sequences};
use candle_core::{Result, Tensor};
use rayon::prelude::*;

/// Prefixes of equal length, which a decoder processes layer by layer before it writes.
pub struct Prefixes {
    sequences: Sequences,
    n_tokens: usize,
    heads: GroupedHeads,
    is_causal: bool,
    /// The keys and values of the prefixes' tokens, layer by layer.
    pasts: Vec<Pasts>,
    /// The pasts of the texts, which have no tokens yet.
    texts: Vec<Pasts>,
}

impl Prefixes {
    /// `n_rows` tokens, `n_tokens` for each prefix. They attend only to those before them (`is_causal`), or to the
    /// whole prefix.
    pub fn new(n_rows: usize, n_tokens: usize, heads: GroupedHeads, is_causal: bool) -> Self {
        Prefixes {
            sequences: Sequences::new(vec![n_tokens; n_rows / n_tokens.max(1)]),
            n_tokens,
            heads,
            is_causal,
            pasts: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Keeps the next layer's keys and values, given queries, keys and values side by side.
    pub fn keep(&mut self, projected: &Tensor) -> Result<()> {
        let columns = kept(projected, self.heads);
        let past = Pasts::of_sequences(columns, self.heads, &self.sequences)?;
        self.pasts.push(past);
        self.texts.push(Pasts::none(self.sequences.n_sequences(), projected));
        Ok(())
    }

    /// The attention of each token over its prefix, given queries, keys and values side by side.
    pub fn attend(&self, projected: &Tensor) -> Result<Tensor> {
        let attend = |rows: &Tensor, sequences: &Sequences| {
            let mask = CausalMask::new(sequences);
            let bias: &(dyn ScoreBias + Sync) = if self.is_causal { &mask } else { &NoBias };
            attend_grouped(rows, sequences, self.heads, bias, true)
        };
        if !is_packed(projected) {
            return attend(projected, &self.sequences);
        }
        let attended = (0..self.sequences.n_sequences()).into_par_iter().map(|prefix| {
            let own = projected.narrow(0, prefix * self.n_tokens, self.n_tokens)?;
            attend(&own, &Sequences::new([self.n_tokens]))
        });
        Tensor::cat(&attended.collect::<Result<Vec<Tensor>>>()?, 0)
    }

    /// Starts an empty text for each prefix.
    pub fn into_texts(self) -> PrefixedTexts {
        PrefixedTexts {
            n_prefix_tokens: self.n_tokens,
            heads: self.heads,
            prefixes: SourcePasts::new(self.pasts, self.sequences.n_sequences()),
            texts: self.texts,
            n_written: 0,
        }
    }
}

/// The keys and values in rows of queries, keys and values.
fn kept(projected: &Tensor, heads: GroupedHeads) -> TokenColumns<'_> {
    TokenColumns {
        tokens: projected,
        first: heads.query_columns(),
    }
}

/// Texts that are being written, a row each.
pub struct PrefixedTexts {
    n_prefix_tokens: usize,
    heads: GroupedHeads,
    /// Keys and values of each row's prefix, layer by layer. Several rows may share a prefix.
    prefixes: SourcePasts,
    /// Keys and values of the tokens written so far.
    texts: Vec<Pasts>,
    n_written: usize,
}

impl PrefixedTexts {
    /// Number of tokens before every text.
    pub fn n_prefix_tokens(&self) -> usize {
        self.n_prefix_tokens
    }

    /// Number of tokens in every text.
    pub fn n_written(&self) -> usize {
        self.n_written
    }

    /// Row `i` becomes row `rows[i]`.
    pub fn reorder(&mut self, rows: &[usize]) -> Result<()> {
        self.prefixes.reorder(rows)?;
        self.texts.iter_mut().try_for_each(|text| text.reorder(rows))
    }

    /// Adds a token to every text in a layer, given its query, key and value side by side (a row per text). Returns its
    /// attention over prefix and text.
    pub fn attend(&mut self, layer: usize, projected: &Tensor) -> Result<Tensor> {
        let heads = self.heads;
        self.texts[layer].extend(kept(projected, heads), heads)?;
        let pasts = [self.prefixes.layer(layer), &self.texts[layer]];
        let queries = TokenColumns {
            tokens: projected,
            first: 0,
        };
        attend_to_pasts(queries, heads, &pasts, &[], true)
    }

    /// Counts the token that has been added in every layer.
    pub fn advance(&mut self) {
        self.n_written += 1;
    }
}
