//! Multi-head attention.

mod across;
mod cross;
mod grouped;
mod head;
mod past;
mod pasts;
mod prefixed;
mod score_bias;
mod self_attention;
#[cfg(test)]
mod tests;
mod turned;

pub(crate) use across::{TokenColumns, attend_across};
pub(crate) use cross::CrossAttention;
pub(crate) use grouped::{GroupedAttention, GroupedHeads, attend_grouped};
pub(crate) use head::score_stride;
pub(crate) use pasts::{Pasts, SourcePasts, attend_to_pasts};
pub(crate) use prefixed::{PrefixedTexts, Prefixes};
pub(crate) use score_bias::{NoBias, ScoreBias};
pub(crate) use self_attention::{SelfAttention, attend_rows};
pub(crate) use turned::turn_rows;
