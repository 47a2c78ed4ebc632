//! The precision to which weights are rounded when they are read.

use crate::DeviceChoice;
use neurogauge_core::ModelIdentity;
use neurogauge_kernels::blocks::{bf16_products, round_to_bf16, round_to_f16};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The precision to which every floating-point number of a checkpoint is rounded when it is read (`weight-precision`),
/// as in PyTorch's `tensor.to(dtype)`: to the nearest, ties to even. Computation stays in f32, so this shows the effect
/// of half the bits, or repeats results published in half precision. Weights of affine maps need half the memory.
///
/// A model whose weights are rounded is another model: its id ends in `-bf16` or `-f16`.
///
/// Written `f32`, `bf16` or `f16`.
///
/// ```
/// use neurogauge_models::{WeightPrecision, find};
/// assert_eq!("bf16".parse(), Ok(WeightPrecision::Bf16));
/// let entry = find("all-MiniLM-L6-v2")?;
/// let rounded = WeightPrecision::F16.marked(entry.identity(String::new()));
/// assert_eq!(rounded.id, "all-MiniLM-L6-v2-f16");
/// assert_eq!(WeightPrecision::of(&rounded), WeightPrecision::F16);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightPrecision {
    /// Unchanged.
    #[default]
    F32,
    /// bfloat16: 8 bits of precision, the range of f32.
    Bf16,
    /// IEEE half precision: 11 bits, at most 65,504.
    F16,
    /// Unchanged, but affine maps multiply in bf16.
    #[serde(rename = "bf16-products")]
    Bf16Products,
}

impl WeightPrecision {
    const ALL: [WeightPrecision; 4] = [Self::F32, Self::Bf16, Self::F16, Self::Bf16Products];

    fn name(self) -> &'static str {
        match self {
            WeightPrecision::F32 => "f32",
            WeightPrecision::Bf16 => "bf16",
            WeightPrecision::F16 => "f16",
            WeightPrecision::Bf16Products => "bf16-products",
        }
    }

    /// Adds the precision to a model's id; a placeholder has no weights and keeps its id.
    #[must_use]
    pub fn marked(self, mut identity: ModelIdentity) -> ModelIdentity {
        if self != WeightPrecision::F32 && !identity.stand_in {
            identity.id = format!("{}-{self}", identity.id);
        }
        identity
    }

    /// The precision of a model's weights, which its id tells.
    pub fn of(identity: &ModelIdentity) -> Self {
        Self::split(&identity.id).1
    }

    /// How this processor computes a model's products, if their bits depend on the processor.
    pub fn products_of(identity: &ModelIdentity) -> Option<&'static str> {
        let is_bf16 = Self::of(identity) == WeightPrecision::Bf16Products;
        (is_bf16 && DeviceChoice::of(identity) == DeviceChoice::Cpu).then(bf16_products)
    }

    /// Splits an id into the part before the precision, and the precision; a device after it is dropped.
    pub(crate) fn split(id: &str) -> (&str, Self) {
        let id = DeviceChoice::unmarked(id);
        let found = Self::ALL.into_iter().skip(1).find_map(|precision| {
            let base = id.strip_suffix(precision.name())?.strip_suffix('-')?;
            Some((base, precision))
        });
        found.unwrap_or((id, WeightPrecision::F32))
    }

    /// Rounds values in place. The error is a value that overflows.
    pub(crate) fn round(self, values: &mut [f32]) -> Result<(), f32> {
        match self {
            WeightPrecision::F32 | WeightPrecision::Bf16Products => Ok(()),
            WeightPrecision::Bf16 => round_to_bf16(values),
            WeightPrecision::F16 => round_to_f16(values),
        }
    }
}

impl fmt::Display for WeightPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WeightPrecision {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| format!("{text:?}: expected f32, bf16, f16 or bf16-products"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(precision: WeightPrecision, value: f32) -> Result<f32, f32> {
        let mut values = [value];
        precision.round(&mut values).map(|()| values[0])
    }

    #[test]
    fn values_go_to_the_nearest_and_from_halfway_to_the_even_one() {
        use WeightPrecision::{Bf16, F16, F32};
        // The steps above 1 are 2^-7 and 2^-10.
        for (precision, value, expected) in [
            (F32, 0.1, 0.1),
            (Bf16, 0.1, 0.100_097_656),
            (F16, 0.1, 0.099_975_586),
            (Bf16, 1.0 + 0.5 / 128.0, 1.0),
            (Bf16, 1.0 + 1.5 / 128.0, 1.0 + 2.0 / 128.0),
            (F16, 1.0 + 0.5 / 1024.0, 1.0),
            (F16, -1.0 - 1.5 / 1024.0, -1.0 - 2.0 / 1024.0),
            // The smallest number of f16, and half of it; bf16 has both.
            (F16, 5.960_464_5e-8, 5.960_464_5e-8),
            (F16, 2.980_232_2e-8, 0.0),
            (Bf16, 2.980_232_2e-8, 2.980_232_2e-8),
            (F16, 65_519.0, 65_504.0),
            (Bf16, 65_520.0, 65_536.0),
        ] {
            assert_eq!(rounded(precision, value), Ok(expected), "{precision} {value}");
        }
    }

    #[test]
    fn what_f16_cannot_hold_is_told_and_what_is_no_number_stays_so() {
        assert_eq!(rounded(WeightPrecision::F16, -65_520.0), Err(-65_520.0));
        assert_eq!(rounded(WeightPrecision::Bf16, f32::MAX), Err(f32::MAX));
        assert_eq!(rounded(WeightPrecision::F16, f32::INFINITY), Ok(f32::INFINITY));
        assert!(rounded(WeightPrecision::Bf16, f32::NAN).is_ok_and(f32::is_nan));
    }

    #[test]
    fn names_are_read_and_written() {
        for precision in WeightPrecision::ALL {
            assert_eq!(precision.to_string().parse(), Ok(precision));
            let json = serde_json::to_string(&precision).unwrap();
            assert_eq!(json, format!("\"{precision}\""));
        }
        for name in ["", "BF16", "float16", "8"] {
            assert!(name.parse::<WeightPrecision>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn the_id_says_the_precision() {
        assert_eq!(WeightPrecision::split("resnet18-custom-f16"), ("resnet18-custom", WeightPrecision::F16));
        for id in ["resnet18", "resnet18_bf16", "bf16"] {
            assert_eq!(WeightPrecision::split(id), (id, WeightPrecision::F32));
        }
        let stand_in = ModelIdentity::placeholder("hashed-words", "");
        assert_eq!(WeightPrecision::Bf16.marked(stand_in.clone()), stand_in);
    }
}
