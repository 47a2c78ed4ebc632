//! What cannot be drawn is named.

use super::kinds::{curves, heatmap, intervals, scatter, specifications};
use neurogauge_report::ReportError;
use neurogauge_report::figures::*;

#[test]
fn what_cannot_be_drawn_is_named() {
    let empty = |error: ReportError| matches!(error, ReportError::EmptyFigure { .. });
    assert!(empty(heatmap(0, None).draw().unwrap_err()));
    assert!(empty(Scatter::default().draw().unwrap_err()));
    assert!(empty(Intervals::default().draw().unwrap_err()));
    assert!(empty(Curves::default().draw().unwrap_err()));
    assert!(empty(specifications(&[]).draw().unwrap_err()));
    let not_finite = |error: ReportError| matches!(error, ReportError::NonFinitePoint { .. });
    for value in [f64::NAN, f64::INFINITY, f64::MIN] {
        assert!(not_finite(heatmap(2, Some(value)).draw().unwrap_err()));
        assert!(not_finite(scatter(&[(0.0, value)]).draw().unwrap_err()));
        assert!(not_finite(curves(&[(value, None)]).draw().unwrap_err()));
        assert!(not_finite(specifications(&[value]).draw().unwrap_err()));
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
    let mut unknown = specifications(&[0.1, 0.2]);
    unknown.specifications[1].chosen = vec![2];
    assert!(length(unknown.draw().unwrap_err()));
    let mut unnamed = specifications(&[0.1]);
    unnamed.series.pop();
    assert!(length(unnamed.draw().unwrap_err()));
    let mut stranger = scatter(&[(0.0, 0.0)]);
    stranger.panels[0].points[0].group = 1;
    assert!(length(stranger.draw().unwrap_err()));
    let large = heatmap(600, None).draw().unwrap_err();
    assert!(matches!(large, ReportError::FigureTooLarge { .. }), "{large}");
}
