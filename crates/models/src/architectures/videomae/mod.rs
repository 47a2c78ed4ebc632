//! VideoMAE (Tong et al. 2022), a vision transformer of clips, as transformers has it with a classifier: tokens are
//! made of two frames each, positions are sines and cosines, and keys have no bias.
//!
//! A clip is one image: its prepared frames, each below the one before it.

mod formats;
mod model;
mod weights;

pub(crate) use formats::FORMATS;
pub(crate) use model::{TUBELET_FRAMES, VideoMae};
