//! Vision transformers: images in patches, a class token before them, pre-norm blocks (Dosovitskiy et
//! al. 2021). torchvision's ViT-B/16 is here; CLIP's image towers are the same network under other names.

mod model;
mod torchvision;

pub(crate) use model::{Parts, VisionTransformer};
