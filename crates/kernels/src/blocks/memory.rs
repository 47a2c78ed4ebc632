//! The number of bits in which weights are held in memory.

use std::sync::atomic::{AtomicBool, Ordering};

static ALL_IN_F32: AtomicBool = AtomicBool::new(false);

/// From now on, keeps the weights of models in memory in f32 (`true`), or in 16 bits if that is exact (`false`, the
/// default). The setting applies to the whole process and changes no bit of any result.
///
/// f32 takes twice the memory. Processors without AVX2 and NEON save time with f32, since they widen weights of 16 bits
/// for every product.
///
/// ```
/// use neurogauge_kernels::blocks::hold_in_f32;
/// hold_in_f32(true);
/// hold_in_f32(false);
/// ```
pub fn hold_in_f32(all: bool) {
    ALL_IN_F32.store(all, Ordering::Relaxed);
}

/// Are weights stored in 16 bits if that is exact?
pub fn may_be_halved() -> bool {
    !ALL_IN_F32.load(Ordering::Relaxed)
}
