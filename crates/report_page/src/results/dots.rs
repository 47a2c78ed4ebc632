//! Metrics as dots with their intervals on one axis, beside what people reach.

use crate::dots::LANE_PX;
use crate::html::fixed;
use maud::{Markup, html};

const DECIMALS: usize = 3;

/// A metric's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    /// Its name in the record.
    pub(super) name: String,
    pub(super) label: String,
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// The axis, in tenths.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tenths {
    low: i32,
    high: i32,
}

impl Tenths {
    /// From chance, or the lowest end of an interval, to the highest one.
    fn of(marks: &[Mark], chance: f64, ceiling: Option<f64>) -> Self {
        let ends = marks.iter().flat_map(|mark| {
            let interval = mark.interval.map_or([mark.value; 2], |(low, high)| [low, high]);
            interval.into_iter().chain([mark.value])
        });
        let all = || ends.clone().chain([chance]).chain(ceiling);
        // Rounding errors do not make the axis longer.
        let (low, high) = (all().fold(chance, f64::min) + 1e-9, all().fold(chance, f64::max) - 1e-9);
        let low = (10.0 * low).floor() as i32;
        Tenths {
            low,
            high: ((10.0 * high).ceil() as i32).max(low + 1),
        }
    }

    fn percent(self, value: f64) -> String {
        let share = (10.0 * value - f64::from(self.low)) / f64::from(self.high - self.low);
        format!("{:.2}%", 100.0 * share.clamp(0.0, 1.0))
    }

    /// Every tenth, or fewer on a long axis, so that their numbers fit on a phone.
    fn ticks(self) -> impl Iterator<Item = f64> {
        let step = match self.high - self.low {
            ..=5 => 1,
            6..=10 => 2,
            _ => 5,
        };
        (self.low..=self.high).filter(move |tenth| tenth % step == 0).map(|tenth| f64::from(tenth) / 10.0)
    }
}

/// The figure; empty without metrics. What people reach has a name.
pub(super) fn figure(marks: &[Mark], chance: f64, people: Option<(&str, f64)>, about: &str) -> Markup {
    let axis = Tenths::of(marks, chance, people.map(|(_, value)| value));
    let number = |value: f64| fixed(value, DECIMALS);
    let words = |mark: &Mark| {
        let ends = mark.interval.map(|(low, high)| format!(" ({} to {})", number(low), number(high)));
        format!("{} {}{}", mark.label, number(mark.value), ends.unwrap_or_default())
    };
    let y = LANE_PX / 2;
    html! {
        @if !marks.is_empty() {
            div.dots.one role="group" aria-label=(about) {
                @for mark in marks {
                    div.dot-row {
                        p.dot-metric { (mark.label) }
                        svg.dot-plot height=(LANE_PX) role="img" aria-label=(words(mark)) {
                            @for tick in axis.ticks() {
                                @let x = axis.percent(tick);
                                @let class = if tick == chance { "end" } else { "grid" };
                                line class=(class) x1=(x) x2=(x) y1="0" y2="100%" {}
                            }
                            @if let Some((_, people)) = people {
                                @let x = axis.percent(people);
                                line.people x1=(x) x2=(x) y1="-9" y2=(LANE_PX + 9) {}
                            }
                            @if let Some((low, high)) = mark.interval {
                                line.s1 x1=(axis.percent(low)) x2=(axis.percent(high)) y1=(y) y2=(y) {}
                            }
                            svg.s1 x=(axis.percent(mark.value)) y=(y) { circle r="4.5" {} }
                        }
                        ul.means aria-hidden="true" { li { (number(mark.value)) } }
                    }
                    "\n"
                }
                div.dot-row.dot-axis aria-hidden="true" {
                    p {}
                    svg.dot-plot height="38" {
                        @for tick in axis.ticks() { text.mid x=(axis.percent(tick)) y="14" { (fixed(tick, 1)) } }
                        @if let Some((name, value)) = people { text.mid x=(axis.percent(value)) y="32" { (name) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(value: f64, interval: Option<(f64, f64)>) -> Mark {
        Mark {
            name: "ssim".into(),
            label: "SSIM".into(),
            value,
            interval,
        }
    }

    #[test]
    fn the_axis_holds_intervals_chance_and_people() {
        let axis = Tenths::of(&[mark(0.3, Some((-0.12, 0.5)))], 0.0, Some(0.83));
        assert_eq!(axis, Tenths { low: -2, high: 9 });
        assert_eq!(
            (axis.percent(-0.2), axis.percent(0.35), axis.percent(2.0)),
            ("0.00%".into(), "50.00%".into(), "100.00%".into())
        );
        assert_eq!(axis.ticks().collect::<Vec<f64>>(), [0.0, 0.5]);
        assert_eq!(Tenths::of(&[mark(0.5, None)], 0.5, None), Tenths { low: 5, high: 6 });
        assert_eq!(Tenths::of(&[mark(0.7, None)], 0.5, None).ticks().collect::<Vec<f64>>(), [0.5, 0.6, 0.7]);
    }

    #[test]
    fn a_row_says_its_metric_in_words() {
        let html = figure(&[mark(0.3, Some((0.25, 0.5)))], 0.0, Some(("a perfect metric", 0.8)), "Agreement").0;
        assert!(html.contains("aria-label=\"SSIM 0.300 (0.250 to 0.500)\""), "{html}");
        assert!(
            html.contains("<line class=\"people\" x1=\"100.00%\"") && html.contains(">a perfect metric</text>"),
            "{html}"
        );
        assert_eq!(figure(&[], 0.0, None, "").0, "");
    }
}
