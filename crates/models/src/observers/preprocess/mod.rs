//! Prepares images for models.
//!
//! Published evaluations differ in these choices: to which sizes an image is resized, with which filter, with or
//! without antialiasing, in floats (torchvision on tensors) or in 8 bits (torchvision and OpenAI's code on Pillow
//! images). Every step has a name here and is recorded in `run.json`.

mod preset;
mod published;
mod steps;
mod timm;

pub use neurogauge_core::image::Arithmetic;
pub use preset::ImagePreset;
pub(crate) use published::{CLIP, HALVES, IMAGENET, Statistics, by_pillow};
pub(crate) use steps::check_finite;
pub use steps::{CropStart, Preprocessing, ResizeStep};
