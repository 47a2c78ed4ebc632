//! Writes finished runs as one HTML file, to view them pair by pair, to send and to print.
//!
//! [`page`] reads the runs through the facade and makes a document of numbers, texts and thumbnails, which the script
//! in `page/` shows (`page/src/data.ts` describes it). The parts that must be readable without a script (summary,
//! figures, methods and the worst, median and best pairs) are written as HTML here. The file loads nothing, and its
//! content security policy forbids loading.

mod by_cluster;
mod comparison;
mod confusers;
mod document;
mod dots;
mod feature_files;
mod html;
mod inputs;
mod jpeg;
mod lead;
mod markdown_tables;
mod methods;
mod near_misses;
mod observed;
mod overview;
mod page;
mod pair_map;
mod parts;
mod people;
mod request;
mod results;
mod scores;
mod standings;
mod static_pairs;
mod strip;
mod thumbnails;

pub use by_cluster::beside_clusters;
pub use page::{Page, page};
pub use request::{ImagePlacement, PageRequest, Section, SectionFigure, SectionPart};
pub use thumbnails::thumbnail_default;
