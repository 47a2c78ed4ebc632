//! GIT (Wang et al. 2022): an image encoder, and a text decoder that attends to its tokens and writes a caption.
//!
//! The encoder is CLIP's image tower; all its tokens are kept. An affine map and a norm bring them into the decoder's
//! space, where they precede the text. The decoder's layers are BERT's. Tokens of the image attend to each other.
//! Tokens of the text attend to the image, to the text before them and to themselves. So the image is computed once,
//! and the keys and values of its tokens are kept for every token of the text. Positions count within the text.

mod captioner;
mod config;
mod weights;

pub use captioner::Git;
pub(crate) use config::Config;

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "GIT";
