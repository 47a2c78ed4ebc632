//! Swin Transformers as torchvision has them (Liu et al. 2021): attention within windows of the map,
//! which are shifted in every second block.

mod block;
mod config;
mod merging;
mod model;
mod position_bias;
mod weights;
mod windows;

pub(crate) use config::Config;
pub(crate) use model::Swin;
