//! Deterministic values with a twin in Python (`reference/synthetic.py`).
//!
//! Tests, goldens and synthetic checkpoints need inputs that nobody picked and that both languages
//! can make without a file: value `i` of the array called `name` is a hash of (name, seed, i).

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
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Synthetic { key: hash ^ seed }
    }

    /// The 64 random bits of value `index` (SplitMix64 in counter mode).
    pub fn bits(self, index: u64) -> u64 {
        let mut z = self
            .key
            .wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Value `index`, uniform over 0..=255.
    pub fn byte(self, index: u64) -> u8 {
        (self.bits(index) >> 56) as u8
    }

    /// Value `index`, uniform over the multiples of 2^-24 in [0, 1): exact in f32.
    pub fn uniform(self, index: u64) -> f32 {
        (self.bits(index) >> 40) as f32 / 16_777_216.0
    }
}
