//! Converts between the engine's storage and plain slices.

use candle_core::{CpuStorage, Device, InplaceOp1, Layout, Result, Shape, Storage, Tensor, bail};
use std::cell::RefCell;

/// Number of values that kernels process at once: one AVX-512 register, or two of AVX.
pub const LANES: usize = 16;

/// The values of a contiguous f32 tensor.
pub fn values<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(all), Some((start, end))) => Ok(&all[start..end]),
        _ => bail!("expected a contiguous f32 tensor"),
    }
}

/// The values of a result, and its shape.
pub type Output = Result<(Vec<f32>, Shape)>;

/// The tensor that a function computes from the values of contiguous f32 tensors in main memory.
pub fn on_values<const N: usize>(
    tensors: [&Tensor; N],
    compute: impl FnOnce([&[f32]; N], [&Layout; N]) -> Output,
) -> Result<Tensor> {
    let stored = tensors.map(Tensor::storage_and_layout);
    let mut slices = [&[] as &[f32]; N];
    for (slice, (storage, layout)) in slices.iter_mut().zip(&stored) {
        let Storage::Cpu(storage) = &**storage else {
            bail!("expected a tensor in main memory");
        };
        *slice = values(storage, layout)?;
    }
    let (out, shape) = compute(slices, stored.each_ref().map(|(_, layout)| *layout))?;
    Tensor::from_vec(out, shape, &Device::Cpu)
}

/// The values of a contiguous f32 tensor, mutable.
pub fn values_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(all), Some((start, end))) => Ok(&mut all[start..end]),
        _ => bail!("expected a contiguous f32 tensor"),
    }
}

/// Sum of `f(value)`, in an order that the compiler can vectorise and that depends only on the length: over each lane,
/// then over the lanes, then the remaining values.
#[inline(always)]
pub fn lane_sum(values: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += f(value);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|&value| f(value)).sum::<f32>()
}

/// Zeros for a result.
pub fn zeros(n: usize) -> Vec<f32> {
    vec![0.0; n]
}

thread_local! {
    /// Memory that this thread needs no longer, the latest last.
    static ASIDE: RefCell<Vec<Vec<f32>>> = const { RefCell::new(Vec::new()) };
}

/// Number of values for which a thread puts memory aside.
const MOST_ASIDE: usize = 8 << 20;

/// Memory for `n` values that are all written: put aside with earlier values, which saves clearing it, or zeros.
pub fn room(n: usize) -> Vec<f32> {
    let earlier = ASIDE.with_borrow_mut(|aside| {
        let index = aside.iter().rposition(|values| values.len() == n)?;
        Some(aside.remove(index))
    });
    earlier.unwrap_or_else(|| zeros(n))
}

/// Puts memory aside for results of the same size.
pub fn put_aside(values: Vec<f32>) {
    ASIDE.with_borrow_mut(|aside| {
        aside.push(values);
        while aside.iter().map(Vec::len).sum::<usize>() > MOST_ASIDE {
            aside.remove(0);
        }
    });
}

/// Puts the memory of a map in main memory aside. Clones of the map lose their values.
pub fn release(map: &Tensor) -> Result<()> {
    if map.device().is_cpu() {
        map.inplace_op1(&Release)
    } else {
        Ok(())
    }
}

struct Release;

impl InplaceOp1 for Release {
    fn name(&self) -> &'static str {
        "release"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, _: &Layout) -> Result<()> {
        if let CpuStorage::F32(values) = storage {
            put_aside(std::mem::take(values));
        }
        Ok(())
    }
}

/// `a b + c`, rounded once if `FUSED`. `FUSED` is for callers compiled for processors with such an instruction;
/// otherwise the standard library would emulate it slowly.
#[inline(always)]
pub fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Horner's scheme; the coefficient of the lowest power comes first.
#[inline(always)]
pub fn polynomial<const FUSED: bool, const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    let mut powers = coefficients.iter().rev();
    let highest = powers.next().copied().unwrap_or(0.0);
    powers.fold(highest, |sum, &coefficient| multiply_add::<FUSED>(sum, x, coefficient))
}
