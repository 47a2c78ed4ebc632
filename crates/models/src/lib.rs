//! Pretrained models for Neurogauge: what one image or one text is to a model.
//!
//! The inference engine stays inside this crate: no type of it is in any public signature, so it can
//! be exchanged without a change anywhere else. Inside, `blocks` holds the layers that several
//! architectures share, each written once, and every architecture has a folder of its own
//! (`config`, `model`, `weights`, and the preprocessing of its input).
//!
//! - [`registry`]: the models that are known by name, to the byte.
//! - [`weights`]: finding, downloading and verifying their files.
//! - [`TextEncoder`]: texts to vectors; [`minilm`] is the real one, [`stand_in`] the one for
//!   demonstrations without weights.

mod alexnet;
mod architectures;
mod blocks;
mod checkpoint;
mod checkpoint_layers;
mod convnext;
mod error;
pub mod image_model;
pub mod minilm;
pub mod registry;
mod resnet;
pub mod stand_in;
mod swin;
mod taps;
mod text_encoder;
mod vgg;
mod vision_model;
pub mod weights;

pub use architectures::{SyntheticModel, synthetic_model};
pub use error::ModelError;
pub use image_model::{FeatureMatrix, ImageModel, LayerRequest, Pooling};
pub use minilm::MiniLm;
pub use registry::{MODELS, ModelEntry, ModelFile, find};
pub use stand_in::HashedWords;
pub use text_encoder::TextEncoder;
pub use weights::{DownloadProgress, WeightOptions};
