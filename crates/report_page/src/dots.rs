//! The figure of the first screen: a dot with its interval for every system and metric, on one axis from chance to
//! perfect.
//!
//! Positions are percentages, so the figure fills any width without a script, and its colours are those of the page.

use crate::document::MetricEntry;
use crate::html::{escape, fixed};
use crate::inputs::Inputs;
use crate::standings::{Row, Standing};
use neurogauge::core::Direction;

/// Height of a system's line, as the style sheet has it.
const LANE_PX: usize = 20;
/// How far below the axis's start a value is drawn before it is cut off, as a share of the axis.
const LOWEST: f64 = -0.5;

/// The ends of a metric's axis.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Axis {
    /// Chance, or where that is not known the value of images that do not agree.
    from: f64,
    to: f64,
    from_is_chance: bool,
}

impl Axis {
    /// `None` for a metric without a best or a worst possible value.
    ///
    /// Ranges of width 2 are those of correlations, whose middle is no agreement.
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

    /// The share of the way from the start to the end.
    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }
}

/// The figure; empty if no metric can be drawn.
pub(crate) fn figure(inputs: &Inputs, rows: &[Row<'_>]) -> String {
    let mut drawn: Vec<(&Row<'_>, Axis, f64)> = Vec::new();
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
        return String::new();
    }
    // A stable sort: equal ones keep the order of the page.
    drawn.sort_by(|a, b| b.2.total_cmp(&a.2));
    let lowest = lowest(&drawn);
    let names = inputs.names();
    let body: String = (drawn.iter()).map(|(row, axis, _)| metric_row(row, axis, lowest, &names)).collect();
    format!(
        "<h3>How good are they?</h3>\n{}<div class=\"dots{}\" role=\"group\" aria-label=\"Means with intervals from chance to perfect\">\n\
         {body}{}</div>\n{}",
        key(inputs),
        if inputs.systems.len() == 1 { " one" } else { "" },
        axis_row(lowest, &drawn),
        notes(&drawn, &unbounded)
    )
}

/// Where the axis begins: at 0, or below it if a mean or interval does.
fn lowest(drawn: &[(&Row<'_>, Axis, f64)]) -> f64 {
    let ends = drawn.iter().flat_map(|(row, axis, _)| {
        let estimates = row.systems.iter().filter_map(|(estimate, _)| *estimate);
        estimates.flat_map(|estimate| {
            let interval = estimate.interval.map(|(low, high)| [low, high]);
            let mean = estimate.value.as_ref().ok().copied();
            interval.into_iter().flatten().chain(mean).map(|value| axis.share(value)).collect::<Vec<_>>()
        })
    });
    let lowest = ends.fold(0.0, f64::min);
    ((lowest * 10.0).floor() / 10.0).max(LOWEST)
}

/// A share of the axis as a position.
fn percent(share: f64, lowest: f64) -> String {
    let place = (share.clamp(lowest, 1.0) - lowest) / (1.0 - lowest);
    format!("{:.2}%", 100.0 * place)
}

fn metric_row(row: &Row<'_>, axis: &Axis, lowest: f64, names: &[String]) -> String {
    let metric = row.metric;
    let number = |value: f64| fixed(value, metric.decimals);
    let mut marks = grid(lowest);
    let (mut lanes, mut means, mut words) = (String::new(), String::new(), Vec::new());
    for (system, (estimate, standing)) in row.systems.iter().enumerate() {
        let y = LANE_PX * system + LANE_PX / 2;
        let class = format!("s{}", system % 5 + 1);
        if names.len() > 1 {
            lanes.push_str(&format!("<li>{}</li>", escape(&names[system])));
        }
        let interval = estimate.and_then(|estimate| estimate.interval);
        if let Some((low, high)) = interval {
            let [x1, x2] = [low, high].map(|end| percent(axis.share(end), lowest));
            marks.push_str(&format!("<line class=\"{class}\" x1=\"{x1}\" x2=\"{x2}\" y1=\"{y}\" y2=\"{y}\"/>"));
        }
        let Some(mean) = row.mean(system) else {
            means.push_str("<li>–</li>");
            continue;
        };
        let x = percent(axis.share(mean), lowest);
        let shape = match standing {
            Standing::Best | Standing::Tied => "<path d=\"M0-6 6 0 0 6-6 0z\"/>",
            Standing::NotDecidable | Standing::Other => "<circle r=\"4.5\"/>",
        };
        marks.push_str(&format!("<svg class=\"{class} {}\" x=\"{x}\" y=\"{y}\">{shape}</svg>", standing.class()));
        means.push_str(&format!("<li>{}</li>", number(mean)));
        let interval = interval.map_or(String::new(), |(low, high)| format!(" ({} to {})", number(low), number(high)));
        let standing = standing.word().map_or(String::new(), |word| format!(", {word}"));
        words.push(format!("{} {}{interval}{standing}", names[system], number(mean)));
    }
    let lanes = match lanes.is_empty() {
        true => String::new(),
        false => format!("<ul class=\"lanes\" aria-hidden=\"true\">{lanes}</ul>"),
    };
    let range = match axis.from_is_chance {
        true => format!("{} (chance) to {}", short(axis.from), short(axis.to)),
        // The range of the metric, which the axis need not begin with.
        false => {
            let (low, high) = metric.range;
            let worst = if axis.to == high { low } else { high };
            format!("{} to {}", short(worst), short(axis.to))
        }
    };
    format!(
        "<div class=\"dot-row\"><p class=\"dot-metric\"><a href=\"#view=distributions&amp;metric={}\">{}</a><small>{range}</small></p>{lanes}\
         <svg class=\"dot-plot\" height=\"{}\" role=\"img\" aria-label=\"{}\">{marks}</svg><ul class=\"means\" aria-hidden=\"true\">{means}</ul></div>\n",
        escape(metric.id),
        escape(&metric.label),
        LANE_PX * names.len(),
        escape(&format!("{}: {}", metric.label, words.join("; ")))
    )
}

/// Lines at the start, the quarters and the end of the axis.
fn grid(lowest: f64) -> String {
    let line = |share: f64| {
        let x = percent(share, lowest);
        let class = if share == 0.0 || share == 1.0 { "end" } else { "grid" };
        format!("<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"100%\"/>")
    };
    [0.0, 0.25, 0.5, 0.75, 1.0].map(line).concat()
}

/// The names of the ends below the last row.
fn axis_row(lowest: f64, drawn: &[(&Row<'_>, Axis, f64)]) -> String {
    let start = match drawn.iter().any(|(_, axis, _)| axis.from_is_chance) {
        true => "chance",
        false => "no agreement",
    };
    format!(
        "<div class=\"dot-row dot-axis\" aria-hidden=\"true\"><p></p><svg class=\"dot-plot\" height=\"20\">\
         <text x=\"{}\" y=\"14\">{start}</text><text class=\"last\" x=\"100%\" y=\"14\">perfect</text></svg></div>\n",
        percent(0.0, lowest)
    )
}

/// What the shapes mean.
fn key(inputs: &Inputs) -> String {
    if inputs.systems.len() == 1 {
        return format!(
            "<p class=\"quiet\">A dot is the mean over {}, the line its interval.</p>\n",
            inputs.systems[0].run.record.unit()
        );
    }
    let entry = |standing: Standing, shape: &str, told: &str| {
        format!(
            "<span><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><svg class=\"s0 {}\" x=\"7\" y=\"7\">{shape}</svg></svg> {told}</span>",
            standing.class()
        )
    };
    let (diamond, circle) = ("<path d=\"M0-6 6 0 0 6-6 0z\"/>", "<circle r=\"4.5\"/>");
    format!(
        "<p class=\"quiet dot-key\">{}{}{}{}</p>\n",
        entry(Standing::Best, diamond, "best"),
        entry(Standing::Tied, diamond, "best mean, or not shown to be worse"),
        entry(Standing::NotDecidable, circle, "too few pairs to decide"),
        entry(Standing::Other, circle, "worse, or not tested")
    )
}

/// What is not drawn, and where the axis begins.
fn notes(drawn: &[(&Row<'_>, Axis, f64)], unbounded: &[&str]) -> String {
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
            escape(&unbounded.join(", "))
        ));
    }
    match notes.is_empty() {
        true => String::new(),
        false => format!("<p class=\"quiet\">{}</p>\n", notes.join(" ")),
    }
}

/// A round number without superfluous decimals.
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
        // A correlation distance of 1 is no agreement.
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
