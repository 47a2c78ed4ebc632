//! Sizes as `WIDTHxHEIGHT`.

/// Parses `425x425` into (width, height).
pub(crate) fn parse(text: &str) -> Result<(f64, f64), String> {
    let expected = || format!("{text:?}: expected WIDTHxHEIGHT in px, for example 425x425");
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(expected)?;
    let number = |part: &str| {
        part.trim()
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite() && *v > 0.0)
            .ok_or_else(expected)
    };
    Ok((number(width)?, number(height)?))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_are_positive_and_have_two_parts() {
        assert_eq!(parse("640x480"), Ok((640.0, 480.0)));
        for bad in ["640", "0x3", "ax3", "-1x3", "infx3"] {
            assert!(parse(bad).unwrap_err().contains("WIDTHxHEIGHT"), "{bad}");
        }
    }
}
