//! Identification of rows that are not in memory.

use crate::support::*;
use neurogauge_metrics::decoding::identification::identify_rows;
use neurogauge_stats::{RowSource, StatsError};
use std::borrow::Cow;
use std::ops::Range;

/// Rows in a truncated file.
struct BrokenOff(usize);

impl RowSource for BrokenOff {
    fn n_rows(&self) -> usize {
        3
    }

    fn n_features(&self) -> usize {
        300
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        if row == self.0 {
            return Err(StatsError::Data("row 2 cannot be read".to_owned()));
        }
        let values: Vec<f32> = features.map(|f| ((row + 1) * f % 7) as f32).collect();
        Ok(f32::of_row(Cow::Owned(values)))
    }
}

#[test]
fn rows_that_cannot_be_read_are_no_outcomes() {
    let (sound, broken) = (BrokenOff(3), BrokenOff(2));
    let options = IdentificationOptions::default();
    let found = identify_rows(&sound, &sound, None, &options).unwrap();
    assert_eq!(found.outcomes, [Ok(1.0), Ok(1.0), Ok(1.0)]);
    for (gt, recon, pool) in [(&sound, &broken, None), (&broken, &sound, None), (&sound, &sound, Some(&broken))] {
        let pool = pool.map(|pool| pool as &dyn RowSource);
        let error = identify_rows(gt, recon, pool, &options).unwrap_err();
        assert_eq!(error.to_string(), "row 2 cannot be read");
    }
}
