//! The formats that Neurogauge reads and writes, one file each, reader and writer together.

pub mod atomic_file;
pub mod captions;
pub mod class_labels;
pub mod columns_parquet;
pub mod content_hash;
mod delimited_text;
pub mod detections;
pub mod element;
pub mod embeddings;
mod error;
pub mod features;
pub mod image_file;
pub mod image_source;
pub mod json;
pub mod label_list;
pub mod metric_table;
pub mod mgh;
pub mod npy;
pub mod nsd;
pub mod official_layout;
pub mod pickle;
mod positioned_file;
pub mod pt;
mod pt_key;
pub mod ratings;
pub mod scene_graphs;
pub mod scores_parquet;
pub mod state_dict;
mod stem_listing;
pub mod stored_array;
mod torch_file;
pub mod word_list;

pub use error::FormatError;
