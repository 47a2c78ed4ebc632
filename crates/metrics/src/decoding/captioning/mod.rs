//! Captions decoded from a brain against captions that people wrote: the scores of COCO's caption
//! evaluation, as BrainHub reports them.
//!
//! A caption is a list of words, split and stripped of punctuation beforehand
//! (`ptb_caption_words` of the language crate).

mod bleu;
mod cider;
mod clip_score;
mod ngrams;
mod rouge_l;

pub use bleu::{BleuCounts, bleu_counts};
pub use cider::Cider;
pub use clip_score::{clip_score, ref_clip_score};
pub use rouge_l::rouge_l;
