//! ResNet-18 and ResNet-50 as torchvision has them (He et al. 2016; in ResNet-50, the stride is in the
//! 3 x 3 convolution). SwAV's and DINO's ResNet-50 have the same layers without the classifier.

mod config;
mod model;
mod transformers_names;
mod weights;

pub(crate) use config::{Config, EPSILON, STEM_CHANNELS};
pub(crate) use model::{ResNet, Stage};
pub(crate) use transformers_names::{FORMATS_18, FORMATS_50};
