//! The comparison of systems, which needs no script: their differences by each metric, and the ranks that the tests
//! leave possible.

use crate::document::{Difference, MetricEntry, ScorePart};
use crate::html::{self, fixed};
use crate::inputs::Inputs;
use crate::markdown_tables::to_html;
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::core::Direction;
use neurogauge::report::Format;
use neurogauge::{Error, SystemComparison};

/// The largest p value of a difference in bold.
const SIGNIFICANT: f64 = 0.05;

/// The rank of a system, and the best and the worst rank that the tests allow.
type Rank = (f64, f64, f64);

/// The content for several systems; empty for one.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart) -> Markup {
    let Some(comparison) = &inputs.comparison else {
        return Markup::default();
    };
    let names = inputs.names();
    html! { (differences(comparison, &names, scores)) (ranks(comparison, &names, &scores.metrics)) }
}

/// BASIC-H by dimension, of one run or of several with their differences; empty without any.
pub(crate) fn by_dimension(inputs: &Inputs) -> Result<Markup, Error> {
    let compared = inputs.comparison.as_ref();
    let mut tables = compared.map_or_else(Vec::new, |comparison| comparison.dimension_tables(Format::Markdown));
    if tables.is_empty() {
        for system in &inputs.systems {
            tables.extend(system.run.dimension_table()?);
        }
    }
    Ok(html! { @for table in tables { (to_html(&table.markdown())) } })
}

/// A matrix for each metric; that of the headline is open.
fn differences(comparison: &SystemComparison, names: &[String], scores: &ScorePart) -> Markup {
    let of = |metric: &MetricEntry| scores.differences.iter().filter(|found| found.metric == metric.id).collect_vec();
    let all = scores.metrics.iter().map(|metric| (metric, of(metric)));
    let compared = all.filter(|(_, found)| !found.is_empty()).collect_vec();
    let headline = scores.metrics.get(scores.headline()).map(|metric| metric.id);
    let open = compared.iter().position(|(metric, _)| Some(metric.id) == headline).unwrap_or(0);
    html! {
        @if !compared.is_empty() {
            h3 { "Which system is better, and by how much?" }
            p.quiet {
                "Paired differences of means, over the pairs in which every system has a value: row minus column, with \
                 intervals; p: " (comparison.test_label()) ", with Holm's correction " (comparison.correction())
                ". Bold: p\u{a0}≤\u{a0}" (SIGNIFICANT) "."
            }
            @for (place, (metric, found)) in compared.iter().enumerate() {
                details open[place == open] {
                    summary {
                        (metric.label) (metric.dagger()) " " (metric.direction.arrow()) ": " (better(metric)) " is better"
                    }
                    @if metric.stand_in {
                        p.quiet {
                            "† rests on a placeholder model: the numbers show that the pipeline runs and mean nothing else."
                        }
                    }
                    (matrix(names, metric, found))
                }
            }
        }
    }
}

fn better(metric: &MetricEntry) -> &'static str {
    match metric.direction {
        Direction::Higher => "positive",
        Direction::Lower => "negative",
    }
}

fn matrix(names: &[String], metric: &MetricEntry, found: &[&Difference]) -> Markup {
    let row = |(row, name): (usize, &String)| {
        let cells = (0..names.len()).map(|column| match row == column {
            true => Markup::default(),
            false => cell(metric, found, row, column),
        });
        [html! { (name) }].into_iter().chain(cells).collect_vec()
    };
    let heads = [Markup::default()].into_iter().chain(names.iter().map(|name| html! { (name) })).collect_vec();
    let label = format!("Paired differences by {}", metric.label);
    html::headed_table(&label, &heads, &[], &names.iter().enumerate().map(row).collect_vec())
}

/// The difference of the system of the row minus that of the column.
fn cell(metric: &MetricEntry, found: &[&Difference], row: usize, column: usize) -> Markup {
    let found = found.iter().find_map(|found| match (found.a, found.b) {
        (a, b) if (a, b) == (row, column) => Some((1.0, found)),
        (a, b) if (a, b) == (column, row) => Some((-1.0, found)),
        _ => None,
    });
    let Some((sign, found, mean)) = found.and_then(|(sign, found)| Some((sign, found, sign * found.difference?)))
    else {
        return html! { span.none { "not compared" } };
    };
    let number = |value: f64| fixed(value, metric.decimals) + metric.dagger();
    let interval = found.interval.map(|(low, high)| if sign > 0.0 { (low, high) } else { (-high, -low) });
    let small = [
        interval.map(|(low, high)| format!("{} to {}", number(low), number(high))),
        found.p_holm.map(|p| format!("p {}", fixed(p, 4))),
    ];
    let is_sure = !metric.stand_in && found.p_holm.is_some_and(|p| p <= SIGNIFICANT);
    html! {
        @if is_sure { b { (number(mean)) } } @else { (number(mean)) }
        // Lines may break only between these parts.
        small { @for part in small.iter().flatten() { " " span.ends { (part) } } }
    }
}

/// A row for each metric with its systems, the best first. With placeholders, no system is better than another.
fn ranks(comparison: &SystemComparison, names: &[String], metrics: &[MetricEntry]) -> Markup {
    let row = |metric: &MetricEntry| {
        let (_, found) = comparison.metrics.iter().find(|(known, _)| known.spec.id == metric.id)?;
        let rank = |(rank, (first, last)): (f64, (f64, f64))| (rank, first, last);
        let systems = found.systems.iter().map(|system| system.rank.zip(system.rank_interval).map(rank));
        Some(vec![html! { (metric.label) }, from_best(names, &systems.collect::<Option<Vec<Rank>>>()?)])
    };
    let rows = metrics.iter().filter(|metric| !metric.stand_in).filter_map(row).collect_vec();
    let caption = "A bar | divides systems where the tests put every one before it above every one behind it. In brackets: \
                   the ranks that the tests leave possible";
    html! {
        @if !rows.is_empty() {
            h3 { "Which ranks are possible?" }
            (html::table("words", caption, &["Metric", "From the best to the worst"], &rows))
        }
    }
}

fn from_best(names: &[String], ranks: &[Rank]) -> Markup {
    let item = |system: usize| {
        let (rank, first, last) = ranks[system];
        let possible = if first == last {
            first.to_string()
        } else {
            format!("{first} to {last}")
        };
        html! { li { (names[system]) " " (rank) " [" (possible) "]" } }
    };
    html! {
        ul.clusters {
            @for (place, cluster) in clusters(ranks).into_iter().enumerate() {
                @if place > 0 { li.bar aria-label="above" { "|" } }
                @for system in cluster { (item(system)) }
            }
        }
    }
}

/// Clusters of systems, the best first: every system in a cluster is better than all systems in the next ones.
fn clusters(ranks: &[Rank]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut last = 0.0;
    for (place, system) in (0..ranks.len()).sorted_by(|&a, &b| ranks[a].0.total_cmp(&ranks[b].0)).enumerate() {
        match found.last_mut().filter(|_| last > place as f64) {
            Some(cluster) => cluster.push(system),
            None => found.push(vec![system]),
        }
        last = f64::max(last, ranks[system].2);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(stand_in: bool) -> MetricEntry {
        MetricEntry {
            id: "effnet",
            label: "EffNet".into(),
            about: "",
            direction: Direction::Lower,
            chance: None,
            decimals: 2,
            stand_in,
            range: (0.0, 1.0),
        }
    }

    fn difference(b: usize, difference: Option<f64>, p_holm: Option<f64>) -> Difference {
        Difference {
            metric: "effnet",
            a: 0,
            b,
            difference,
            interval: difference.map(|difference| (difference - 0.25, difference + 0.5)),
            p_holm,
        }
    }

    #[test]
    fn a_cell_has_the_row_minus_the_column_in_bold_if_the_test_shows_it() {
        let found = [
            difference(1, Some(-0.5), Some(0.05)),
            difference(2, Some(0.25), Some(0.06)),
            difference(3, None, None),
        ];
        let found = found.iter().collect_vec();
        let of = |stand_in, row, column| cell(&metric(stand_in), &found, row, column).0;
        let small = |ends: &str, p: &str| {
            format!("<small> <span class=\"ends\">{ends}</span> <span class=\"ends\">p {p}</span></small>")
        };
        assert_eq!(of(false, 0, 1), format!("<b>−0.50</b>{}", small("−0.75 to 0.00", "0.0500")));
        assert_eq!(of(false, 1, 0), format!("<b>0.50</b>{}", small("0.00 to 0.75", "0.0500")));
        assert_eq!(of(false, 0, 2), format!("0.25{}", small("0.00 to 0.75", "0.0600")));
        assert_eq!(of(true, 0, 1), format!("−0.50†{}", small("−0.75† to 0.00†", "0.0500")));
        // There is no value, and no such pair of systems.
        for (row, column) in [(3, 0), (1, 2)] {
            assert_eq!(of(false, row, column), "<span class=\"none\">not compared</span>");
        }
        let names = ["A", "B", "C", "D"].map(str::to_owned);
        let rows = matrix(&names, &metric(false), &found).0;
        assert!(rows.contains(&format!("<th scope=\"row\">A</th><td></td><td>{}</td>", of(false, 0, 1))), "{rows}");
    }

    #[test]
    fn clusters_divide_systems_where_every_one_before_is_above_every_one_behind() {
        assert_eq!(clusters(&[(2.0, 1.0, 2.0), (1.0, 1.0, 2.0), (3.0, 3.0, 3.0)]), [vec![1, 0], vec![2]]);
        assert_eq!(clusters(&[(1.0, 1.0, 1.0), (2.0, 2.0, 3.0), (3.0, 2.0, 3.0)]), [vec![0], vec![1, 2]]);
        assert_eq!(clusters(&[(1.0, 1.0, 3.0), (2.0, 1.0, 3.0), (3.0, 1.0, 3.0)]), [vec![0, 1, 2]]);
    }

    #[test]
    fn ranks_go_from_the_best_system_to_the_worst() {
        let list = |ranks: [Rank; 2]| from_best(&["A", "<b>"].map(str::to_owned), &ranks).0;
        let tied = list([(1.5, 1.0, 2.0), (1.5, 1.0, 2.0)]);
        assert!(tied.ends_with("<li>A 1.5 [1 to 2]</li><li>&lt;b&gt; 1.5 [1 to 2]</li></ul>"), "{tied}");
        let sure = list([(2.0, 2.0, 2.0), (1.0, 1.0, 1.0)]);
        let bar = "<li class=\"bar\" aria-label=\"above\">|</li>";
        assert!(sure.ends_with(&format!("<li>&lt;b&gt; 1 [1]</li>{bar}<li>A 2 [2]</li></ul>")), "{sure}");
    }
}
