//! Batches that a device's memory does not hold are run in halves.

use crate::ModelError;

/// The results of `run` for all items, in as few parts as the device has memory for: if a part of several items does not fit,
/// each half is run separately. How much memory a batch takes is not known beforehand, so the batches of devices are large ones.
pub(crate) fn in_parts<T, R>(
    items: &[T],
    run: &impl Fn(&[T]) -> Result<R, ModelError>,
) -> Result<Vec<R>, ModelError> {
    match run(items) {
        Err(error) if items.len() > 1 && error.is_out_of_memory() => {
            let (first, second) = items.split_at(items.len() / 2);
            let mut parts = in_parts(first, run)?;
            parts.extend(in_parts(second, run)?);
            Ok(parts)
        }
        result => Ok(vec![result?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(reason: &str) -> ModelError {
        ModelError::Engine {
            architecture: "a network",
            operation: "the forward pass",
            reason: reason.to_owned(),
        }
    }

    /// The messages of CUDA's driver and its library of products, and of Metal.
    const REASONS: [&str; 3] = [
        "DriverError(CUDA_ERROR_OUT_OF_MEMORY, \"out of memory\")",
        "CublasError(CUBLAS_STATUS_ALLOC_FAILED)",
        "Metal error Failed to create metal resource: Buffer",
    ];

    #[test]
    fn a_batch_that_is_too_large_is_halved_until_it_fits() {
        for reason in REASONS {
            let run = |items: &[u32]| match items.len() {
                n if n > 3 => Err(failed(reason)),
                _ => Ok(items.to_vec()),
            };
            let parts = in_parts(&[1, 2, 3, 4, 5, 6, 7, 8, 9], &run).unwrap();
            let expected: [&[u32]; 4] = [&[1, 2], &[3, 4], &[5, 6], &[7, 8, 9]];
            assert_eq!(parts, expected);
        }
    }

    #[test]
    fn one_item_that_does_not_fit_and_other_errors_are_errors() {
        let full = |_: &[u32]| Err::<(), _>(failed(REASONS[0]));
        assert!(in_parts(&[1, 2, 3], &full).is_err());
        let calls = std::cell::Cell::new(0);
        let wrong = |_: &[u32]| {
            calls.set(calls.get() + 1);
            Err::<(), _>(failed("shape mismatch in matmul"))
        };
        assert!(in_parts(&[1, 2], &wrong).is_err());
        assert_eq!(calls.get(), 1);
    }
}
