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
pub mod pixels;
pub mod random;

/// What the tests of this crate reach besides its interface. It may change at any time.
#[doc(hidden)]
pub mod internals {
    pub use crate::blocks::gelu::erf;
    pub use crate::blocks::kernel::{Form, Instructions, LINE, Line, ROWS, WINDOWS, Windows, sum_windows};
    pub use crate::blocks::packed::{Epilogue, PackedMatrix, halves::put, halves::widen, matrix_rows};
    pub use crate::blocks::softmax::exponentiate;
    pub use crate::blocks::tensors::{
        TensorConvolution, TensorDepthwise, TensorLinear, TensorNorm, activate, adaptive_average, attend_sequences,
        average, largest, picked,
    };
    pub use crate::generation::{beam::search as search_beams, greedy::penalise};
    pub use crate::random::{box_muller::ln, box_muller::sine_and_cosine, truncated_normal::inverse_erf};
}

pub use blocks::device::DeviceChoice;
pub use blocks::speed;
pub use error::{KernelError, MayLackMemory};
