//! The arithmetic of a model: the precision of its weights and products, and its device.

use crate::{DeviceChoice, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::str::FromStr;

/// The precision of a model's weights, and its device. Either can be given alone; the other then has its default.
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
    /// The device that the model runs on.
    pub device: DeviceChoice,
}

impl Arithmetic {
    /// The arithmetic that a model's id tells.
    pub fn of(identity: &ModelIdentity) -> Self {
        Arithmetic {
            precision: WeightPrecision::of(identity),
            device: DeviceChoice::of(identity),
        }
    }

    /// Adds this arithmetic to a model's id; a placeholder has no weights and keeps its id.
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
