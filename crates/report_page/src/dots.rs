//! The figure of the first screen: a dot with its interval for every system and metric, on one axis from chance to
//! perfect.
//!
//! Positions are percentages, so the figure fills any width without a script, and it has the colours of the page.

use crate::document::MetricEntry;
use crate::html::fixed;
use crate::inputs::Inputs;
use crate::standings::{MetricRow, shape, word};
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::SystemStanding as Standing;
use neurogauge::core::Direction;

/// Height of a system's line in the style sheet.
pub(crate) const LANE_PX: usize = 20;
/// Values below this, as a share of the axis, are cut off.
const LOWEST: f64 = -0.5;

/// The ends of a metric's axis.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Axis {
    /// Chance, or if it is unknown, the value of images that do not agree.
    from: f64,
    to: f64,
    from_is_chance: bool,
}

impl Axis {
    /// The axis of a metric; `None` if it has no best or worst possible value.
    ///
    /// A range of width 2 belongs to a correlation, whose middle means no agreement.
    fn of(metric: &MetricEntry) -> Option<Self> {
        let (low, high) = metric.range;
        let (worst, best) = match metric.direction {
            Direction::Higher => (low, high),
            Direction::Lower => (high, low),
        };
        let from = match metric.chance {
            Some(chance) => chance,
            None if high - low == 2.0 => (low + high) / 2.0,
            None => worst,
        };
        (best.is_finite() && from.is_finite() && best != from).then_some(Axis {
            from,
            to: best,
            from_is_chance: metric.chance.is_some(),
        })
    }

    /// Position of a value between the start (0) and the end (1) of the axis.
    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }
}

/// The figure; empty if no metric can be drawn.
pub(crate) fn figure(inputs: &Inputs, rows: &[MetricRow<'_>]) -> Markup {
    let mut drawn: Vec<(&MetricRow<'_>, Axis, f64)> = Vec::new();
    let mut unbounded = Vec::new();
    for row in rows.iter().filter(|row| !row.metric.stand_in) {
        let means = (0..inputs.systems.len()).filter_map(|system| row.mean(system));
        let Some(axis) = Axis::of(row.metric) else {
            unbounded.push(row.metric.label.as_str());
            continue;
        };
        let largest = means.map(|mean| axis.share(mean)).reduce(f64::max);
        drawn.extend(largest.map(|largest| (row, axis, largest)));
    }
    if drawn.is_empty() {
        return Markup::default();
    }
    // The sort is stable, so ties keep the page's order.
    drawn.sort_by(|a, b| b.2.total_cmp(&a.2));
    let lowest = lowest(&drawn);
    let names = inputs.names();
    html! {
        h3 { "How good are they?" }
        (key(inputs))
        div.dots.one[names.len() == 1] role="group" aria-label="Means with intervals from chance to perfect" {
            @for (row, axis, _) in &drawn { (metric_row(row, axis, lowest, &names)) }
            (axis_row(lowest, &drawn))
        }
        (notes(&drawn, &unbounded))
    }
}

/// Where the axis begins: at 0, or below it if a mean or an interval does.
fn lowest(drawn: &[(&MetricRow<'_>, Axis, f64)]) -> f64 {
    let ends = drawn.iter().flat_map(|(row, axis, _)| {
        row.systems.iter().filter_map(|(estimate, _)| *estimate).flat_map(|estimate| {
            let interval = estimate.interval.map(|(low, high)| [low, high]);
            let mean = estimate.value.as_ref().ok().copied();
            interval.into_iter().flatten().chain(mean).map(|value| axis.share(value)).collect::<Vec<_>>()
        })
    });
    let lowest = ends.fold(0.0, f64::min);
    ((lowest * 10.0).floor() / 10.0).max(LOWEST)
}

/// A share of the axis as a position in percent.
fn percent(share: f64, lowest: f64) -> String {
    let place = (share.clamp(lowest, 1.0) - lowest) / (1.0 - lowest);
    format!("{:.2}%", 100.0 * place)
}

fn metric_row(row: &MetricRow<'_>, axis: &Axis, lowest: f64, names: &[String]) -> Markup {
    let metric = row.metric;
    let number = |value: f64| fixed(value, metric.decimals);
    let x = |value: f64| percent(axis.share(value), lowest);
    let interval = |system: usize| row.systems[system].0.and_then(|estimate| estimate.interval);
    let in_words = |(system, name): (usize, &String)| {
        let mean = number(row.mean(system)?);
        let ends = |(low, high)| format!(" ({} to {})", number(low), number(high));
        let interval = interval(system).map(ends).unwrap_or_default();
        let standing = word(row.systems[system].1).map_or(String::new(), |word| format!(", {word}"));
        Some(format!("{name} {mean}{interval}{standing}"))
    };
    let words = names.iter().enumerate().filter_map(in_words).join("; ");
    let from = match axis.from_is_chance {
        true => format!("{} (chance)", short(axis.from)),
        // The range of the metric; the axis may begin elsewhere.
        false => {
            let (low, high) = metric.range;
            short(if axis.to == high { low } else { high })
        }
    };
    html! {
        div.dot-row {
            p.dot-metric {
                a href={ "#view=distributions&metric=" (metric.id) } { (metric.label) }
                small { (from) " to " (short(axis.to)) }
            }
            @if names.len() > 1 {
                ul.lanes aria-hidden="true" { @for name in names { li { (name) } } }
            }
            svg.dot-plot height=(LANE_PX * names.len()) role="img" aria-label={ (metric.label) ": " (words) } {
                (grid(lowest))
                @for (system, (_, standing)) in row.systems.iter().enumerate() {
                    @let y = LANE_PX * system + LANE_PX / 2;
                    @let class = format!("s{}", system % 5 + 1);
                    @if let Some((low, high)) = interval(system) {
                        line class=(class) x1=(x(low)) x2=(x(high)) y1=(y) y2=(y) {}
                    }
                    @if let Some(mean) = row.mean(system) {
                        svg class={ (class) " " (shape(*standing)) } x=(x(mean)) y=(y) { (mark(*standing)) }
                    }
                }
            }
            ul.means aria-hidden="true" {
                @for system in 0..names.len() { li { (row.mean(system).map_or("–".to_owned(), number)) } }
            }
        }
        "\n"
    }
}

fn mark(standing: Standing) -> Markup {
    html! {
        @match standing {
            Standing::Best | Standing::Tied => path d="M0-6 6 0 0 6-6 0z" {},
            Standing::NotDecidable | Standing::Other => circle r="4.5" {},
        }
    }
}

/// Lines at the start, the quarters and the end of the axis.
fn grid(lowest: f64) -> Markup {
    html! {
        @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            @let x = percent(share, lowest);
            @let class = if share == 0.0 || share == 1.0 { "end" } else { "grid" };
            line class=(class) x1=(x) x2=(x) y1="0" y2="100%" {}
        }
    }
}

/// The names of the ends below the last row.
fn axis_row(lowest: f64, drawn: &[(&MetricRow<'_>, Axis, f64)]) -> Markup {
    let start = match drawn.iter().any(|(_, axis, _)| axis.from_is_chance) {
        true => "chance",
        false => "no agreement",
    };
    html! {
        div.dot-row.dot-axis aria-hidden="true" {
            p {}
            svg.dot-plot height="20" {
                text x=(percent(0.0, lowest)) y="14" { (start) }
                text.last x="100%" y="14" { "perfect" }
            }
        }
    }
}

/// Explains the shapes.
fn key(inputs: &Inputs) -> Markup {
    let entries = [
        (Standing::Best, "best"),
        (Standing::Tied, "best mean, or not shown to be worse"),
        (Standing::NotDecidable, "too few pairs to decide"),
        (Standing::Other, "worse, or not tested"),
    ];
    html! {
        @if let [only] = inputs.systems.as_slice() {
            p.quiet { "A dot is the mean over " (only.run.record.unit()) ", the line its interval." }
        } @else {
            p.quiet.dot-key {
                @for (standing, told) in entries {
                    span {
                        svg width="14" height="14" aria-hidden="true" {
                            svg class={ "s0 " (shape(standing)) } x="7" y="7" { (mark(standing)) }
                        }
                        " " (told)
                    }
                }
            }
        }
    }
}

/// Says what is not drawn, and where the axis begins.
fn notes(drawn: &[(&MetricRow<'_>, Axis, f64)], unbounded: &[&str]) -> Markup {
    let mut notes = Vec::new();
    if drawn.iter().any(|(_, axis, _)| !axis.from_is_chance) {
        notes.push(
            "Without a known chance level the axis begins at no agreement: 0 for correlations, 1 for their distances, else the worst possible value."
                .to_owned(),
        );
    }
    if !unbounded.is_empty() {
        notes.push(format!(
            "In the table only, because they have no best or worst possible value: {}.",
            unbounded.join(", ")
        ));
    }
    html! { @if !notes.is_empty() { p.quiet { (notes.join(" ")) } } }
}

/// A number rounded to few decimals, without trailing zeros.
fn short(value: f64) -> String {
    fixed(value, 3).trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(direction: Direction, range: (f64, f64), chance: Option<f64>) -> MetricEntry {
        MetricEntry {
            id: "ssim",
            label: "SSIM".into(),
            about: "",
            direction,
            chance,
            decimals: 3,
            stand_in: false,
            range,
        }
    }

    #[test]
    fn an_axis_goes_from_chance_or_no_agreement_to_the_best_value() {
        let share =
            |direction, range, chance, value| Axis::of(&metric(direction, range, chance)).map(|axis| axis.share(value));
        assert_eq!(share(Direction::Higher, (0.0, 1.0), Some(0.5), 0.75), Some(0.5));
        assert_eq!(share(Direction::Higher, (-1.0, 1.0), None, 0.25), Some(0.25));
        // A correlation distance of 1 means no agreement.
        assert_eq!(share(Direction::Lower, (0.0, 2.0), None, 0.25), Some(0.75));
        assert_eq!(share(Direction::Lower, (0.0, 1.0), None, 1.0), Some(0.0));
        assert_eq!(share(Direction::Higher, (0.0, f64::INFINITY), None, 20.0), None);
        assert_eq!(share(Direction::Lower, (0.0, f64::INFINITY), None, 0.5), None);
    }

    #[test]
    fn positions_are_shares_of_the_axis_and_stay_on_it() {
        assert_eq!(percent(0.5, 0.0), "50.00%");
        assert_eq!(percent(0.0, -0.25), "20.00%");
        assert_eq!(percent(-3.0, -0.5), "0.00%");
        assert_eq!((short(0.5), short(1.0), short(-0.25)), ("0.5".into(), "1".into(), "\u{2212}0.25".into()));
    }
}
