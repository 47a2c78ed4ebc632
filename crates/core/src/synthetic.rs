//! Deterministic values with a twin in Python (`reference/synthetic.py`).
//!
//! Tests, goldens and synthetic checkpoints need inputs that were not picked by hand and that both languages
//! can make without a file: value `i` of the array called `name` is a hash of (name, seed, i).

use multiversion::multiversion;

/// The values of one named array.
///
/// ```
/// use neurogauge_core::synthetic::Synthetic;
/// let noise = Synthetic::new("noise", 0);
/// assert_eq!(noise.byte(0), 131);
/// assert_eq!(noise.uniform(0), 0.51266897);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Synthetic {
    key: u64,
}

impl Synthetic {
    /// The array called `name` under `seed`. The key is FNV-1a (64 bit) of the name, xor the seed.
    pub fn new(name: &str, seed: u64) -> Self {
        let hash = name
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
        Synthetic { key: hash ^ seed }
    }

    /// The 64 random bits of value `index` (SplitMix64 in counter mode).
    #[inline(always)]
    pub fn bits(self, index: u64) -> u64 {
        let mut z = self.key.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Value `index`, uniform over 0..=255.
    pub fn byte(self, index: u64) -> u8 {
        (self.bits(index) >> 56) as u8
    }

    /// Value `index`, uniform over the multiples of 2^-24 in [0, 1): exact in f32.
    #[inline(always)]
    pub fn uniform(self, index: u64) -> f32 {
        (self.bits(index) >> 40) as f32 / 16_777_216.0
    }
}

/// The values of one tensor of a synthetic checkpoint: a function of its name, shape and the seed.
///
/// u being [`Synthetic::uniform`], and the arithmetic in `f64` before it is rounded:
///
/// | tensor | values |
/// |---|---|
/// | `…running_var`, `…layer_scale`, `…weight` of at most one dimension | 0.5 + u |
/// | other tensors of at most one dimension, `…class_embedding` excepted | 0.2 u - 0.1 |
/// | tables of vectors: `…embedding`, `…embedding.weight`, `…class_token`, `…bias_table`, up to three dimensions | u - 0.5 |
/// | all others | (2u - 1) √(6 / fan-in), the fan-in being the product of all dimensions but the first |
///
/// With these values, signals neither vanish nor explode in rectified layers, and normalisations have an effect.
pub fn parameter(name: &str, shape: &[usize], seed: u64) -> Vec<f32> {
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let flat = shape.len() <= 1;
    let table = ["embedding", "embedding.weight", "class_token", "bias_table"];
    let (scale, shift) = if ends_with(&["running_var", "layer_scale"]) || (flat && ends_with(&["weight"])) {
        (1.0, 0.5)
    } else if shape.len() <= 3 && ends_with(&table) {
        (1.0, -0.5)
    } else if flat {
        (0.2, -0.1)
    } else {
        let fan_in: usize = shape[1..].iter().product();
        let bound = (6.0 / fan_in as f64).sqrt();
        (2.0 * bound, -bound)
    };
    let values = Synthetic::new(name, seed);
    let n: usize = shape.iter().product();
    let mut parameters = vec![0.0; n];
    fill(&mut parameters, values, scale, shift);
    parameters
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2"))]
fn fill(parameters: &mut [f32], values: Synthetic, scale: f64, shift: f64) {
    for (index, parameter) in (0_u64..).zip(parameters) {
        *parameter = (f64::from(values.uniform(index)) * scale + shift) as f32;
    }
}
