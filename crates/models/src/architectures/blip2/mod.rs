//! BLIP-2 with OPT (Li et al. 2023): an image encoder, queries that gather what it saw, and a language model that goes
//! on behind them.
//!
//! The encoder is a vision transformer (EVA's ViT-g), of which all tokens are kept. The Q-Former is a BERT whose tokens are
//! learned queries: they look at each other in every layer and at the image's tokens in some. A map brings them into the space
//! of OPT, where they stand before the text, in place of words: each sees those before it only, and positions count on from them.
//! They are gone through once, and what they leave behind (keys and values) serves every token of the text.

mod captioner;
mod config;
mod qformer;
mod weights;

pub use captioner::Blip2;
pub(crate) use config::Config;

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "BLIP-2";
