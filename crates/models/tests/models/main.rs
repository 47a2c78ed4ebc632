//! Pretrained models against the libraries that published them, with synthetic checkpoints.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod blip2;
mod blip2_folder;
mod caption_folder;
mod caption_parity;
mod clip_models;
mod clip_text;
mod detection;
mod devices;
mod dreamsim;
mod git;
mod git_folder;
mod grounding_dino;
mod image_models;
mod layouts;
mod lpips;
mod memory;
mod minilm_architecture;
mod parity;
mod photographs;
mod precision;
mod preprocess;
mod published_weights;
mod records;
mod sam2;
mod synthetic_bert;
mod torch_random;
mod toy_model;
mod video_models;
mod vision_transformers;
mod vqa_score;
mod weights_download;
mod weights_location;
