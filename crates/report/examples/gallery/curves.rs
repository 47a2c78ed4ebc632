//! Curves and bands.

use super::{keep, numbers};
use neurogauge_report::figures::{Band, Curve, CurvePanel, Curves};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let panel = |title: &str, n: usize, seed: u64| {
        let ks = || (1..=20).map(f64::from);
        let band = |label: &str, mid: f64, half: f64| Band {
            label: label.into(),
            points: ks()
                .map(|k| {
                    let y = mid + 0.5 * (1.0 - mid) / k.sqrt();
                    (k, y - half, y + half)
                })
                .collect(),
        };
        let curves = (0..n).map(|c| {
            let height = numbers(n, seed)[c];
            Curve {
                label: format!("source {c}"),
                points: ks()
                    .map(|k| (k, (c != 1 || !(8.0..10.0).contains(&k)).then(|| height + (1.0 - height) / (1.0 + k))))
                    .collect(),
                interval: if c == 0 {
                    ks().map(|k| {
                        (k, height - 0.03 + (1.0 - height) / (1.0 + k), height + 0.04 + (1.0 - height) / (1.0 + k))
                    })
                    .collect()
                } else {
                    Vec::new()
                },
                markers: c == 2,
                dashed: c == 3,
            }
        });
        CurvePanel {
            title: title.into(),
            bands: vec![band("null (95%)", 0.2, 0.06), band("other people (10th to 90th percentile)", 0.75, 0.07)],
            curves: curves.collect(),
            ..CurvePanel::default()
        }
    };
    for (name, n_panels, n_curves) in [("curves", 1, 4), ("curves-10", 1, 16), ("curves-grid", 14, 4)] {
        let figure = Curves {
            title: "Recovered dimensions".into(),
            x_label: "number of target dimensions k".into(),
            y_label: "coverage".into(),
            panels: (0..n_panels)
                .map(|p| {
                    panel(
                        &if n_panels > 1 {
                            format!("ROI {p}")
                        } else {
                            String::new()
                        },
                        n_curves,
                        20 + p,
                    )
                })
                .collect(),
            y_reaches: vec![0.0, 1.0],
            caption: "Mean over subjects and folds.".into(),
            ..Curves::default()
        };
        keep(folder, name, &figure.draw()?)?;
    }
    let odd = [("one point", "a", Some(-7.0)), ("nothing", "b", None)].map(|(title, label, value)| CurvePanel {
        title: title.into(),
        curves: vec![Curve {
            label: label.into(),
            points: vec![(3.0, value)],
            ..Curve::default()
        }],
        ..CurvePanel::default()
    });
    let alone = Curves {
        panels: odd.to_vec(),
        ..Curves::default()
    };
    keep(folder, "curves-odd", &alone.draw()?)?;
    Ok(())
}
