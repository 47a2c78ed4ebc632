//! Scatter plots.

use super::{keep, names, numbers};
use neurogauge_report::figures::{Fit, Point, Scatter, ScatterPanel};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let panel = |title: &str, n: usize, seed: u64, scale: f64| {
        let (x, noise) = (numbers(n, seed), numbers(n, seed + 100));
        let points = x.iter().zip(noise);
        let points = points.map(|(x, e)| Point::at(scale * x, 1.0 + 4.0 * (0.6 * x + 0.4 * e)));
        ScatterPanel {
            title: title.into(),
            points: points.collect(),
            fit: Fit::LeastSquares,
            note: "τ-b = 0.42, r = 0.61".into(),
        }
    };
    let of = |panels: Vec<ScatterPanel>| Scatter {
        title: "Metrics and people".into(),
        x_label: "metric".into(),
        y_label: "human score".into(),
        panels,
        caption: "Each point is an item. Dashed: least squares.".into(),
        ..Scatter::default()
    };
    keep(folder, "scatter", &of(vec![panel("seed", 1000, 5, 1.0)]).draw()?)?;
    for n in [11, 60] {
        let panels = names(n);
        let panels = panels.iter().zip(7..).map(|(m, s)| panel(m, 200, s, 10_f64.powi(s as i32 - 12)));
        let drawn = of(panels.collect()).draw();
        keep(folder, &format!("scatter-{n}"), &drawn?)?;
    }
    let mut odd = vec![
        ScatterPanel {
            title: "one point".into(),
            points: vec![Point::at(-2.5, 0.0)],
            fit: Fit::LeastSquares,
            ..ScatterPanel::default()
        },
        ScatterPanel {
            title: "none".into(),
            ..ScatterPanel::default()
        },
        panel("huge", 5, 3, 1e300),
        panel("tiny", 5, 3, 1e-300),
    ];
    odd[2].fit = Fit::Identity;
    keep(folder, "scatter-odd", &of(odd).draw()?)?;
    let groups = ["ResNet-50", "ViT-B/16", "ConvNeXt-T", "CLIP", "untrained"];
    let places = numbers(60, 9);
    let points = places.chunks_exact(2).enumerate().map(|(i, xy)| Point {
        x: xy[0],
        y: 0.5 * xy[0] + 0.3 * xy[1],
        label: if i % 9 == 0 {
            format!("layer {i}")
        } else {
            String::new()
        },
        group: i % 5,
    });
    let grouped = Scatter {
        title: "Accuracy and profile".into(),
        x_label: "prediction accuracy".into(),
        y_label: "profile mean".into(),
        groups: groups.map(str::to_owned).to_vec(),
        panels: vec![ScatterPanel {
            points: points.collect(),
            fit: Fit::Identity,
            ..ScatterPanel::default()
        }],
        ..Scatter::default()
    };
    keep(folder, "scatter-groups", &grouped.draw()?)?;
    Ok(())
}
