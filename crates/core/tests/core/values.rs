//! Values of options, and reasons for a lack of value, as text and as JSON.

use neurogauge_core::Undefined;
use neurogauge_core::option_values::{AtLeastZero, Confidence, Count, Finite, Level, Size};
use serde_json::json;
use std::str::FromStr;

#[test]
fn numbers_out_of_range_are_refused_with_what_was_expected() {
    assert_eq!(Count::<7>::from_str("7").map(usize::from), Ok(7));
    for bad in ["0", "1.5", "8", "x"] {
        let error = Count::<7>::from_str(bad).unwrap_err();
        assert!(error.contains("from 1 to 7"));
    }
    assert!(serde_json::from_value::<Count<7>>(json!(8)).is_err());
    assert_eq!(Finite::from_str("-0.25"), Ok(Finite(-0.25)));
    assert_eq!(AtLeastZero::from_str("0"), Ok(AtLeastZero(0.0)));
    assert_eq!(Confidence::from_str("1"), Ok(Confidence(1.0)));
    assert_eq!(Confidence::from_str("0"), Ok(Confidence(0.0)));
    assert_eq!(Level::from_str("0.9"), Ok(Level(0.9)));
    for bad in ["nan", "inf", "", "x"] {
        let errors = [
            Finite::from_str(bad).unwrap_err(),
            AtLeastZero::from_str(bad).unwrap_err(),
            Confidence::from_str(bad).unwrap_err(),
            Level::from_str(bad).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.contains("expected a ")), "{bad}");
    }
    assert!(AtLeastZero::from_str("-1").is_err() && Confidence::from_str("1.5").is_err());
    assert!(Level::from_str("0").is_err() && Level::from_str("1").is_err());
    let error = serde_json::from_value::<Level>(json!(2)).unwrap_err().to_string();
    assert!(error.contains("between 0 and 1"), "{error}");
}

#[test]
fn sizes_are_positive_and_have_two_parts() {
    assert_eq!(Size::from_str("640x480"), Ok(Size((640.0, 480.0))));
    assert_eq!(serde_json::from_value::<Size>(json!([640, 480])).unwrap(), Size((640.0, 480.0)));
    for bad in ["640", "0x3", "ax3", "-1x3", "infx3"] {
        let error = Size::from_str(bad).unwrap_err();
        assert!(error.contains("WIDTHxHEIGHT"), "{bad}");
    }
}

#[test]
fn a_reason_of_a_metrics_own_survives_json() -> serde_json::Result<()> {
    let reason = Undefined::Because("images too small".into());
    let text = serde_json::to_string(&reason)?;
    assert_eq!(text, r#"{"because":"images too small"}"#);
    assert_eq!(serde_json::from_str::<Undefined>(&text)?, reason);
    assert_eq!(reason.to_string(), "images too small");
    Ok(())
}
