//! Captions decoded from a brain compared with captions that people wrote: the scores of COCO's caption evaluation, as
//! reported by BrainHub.
//!
//! A caption is a list of words, which the language crate splits: `ptb_caption_words` for the scores of COCO's
//! evaluation, `word_tokens_of_text` for METEOR, `rouge_words` for ROUGE as F1.

mod bleu;
mod cider;
mod clip_score;
mod meteor;
mod ngrams;
mod rouge;
mod rouge_l;

pub use bleu::{BleuCounts, bleu_counts, corpus_shares};
pub use cider::Cider;
pub use clip_score::{CAPTION_PREFIX, clip_score, ref_clip_score};
pub use meteor::meteor;
pub use rouge::{rouge_l_f1, rouge_n};
pub use rouge_l::rouge_l;
