//! Images, and the two ways the field resizes them.
//!
//! Resizing is where published numbers part: [`resize_float`] is torchvision's path for float
//! tensors (antialias on or off), [`resize_u8`] is Pillow's 8-bit path.

mod buffer;

pub use buffer::{Image, SizeMismatch};
