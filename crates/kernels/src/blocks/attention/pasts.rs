//! The keys and values that tokens left in a layer, for all texts being written.

use super::past::{Past, PastScratch, attend_to_past};
use super::{GroupedHeads, TokenColumns};
use crate::blocks::Sequences;
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::{TensorPast, attend_to_past_tensors, is_packed};
use candle_core::{Device, Result, Storage, Tensor, bail};
use rayon::prelude::*;
use std::sync::Arc;

/// The keys and values of some tokens of each text; a row of the batch per text.
#[derive(Debug, Clone)]
pub enum Pasts {
    /// In main memory. Rows share tokens until one of them continues.
    Rows(Vec<Arc<Past>>),
    /// All texts together, on the device of the network's weights.
    Tensors(TensorPast),
}

impl Pasts {
    /// For `n_texts` texts without tokens; `like` is on the device where their tokens will be.
    pub fn none(n_texts: usize, like: &Tensor) -> Self {
        if is_packed(like) {
            Pasts::Rows(vec![Arc::default(); n_texts])
        } else {
            Pasts::Tensors(TensorPast::default())
        }
    }

    /// From concatenated sequences, one per text, whose keys, then values, are columns of a matrix.
    pub fn of_sequences(columns: TokenColumns<'_>, heads: GroupedHeads, sequences: &Sequences) -> Result<Self> {
        if !is_packed(columns.tokens) {
            return Ok(Pasts::Tensors(TensorPast::of_sequences(columns, heads, sequences)?));
        }
        let past = |rows: &[&[f32]]| {
            let mut past = Past::default();
            rows.iter().for_each(|row| past.extend(row, heads.key_columns()));
            Arc::new(past)
        };
        in_rows(columns, |rows| {
            let texts: Vec<_> = sequences.rows().collect();
            let texts = texts.into_par_iter().map(|text| past(&rows[text]));
            Ok(Pasts::Rows(texts.collect()))
        })
    }

    /// Adds a token to every text: a row per text, whose columns are its key, then its value.
    pub fn extend(&mut self, columns: TokenColumns<'_>, heads: GroupedHeads) -> Result<()> {
        match self {
            Pasts::Tensors(past) => past.extend(columns, heads),
            Pasts::Rows(pasts) => in_rows(columns, |rows| {
                for (past, row) in pasts.iter_mut().zip(rows) {
                    Arc::make_mut(past).extend(row, heads.key_columns());
                }
                Ok(())
            }),
        }
    }

    /// Text `i` becomes text `rows[i]`.
    pub fn reorder(&mut self, rows: &[usize]) -> Result<()> {
        match self {
            Pasts::Rows(pasts) => *pasts = rows.iter().map(|&row| pasts[row].clone()).collect(),
            Pasts::Tensors(past) => past.reorder(rows)?,
        }
        Ok(())
    }
}

/// Keys and values of sources, layer by layer. Each text has one source; several texts may have the same.
#[derive(Debug)]
pub struct SourcePasts {
    layers: Vec<Pasts>,
    sources: Vec<usize>,
}

impl SourcePasts {
    /// One text for each source.
    pub fn new(layers: Vec<Pasts>, n_sources: usize) -> Self {
        SourcePasts {
            layers,
            sources: (0..n_sources).collect(),
        }
    }

    pub fn layer(&self, index: usize) -> &Pasts {
        &self.layers[index]
    }

    /// Text `i` becomes text `rows[i]`. If no text's source changes, as among the beams of one source, nothing is
    /// moved.
    pub fn reorder(&mut self, rows: &[usize]) -> Result<()> {
        let sources: Vec<usize> = rows.iter().map(|&row| self.sources[row]).collect();
        if sources != self.sources {
            for layer in &mut self.layers {
                layer.reorder(rows)?;
            }
            self.sources = sources;
        }
        Ok(())
    }
}

/// The attention of one query per text over the tokens of `pasts`, one past after the other, head by head: `softmax(q
/// Kᵀ + bias) V`. The query's token is the last of them, or they belong to another sequence. The queries include the
/// scores' factor. `bias` has a value for each head and token, or is empty. `shared` says whether all threads share the
/// texts.
pub fn attend_to_pasts(
    queries: TokenColumns<'_>,
    heads: GroupedHeads,
    pasts: &[&Pasts],
    bias: &[f32],
    shared: bool,
) -> Result<Tensor> {
    if !is_packed(queries.tokens) {
        let pasts = pasts.iter().map(|past| match past {
            Pasts::Tensors(past) => Ok(past),
            Pasts::Rows(_) => bail!("tokens in main memory, and queries elsewhere"),
        });
        let pasts = pasts.collect::<Result<Vec<_>>>()?;
        return attend_to_past_tensors(queries, heads, &pasts, bias);
    }
    let pasts = pasts.iter().map(|past| match past {
        Pasts::Rows(pasts) => Ok(pasts.as_slice()),
        Pasts::Tensors(_) => bail!("queries in main memory, and tokens elsewhere"),
    });
    let pasts = pasts.collect::<Result<Vec<_>>>()?;
    let (n_texts, _) = queries.tokens.dims2()?;
    if pasts.iter().any(|past| past.len() != n_texts) {
        bail!("queries of {n_texts} texts for the tokens of others");
    }
    let width = heads.query_columns();
    let mut out = zeros(n_texts * width);
    in_rows(queries, |rows| {
        let attend = |scratch: &mut PastScratch, (text, out): (usize, &mut [f32])| {
            let own: Vec<&Past> = pasts.iter().map(|past| &*past[text]).collect();
            attend_to_past(&rows[text][..width], &own, bias, heads, scratch, out);
        };
        if shared {
            let texts = out.par_chunks_exact_mut(width).enumerate();
            texts.for_each_init(PastScratch::default, attend);
        } else {
            let mut scratch = PastScratch::default();
            let texts = out.chunks_exact_mut(width).enumerate();
            texts.for_each(|text| attend(&mut scratch, text));
        }
        Ok(())
    })?;
    Tensor::from_vec(out, (n_texts, width), &Device::Cpu)
}

/// The rows of a matrix in main memory, from column `first` on.
fn in_rows<T>(
    TokenColumns { tokens, first }: TokenColumns<'_>,
    read: impl FnOnce(&[&[f32]]) -> Result<T>,
) -> Result<T> {
    let (_, row_width) = tokens.dims2()?;
    let (storage, layout) = tokens.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else {
        bail!("rows are read in main memory");
    };
    let rows = values(storage, layout)?.chunks_exact(row_width.max(1));
    let rows: Vec<&[f32]> = rows.map(|row| &row[first..]).collect();
    read(&rows)
}
