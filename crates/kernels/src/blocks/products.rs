//! The precision of a model's products.

use super::kernel::Instructions;
use std::cell::Cell;

/// The precision to which both factors in the products of affine maps are rounded. Sums are in f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Products {
    /// Not rounded.
    #[default]
    F32,
    /// Both the weights and the values that they multiply.
    Bf16,
}

/// How this processor computes bf16 products; their bits depend on it.
pub fn bf16_products() -> &'static str {
    Instructions::best().bf16_products()
}

thread_local! {
    /// Set while layers are built, since most code that builds layers does not know the model's options.
    static WHILE_ARRANGING: Cell<Products> = const { Cell::new(Products::F32) };
}

impl Products {
    /// Calls `arrange`. The affine maps that it builds on this thread multiply in this precision from then on.
    pub fn arranging<T>(self, arrange: impl FnOnce() -> T) -> T {
        /// Restores the former setting, even if `arrange` panics.
        struct Before(Products);
        impl Drop for Before {
            fn drop(&mut self) {
                WHILE_ARRANGING.set(self.0);
            }
        }
        let _before = Before(WHILE_ARRANGING.replace(self));
        arrange()
    }

    /// The precision for maps that are being built.
    pub(super) fn of_arrangement() -> Self {
        WHILE_ARRANGING.get()
    }
}
