//! The strip of the first screen: stimuli above their reconstructions, from the best pair to the worst.

use crate::document::{MetricEntry, ScorePart, StripColumn};
use crate::html::fixed;
use crate::inputs::Inputs;
use crate::thumbnails::{N_COLUMNS, Thumbnails};
use maud::{Markup, html};

/// The columns: their names, and their positions in quarters of the way from the worst to the best pair.
const COLUMNS: [(&str, usize); N_COLUMNS] =
    [("Best", 4), ("Upper quartile", 3), ("Median", 2), ("Lower quartile", 1), ("Worst", 0)];

/// The strip for the first system and the metric with which the page opens; the script can replace its pairs. It is
/// empty without images. With a placeholder no pair is better than another, so the columns then are pairs without
/// values.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails) -> Markup {
    let headline = scores.headline();
    let Some(metric) = scores.metrics.get(headline).filter(|_| thumbnails.side_px > 0) else {
        return Markup::default();
    };
    let (columns, told) = match metric.stand_in {
        true => {
            let first = (0..inputs.stems.len()).take(N_COLUMNS);
            (first.map(|pair| ("", pair)).collect(), "The first pairs.".to_owned())
        }
        false => (
            scores.strips[0][headline].clone(),
            format!("From the best to the worst pair by {} of {}.", metric.label, inputs.systems[0].name),
        ),
    };
    html! {
        @if !columns.is_empty() {
            h3 { "What do they look like?" }
            div data-strip {
                p.quiet.static { (told) }
                (table(inputs, scores, thumbnails, (headline, metric), &columns))
            }
        }
    }
}

/// The pairs in the columns; fewer if there are not enough pairs.
pub(crate) fn columns(ordered: &[usize]) -> Vec<StripColumn> {
    let Some(last) = ordered.len().checked_sub(1) else {
        return Vec::new();
    };
    // The ends and the middle come first, so that they keep their names if there are fewer pairs than columns.
    let mut found: Vec<(usize, usize)> = Vec::new();
    for column in [0, 4, 2, 1, 3] {
        let pair = ordered[(last * COLUMNS[column].1 + 2) / 4];
        if found.iter().all(|(_, known)| *known != pair) {
            found.push((column, pair));
        }
    }
    found.sort_unstable();
    let named = |(column, pair): (usize, usize)| (COLUMNS[column].0, pair);
    found.into_iter().map(named).collect()
}

fn table(
    inputs: &Inputs,
    scores: &ScorePart,
    thumbnails: &Thumbnails,
    (place, metric): (usize, &MetricEntry),
    columns: &[StripColumn],
) -> Markup {
    let image = |system: Option<usize>, pair: usize, about: &str| match thumbnails.address(system, pair) {
        Some(address) => html! { img src=(address) alt={ (about) " of " (inputs.stems[pair]) }; },
        None => html! { span.no-image { "no image" } },
    };
    let value = |system: usize, pair: usize| {
        let value = scores.scores[system][place].as_ref()?.values[pair]?;
        (!metric.stand_in).then(|| fixed(value, metric.decimals))
    };
    html! {
        table.strip {
            thead { tr {
                td {}
                @for (name, pair) in columns { th scope="col" { (name) small { (inputs.stems[*pair]) } } }
            } }
            tbody {
                tr {
                    th scope="row" { "Stimulus" }
                    @for (_, pair) in columns { td { (image(None, *pair, "stimulus")) } }
                }
                @for (system, of_system) in inputs.systems.iter().enumerate() {
                    tr {
                        th scope="row" { (of_system.name) }
                        @for &(_, pair) in columns {
                            td {
                                (image(Some(system), pair, "reconstruction"))
                                @if let Some(value) = value(system, pair) { span { (value) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_best_the_quartiles_and_the_worst() {
        let ordered: Vec<usize> = (100..109).collect();
        let pairs: Vec<usize> = columns(&ordered).into_iter().map(|(_, pair)| pair).collect();
        assert_eq!(pairs, [108, 106, 104, 102, 100]);
        assert_eq!(columns(&[7, 8]), [("Best", 8), ("Worst", 7)]);
        assert_eq!(columns(&[7, 8, 9]), [("Best", 9), ("Median", 8), ("Worst", 7)]);
        assert!(columns(&[]).is_empty());
    }
}
