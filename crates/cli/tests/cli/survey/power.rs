//! How wide intervals will be.

use super::questionnaires::json_of;
use crate::support::{arg, folder, neurogauge, refused, succeed};

#[test]
fn more_pairs_narrow_the_interval() {
    let dir = folder();
    let out = dir.path().join("power");
    let args = [
        "survey",
        "power",
        "--pairs",
        "20,80",
        "--raters",
        "1,8",
        "--correlation",
        "0.8",
        "--simulations",
        "10",
    ];
    let ran = succeed(&[&args[..], &["--out", arg(&out)]].concat());
    assert!(
        ran.stdout.contains("Width of the 95% interval"),
        "{}",
        ran.stdout
    );
    let found = json_of(&out.join("power.json"));
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(
        lines
            .iter()
            .map(|line| line["people"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [1, 8, 2, 16]
    );
    let tau = |line: usize, field: &str| lines[line]["statistics"][2][field].as_f64().unwrap();
    assert!(tau(2, "width") < 0.7 * tau(0, "width"), "more pairs");
    assert!(
        tau(3, "value") > tau(2, "value"),
        "more raters agree better"
    );
    assert!((0.3..0.8).contains(&found["rater_agreement"].as_f64().unwrap()));
    assert_eq!(
        neurogauge(&[&args[..], &["--out", arg(&out)]].concat()).stdout,
        ran.stdout
    );
    // Drawing raters is an option of `meta`; there the ratings themselves are needed.
    let few = [
        "survey",
        "power",
        "--pairs",
        "10",
        "--raters",
        "3",
        "--correlation",
        "0.8",
        "--simulations",
        "3",
        "--resamples",
        "50",
    ];
    succeed(&[&few[..], &["--preset", "seed"]].concat());
    refused(
        &["survey", "power", "--pairs", "3"],
        2,
        &["3 pairs have no interval"],
    );
    refused(
        &["survey", "power", "--correlation", "2"],
        2,
        &["a correlation of 2"],
    );
}
