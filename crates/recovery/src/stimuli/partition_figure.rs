//! A figure of how much the partition of the trials matters (Figure 4A).

use super::UnitStimuli;
use itertools::Itertools;
use neurogauge::report::figures::{Dot, IntervalPanel, Intervals, Level};
use neurogauge::stats::{mean, quantile};

/// The name of the figure.
pub(super) const NAME: &str = "partition_sensitivity";

/// One row for each region, with a point for each partition and target unit; `None` if no unit has two partitions.
pub(super) fn by_region(units: &[UnitStimuli]) -> Option<Intervals> {
    let values = |unit: &UnitStimuli| unit.itself.retention_by_partition.clone();
    if units.iter().all(|unit| values(unit).len() < 2) {
        return None;
    }
    let regions = units.iter().map(|unit| &unit.unit.roi).unique().collect_vec();
    let of_region =
        |region: &str| -> Vec<f64> { units.iter().filter(|unit| unit.unit.roi == region).flat_map(values).collect() };
    let mut panel = IntervalPanel {
        levels: vec![Level::at(1.0, "all voxels")],
        ..IntervalPanel::of("subspace over all voxels", [])
    };
    for (row, region) in regions.iter().enumerate() {
        let own = of_region(region);
        let ends = quantile(&own, 0.25).ok().zip(quantile(&own, 0.75).ok());
        let centre = mean(own.iter().copied());
        panel.dots.extend(Dot::estimate((row, 0), centre, ends));
        panel.points.extend(own.into_iter().map(|value| (row, value)));
    }
    Some(Intervals {
        title: "Sensitivity to partitions".to_owned(),
        rows: regions.into_iter().cloned().collect(),
        panels: vec![panel],
        caption: "One half of a target's trials predicts the other: accuracy from the selected subspace over accuracy from all voxels. \
                  Points: each partition of each target unit, means over folds. Dots: their means, with quartiles."
            .to_owned(),
        ..Intervals::default()
    })
}
