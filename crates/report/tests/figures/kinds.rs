//! Small figures of each kind, and what must be true of every picture.

use neurogauge_report::ReportError;
use neurogauge_report::figures::*;

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("metric <{i}> & \"co\"")).collect()
}

pub(crate) fn heatmap(n: usize, value: Option<f64>) -> Heatmap {
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

pub(crate) fn scatter(points: &[(f64, f64)]) -> Scatter {
    Scatter {
        panels: vec![ScatterPanel {
            points: points.iter().map(|&(x, y)| Point::at(x, y)).collect(),
            fit: Fit::LeastSquares,
            ..ScatterPanel::default()
        }],
        ..Scatter::default()
    }
}

pub(crate) fn intervals(dots: Vec<Dot>) -> Intervals {
    Intervals {
        rows: names(2),
        panels: vec![IntervalPanel {
            dots,
            ..IntervalPanel::default()
        }],
        ..Intervals::default()
    }
}

pub(crate) fn curves(points: &[(f64, Option<f64>)]) -> Curves {
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

/// A specification for each value, with two alternating options.
pub(crate) fn specifications(values: &[f64]) -> SpecificationCurve {
    let specification = |(place, value): (usize, &f64)| Specification {
        values: vec![(0, *value, Some((*value, *value))), (1, *value, None)],
        chosen: vec![place % 2],
    };
    SpecificationCurve {
        title: "T".into(),
        y_label: "v".into(),
        series: names(2),
        factors: vec![Factor {
            name: "factor".into(),
            options: names(2),
        }],
        specifications: values.iter().enumerate().map(specification).collect(),
        level: Some(("published".into(), 0.5)),
        ..SpecificationCurve::default()
    }
}

/// Asserts that a figure was refused with this message.
#[track_caller]
pub(crate) fn refused<T>(drawn: Result<T, ReportError>, words: &str) {
    let error = drawn.err().unwrap().to_string();
    assert!(error.contains(words), "{error}");
}

/// The value of an element's attribute.
pub(crate) fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
    line[start..].split('"').next()
}

/// Checks the document's stated size, and that every coordinate of its marks is within it.
#[track_caller]
pub(crate) fn check(picture: &Picture) {
    let svg = picture.svg();
    let number = |text: &str, name: &str| -> Option<f64> { attribute(text, name)?.parse().ok() };
    let first = svg.lines().next().unwrap();
    let (width, height) = (number(first, "width").unwrap(), number(first, "height").unwrap());
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
                assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{line}");
            }
        }
        assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
    }
    let style = FigureStyle::default();
    let png = picture.file(FigureFormat::Png, &style).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(f64::from(side(16)), 2.0 * width);
    assert_eq!(f64::from(side(20)), 2.0 * height);
}

pub(crate) fn bars(values: &[Option<f64>]) -> Bars {
    let bar = |value: &Option<f64>| Bar {
        rank: Some(2.5),
        ..Bar::estimate(*value, value.map(|value| (value - 0.1, value + 0.1)))
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
