//! How captions are written, embedded and compared.

use super::entry::Convention;
use super::value::{count, itself, optional, switch, word};
use super::{MAX_BEAMS, MAX_TOKENS};
use std::num::NonZeroUsize;

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("text_encoder", "cap-sim-encoder"),
            "Model that embeds captions: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, or `placeholder` (no \
             weights, numbers mean nothing)",
            itself::<String>("MODEL"),
            |request| Some(&mut request.text_encoder),
        ),
        Convention::new(
            ("references", "cap-sim-references"),
            "How the similarities to several reference captions become one",
            word(),
            |request| Some(&mut request.options.references),
        )
        .varied(&["mean", "max", "first"]),
        Convention::new(
            ("rouge_stemming", "rouge-words"),
            "Reduce words to their stems for ROUGE-1, ROUGE-2 and ROUGE-L (F1)",
            switch(),
            |request| Some(&mut request.options.rouge_stemming),
        )
        .varied(&["off", "on"]),
        Convention::new(
            ("text_instruction", "text-instruction"),
            "Instruction before the captions of both sides when they are embedded, such as \"Retrieve semantically similar \
             text\"; only Qwen3-Embedding-0.6B reads one",
            optional("none", itself::<String>("TEXT")),
            |request| Some(&mut request.text_instruction),
        ),
        Convention::new(
            ("caption_beams", "caption-decoding"),
            "Beams of a captioner's search; 1 is greedy search",
            count::<MAX_BEAMS, NonZeroUsize>("N"),
            |request| Some(&mut request.captioner.as_mut()?.options.n_beams),
        ),
        Convention::new(
            ("caption_tokens", "caption-decoding"),
            "Tokens that a caption has at most, the end token included",
            count::<MAX_TOKENS, usize>("N"),
            |request| Some(&mut request.captioner.as_mut()?.options.max_new_tokens),
        ),
    ]
}
