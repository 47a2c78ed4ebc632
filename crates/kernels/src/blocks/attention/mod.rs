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
mod turned;

pub use across::{TokenColumns, attend_across};
pub use cross::CrossAttention;
pub use grouped::{GroupedAttention, GroupedHeads, attend_grouped};
pub use head::score_stride;
pub use pasts::{Pasts, SourcePasts, attend_to_pasts};
pub use prefixed::{PrefixedTexts, Prefixes};
pub use score_bias::{NoBias, ScoreBias};
pub use self_attention::{SelfAttention, attend_rows};
pub use turned::turn_rows;
