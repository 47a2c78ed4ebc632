//! In which precision the maps of a model multiply.

use super::kernel::Instructions;
use std::cell::Cell;

/// The precision that the factors of the products of affine maps are rounded to. Sums are in f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Products {
    /// Not rounded.
    #[default]
    F32,
    /// Weights and their factors.
    Bf16,
}

/// How this processor computes products of bf16: their bits differ from kind to kind.
pub fn bf16_products() -> &'static str {
    Instructions::best().bf16_products()
}

thread_local! {
    /// Layers ask here because most places that make layers do not know the model's options.
    static WHILE_ARRANGING: Cell<Products> = const { Cell::new(Products::F32) };
}

impl Products {
    /// Calls `arrange`; affine maps that it makes, on this thread, multiply in this way ever after.
    pub fn arranging<T>(self, arrange: impl FnOnce() -> T) -> T {
        /// Sets back what was before, also where `arrange` panics.
        struct Before(Products);
        impl Drop for Before {
            fn drop(&mut self) {
                WHILE_ARRANGING.set(self.0);
            }
        }
        let _before = Before(WHILE_ARRANGING.replace(self));
        arrange()
    }

    /// The precision of the products of maps that are being made.
    pub(super) fn of_arrangement() -> Self {
        WHILE_ARRANGING.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_within_and_not_behind() {
        let inner = Products::Bf16.arranging(|| {
            let nested = Products::F32.arranging(Products::of_arrangement);
            (nested, Products::of_arrangement())
        });
        assert_eq!(inner, (Products::F32, Products::Bf16));
        let caught = std::panic::catch_unwind(|| Products::Bf16.arranging(|| panic!("here")));
        assert!(caught.is_err());
        assert_eq!(Products::of_arrangement(), Products::F32);
    }
}
