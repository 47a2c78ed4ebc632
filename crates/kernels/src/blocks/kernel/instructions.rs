//! The instructions for products, and the shape of their tiles.

use super::Form;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instructions(pub(super) Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// AVX-512 F with bf16 products.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// With FMA and F16C, which all processors with AVX2 have.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// NEON with bf16 products.
    #[cfg(target_arch = "aarch64")]
    NeonBf16,
    /// With conversions from f16, which all 64-bit ARM processors have.
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Instructions {
    /// All sets that this processor has, the best first. If the environment variable `NEUROGAUGE_WITHOUT_AVX512` is not
    /// empty, AVX-512 is left out.
    pub fn available() -> impl Iterator<Item = Instructions> {
        #[cfg(target_arch = "x86_64")]
        let special = {
            let is_excluded = std::env::var_os("NEUROGAUGE_WITHOUT_AVX512").is_some_and(|value| !value.is_empty());
            let has_avx512 = is_x86_feature_detected!("avx512f") && !is_excluded;
            let has_avx2 =
                is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
            [
                (has_avx512 && is_x86_feature_detected!("avx512bf16")).then_some(Set::Avx512Bf16),
                has_avx512.then_some(Set::Avx512),
                has_avx2.then_some(Set::Avx2),
            ]
        };
        #[cfg(target_arch = "aarch64")]
        let special = [std::arch::is_aarch64_feature_detected!("bf16").then_some(Set::NeonBf16), Some(Set::Neon)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let special: [Option<Set>; 0] = [];
        special.into_iter().flatten().chain([Set::Portable]).map(Instructions)
    }

    /// The best set that this processor has.
    pub fn best() -> Instructions {
        static BEST: OnceLock<Instructions> = OnceLock::new();
        let best = || Instructions::available().next();
        *BEST.get_or_init(|| best().unwrap_or(Instructions(Set::Portable)))
    }

    /// How bf16 products are computed; their bits depend on it.
    pub(crate) fn bf16_products(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 => "avx512-bf16",
            #[cfg(target_arch = "aarch64")]
            Set::NeonBf16 => "neon-bf16",
            Set::Portable => "portable",
            _ => "fused-f32",
        }
    }

    /// Largest number of rows in a tile. Rows and lines decide the number of sums: as many as the registers hold, and
    /// enough to hide the latency of multiplications.
    pub(crate) fn rows(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 | Set::Avx512 => 8,
            _ => 6,
        }
    }

    /// Largest number of lines in a tile.
    pub fn lines(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 | Set::Avx512 => 2,
            _ => 1,
        }
    }

    /// The form in which these instructions read weights laid out in `form`. Unless both have the same lines (as
    /// [`Form::Bf16`] and [`Form::Bf16Pairs`] do), the weights must be widened first.
    pub fn reading(self, form: Form) -> Form {
        match (self.0, form) {
            (Set::Portable, _) => Form::Full,
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512Bf16, form) => form,
            #[cfg(target_arch = "aarch64")]
            (Set::NeonBf16, form) => form,
            (_, Form::Bf16Pairs) => Form::Bf16,
            (_, form) => form,
        }
    }
}

impl Default for Instructions {
    fn default() -> Self {
        Instructions::best()
    }
}
