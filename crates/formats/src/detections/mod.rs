//! Detections: mmdetection's JSON (one file per image) and BrainHub's boxes (one file for all).

mod boxes;
mod mmdet;
mod mmdet_file;
mod source;

pub use boxes::{check_upright, read_boxes};
pub use mmdet::{read_mmdet, write_mmdet};
pub use source::DetectionSource;
