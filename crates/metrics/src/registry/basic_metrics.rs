//! BASIC, which joins BASIC-L and BASIC-H.

use super::metric::{Compute, Metric, spec};
use crate::decoding::basic::basic;
use neurogauge_core::{Direction, Group, MetricSpec};

pub(super) const METRICS: &[Metric] = &[Metric {
    spec: MetricSpec {
        conventions: &["basic-mean"],
        ..spec("basic", "BASIC", Group::Semantic, Direction::Higher, (0.0, 1.0), "Mean of BASIC-L and BASIC-H")
    },
    compute: Compute::Scores {
        from: &["basic_l", "basic_h"],
        combine: |parts, _| basic(parts[0], parts[1]),
        system: Some(|columns| columns.iter().map(|column| column.to_vec()).collect()),
    },
}];
