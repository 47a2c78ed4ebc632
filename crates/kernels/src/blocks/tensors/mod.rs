//! The same layers with the engine's own operations on tensors, for devices where the packed weights and plain
//! slices of `blocks/` cannot be used, such as a GPU.
//!
//! The location of a layer's weights decides which of the two is used ([`is_packed`]); layers ask for it, and
//! architectures do not notice. Everything here works on any device and in any precision, so it is tested on the CPU.
//! It uses only operations that every back end has in f32: not the engine's pooling or softmax (which lack padding, or
//! a device), no grouped convolution (a product and two copies for every group), and no ReLU or maximum where NaN would
//! be lost. On NVIDIA GPUs `cuda` has kernels for most layers.

mod activation;
mod attention;
mod convolution;
#[cfg(feature = "cuda")]
mod cuda;
mod deformable;
mod linear;
mod norm;
mod past;
mod pooling;
mod windows;

pub use activation::activate;
pub use attention::attend_sequences;
pub(super) use attention::{attend, turn_tensors};
pub use convolution::{TensorConvolution, TensorDepthwise};
pub(super) use deformable::sample;
pub use linear::{TensorLinear, picked};
pub(super) use norm::TensorGroupNorm;
pub use norm::TensorNorm;
pub(super) use past::{TensorPast, attend_to_past_tensors};
pub use pooling::{adaptive_average, average, largest};

use candle_core::{DType, Device, Result, Tensor};

/// Is this tensor in f32 in main memory, so that layers use packed weights?
pub(super) fn is_packed(tensor: &Tensor) -> bool {
    tensor.device().is_cpu() && tensor.dtype() == DType::F32
}

/// A contiguous copy of the tensor.
fn dense(x: &Tensor) -> Result<Tensor> {
    #[cfg(feature = "cuda")]
    if !x.is_contiguous() && x.rank() <= cuda::MOST_DIMENSIONS && cuda::takes(x, 0) {
        return cuda::in_order(x);
    }
    x.contiguous()
}

/// The values of a tensor on any device.
pub fn host_values(tensor: &Tensor) -> Result<Vec<f32>> {
    in_main_memory(tensor)?.flatten_all()?.to_vec1()
}

/// Copies a tensor from any device to main memory, in f32.
pub fn in_main_memory(tensor: &Tensor) -> Result<Tensor> {
    tensor.to_dtype(DType::F32)?.to_device(&Device::Cpu)
}

/// A tensor on the device of another one, in its precision.
pub fn beside(tensor: &Tensor, values: Vec<f32>, shape: impl Into<candle_core::Shape>) -> Result<Tensor> {
    Tensor::from_vec(values, shape.into(), tensor.device())?.to_dtype(tensor.dtype())
}
