//! Tests of `blocks::halving`.

use neurogauge_kernels::blocks::halving::*;
use neurogauge_kernels::*;

fn failed(reason: &str) -> KernelError {
    KernelError::Engine {
        architecture: "a network",
        operation: "the forward pass",
        reason: reason.to_owned(),
    }
}

/// Messages of CUDA's driver, of its matrix library, and of Metal.
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
