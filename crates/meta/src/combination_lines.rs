//! Every figure of combinations as a separate line.

use super::csv::Line;
use neurogauge::stats::combination::CombinationResult;
use neurogauge::stats::meta::Figure;
use std::borrow::Cow;

/// Adds the lines to those of the metrics.
pub(super) fn add<'a>(lines: &mut Vec<Line<'a>>, found: &'a CombinationResult) {
    for cell in &found.averages.cells {
        let names = (Cow::from(&cell.first), Cow::from(&cell.second));
        push(lines, "average", names, &cell.statistics, cell.n_items);
    }
    let search = &found.subsets;
    let sizes = search.sizes.iter().enumerate();
    let sizes = sizes.map(|(place, subset)| ((place + 1).to_string(), subset));
    for (size, subset) in sizes.chain([("any".to_owned(), &search.overall)]) {
        let n = search.n_items;
        let names = (Cow::from(subset.metrics.join("+")), Cow::from(size.clone()));
        push(lines, "best_subset", names, &subset.in_sample, n);
        // Each fold may have chosen a different subset.
        let names = (Cow::from(""), Cow::from(size));
        push(
            lines,
            "best_subset_held_out",
            names,
            &subset.cross_validated,
            n,
        );
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
    let n = weights.n_items;
    let none = || (Cow::from(""), Cow::from(""));
    push(lines, "fitted_weights", none(), &weights.in_sample, n);
    push(
        lines,
        "fitted_weights_held_out",
        none(),
        &weights.cross_validated,
        n,
    );
    push(lines, "equal_weights", none(), &weights.equal, n);
    push(
        lines,
        "equal_weights_held_out",
        none(),
        &weights.equal_cross_validated,
        n,
    );
    for composite in &found.composites {
        let line = || Line {
            metric: Cow::from(&composite.name),
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

/// A line for each statistic of a combination; `names` fill the columns `metric` and `other`.
fn push<'a, F: Figure>(
    lines: &mut Vec<Line<'a>>,
    kind: &'static str,
    (metric, other): (Cow<'a, str>, Cow<'a, str>),
    figures: &'a [F],
    n_items: usize,
) {
    for figure in figures {
        let line = Line {
            kind,
            metric: metric.clone(),
            other: other.clone(),
            statistic: figure.statistic().id(),
            n_items: Some(n_items),
            ..Line::default()
        };
        lines.push(line.valued(figure.value()));
    }
}
