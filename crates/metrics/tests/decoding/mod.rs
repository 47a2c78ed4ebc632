//! Tests of the metrics of a stimulus and its reconstruction, a module for each metric.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod basic_h;
mod basic_l;
mod cap_sim;
mod captioning;
mod details;
mod dreamsim;
mod feature_distance;
mod frame_consistency;
mod grounding;
mod hue_pcc;
mod identification;
mod image_pairs;
mod mask_matching_ratio;
mod ms_ssim;
mod n_way_accuracy;
mod near_miss;
mod objects;
mod paper_tables;
mod pixcorr;
mod point_clouds;
mod psnr;
mod retrieval;
mod scene_graph_f1;
mod ssim;
mod text_recall;
mod vlm_objects;
