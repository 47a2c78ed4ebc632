//! Every figure of combinations as a separate line.

use super::csv::Line;
use neurogauge::stats::combination::CombinationResult;
use neurogauge::stats::meta::Figure;
use std::borrow::Cow;

/// Adds the lines to those of the metrics.
pub(super) fn add<'a>(lines: &mut Vec<Line<'a>>, found: &'a CombinationResult) {
    for cell in &found.averages.cells {
        let line = Line {
            kind: "average",
            metric: Cow::from(&cell.first),
            other: Cow::from(&cell.second),
            n_items: Some(cell.n_items),
            ..Line::default()
        };
        push(lines, &line, &cell.statistics);
    }
    let all = &found.averages.labels;
    let search = &found.subsets;
    let sizes = search.sizes.iter().enumerate().map(|(place, subset)| ((place + 1).to_string(), subset));
    for (size, subset) in sizes.chain([("any".to_owned(), &search.overall)]) {
        let chosen = Line {
            kind: "best_subset",
            metric: Cow::from(subset.metrics.join("+")),
            other: Cow::from(size),
            rests_on: &subset.metrics,
            n_items: Some(search.n_items),
            ..Line::default()
        };
        push(lines, &chosen, &subset.in_sample);
        // Each fold may have chosen a different subset.
        let held_out = Line {
            kind: "best_subset_held_out",
            metric: Cow::from(""),
            rests_on: all,
            ..chosen
        };
        push(lines, &held_out, &subset.cross_validated);
    }
    let weights = &found.weights;
    for weight in weights.weights.iter().flatten() {
        let line = Line {
            kind: "weight",
            metric: Cow::from(&weight.metric),
            statistic: "weight",
            n_items: Some(weights.n_items),
            ..Line::default()
        };
        lines.push(line.valued(&Ok(weight.weight)));
    }
    let of_all = |kind| Line {
        kind,
        rests_on: all,
        n_items: Some(weights.n_items),
        ..Line::default()
    };
    push(lines, &of_all("fitted_weights"), &weights.in_sample);
    let held_out = &of_all("fitted_weights_held_out");
    push(lines, held_out, &weights.cross_validated);
    push(lines, &of_all("equal_weights"), &weights.equal);
    let held_out = &of_all("equal_weights_held_out");
    push(lines, held_out, &weights.equal_cross_validated);
    for composite in &found.composites {
        let line = || Line {
            metric: Cow::from(&composite.name),
            rests_on: &composite.parts,
            n_items: Some(composite.n_items),
            ..Line::default()
        };
        for figure in &composite.statistics {
            let line = Line {
                kind: "composite",
                statistic: figure.statistic.id(),
                ..line()
            };
            lines.push(line.inferred(figure));
        }
        for part in &composite.contributions {
            for figure in &part.statistics {
                let line = Line {
                    kind: "contribution",
                    other: Cow::from(&part.part),
                    statistic: figure.statistic.id(),
                    p: figure.p_value,
                    p_holm: figure.p_holm,
                    ..line()
                };
                lines.push(line.inferred(figure));
            }
        }
    }
}

/// This line for each statistic of a combination.
fn push<'a, F: Figure>(lines: &mut Vec<Line<'a>>, line: &Line<'a>, figures: &'a [F]) {
    for figure in figures {
        let line = Line {
            statistic: figure.statistic().id(),
            ..line.clone()
        };
        lines.push(line.valued(figure.value()));
    }
}
