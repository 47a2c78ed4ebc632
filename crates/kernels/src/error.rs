//! Errors of layers, devices and searches.

use neurogauge_core::Fault;
use neurogauge_core::option_words::option;

/// Why a layer could not be computed, a device could not be used, or a text could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// Logits from which no token can be chosen.
    #[error(
        "{architecture}: the logits of token {position} {reason}, so no text can be written; are the \
         weights sound?"
    )]
    Logits {
        architecture: &'static str,
        /// Number of the new token that was to be chosen, counted from 1.
        position: usize,
        reason: &'static str,
    },

    /// A device that this build cannot use.
    #[error(
        "this build of neurogauge cannot run models on {device}: it was built without {}. Build it with \
         them, or take {}",
        option("features", feature),
        option("device", "cpu")
    )]
    DeviceNotBuilt {
        device: String,
        /// The build feature that it needs.
        feature: &'static str,
    },

    /// A device that does not exist or does not work.
    #[error(
        "cannot run models on {device}: {reason}. Take {}, or mend the device's driver",
        option("device", "cpu")
    )]
    Device {
        device: String,
        /// The engine's error.
        reason: String,
    },

    /// The inference engine failed, which is a bug of this software, not a fault of the input.
    #[error("{architecture}: {operation} failed in the inference engine: {reason}")]
    Engine {
        architecture: &'static str,
        operation: &'static str,
        /// The engine's error.
        reason: String,
    },
}

impl KernelError {
    /// Wraps an engine error of an operation, for `map_err`.
    pub fn engine(architecture: &'static str, operation: &'static str) -> impl Fn(candle_core::Error) -> KernelError {
        move |error| KernelError::Engine {
            architecture,
            operation,
            reason: error.to_string(),
        }
    }

    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            KernelError::DeviceNotBuilt { .. } | KernelError::Device { .. } => Fault::Usage,
            KernelError::Engine { .. } => Fault::Ours,
            KernelError::Logits { .. } => Fault::Model,
        }
    }
}

/// An error that may mean that a device has no free memory.
pub trait MayLackMemory {
    /// Has the device no memory left?
    fn is_out_of_memory(&self) -> bool;
}

impl MayLackMemory for KernelError {
    /// The engine only passes on messages, so this looks for those of CUDA's driver, its matrix library and Metal.
    fn is_out_of_memory(&self) -> bool {
        const WORDS: [&str; 3] =
            ["CUDA_ERROR_OUT_OF_MEMORY", "CUBLAS_STATUS_ALLOC_FAILED", "Failed to create metal resource: Buffer"];
        let KernelError::Engine { reason, .. } = self else {
            return false;
        };
        WORDS.iter().any(|words| reason.contains(words))
    }
}
