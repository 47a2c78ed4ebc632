//! Figures of awkward data: nothing is lost, nothing leaves the picture, faults are named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use neurogauge_core::{Image, Mask};
use neurogauge_report::ReportError;
use neurogauge_report::figures::*;

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("metric <{i}> & \"co\"")).collect()
}

fn heatmap(n: usize, value: Option<f64>) -> Heatmap {
    Heatmap {
        title: "T".into(),
        rows: names(n),
        columns: names(n),
        values: vec![vec![value; n]; n],
        decimals: 2,
        value_label: "v".into(),
        ..Heatmap::default()
    }
}

fn scatter(points: &[(f64, f64)]) -> Scatter {
    Scatter {
        panels: vec![ScatterPanel {
            points: points.iter().map(|&(x, y)| Point::at(x, y)).collect(),
            fit: Fit::LeastSquares,
            ..ScatterPanel::default()
        }],
        ..Scatter::default()
    }
}

fn intervals(dots: Vec<Dot>) -> Intervals {
    Intervals {
        rows: names(2),
        panels: vec![IntervalPanel {
            dots,
            ..IntervalPanel::default()
        }],
        ..Intervals::default()
    }
}

fn curves(points: &[(f64, Option<f64>)]) -> Curves {
    Curves {
        panels: vec![CurvePanel {
            curves: vec![Curve {
                label: "c".into(),
                points: points.to_vec(),
                ..Curve::default()
            }],
            ..CurvePanel::default()
        }],
        ..Curves::default()
    }
}

/// The size that the document states, and that every coordinate of its marks is within it.
#[track_caller]
fn check(picture: &Picture) {
    let svg = &picture.svg;
    let number = |text: &str, name: &str| -> Option<f64> {
        let start = text.find(&format!(" {name}=\""))? + name.len() + 3;
        text[start..].split('"').next()?.parse().ok()
    };
    let first = svg.lines().next().unwrap();
    let (width, height) = (
        8.0 * number(first, "width").unwrap(),
        8.0 * number(first, "height").unwrap(),
    );
    for line in svg.lines().skip(1) {
        for (name, limit) in [("x", width), ("y", height), ("cx", width), ("cy", height)] {
            if let Some(at) = number(line, name) {
                assert!((0.0..=limit).contains(&at), "{name} of {line}");
            }
        }
        if let Some(points) = line.split("points=\"").nth(1) {
            for point in points.split('"').next().unwrap().split_whitespace() {
                let (x, y) = point.split_once(',').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!(
                    (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                    "{line}"
                );
            }
        }
        assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
    }
    assert_eq!(&picture.png[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(picture.png[at..at + 4].try_into().unwrap());
    assert_eq!(f64::from(side(16)), width / 4.0);
    assert_eq!(f64::from(side(20)), height / 4.0);
}

#[test]
fn any_numbers_and_any_names_stay_within_the_picture() {
    for value in [None, Some(0.0), Some(-0.25), Some(1e12)] {
        for scale in [ColourScale::Sequential, ColourScale::Diverging] {
            let mut figure = heatmap(2, value);
            figure.scale = scale;
            figure.values[0][0] = Some(3.0);
            check(&figure.draw().unwrap());
        }
    }
    for n in [1, 60] {
        check(&heatmap(n, Some(-0.25)).draw().unwrap());
    }
    check(&heatmap(3, None).draw().unwrap());
    let many: Vec<(f64, f64)> = (0..3000)
        .map(|i| (f64::from(i).sin(), f64::from(i).cos()))
        .collect();
    let hostile: [&[(f64, f64)]; 8] = [
        &[],
        &[(0.0, 0.0)],
        &[(-5.0, 2.0); 3],
        &[(1e300, -1e300), (-1e300, 1e300)],
        &[(1e-300, 0.0), (2e-300, 1.0)],
        &[(1e16, 0.0), (1e16 + 2.0, 1.0)],
        &[(0.0, 1.0), (0.0, 2.0)],
        &many,
    ];
    for points in hostile {
        check(&scatter(points).draw().unwrap());
        let mut figure = scatter(points);
        figure.panels[0].fit = Fit::Identity;
        for (i, point) in figure.panels[0].points.iter_mut().take(20).enumerate() {
            point.label = format!("a label that is rather long for a point, number {i}");
        }
        check(&figure.draw().unwrap());
        let dots = points
            .iter()
            .take(2)
            .enumerate()
            .map(|(row, &(value, end))| Dot {
                row,
                value,
                interval: Some((value.min(end), value.max(end))),
                notch: Some(end),
                ..Dot::default()
            });
        check(&intervals(dots.collect()).draw().unwrap());
        let curve: Vec<(f64, Option<f64>)> = points.iter().map(|&(x, y)| (x, Some(y))).collect();
        check(&curves(&curve).draw().unwrap());
    }
    check(
        &curves(&[(1.0, None), (2.0, Some(1.0)), (3.0, None)])
            .draw()
            .unwrap(),
    );
}

#[test]
fn panels_of_any_number_make_a_page() {
    for n in [1, 2, 3, 5, 11, 60] {
        let mut figure = scatter(&[(0.0, 1.0), (2.0, 3.0)]);
        figure.title =
            "A title that is so long that it cannot stand on a single line above one panel".into();
        figure.panels = vec![figure.panels[0].clone(); n];
        let picture = figure.draw().unwrap();
        check(&picture);
        assert_eq!(picture.svg.matches("<circle").count(), 2 * n);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let figure = heatmap(12, Some(0.5));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let figure = figure.clone();
            std::thread::spawn(move || figure.draw().unwrap())
        })
        .collect();
    let expected = figure.draw().unwrap();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[test]
fn words_are_text_and_escaped() {
    let svg = heatmap(1, Some(0.5)).draw().unwrap().svg;
    assert!(
        svg.contains("metric &lt;0&gt; &amp; &quot;co&quot;"),
        "{svg}"
    );
    assert!(svg.contains("sans-serif"));
}

#[test]
fn a_contact_sheet_shows_the_pixels() {
    let red = Image::new(8, 8, [200, 10, 20].repeat(64)).unwrap();
    let sheet = ContactSheet {
        columns: vec!["a".into(), "b".into()],
        rows: vec![SheetRow {
            images: vec![Some(red.clone()), None],
            lines: vec!["one".into(); 30],
        }],
        ..ContactSheet::default()
    };
    assert_eq!(&sheet.draw_png().unwrap()[1..4], b"PNG");
    let uneven = ContactSheet {
        rows: vec![SheetRow {
            images: vec![Some(red)],
            lines: Vec::new(),
        }],
        ..sheet.clone()
    };
    assert!(matches!(
        uneven.draw_png(),
        Err(ReportError::FigureLength { .. })
    ));
    let tall = ContactSheet {
        rows: vec![sheet.rows[0].clone(); 200],
        ..sheet
    };
    assert!(matches!(
        tall.draw_png(),
        Err(ReportError::FigureTooLarge { .. })
    ));
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let empty = |error: ReportError| matches!(error, ReportError::EmptyFigure { .. });
    assert!(empty(heatmap(0, None).draw().unwrap_err()));
    assert!(empty(Scatter::default().draw().unwrap_err()));
    assert!(empty(Intervals::default().draw().unwrap_err()));
    assert!(empty(Curves::default().draw().unwrap_err()));
    let not_finite = |error: ReportError| matches!(error, ReportError::NonFinitePoint { .. });
    for value in [f64::NAN, f64::INFINITY, f64::MIN] {
        assert!(not_finite(heatmap(2, Some(value)).draw().unwrap_err()));
        assert!(not_finite(scatter(&[(0.0, value)]).draw().unwrap_err()));
        assert!(not_finite(curves(&[(value, None)]).draw().unwrap_err()));
        let dot = Dot {
            interval: Some((0.0, value)),
            ..Dot::default()
        };
        assert!(not_finite(intervals(vec![dot]).draw().unwrap_err()));
    }
    let length = |error: ReportError| matches!(error, ReportError::FigureLength { .. });
    let mut ragged = heatmap(3, None);
    ragged.values[1].pop();
    assert!(length(ragged.draw().unwrap_err()));
    let dot = Dot {
        row: 2,
        ..Dot::default()
    };
    assert!(length(intervals(vec![dot]).draw().unwrap_err()));
    let mut stranger = scatter(&[(0.0, 0.0)]);
    stranger.panels[0].points[0].group = 1;
    assert!(length(stranger.draw().unwrap_err()));
    let large = heatmap(600, None).draw().unwrap_err();
    assert!(
        matches!(large, ReportError::FigureTooLarge { .. }),
        "{large}"
    );
}

fn bars(values: &[Option<f64>]) -> Bars {
    let bar = |value: &Option<f64>| Bar {
        value: *value,
        interval: value.map(|value| (value - 0.1, value + 0.1)),
    };
    Bars {
        title: "T".into(),
        y_label: "v".into(),
        groups: names(3),
        series: names(values.len()),
        bars: vec![values.iter().map(bar).collect(); 3],
        ..Bars::default()
    }
}

#[test]
fn bars_of_any_height_and_number_stay_within_the_picture() {
    let many: Vec<Option<f64>> = (0..30).map(|i| Some(f64::from(i))).collect();
    let cases: [&[Option<f64>]; 6] = [
        &[None],
        &[Some(0.0)],
        &[Some(-2.0), Some(3.0)],
        &[Some(-1e300), Some(1e300)],
        &[Some(0.2), None],
        &many,
    ];
    for values in cases {
        check(&bars(values).draw().unwrap());
    }
    let refused = bars(&[Some(f64::NAN)]).draw();
    assert!(matches!(refused, Err(ReportError::NonFinitePoint { .. })));
    let mut lacking = bars(&[Some(1.0)]);
    lacking.bars.pop();
    assert!(matches!(
        lacking.draw(),
        Err(ReportError::FigureLength { .. })
    ));
}

#[test]
fn overlays_of_any_size_are_drawn() {
    for (width, height) in [(1, 1), (1, 900), (640, 3), (40, 30)] {
        let mask = |left: u32| Mask::from_pixels(height, width, |x, _| x >= left).unwrap();
        let masks = [
            OverlayKind::Right,
            OverlayKind::Missing,
            OverlayKind::MadeUp,
        ];
        let masks = masks.iter().zip([0, 1, width]).map(|(&kind, left)| OverlayMask {
            label: "a name that is longer than there is room for in a picture as small as this one is".into(),
            kind,
            mask: mask(left),
        });
        let panel = OverlayPanel {
            size_px: (width, height),
            image: Some(Image::new(2, 1, vec![0, 0, 0, 255, 255, 255]).unwrap()),
            masks: masks.collect(),
            ..OverlayPanel::default()
        };
        let figure = MaskOverlay {
            panels: vec![
                panel.clone(),
                OverlayPanel {
                    image: None,
                    ..panel
                },
            ],
            ..MaskOverlay::default()
        };
        assert_eq!(&figure.draw_png().unwrap()[1..4], b"PNG");
    }
    let nothing = MaskOverlay {
        panels: vec![OverlayPanel::default()],
        ..MaskOverlay::default()
    };
    assert!(matches!(
        nothing.draw_png(),
        Err(ReportError::EmptyFigure { .. })
    ));
}
