//! The accuracy of decoded features.

use crate::items::Items;
use crate::section::{Line, Section};
use neurogauge::Error;
use neurogauge::metrics::decoding::feature_accuracy::{pattern_correlation, profile_correlation};
use neurogauge::stats::{BootstrapOptions, RowSource, estimate_within};

pub(crate) fn section(
    items: &Items,
    (mean, sd): (&[f64], &[f64]),
    options: &BootstrapOptions,
) -> Result<Option<Section>, Error> {
    let Some(decoded) = items.decoded_picked() else {
        return Ok(None);
    };
    let (decoded, test) = (decoded.in_double()?, items.test_picked().in_double()?);
    let n_features = items.train.n_features();
    let (_, profile) = profile_correlation(&decoded, &test, n_features, options)?;
    let patterns = pattern_correlation(&decoded, &test, mean, sd)?;
    let pattern = estimate_within(&[&patterns], (-1.0, 1.0), options)?;
    let answer = match (&profile.value, &pattern.value) {
        (Ok(profile), Ok(pattern)) => format!(
            "Values of a feature follow the stimuli with a correlation of {profile:.3}, and features of a stimulus are as decoded with {pattern:.3}. \
             A decoder that knows the category of a stimulus alone can have high values in both, so that they do not tell decoding from \
             classification; identification within clusters (below) does."
        ),
        _ => "Features that do not vary have no correlation.".to_owned(),
    };
    Ok(Some(Section {
        id: "feature_accuracy",
        question: "How accurate are the decoded features?",
        lines: vec![
            Line::new("profile correlation (over stimuli, mean over features)", profile).beside("chance", 0.0),
            Line::new("pattern correlation (over features, z-scored by training)", pattern).beside("chance", 0.0),
        ],
        answer,
        population: "new stimuli",
        reference: "bdpy's profile_correlation and pattern_correlation",
    }))
}
