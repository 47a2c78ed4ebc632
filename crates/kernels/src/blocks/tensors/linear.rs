//! Affine maps.

#[cfg(feature = "cuda")]
use super::cuda;
use super::{activate, dense};
use crate::blocks::Activation;
use crate::blocks::products::Products;
use candle_core::{DType, Result, Tensor, bail};
use half::bf16;

/// `y = f(s ∘ (x Wᵀ + b))` for every row.
#[derive(Debug, Clone)]
pub struct TensorLinear {
    /// Shape (`n_out`, `n_in`).
    weight: Tensor,
    bias: Tensor,
    factors: Option<Tensor>,
    products: Products,
}

impl TensorLinear {
    pub fn new(weight: &Tensor, bias: &Tensor, products: Products) -> Result<Self> {
        let weight = weight.contiguous()?;
        Ok(TensorLinear {
            weight: match products {
                Products::F32 => weight,
                // NVIDIA GPUs multiply bf16 and add in f32. Elsewhere the factors are rounded and multiplied in their
                // own type.
                Products::Bf16 if weight.device().is_cuda() => weight.to_dtype(DType::BF16)?,
                Products::Bf16 => rounded(&weight)?,
            },
            bias: bias.contiguous()?,
            factors: None,
            products,
        })
    }

    /// Multiplies each output feature by a factor.
    pub(in crate::blocks) fn scaled(self, factors: &Tensor) -> Self {
        let factors = Some(factors.clone());
        TensorLinear { factors, ..self }
    }

    /// Maps the last dimension. The residual, whose shape the result has, is added before the activation.
    pub fn forward(&self, x: &Tensor, residual: Option<&Tensor>, activation: Activation) -> Result<Tensor> {
        let (n_out, n_in) = self.weight.dims2()?;
        let mut dims = x.dims().to_vec();
        match dims.last_mut() {
            Some(last) if *last == n_in => *last = n_out,
            _ => bail!("a map of {n_in} features got {:?}", x.shape()),
        }
        let rows = dense(x)?.reshape(((), n_in))?;
        let y = self.product(&rows)?;
        #[cfg(feature = "cuda")]
        if cuda::takes(&y, 0) {
            let factors = self.factors.as_ref();
            let y = cuda::finished_rows(&y, &self.bias, factors, residual, activation)?;
            return match residual {
                Some(residual) => y.reshape(residual.shape()),
                None => y.reshape(dims),
            };
        }
        let y = y.broadcast_add(&self.bias)?;
        let y = match &self.factors {
            Some(factors) => y.broadcast_mul(factors)?,
            None => y,
        };
        let y = match residual {
            Some(residual) => (y.reshape(residual.shape())? + residual)?,
            None => y.reshape(dims)?,
        };
        activate(&y, activation)
    }

    fn product(&self, rows: &Tensor) -> Result<Tensor> {
        let weight = self.weight.t()?;
        match self.products {
            Products::F32 => rows.matmul(&weight),
            #[cfg(feature = "cuda")]
            Products::Bf16 if cuda::takes(rows, rows.dim(0)? * weight.dim(1)?) => {
                cuda::bf16_product(&rows.to_dtype(DType::BF16)?, &self.weight)
            }
            Products::Bf16 => rounded(rows)?.to_dtype(weight.dtype())?.matmul(&weight)?.to_dtype(rows.dtype()),
        }
    }
}

/// Rounds every value to the nearest bf16.
fn rounded(tensor: &Tensor) -> Result<Tensor> {
    if tensor.device().is_cpu() && tensor.dtype() == DType::F64 {
        let mut values = tensor.flatten_all()?.to_vec1::<f64>()?;
        values.iter_mut().for_each(|value| *value = bf16::from_f64(*value).to_f64());
        return Tensor::from_vec(values, tensor.shape(), tensor.device());
    }
    tensor.to_dtype(DType::BF16)?.to_dtype(tensor.dtype())
}

/// The rows of a matrix in another order: row `i` is row `rows[i]` of `x`, or zeros.
pub fn picked(x: &Tensor, rows: &[Option<u32>]) -> Result<Tensor> {
    let x = x.flatten_to(x.rank().saturating_sub(2))?;
    let n_rows = x.dim(0)?;
    if rows.iter().flatten().any(|&row| row as usize >= n_rows) {
        bail!("rows beyond the last of {:?} are picked", x.shape());
    }
    // A row of zeros follows the last row.
    let absent = usize::from(rows.contains(&None));
    let x = dense(&x.pad_with_zeros(0, 0, absent)?)?;
    let rows: Vec<u32> = (rows.iter()).map(|row| row.unwrap_or(n_rows as u32)).collect();
    let rows = Tensor::from_vec(rows.clone(), rows.len(), x.device())?;
    x.index_select(&rows, 0)
}
