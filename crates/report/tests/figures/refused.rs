//! Errors name what cannot be drawn.

use super::kinds::{curves, heatmap, intervals, refused, scatter, specifications};
use neurogauge_report::figures::*;

#[test]
fn what_cannot_be_drawn_is_named() {
    for drawn in [
        heatmap(0, None).draw(),
        Scatter::default().draw(),
        Intervals::default().draw(),
        Curves::default().draw(),
        specifications(&[]).draw(),
    ] {
        refused(drawn, "give it at least one");
    }
    for value in [f64::NAN, f64::INFINITY, f64::MIN] {
        let dot = Dot {
            interval: Some((0.0, value)),
            ..Dot::default()
        };
        for drawn in [
            heatmap(2, Some(value)).draw(),
            scatter(&[(0.0, value)]).draw(),
            curves(&[(value, None)]).draw(),
            specifications(&[value]).draw(),
            intervals(vec![dot]).draw(),
        ] {
            refused(drawn, "leave out what has no value");
        }
    }
    let mut ragged = heatmap(3, None);
    ragged.values[1].pop();
    let dot = Dot {
        row: 2,
        ..Dot::default()
    };
    let mut unknown = specifications(&[0.1, 0.2]);
    unknown.specifications[1].chosen = vec![2];
    let mut unnamed = specifications(&[0.1]);
    unnamed.series.pop();
    let mut stranger = scatter(&[(0.0, 0.0)]);
    stranger.panels[0].points[0].group = 1;
    for drawn in [ragged.draw(), intervals(vec![dot]).draw(), unknown.draw(), unnamed.draw(), stranger.draw()] {
        refused(drawn, "belong");
    }
    refused(heatmap(600, None).draw(), "viewers open at most");
}
