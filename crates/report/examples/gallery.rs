//! Draws every type of figure, from tame data and from wild, to be looked at:
//! `cargo run -p neurogauge-report --example gallery -- FOLDER`.
#![allow(clippy::print_stderr)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Image, Mask};
use neurogauge_report::figures::*;
use std::error::Error;
use std::path::{Path, PathBuf};

const METRICS: [&str; 12] = [
    "pixcorr",
    "ssim",
    "alexnet2",
    "alexnet5",
    "inception",
    "clip",
    "effnet",
    "swav",
    "object_f1",
    "cap_sim",
    "seed",
    "a_metric_with_quite_a_long_name (second run)",
];

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err("name a folder to draw into".into());
    };
    std::fs::create_dir_all(&folder)?;
    heatmaps(&folder)?;
    scatters(&folder)?;
    intervals(&folder)?;
    curves(&folder)?;
    sheets(&folder)?;
    masks(&folder)?;
    eprintln!("{}", folder.display());
    Ok(())
}

fn keep(folder: &Path, name: &str, picture: &Picture) -> std::io::Result<()> {
    std::fs::write(folder.join(format!("{name}.svg")), &picture.svg)?;
    std::fs::write(folder.join(format!("{name}.png")), &picture.png)
}

/// `n` numbers between 0 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let numbers = Synthetic::new("gallery", seed);
    (0..n as u64)
        .map(|i| f64::from(numbers.uniform(i)))
        .collect()
}

fn names(n: usize) -> Vec<String> {
    let known = METRICS.iter().map(|&name| name.to_owned());
    known
        .chain((0..).map(|i| format!("metric {i}")))
        .take(n)
        .collect()
}

fn heatmaps(folder: &Path) -> Result<(), Box<dyn Error>> {
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
            values: heatmap
                .values
                .iter()
                .map(|row| row.iter().map(|v| v.map(|v| 2.0 * v - 0.9)).collect())
                .collect(),
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

fn scatters(folder: &Path) -> Result<(), Box<dyn Error>> {
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
    keep(
        folder,
        "scatter",
        &of(vec![panel("seed", 1000, 5, 1.0)]).draw()?,
    )?;
    for n in [11, 60] {
        let panels = names(n);
        let panels = panels
            .iter()
            .zip(7..)
            .map(|(m, s)| panel(m, 200, s, 10_f64.powi(s as i32 - 12)));
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

fn intervals(folder: &Path) -> Result<(), Box<dyn Error>> {
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
                interval: (i % 7 != 3).then(|| {
                    (
                        0.9 * v[0] - 0.12 - 0.1 * v[1],
                        0.9 * v[0] - 0.08 + 0.1 * v[2],
                    )
                }),
                notch: Some(0.02 * v[1]),
            });
            IntervalPanel {
                title: [
                    "Pairwise acc.",
                    "Acc. at ε = 0",
                    "Kendall τ-b",
                    "Pearson",
                    "Spearman",
                ][p]
                    .into(),
                dots: dots.collect(),
                levels: vec![Level {
                    label: "one rater against the others".into(),
                    value: 0.8,
                }],
            }
        });
        let series = ["supervised", "self-supervised", "untrained"];
        let figure = Intervals {
            title: "Agreement with people".into(),
            rows: names(n),
            series: if n_series > 1 {
                series.map(str::to_owned).to_vec()
            } else {
                Vec::new()
            },
            notch_label: "chance".into(),
            panels: panels.collect(),
            caption: "95% percentile bootstrap over raters, 1000 resamples, seed 42.".into(),
        };
        keep(folder, name, &figure.draw()?)?;
    }
    Ok(())
}

fn curves(folder: &Path) -> Result<(), Box<dyn Error>> {
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
                    .map(|k| {
                        (
                            k,
                            (c != 1 || !(8.0..10.0).contains(&k))
                                .then(|| height + (1.0 - height) / (1.0 + k)),
                        )
                    })
                    .collect(),
                interval: if c == 0 {
                    ks().map(|k| {
                        (
                            k,
                            height - 0.03 + (1.0 - height) / (1.0 + k),
                            height + 0.04 + (1.0 - height) / (1.0 + k),
                        )
                    })
                    .collect()
                } else {
                    Vec::new()
                },
                markers: c == 2,
            }
        });
        CurvePanel {
            title: title.into(),
            bands: vec![
                band("null (95%)", 0.2, 0.06),
                band("other people (10th to 90th percentile)", 0.75, 0.07),
            ],
            curves: curves.collect(),
        }
    };
    for (name, n_panels, n_curves) in [
        ("curves", 1, 4),
        ("curves-10", 1, 16),
        ("curves-grid", 14, 4),
    ] {
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
    let alone = Curves {
        panels: vec![
            CurvePanel {
                title: "one point".into(),
                curves: vec![Curve {
                    label: "a".into(),
                    points: vec![(3.0, Some(-7.0))],
                    ..Curve::default()
                }],
                ..CurvePanel::default()
            },
            CurvePanel {
                title: "nothing".into(),
                curves: vec![Curve {
                    label: "b".into(),
                    points: vec![(3.0, None)],
                    ..Curve::default()
                }],
                ..CurvePanel::default()
            },
        ],
        ..Curves::default()
    };
    keep(folder, "curves-odd", &alone.draw()?)?;
    Ok(())
}

fn sheets(folder: &Path) -> Result<(), Box<dyn Error>> {
    let image = |width: usize, height: usize, seed: u64| {
        let data = numbers(width * height * 3, seed);
        Image::new(
            width,
            height,
            data.iter().map(|v| (v * 255.0) as u8).collect(),
        )
    };
    let sizes = [(64, 64), (300, 100), (20, 90), (1, 1)];
    let rows = sizes.iter().zip(0..).map(|(&(w, h), i)| -> Result<SheetRow, Box<dyn Error>> {
        Ok(SheetRow {
            images: vec![Some(image(w, h, i)?), (i != 1).then(|| image(w, h, i + 9)).transpose()?],
            lines: vec![
                format!("item number {i} with a name that is far longer than there is room for it here"),
                "effnet: rank 3 of 1000, score 0.312".into(),
                "people: rank 998 of 1000, score 1.14".into(),
                "ranked 995 places too high".into(),
            ],
        })
    });
    let sheet = ContactSheet {
        title: "Worst cases of effnet".into(),
        columns: vec!["stimulus".into(), "reconstruction".into()],
        rows: rows.collect::<Result<_, _>>()?,
        caption: "Rank 1 is best.".into(),
    };
    std::fs::write(folder.join("sheet.png"), sheet.draw_png()?)?;
    Ok(())
}

fn masks(folder: &Path) -> Result<(), Box<dyn Error>> {
    let bar = |value: f64| Bar {
        value: (value > 0.05).then_some(value),
        interval: Some((value * 0.9, value * 1.15)),
    };
    let values = numbers(15, 5);
    let bars = Bars {
        title: "Masks by level: overlap".into(),
        y_label: "overlap (IoU)".into(),
        groups: ["salient", "binary", "semantic", "instance", "part"]
            .map(String::from)
            .to_vec(),
        series: vec!["first".into(), "second".into(), "third".into()],
        bars: values
            .chunks(3)
            .map(|three| three.iter().map(|&v| bar(v)).collect())
            .collect(),
        caption: "Hatched: no value.".into(),
    };
    keep(folder, "bars", &bars.draw()?)?;
    let disc = |x0: f64, y0: f64, radius: f64| {
        Mask::from_pixels(120, 160, |x, y| {
            (f64::from(x) - x0).hypot(f64::from(y) - y0) < radius
        })
    };
    let overlay = |label: &str, kind: OverlayKind, mask: Mask| OverlayMask {
        label: label.into(),
        kind,
        mask,
    };
    let pixels = numbers(160 * 120 * 3, 8);
    let image = Image::new(160, 120, pixels.iter().map(|v| (v * 255.0) as u8).collect())?;
    let panel = |title: &str, masks: Vec<OverlayMask>| OverlayPanel {
        title: title.into(),
        size_px: (160, 120),
        image: Some(image.clone()),
        masks,
    };
    let figure = MaskOverlay {
        title: "Objects of 12".into(),
        panels: vec![
            panel(
                "stimulus",
                vec![
                    overlay("1 dog", OverlayKind::Right, disc(50.0, 60.0, 35.0)?),
                    overlay(
                        "fire hydrant",
                        OverlayKind::Missing,
                        disc(140.0, 30.0, 25.0)?,
                    ),
                ],
            ),
            OverlayPanel {
                title: "reconstruction".into(),
                size_px: (160, 120),
                image: None,
                masks: vec![
                    overlay("1 dog 0.61", OverlayKind::Right, disc(62.0, 66.0, 33.0)?),
                    overlay("cat", OverlayKind::MadeUp, disc(10.0, 8.0, 20.0)?),
                ],
            },
        ],
        caption: "1 matched, 1 missing, 1 made up.".into(),
    };
    std::fs::write(folder.join("overlay.png"), figure.draw_png()?)?;
    Ok(())
}
