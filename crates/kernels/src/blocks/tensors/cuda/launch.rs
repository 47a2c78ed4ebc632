//! Runs a kernel on tensors.

use super::MOST_VALUES;
use candle_core::cuda::WrapErr;
use candle_core::cuda::cudarc::driver::{LaunchConfig, PushKernelArg};
use candle_core::cuda::cudarc::nvrtc::compile_ptx;
use candle_core::op::BackpropOp;
use candle_core::{CudaStorage, Error, Result, Shape, Storage, Tensor, bail};
use std::sync::OnceLock;

const SOURCE: &str = include_str!("kernels.cu");
/// Threads per block.
const N_THREADS: usize = 256;
/// Threads that share a row.
const WARP: usize = 32;

/// An argument of a kernel. The output is the last argument and is not one of these.
#[derive(Debug, Clone, Copy)]
pub(super) enum Argument<'a> {
    Number(u32),
    Real(f32),
    /// A dense tensor of f32.
    Values(&'a Tensor),
    /// A tensor of f32 with its own strides, from its first value on.
    Strided(&'a Tensor),
}

impl Argument<'_> {
    /// [`takes`](super::takes) must have accepted the sizes.
    pub(super) fn number(number: usize) -> Self {
        Argument::Number(u32::try_from(number).unwrap_or(u32::MAX))
    }

    pub(super) fn flag(flag: bool) -> Self {
        Argument::Number(u32::from(flag))
    }
}

/// The number of threads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Threads {
    /// One per value of the output.
    OfValues,
    /// One warp per row.
    OfRows(usize),
}

/// A new tensor of this shape, written by a kernel.
pub(super) fn run(
    kernel: &str,
    threads: Threads,
    arguments: &[Argument<'_>],
    shape: impl Into<Shape>,
) -> Result<Tensor> {
    let shape = shape.into();
    let tensors = arguments.iter().filter_map(|argument| match argument {
        Argument::Values(tensor) | Argument::Strided(tensor) => Some(*tensor),
        Argument::Number(_) | Argument::Real(_) => None,
    });
    let held: Vec<_> = tensors.map(Tensor::storage_and_layout).collect();
    let mut slices = Vec::with_capacity(held.len());
    let mut device = None;
    for (storage, layout) in &held {
        let Storage::Cuda(storage) = &**storage else {
            bail!("a kernel for NVIDIA's processors got a tensor elsewhere");
        };
        device = Some(&storage.device);
        slices.push(storage.as_cuda_slice::<f32>()?.slice(layout.start_offset()..));
    }
    let Some(device) = device else {
        bail!("a kernel without tensors");
    };
    for argument in arguments {
        if let Argument::Values(tensor) = argument
            && !tensor.is_contiguous()
        {
            bail!("{kernel} takes dense tensors, not {:?}", tensor.layout());
        }
    }
    let n_values = shape.elem_count();
    if n_values > MOST_VALUES {
        bail!("{kernel} would write {n_values} values; a kernel writes at most {MOST_VALUES}");
    }
    let n_threads = match threads {
        Threads::OfValues => n_values,
        Threads::OfRows(n_rows) => n_rows * WARP,
    };
    // SAFETY: every kernel writes all values of its output.
    #[allow(unsafe_code)]
    let mut output = unsafe { device.alloc::<f32>(n_values)? };
    if n_threads > 0 {
        let function = device.get_or_load_custom_func(kernel, "neurogauge", compiled()?)?;
        let mut launch = function.builder();
        let mut slices = slices.iter();
        for argument in arguments {
            match argument {
                Argument::Number(number) => launch.arg(number),
                Argument::Real(real) => launch.arg(real),
                Argument::Values(_) | Argument::Strided(_) => match slices.next() {
                    Some(slice) => launch.arg(slice),
                    None => bail!("{kernel}: fewer tensors than arguments"),
                },
            };
        }
        launch.arg(&mut output);
        let config = LaunchConfig {
            grid_dim: (n_threads.div_ceil(N_THREADS) as u32, 1, 1),
            block_dim: (N_THREADS as u32, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the callers in this folder pass the arguments that their kernel declares, with the sizes of these
        // tensors.
        #[allow(unsafe_code)]
        unsafe { launch.launch(config) }.w()?;
    }
    let storage = CudaStorage::wrap_cuda_slice(output, device.clone());
    Ok(Tensor::from_storage(Storage::Cuda(storage), shape, BackpropOp::none(), false))
}

/// All kernels, compiled to NVIDIA's PTX.
fn compiled() -> Result<&'static str> {
    static COMPILED: OnceLock<std::result::Result<String, String>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| match compile_ptx(SOURCE) {
        Ok(compiled) => Ok(compiled.to_src()),
        Err(error) => Err(format!("NVIDIA's compiler (NVRTC) refuses the kernels: {error}")),
    });
    compiled.as_deref().map_err(Error::msg)
}
