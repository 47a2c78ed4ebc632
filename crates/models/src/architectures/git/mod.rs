//! GIT (Wang et al. 2022): an image encoder, and a text decoder that looks at its tokens and writes a caption.
//!
//! The encoder is CLIP's image tower, of which all tokens are kept; a map and a norm bring them into the decoder's
//! space, where they stand before the text. The decoder's layers are BERT's. Tokens of the image look at each other, those
//! of the text at the image, at the text before them and at themselves; so the image is gone through once, and what its tokens
//! leave behind (keys and values) serves every token of the text. Positions count within the text.

mod captioner;
mod config;
mod weights;

pub use captioner::Git;
pub(crate) use config::Config;

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "GIT";
