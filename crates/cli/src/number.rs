//! Numbers as option values; what is out of range is refused before anything is computed.

/// A whole number from 1 to `MAX`, which only keeps absurd sizes from exhausting the memory.
pub(crate) fn count<const MAX: usize>(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=MAX).contains(&number) => Ok(number),
        _ => Err(format!("{text:?}: expected a whole number from 1 to {MAX}")),
    }
}

pub(crate) fn finite(text: &str) -> Result<f64, String> {
    within(text, |_| true, "a finite number")
}

pub(crate) fn at_least_zero(text: &str) -> Result<f64, String> {
    within(text, |number| number >= 0.0, "a finite number, 0 or more")
}

pub(crate) fn confidence(text: &str) -> Result<f64, String> {
    within(
        text,
        |number| (0.0..=1.0).contains(&number),
        "a confidence from 0 to 1",
    )
}

pub(crate) fn level(text: &str) -> Result<f64, String> {
    within(
        text,
        |number| number > 0.0 && number < 1.0,
        "a number between 0 and 1, exclusive, for example 0.95",
    )
}

fn within(text: &str, is_sound: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if f64::is_finite(number) && is_sound(number) => Ok(number),
        _ => Err(format!("{text:?}: expected {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{at_least_zero, confidence, count, finite, level};

    #[test]
    fn numbers_out_of_range_are_refused_with_what_was_expected() {
        assert_eq!(count::<7>("7"), Ok(7));
        for bad in ["0", "1.5", "8", "x"] {
            assert!(count::<7>(bad).unwrap_err().contains("from 1 to 7"));
        }
        assert_eq!(finite("-0.25"), Ok(-0.25));
        assert_eq!(at_least_zero("0"), Ok(0.0));
        assert_eq!((confidence("0"), confidence("1")), (Ok(0.0), Ok(1.0)));
        assert_eq!(level("0.9"), Ok(0.9));
        for parse in [finite, at_least_zero, confidence, level] {
            for bad in ["nan", "inf", "", "x"] {
                assert!(parse(bad).unwrap_err().contains("expected a "), "{bad}");
            }
        }
        assert!(at_least_zero("-1").is_err() && confidence("1.5").is_err());
        assert!(level("0").is_err() && level("1").is_err());
    }
}
