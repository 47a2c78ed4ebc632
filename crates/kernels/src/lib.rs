//! What models are computed with: layers, devices, searches for texts, and torch's random numbers.
//!
//! - [`blocks`]: the layers that several architectures share, each written once, and the devices that they run on.
//! - [`generation`]: greedy and beam search for all models that write texts.
//! - [`random`]: the random numbers of `torch.manual_seed`.
//!
//! Only `neurogauge-models` uses this crate. It is one of its own so that these layers, which tests wait for, are
//! optimised in every profile, and the many architectures above them need not be.

pub mod blocks;
mod error;
pub mod generation;
#[cfg(test)]
#[path = "../tests/kernels/made/mod.rs"]
mod made;
pub mod random;

pub use blocks::device::DeviceChoice;
pub use blocks::speed;
pub use error::{KernelError, MayLackMemory};
