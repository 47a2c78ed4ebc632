//! BASIC: the content of captions and the overlap of masks as one number.

use crate::error::part;
use neurogauge_core::Outcome;

/// The mean of BASIC-L and BASIC-H of a pair, by which the BASIC paper ranks systems:
///
/// BASIC = (BASIC-L + BASIC-H) / 2.
///
/// **Shapes.** One outcome of each.
///
/// **Range.** 0 to 1, higher is better. There is no chance level.
///
/// **Conventions.** `basic-mean`.
///
/// **Undefined.** A part has no value; the reason names the first.
///
/// **Errors.** None.
///
/// **Reference.** Arithmetic by hand, exact.
///
/// ```
/// use neurogauge_core::Undefined;
/// use neurogauge_metrics::decoding::basic::basic;
/// assert_eq!(basic(&Ok(0.25), &Ok(0.5)), Ok(0.375));
/// let missing = basic(&Ok(0.25), &Err(Undefined::NoPairs));
/// assert_eq!(missing, Err(Undefined::MissingPart("basic_h".into())));
/// ```
pub fn basic(basic_l: &Outcome, basic_h: &Outcome) -> Outcome {
    Ok((part("basic_l", basic_l)? + part("basic_h", basic_h)?) / 2.0)
}
