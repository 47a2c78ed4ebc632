//! Reading and writing: every format, its damage and its limits.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod array_files;
mod arrays;
mod arrays_damage;
mod arrays_golden;
mod arrays_tensors;
mod brain_images;
mod brain_spaces;
mod captions;
mod damage;
mod detections_mmdet;
mod detections_source;
mod features;
mod files;
mod gif_frames;
mod goldens;
mod grids;
mod hdf5;
mod hostile_sizes;
mod image_reading;
mod images;
mod images_source;
mod label_list;
mod masks;
mod metric_table;
mod mutations;
mod nsd;
mod official_layout;
mod pickle;
mod plain_words;
mod prelude;
mod processor_time;
mod rater_columns;
mod ratings;
mod ratings_exports;
mod ratings_faults;
mod readers;
mod scene_graphs;
mod schemas;
mod scores_parquet;
mod shapes;
mod sharded_checkpoints;
mod silent_damage;
mod state_dicts;
mod volumes;
