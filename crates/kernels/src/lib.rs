//! What models are computed with: layers, devices, and searches for texts.
//!
//! - [`blocks`]: the layers that several architectures share, each written once, and the devices that they run on.
//! - [`generation`]: greedy and beam search for all models that write texts.
//!
//! Only `neurogauge-models` uses this crate. It is compiled on its own because tests wait for kernels that are not optimised.
#![allow(missing_docs)]

pub mod blocks;
mod error;
pub mod generation;

pub use blocks::device::DeviceChoice;
pub use blocks::speed;
pub use error::{KernelError, MayLackMemory};
