//! torch's CPU generator, and the draws that initialisation needs.

use super::box_muller::{self, BLOCK};
use super::mersenne_twister::MersenneTwister;
use super::truncated_normal::{self, TruncatedNormal};

/// The stream of random numbers that follows `torch.manual_seed` on the CPU.
///
/// Uniform and normal draws have the bits that torch 2.15 gives on an x86 processor with AVX2, in any
/// order and any mixture of sizes: single-precision tensors only, contiguous ones.
///
/// ```
/// use neurogauge_kernels::random::TorchGenerator;
/// let mut generator = TorchGenerator::manual_seed(0);
/// // torch.manual_seed(0); torch.rand(1)
/// assert_eq!(generator.uniform(1, 0.0, 1.0), [0.49625659]);
///
/// // torch.manual_seed(0); torch.randn(1), torch.randn(16): fewer than 16 are drawn in another way.
/// assert_eq!(TorchGenerator::manual_seed(0).normal(1, 0.0, 1.0), [1.5409961]);
/// assert_eq!(TorchGenerator::manual_seed(0).normal(16, 0.0, 1.0)[0], -1.1258398);
/// ```
#[derive(Debug, Clone)]
pub struct TorchGenerator {
    engine: MersenneTwister,
    /// The second of a pair of normal variates, if a small tensor ended with the first.
    second_of_pair: Option<f64>,
}

impl TorchGenerator {
    /// The generator after `torch.manual_seed(seed)`, which uses only the lower 32 bits.
    pub fn manual_seed(seed: u64) -> Self {
        TorchGenerator {
            engine: MersenneTwister::new(seed as u32),
            second_of_pair: None,
        }
    }

    /// `Tensor.uniform_(low, high)` on `n` elements: multiples of 2^-24, scaled.
    pub fn uniform(&mut self, n: usize, low: f64, high: f64) -> Vec<f32> {
        let low = low as f32;
        let width = high as f32 - low;
        let mut values = vec![0.0; n];
        self.engine.fill(&mut values, unit);
        scale(&mut values, low, width);
        values
    }

    /// `Tensor.normal_(mean, std)` on `n` elements.
    pub fn normal(&mut self, n: usize, mean: f64, std: f64) -> Vec<f32> {
        if n < BLOCK {
            return (0..n).map(|_| self.standard_normal().mul_add(std, mean) as f32).collect();
        }
        let (mean, std) = (mean as f32, std as f32);
        let mut values = vec![0.0; n];
        self.engine.fill(&mut values, unit);
        let whole = n / BLOCK * BLOCK;
        box_muller::transform(&mut values[..whole], mean, std);
        if whole < n {
            // The last block overlaps the one before it and is drawn again.
            let last = &mut values[n - BLOCK..];
            self.engine.fill(last, unit);
            box_muller::transform(last, mean, std);
        }
        values
    }

    /// `torch.nn.init.trunc_normal_(tensor, std=std)` on `n` elements: mean 0, bounds -2 and 2.
    pub fn truncated_normal(&mut self, n: usize, std: f64, method: TruncatedNormal) -> Vec<f32> {
        match method {
            TruncatedNormal::Rejection => truncated_normal::by_rejection(self, n, std),
            TruncatedNormal::InverseErf => truncated_normal::by_inverse_erf(self, n, std),
        }
    }

    /// `torch.randint(below, (n,))` for `below` up to 2^28; torch draws larger ranges in another way.
    pub fn integers(&mut self, n: usize, below: u32) -> Vec<u32> {
        (0..n).map(|_| self.engine.next_u32() % below).collect()
    }

    /// Skips the numbers that [`uniform`](Self::uniform) would draw.
    pub fn skip_uniform(&mut self, n: usize) {
        self.engine.skip(n);
    }

    /// Skips the numbers that [`normal`](Self::normal) would draw.
    pub fn skip_normal(&mut self, n: usize) {
        if n < BLOCK {
            self.normal(n, 0.0, 1.0);
        } else {
            let again = if n.is_multiple_of(BLOCK) { 0 } else { BLOCK };
            self.engine.skip(n + again);
        }
    }

    /// The Box-Muller transform in double precision, which gives two variates at a time.
    fn standard_normal(&mut self) -> f64 {
        if let Some(value) = self.second_of_pair.take() {
            return value;
        }
        let angle = std::f64::consts::TAU * self.unit_double();
        let radius = (-2.0 * (-self.unit_double()).ln_1p()).sqrt();
        self.second_of_pair = Some(radius * angle.sin());
        radius * angle.cos()
    }

    /// A multiple of 2^-53 in [0, 1).
    fn unit_double(&mut self) -> f64 {
        let high = u64::from(self.engine.next_u32());
        let low = u64::from(self.engine.next_u32());
        let bits = ((high << 32) | low) & ((1 << 53) - 1);
        bits as f64 / (1_u64 << 53) as f64
    }
}

/// Scales from [0, 1) to the requested range, rounded once, as torch's compiler does.
#[multiversion::multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn scale(values: &mut [f32], low: f32, width: f32) {
    for value in values {
        *value = value.mul_add(width, low);
    }
}

/// A multiple of 2^-24 in [0, 1).
fn unit(bits: u32) -> f32 {
    (bits & 0x00FF_FFFF) as f32 / 16_777_216.0
}
