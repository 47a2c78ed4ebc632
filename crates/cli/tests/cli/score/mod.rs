//! `neurogauge score`.

mod by_place;
mod captions;
mod check;
mod config_file;
mod details;
mod formats_of_output;
mod identification;
mod images;
mod interrupted;
mod lpips;
mod masks;
mod messages;
mod object_variants;
mod observations;
mod official_layout;
mod overwriting;
mod pairing;
mod perceived;
mod pool_images;
mod pools;
mod qwen3_embedding;
mod repetition;
mod seeds_way;
mod stored_features;
mod suspicious;
mod vlm_categories;
