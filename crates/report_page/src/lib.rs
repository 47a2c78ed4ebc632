//! Finished runs as one HTML file, for viewing pair by pair, sending and printing.
//!
//! [`page`] reads the runs through the facade and makes a document of numbers, texts and thumbnails, which the script in
//! `page/` shows (`page/src/data.ts` describes it). The parts that must be readable without a script (summary, figures,
//! methods and the worst, median and best pairs) are written as HTML here. The file loads nothing, and its content security
//! policy forbids loading.

mod by_cluster;
mod confusers;
mod document;
mod feature_files;
mod html;
mod inputs;
mod markdown_tables;
mod methods;
mod near_misses;
mod observed;
mod overview;
mod page;
mod people;
mod request;
mod scores;
mod static_pairs;
mod thumbnails;

pub use by_cluster::beside_clusters;
pub use page::{Page, page};
pub use request::{ImagePlacement, PageRequest, Section, SectionFigure, SectionPart};
