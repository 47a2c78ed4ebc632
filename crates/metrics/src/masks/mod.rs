//! Comparison of masks: arithmetic on run lengths, and COCO's evaluation.

mod arithmetic;
pub mod coco;

pub use arithmetic::{intersection, intersection_over_union, intersection_px2, overlaps, union, without};
