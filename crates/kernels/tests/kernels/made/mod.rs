//! Tensors that tests make.

use candle_core::{DType, Device, Tensor};
use neurogauge_core::synthetic::Synthetic;

/// Uniform noise from -1/2 to 1/2.
pub(crate) fn noise(name: &str, shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let source = Synthetic::new(name, 0);
    let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) - 0.5).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

/// Weight and bias of the identity map.
pub(crate) fn identity(n: usize) -> (Tensor, Tensor) {
    (
        Tensor::eye(n, DType::F32, &Device::Cpu).unwrap(),
        Tensor::zeros(n, DType::F32, &Device::Cpu).unwrap(),
    )
}
