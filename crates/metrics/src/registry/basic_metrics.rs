//! BASIC, which combines BASIC-L and BASIC-H.

use super::metric::{Compute, Metric};
use crate::decoding::basic::basic;
use neurogauge_core::Group;

pub(super) const METRICS: &[Metric] = &[Metric::new(
    "basic",
    "BASIC",
    Group::Semantic,
    "Mean of BASIC-L and BASIC-H",
    Compute::Scores {
        from: &["basic_l", "basic_h"],
        combine: |parts, _| basic(parts[0], parts[1]),
        system: Some(|columns| columns.iter().map(|column| column.to_vec()).collect()),
    },
)
.conventions("basic-mean")];
