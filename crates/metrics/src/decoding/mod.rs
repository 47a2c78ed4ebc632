//! Metrics of a stimulus and its reconstruction, one file each.

pub mod basic;
pub mod basic_h;
pub mod basic_l;
pub mod cap_sim;
pub mod captioning;
pub mod feature_accuracy;
pub mod feature_correlation;
pub mod feature_distance;
pub mod grounding;
pub mod identification;
pub mod mask_matching_ratio;
pub mod ms_ssim;
pub mod n_way_accuracy;
pub mod near_miss;
pub mod near_miss_categories;
pub mod objects;
pub mod pixcorr;
pub mod point_clouds;
pub mod psnr;
pub mod retrieval;
pub mod seed;
pub mod ssim;
pub mod ssim_flavours;
pub mod vlm_objects;
pub mod vqa_score;
