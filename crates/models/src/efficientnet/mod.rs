//! EfficientNet-B1 as torchvision has it (Tan & Le 2019): symmetric padding, and 1e-5 in the
//! normalisation, other than in the original.

mod config;
mod model;
mod weights;

pub(crate) use model::EfficientNet;
