//! Heat maps.

use super::{keep, names, numbers};
use neurogauge_report::figures::{ColourScale, Heatmap};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, n) in [("heatmap", 12), ("heatmap-60", 60), ("heatmap-1", 1)] {
        let cells = numbers(n * n, 1);
        let values = (0..n).map(|i| {
            let row = (0..n).map(|j| {
                let value = 0.3 + 0.4 * (cells[i.min(j) * n + i.max(j)]);
                ((i * j) % 23 != 5).then_some(value)
            });
            row.collect()
        });
        let heatmap = Heatmap {
            title: "Kendall τ-b with people of the average of two metrics".into(),
            rows: names(n),
            columns: names(n),
            values: values.collect(),
            decimals: 3,
            value_label: "Kendall τ-b".into(),
            caption: "Diagonal: the metric alone. Each metric is brought to mean 0 and standard \
                      deviation 1 before the two are averaged; distances are negated first."
                .into(),
            ..Heatmap::default()
        };
        keep(folder, name, &heatmap.draw()?)?;
        let signed = Heatmap {
            values: heatmap.values.iter().map(|row| row.iter().map(|v| v.map(|v| 2.0 * v - 0.9)).collect()).collect(),
            scale: ColourScale::Diverging,
            title: "Differences".into(),
            decimals: 2,
            ..heatmap.clone()
        };
        keep(folder, &format!("{name}-signed"), &signed.draw()?)?;
        let empty = Heatmap {
            values: vec![vec![None; n]; n],
            ..heatmap
        };
        keep(folder, &format!("{name}-empty"), &empty.draw()?)?;
    }
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    let short = Heatmap {
        title: "Short names, values all alike, no legend <&>\"'".into(),
        rows: names(3),
        columns: names(5),
        values: vec![vec![Some(-1234.5); 5]; 3],
        ..Heatmap::default()
    };
    keep(folder, "heatmap-equal", &short.draw()?)?;
    Ok(())
}
