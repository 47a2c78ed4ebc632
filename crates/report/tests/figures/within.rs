//! Figures of awkward data stay within the picture.

use super::kinds::{bars, check, curves, heatmap, intervals, refused, scatter, specifications};
use neurogauge_report::figures::*;

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
    let many: Vec<(f64, f64)> = (0..3000).map(|i| (f64::from(i).sin(), f64::from(i).cos())).collect();
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
        let dots = points.iter().take(2).enumerate().map(|(row, &(value, end))| Dot {
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
    check(&curves(&[(1.0, None), (2.0, Some(1.0)), (3.0, None)]).draw().unwrap());
}

#[test]
fn panels_of_any_number_make_a_page() {
    for n in [1, 2, 3, 5, 11, 60] {
        let mut figure = scatter(&[(0.0, 1.0), (2.0, 3.0)]);
        figure.title = "A title that is so long that it cannot stand on a single line above one panel".into();
        figure.panels = vec![figure.panels[0].clone(); n];
        let picture = figure.draw().unwrap();
        check(&picture);
        assert_eq!(picture.svg().matches("<circle").count(), 2 * n);
    }
}

#[test]
fn every_specification_has_a_mark_for_what_it_chose() {
    for n in [1, 2, 13, 400] {
        let values: Vec<f64> = (0..n).map(|i| f64::from(i).sin()).collect();
        let figure = specifications(&values);
        let picture = figure.draw().unwrap();
        check(&picture);
        // A disc for each value of the first series, and one in the legend.
        assert_eq!(picture.svg().matches("<circle").count(), values.len() + 1);
        let mut without = figure.clone();
        without.factors.clear();
        for specification in &mut without.specifications {
            specification.chosen.clear();
        }
        let areas = |picture: Picture| picture.svg().matches("<polygon").count();
        let rectangles = |picture: Picture| picture.svg().matches("<rect").count();
        let drawn = |picture: Picture| areas(picture.clone()) + rectangles(picture);
        // Marks, and a stripe behind every second option.
        assert_eq!(drawn(picture) - drawn(without.draw().unwrap()), values.len() + 1);
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
    refused(bars(&[Some(f64::NAN)]).draw(), "leave out what has no value");
    let mut lacking = bars(&[Some(1.0)]);
    lacking.bars.pop();
    refused(lacking.draw(), "2 groups of bars where 3 belong");
}
