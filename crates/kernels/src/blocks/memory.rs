//! In how many bits weights are in memory.

use std::sync::atomic::{AtomicBool, Ordering};

static ALL_IN_F32: AtomicBool = AtomicBool::new(false);

/// From now on, the weights of models that are read are in memory in f32 although 16 bits hold them, or else (as long
/// as no code calls this) in 16 bits where these hold them. It holds for the whole process, and moves no bit of any
/// result.
///
/// f32 takes twice the memory. Processors that have neither AVX2 nor NEON widen weights of 16 bits whenever they
/// multiply with them, and save that time.
///
/// ```
/// use neurogauge_kernels::blocks::hold_in_f32;
/// hold_in_f32(true);
/// hold_in_f32(false);
/// ```
pub fn hold_in_f32(all: bool) {
    ALL_IN_F32.store(all, Ordering::Relaxed);
}

/// Do weights that are being arranged are in 16 bits where these hold them?
pub fn may_be_halved() -> bool {
    !ALL_IN_F32.load(Ordering::Relaxed)
}
