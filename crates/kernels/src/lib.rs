//! What models need to compute: layers, devices, the search for texts, and torch's random numbers.
//!
//! - [`blocks`]: the layers that several architectures share, and the devices that they run on.
//! - [`generation`]: greedy and beam search for all models that write texts.
//! - [`pixels`]: loops over the pixels of images.
//! - [`random`]: the random numbers of `torch.manual_seed`.
//!
//! Only `neurogauge-models` uses this crate. It is a separate crate so that these layers, which tests wait for, are
//! optimised in every profile while the many architectures above them are not.

pub mod blocks;
mod error;
pub mod generation;
#[cfg(test)]
#[path = "../tests/kernels/made/mod.rs"]
mod made;
pub mod pixels;
pub mod random;

pub use blocks::device::DeviceChoice;
pub use blocks::speed;
pub use error::{KernelError, MayLackMemory};
