//! How accurate are decoded features?

use crate::feature_accuracy::{pattern_correlation, profile_correlation};
use crate::items::Items;
use crate::section::{Line, Section};
use neurogauge::Error;
use neurogauge::stats::{BootstrapOptions, RowSource, estimate_within};

pub(crate) fn section(items: &Items, options: &BootstrapOptions) -> Result<Option<Section>, Error> {
    let Some(decoded) = items.decoded_picked() else {
        return Ok(None);
    };
    let (decoded, test) = (decoded.in_double()?, items.test_picked().in_double()?);
    let n_features = items.train.n_features();
    let (mean, sd) = moments(items)?;
    let profile = profile_correlation(&decoded, &test, n_features, options)?;
    let patterns = pattern_correlation(&decoded, &test, &mean, &sd)?;
    let pattern = estimate_within(&[&patterns], (-1.0, 1.0), options)?;
    Ok(Some(Section {
        id: "feature_accuracy",
        question: "How accurate are the decoded features?",
        lines: vec![
            Line::new("profile correlation (over stimuli, mean over features)", profile).beside("chance", 0.0),
            Line::new("pattern correlation (over features, z-scored by training)", pattern).beside("chance", 0.0),
        ],
        answer: "A high pattern correlation with a low identification within clusters (below) is what a decoder of categories has."
            .to_owned(),
        population: "new stimuli",
        reference: "bdpy's profile_correlation and pattern_correlation",
    }))
}

/// Mean and standard deviation (n − 1) of each feature over the training stimuli.
fn moments(items: &Items) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let (n_rows, n_features) = (items.train.n_rows(), items.train.n_features());
    let (mut mean, mut squares) = (vec![0.0; n_features], vec![0.0; n_features]);
    for row in 0..n_rows {
        let n = (row + 1) as f64;
        let values = items.train.row(row)?;
        for ((mean, squares), value) in mean.iter_mut().zip(&mut squares).zip(values) {
            // Welford's update.
            let before = value - *mean;
            *mean += before / n;
            *squares += before * (value - *mean);
        }
    }
    let degrees = (n_rows.max(2) - 1) as f64;
    let sd = squares.iter().map(|squares| (squares / degrees).sqrt());
    Ok((mean, sd.collect()))
}
