//! Prepares images for models.
//!
//! Published numbers differ by these choices: which sizes an image goes through, with which filter, smoothed or
//! not, in floats (torchvision on tensors) or in 8 bits (torchvision and OpenAI's code on Pillow
//! images). Every step is named here and recorded in `run.json`.

mod preset;
mod published;
mod steps;
mod timm;

pub use neurogauge_core::image::Arithmetic;
pub use preset::ImagePreset;
pub(crate) use published::{CLIP, HALVES, IMAGENET, Statistics, by_pillow};
pub(crate) use steps::check_finite;
pub use steps::{CropStart, Preprocessing, ResizeStep};
