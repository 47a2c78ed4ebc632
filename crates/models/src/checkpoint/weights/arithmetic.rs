//! The arithmetic of a model: the precision of its weights and products, and its device.

use crate::{DeviceChoice, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::str::FromStr;

/// The precision of a model's weights, and its device. Each can be given alone, with the default of the other.
///
/// Written as a precision, a device, or both with a comma between them.
///
/// ```
/// use neurogauge_models::{Arithmetic, DeviceChoice, WeightPrecision};
/// let arithmetic = Arithmetic::from(DeviceChoice::CpuF64);
/// assert_eq!(arithmetic.precision, WeightPrecision::F32);
/// assert_eq!(Arithmetic::from(WeightPrecision::Bf16).device, DeviceChoice::Cpu);
/// assert_eq!("cpu-f64".parse(), Ok(arithmetic));
/// assert!("bf16,cuda:1".parse::<Arithmetic>().is_ok() && "bf16,tpu".parse::<Arithmetic>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arithmetic {
    /// The precision that weights are rounded to.
    pub precision: WeightPrecision,
    /// Where the model runs.
    pub device: DeviceChoice,
}

impl Arithmetic {
    /// The arithmetic of a model with this identity, from its id.
    pub fn of(identity: &ModelIdentity) -> Self {
        Arithmetic {
            precision: WeightPrecision::of(identity),
            device: DeviceChoice::of(identity),
        }
    }

    /// The identity of a model that computes like this; a placeholder has no weights.
    #[must_use]
    pub fn marked(self, identity: ModelIdentity) -> ModelIdentity {
        self.device.marked(self.precision.marked(identity))
    }
}

impl From<DeviceChoice> for Arithmetic {
    fn from(device: DeviceChoice) -> Self {
        Arithmetic {
            device,
            ..Arithmetic::default()
        }
    }
}

impl From<WeightPrecision> for Arithmetic {
    fn from(precision: WeightPrecision) -> Self {
        Arithmetic {
            precision,
            ..Arithmetic::default()
        }
    }
}

impl FromStr for Arithmetic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut arithmetic = Arithmetic::default();
        for part in text.split(',') {
            match part.parse() {
                Ok(device) => arithmetic.device = device,
                Err(no_device) => {
                    let precision = part.parse::<WeightPrecision>();
                    arithmetic.precision =
                        precision.map_err(|no_precision| format!("{no_precision}; or {no_device}"))?;
                }
            }
        }
        Ok(arithmetic)
    }
}
