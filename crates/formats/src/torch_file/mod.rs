//! Files of torch: a pickle that describes tensors, and the tensors' numbers.

pub(crate) mod archive;
pub(crate) mod legacy;
mod storages;

pub(crate) use storages::{Span, Storages, is_tensor};

/// Larger than any pickle that describes tensors in a dict.
const MAX_PICKLE_BYTES: u64 = 1 << 26;
