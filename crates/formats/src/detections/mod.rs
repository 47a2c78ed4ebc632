//! Detections: mmdetection's JSON (one file per image) and BrainHub's boxes (one file for all).

mod boxes;
mod mmdet;
mod mmdet_file;
mod names;
mod seen;
mod source;
mod units;

pub use boxes::{check_upright, read_boxes};
pub use mmdet::{read_mmdet, write_mmdet};
pub use seen::Seen;
pub use source::DetectionSource;
pub use units::BoxUnits;
