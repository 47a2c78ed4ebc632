//! BLIP-2 with OPT (Li et al. 2023): an image encoder, learned queries that collect information from its tokens, and a
//! language model that writes the text after them.
//!
//! The encoder is a vision transformer (EVA's ViT-g); all its tokens are kept. The Q-Former is a BERT whose tokens are
//! learned queries: they attend to each other in every layer and to the image's tokens in some layers. An affine map
//! brings them into the space of OPT, where they precede the text as if they were words: each attends only to those
//! before it, and positions of the text continue from theirs. They are computed once, and their keys and values are
//! kept for every token of the text.

mod captioner;
mod config;
mod qformer;
mod weights;

pub use captioner::Blip2;
pub(crate) use config::Config;

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "BLIP-2";
