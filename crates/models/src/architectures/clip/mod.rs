//! CLIP (Radford et al. 2021): a tower for images and a tower for texts, which embed both in one space.
//!
//! Both towers are published in two layouts, OpenAI's and transformers'; `layout` has the names of both. timm
//! publishes only image towers, in a third layout. Layers are offered under transformers' names, regardless of the
//! layout; the embedding is `image_embeds`.

mod config;
mod layout;
mod modified_resnet;
mod text;
mod text_tower;
mod vision;

pub(crate) use config::{EPSILON, Tower, VisionConfig, VisionFields};
pub(crate) use layout::{Layout, has_no_use_for_images};
pub(crate) use modified_resnet::ModifiedResNet;
pub use text::ClipText;
pub(crate) use text::TextOfCheckpoint;
pub(crate) use text::vectors_of_ids;
pub(crate) use vision::{VisionLayout, vision_tokens, vision_transformer};
