//! Detections: mmdetection's and others' JSON or YOLO's text (one file per image), and COCO's and BrainHub's boxes (one
//! file for all). Each outside form is one file here, which makes it [`found_objects`].

mod boxes;
mod coco;
mod data_sample;
mod found_objects;
mod mmdet;
mod names;
mod seen;
mod source;
mod transformers;
mod units;
mod yolo;

pub use boxes::read_boxes;
pub use mmdet::{read_mmdet, write_mmdet};
pub use seen::Seen;
pub use source::DetectionSource;
pub use units::BoxUnits;
