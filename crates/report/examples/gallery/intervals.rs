//! Intervals by row.

use super::{keep, names, numbers};
use neurogauge_report::figures::{Dot, IntervalPanel, Intervals, Level};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, n, n_panels, n_series) in [
        ("intervals", 11, 5, 1),
        ("intervals-60", 60, 2, 1),
        ("intervals-series", 4, 3, 3),
        ("intervals-1", 1, 1, 1),
    ] {
        let panels = (0..n_panels).map(|p| {
            let values = numbers(n * n_series * 3, 50 + p as u64);
            let dots = values.chunks_exact(3).enumerate().map(|(i, v)| Dot {
                row: i / n_series,
                series: i % n_series,
                value: 0.9 * v[0] - 0.1,
                interval: (i % 7 != 3).then(|| (0.9 * v[0] - 0.12 - 0.1 * v[1], 0.9 * v[0] - 0.08 + 0.1 * v[2])),
                notch: Some(0.02 * v[1]),
            });
            IntervalPanel {
                levels: vec![Level::at(0.8, "one rater against the others")],
                ..IntervalPanel::of(["Pairwise acc.", "Acc. at ε = 0", "Kendall τ-b", "Pearson", "Spearman"][p], dots)
            }
        });
        let series = ["supervised", "self-supervised", "untrained"];
        let figure = Intervals {
            title: "Agreement with people".into(),
            rows: names(n),
            series: series.iter().filter(|_| n_series > 1).map(|name| (*name).to_owned()).collect(),
            notch_label: "chance".into(),
            panels: panels.collect(),
            shared_axis: false,
            caption: "95% percentile bootstrap over raters, 1000 resamples, seed 42.".into(),
        };
        keep(folder, name, &figure.draw()?)?;
    }
    Ok(())
}
