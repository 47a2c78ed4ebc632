//! The strip of the first screen: stimuli above their reconstructions, from the best pair to the worst.

use crate::document::MetricEntry;
use crate::html::{escape, fixed};
use crate::inputs::Inputs;
use crate::scores::ScorePart;
use crate::static_pairs::ordered;
use crate::thumbnails::{N_COLUMNS, Thumbnails};

/// The columns: their names, and their places among the ordered pairs in quarters of the way from the worst to the
/// best.
const COLUMNS: [(&str, usize); N_COLUMNS] =
    [("Best", 4), ("Upper quartile", 3), ("Median", 2), ("Lower quartile", 1), ("Worst", 0)];

/// The strip for a page whose script does not run, by the metric that the page opens with and the first system; empty
/// without images. By a placeholder no pair is better than another, so then the columns are pairs without values.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails) -> String {
    let headline = scores.headline();
    let Some(metric) = scores.metrics.get(headline).filter(|_| thumbnails.side_px > 0) else {
        return String::new();
    };
    let (columns, told) = match metric.stand_in {
        true => {
            let first = (0..inputs.stems.len()).take(N_COLUMNS);
            let told = "The first pairs.".to_owned();
            (first.map(|pair| (String::new(), pair)).collect(), told)
        }
        false => {
            let columns = columns(&ordered(scores, headline));
            let named = |(name, pair): (&str, usize)| (name.to_owned(), pair);
            let told = format!(
                "From the best to the worst pair by {} of {}.",
                escape(&metric.label),
                escape(&inputs.systems[0].name)
            );
            (columns.into_iter().map(named).collect::<Vec<_>>(), told)
        }
    };
    if columns.is_empty() {
        return String::new();
    }
    let table = table(inputs, scores, thumbnails, (headline, metric), &columns);
    format!(
        "<h3>What do they look like?</h3>\n<div data-strip><div class=\"static\">\n<p class=\"quiet\">{told}</p>\n{table}</div></div>\n"
    )
}

/// The pairs of the columns; fewer if there are not as many pairs.
fn columns(ordered: &[usize]) -> Vec<(&'static str, usize)> {
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
    columns: &[(String, usize)],
) -> String {
    let image = |system: Option<usize>, pair: usize, about: &str| {
        let address = thumbnails.address(system, pair);
        address.map_or_else(
            || "<span class=\"no-image\">no image</span>".to_owned(),
            |address| {
                let stem = escape(&inputs.stems[pair]);
                format!("<img src=\"{}\" alt=\"{about} of {stem}\">", escape(&address))
            },
        )
    };
    let heads: String = (columns.iter())
        .map(|(name, pair)| {
            let stem = escape(&inputs.stems[*pair]);
            format!("<th scope=\"col\">{name}<small>{stem}</small></th>")
        })
        .collect();
    let stimuli: String =
        (columns.iter()).map(|(_, pair)| format!("<td>{}</td>", image(None, *pair, "stimulus"))).collect();
    let mut rows = format!("<tr><th scope=\"row\">Stimulus</th>{stimuli}</tr>");
    for (system, of_system) in inputs.systems.iter().enumerate() {
        let cells: String = (columns.iter())
            .map(|&(_, pair)| {
                let found = scores.scores[system][place].as_ref();
                let value = found.and_then(|scores| scores.values[pair]).filter(|_| !metric.stand_in);
                let value =
                    value.map_or(String::new(), |value| format!("<span>{}</span>", fixed(value, metric.decimals)));
                format!("<td>{}{value}</td>", image(Some(system), pair, "reconstruction"))
            })
            .collect();
        let name = escape(&of_system.name);
        rows.push_str(&format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>"));
    }
    format!("<table class=\"strip\"><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>\n")
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
