//! Tests of the metrics of a stimulus and its reconstruction, by metric; metrics of two images share a module.

mod basic_h;
mod basic_l;
mod cap_sim;
mod captioning;
mod details;
mod dreamsim;
mod feature_distance;
mod foreground;
mod frame_consistency;
mod grounding;
mod identification;
mod image_pairs;
mod images;
mod mask_matching_ratio;
mod n_way_accuracy;
mod near_miss;
mod objects;
mod paper_tables;
mod point_clouds;
mod retrieval;
mod scene_graph_f1;
mod set_distances;
mod text_recall;
mod vlm_objects;
