//! The keys and values of tokens, kept on the device.

use super::attention::softmax;
use super::{beside, dense, picked};
use crate::blocks::{GroupedHeads, Sequences, TokenColumns};
use candle_core::{D, Result, Tensor, bail};

/// Keys and values of all texts, shape (text, head, token, feature). Adding a token copies them on the device.
#[derive(Debug, Clone, Default)]
pub struct TensorPast {
    /// Keys and values; `None` before the first token.
    kept: Option<[Tensor; 2]>,
    /// The bias of the scores, shape (text, 1, 1, token): -∞ beyond the last token of a text. `None` if all texts have
    /// equally many tokens.
    absent: Option<Tensor>,
}

/// Splits columns of rows into heads: shape (text, head, token, feature).
fn heads_of(tokens: &Tensor, first: usize, (n_heads, head_width): (usize, usize), n_texts: usize) -> Result<Tensor> {
    let (n_rows, _) = tokens.dims2()?;
    let columns = dense(&tokens.narrow(1, first, n_heads * head_width)?)?;
    let shape = (n_texts, n_rows / n_texts.max(1), n_heads, head_width);
    dense(&columns.reshape(shape)?.transpose(1, 2)?)
}

/// Number and width of the heads of keys and values.
fn key_heads(heads: GroupedHeads) -> (usize, usize) {
    (heads.n_key_heads, heads.head_width)
}

impl TensorPast {
    pub(in crate::blocks) fn of_sequences(
        TokenColumns { tokens, first }: TokenColumns<'_>,
        heads: GroupedHeads,
        sequences: &Sequences,
    ) -> Result<Self> {
        let rows: Vec<_> = sequences.rows().collect();
        let longest = rows.iter().map(|rows| rows.len()).max().unwrap_or(0);
        let (tokens, absent) = if rows.iter().all(|rows| rows.len() == longest) {
            (tokens.clone(), None)
        } else {
            let of_text = |rows: &std::ops::Range<usize>| {
                let rows = rows.clone();
                (0..longest).map(move |token| (token < rows.len()).then(|| rows.start + token))
            };
            let places: Vec<Option<usize>> = rows.iter().flat_map(of_text).collect();
            let absent = places.iter().map(|place| match place {
                Some(_) => 0.0,
                None => f32::NEG_INFINITY,
            });
            let absent = beside(tokens, absent.collect(), (rows.len(), 1, 1, longest))?;
            let places: Vec<Option<u32>> = (places.iter()).map(|place| place.map(|place| place as u32)).collect();
            (picked(tokens, &places)?, Some(absent))
        };
        let part = |first| heads_of(&tokens, first, key_heads(heads), rows.len());
        Ok(TensorPast {
            kept: Some([part(first)?, part(first + heads.key_columns())?]),
            absent,
        })
    }

    pub(in crate::blocks) fn extend(
        &mut self,
        TokenColumns { tokens, first }: TokenColumns<'_>,
        heads: GroupedHeads,
    ) -> Result<()> {
        if self.absent.is_some() {
            bail!("texts of several lengths do not go on");
        }
        let part = |first| heads_of(tokens, first, key_heads(heads), tokens.dim(0)?);
        let new = [part(first)?, part(first + heads.key_columns())?];
        self.kept = Some(match &self.kept {
            None => new,
            Some([keys, values]) => [Tensor::cat(&[keys, &new[0]], 2)?, Tensor::cat(&[values, &new[1]], 2)?],
        });
        Ok(())
    }

    pub(in crate::blocks) fn reorder(&mut self, rows: &[usize]) -> Result<()> {
        let select = |tensor: &Tensor| {
            let rows: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
            let rows = Tensor::from_vec(rows.clone(), rows.len(), tensor.device())?;
            tensor.index_select(&rows, 0)
        };
        if let Some([keys, values]) = &self.kept {
            self.kept = Some([select(keys)?, select(values)?]);
        }
        self.absent = self.absent.as_ref().map(select).transpose()?;
        Ok(())
    }
}

/// Attention of one query per text over all tokens. `bias` has a value for each head and token, or is empty.
pub(in crate::blocks) fn attend_to_past_tensors(
    TokenColumns { tokens, first }: TokenColumns<'_>,
    heads: GroupedHeads,
    pasts: &[&TensorPast],
    bias: &[f32],
) -> Result<Tensor> {
    let n_texts = tokens.dim(0)?;
    // Heads that share keys take the dimension that a longer text would use for tokens.
    let queries = dense(&tokens.narrow(1, first, heads.query_columns())?)?;
    let of_keys = |n: usize| (n_texts, heads.n_key_heads, heads.n_sharing(), n);
    let queries = queries.reshape(of_keys(heads.head_width))?;
    let present = pasts.iter().filter_map(|past| Some((past.kept.as_ref()?, past.absent.as_ref())));
    let present: Vec<_> = present.collect();
    // The scores are few, so they are concatenated; keys and values are not.
    let scores = present.iter().map(|([keys, _], absent)| {
        let scores = queries.matmul(&keys.t()?)?;
        match absent {
            Some(absent) => scores.broadcast_add(absent),
            None => Ok(scores),
        }
    });
    let scores = Tensor::cat(&scores.collect::<Result<Vec<_>>>()?, D::Minus1)?;
    let bias = match bias {
        [] => None,
        bias => {
            let n_tokens = bias.len() / heads.n_heads;
            let shape = (1, heads.n_key_heads, heads.n_sharing(), n_tokens);
            Some(beside(&scores, bias.to_vec(), shape)?)
        }
    };
    let weights = softmax(&scores, bias.as_ref())?;
    let mut place = 0;
    let mut sum: Option<Tensor> = None;
    for ([_, values], _) in &present {
        let n_tokens = values.dim(2)?;
        let own = dense(&weights.narrow(3, place, n_tokens)?)?;
        place += n_tokens;
        let part = own.matmul(values)?;
        sum = Some(match sum {
            Some(sum) => (sum + part)?,
            None => part,
        });
    }
    let Some(sum) = sum else {
        bail!("queries, and no token to attend to");
    };
    sum.reshape((n_texts, heads.query_columns()))
}
