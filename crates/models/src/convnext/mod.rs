//! ConvNeXt as torchvision has it (Liu et al. 2022).

mod config;
mod model;
mod weights;

pub(crate) use config::Config;
pub(crate) use model::ConvNext;
