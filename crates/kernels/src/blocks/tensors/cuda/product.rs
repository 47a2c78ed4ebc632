//! bf16 products with sums in f32.

use candle_core::cuda::WrapErr;
use candle_core::cuda::cudarc::cublas::{result, sys};
use candle_core::cuda::cudarc::driver::{DevicePtr, DevicePtrMut};
use candle_core::op::BackpropOp;
use candle_core::{CudaStorage, Result, Storage, Tensor, bail};
use half::bf16;

/// `x Wᵀ` of dense bf16 matrices, summed and returned in f32; the engine would round the result to bf16.
pub(in crate::blocks::tensors) fn bf16_product(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let ((n_rows, n_in), (n_out, of_weight)) = (x.dims2()?, weight.dims2()?);
    if n_in != of_weight || !x.is_contiguous() || !weight.is_contiguous() {
        bail!("a product of {:?} and {:?}", x.layout(), weight.layout());
    }
    let ((x, of_x), (weight, of_weights)) = (x.storage_and_layout(), weight.storage_and_layout());
    let (Storage::Cuda(x), Storage::Cuda(weight)) = (&*x, &*weight) else {
        bail!("a product for NVIDIA's processors got a tensor elsewhere");
    };
    let device = &x.device;
    let x = x.as_cuda_slice::<bf16>()?.slice(of_x.start_offset()..);
    let weight = weight.as_cuda_slice::<bf16>()?.slice(of_weights.start_offset()..);
    // SAFETY: the product writes every value.
    #[allow(unsafe_code)]
    let mut output = unsafe { device.alloc::<f32>(n_rows * n_out)? };
    if n_rows * n_out > 0 {
        let stream = device.cuda_stream();
        let (x, _reads) = x.device_ptr(&stream);
        let (weight, _reads_too) = weight.device_ptr(&stream);
        let (y, _writes) = output.device_ptr_mut(&stream);
        let (one, zero) = (1.0_f32, 0.0_f32);
        let (rows, columns, depth) = (n_rows as i32, n_out as i32, n_in as i32);
        let bf16 = sys::cudaDataType::CUDA_R_16BF;
        // The library stores matrices by columns, so the output is (n_out, n_rows) there.
        // SAFETY: the matrices are dense and have these sizes, and the handle's stream is used.
        #[allow(unsafe_code)]
        unsafe {
            result::gemm_ex(
                *device.cublas_handle().handle(),
                sys::cublasOperation_t::CUBLAS_OP_T,
                sys::cublasOperation_t::CUBLAS_OP_N,
                columns,
                rows,
                depth,
                (&raw const one).cast(),
                weight as *const _,
                bf16,
                depth,
                x as *const _,
                bf16,
                depth,
                (&raw const zero).cast(),
                y as *mut _,
                sys::cudaDataType::CUDA_R_32F,
                columns,
                sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
                sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )
        }
        .w()?;
    }
    let storage = CudaStorage::wrap_cuda_slice(output, device.clone());
    Ok(Tensor::from_storage(Storage::Cuda(storage), (n_rows, n_out), BackpropOp::none(), false))
}
