//! Images, and the two ways the field resizes them.
//!
//! Published numbers differ because of resizing: [`resize_float`] is torchvision's path for float
//! tensors (antialias on or off), [`resize_u8`] is Pillow's 8-bit path.

mod buffer;
mod channels;
mod facts;
mod filter;
mod float_taps;
mod out_of_range;
mod passes;
mod reading;
mod resize_float;
mod resize_u8;
mod sample;
mod taps;
mod target_size;
mod u8_taps;

pub use buffer::{Image, SizeMismatch};
pub use channels::{Channels, PixelValue};
pub use facts::PixelFacts;
pub use filter::{Arithmetic, Filter, ResizeError};
pub use out_of_range::OutOfRange;
pub use reading::{Background, FloatScale, ImageReading, blended};
pub use resize_float::resize_float;
pub use resize_u8::resize_u8;
pub use target_size::shorter_side_to;
