//! How well metrics agree with people (SEED, Tables 1 and 2), and the parts of SEED and their averages (Table 5).

use super::paper_item::PaperItems;
use super::rated::Rated;
use super::shown_metrics::{COMPOSITE, label, parts};
use neurogauge_core::{Direction, Outcome};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::combination::AverageOfTwo;
use neurogauge_stats::meta::{Figure, MetricAgreement, Resampled, Statistic, figure_of};

/// The statistics of the paper's tables.
pub(super) const STATISTICS: [Statistic; 3] = [
    Statistic::CalibratedAccuracy,
    Statistic::KendallTauB,
    Statistic::Pearson,
];

/// What stands under `n`.
pub(super) const COUNTED: &str = "n: pairs with a rating and a score.";

/// Tables 1 and 2: all metrics of a system.
pub(super) fn agreement(rated: &Rated<'_>, is_first: bool, paper_items: &mut PaperItems) {
    let result = &rated.meta.record.result;
    let mut notes = vec![of_people(rated), COUNTED.to_owned()];
    let mut rows = Vec::new();
    for metric in &result.metrics {
        let mut row = vec![Cell::Text(name(rated, metric))];
        for statistic in STATISTICS {
            row.push(of_metric(metric, statistic, &mut notes));
        }
        row.push(Cell::Count(metric.n_items));
        rows.push(row);
    }
    notes.extend(against_effnet(rated));
    let title = format!("Agreement of metrics with people: {}", rated.system.name);
    let table = finished(rated, title, "value", rows, notes);
    let (paper, number) = if is_first {
        ("Table 1", "1")
    } else {
        ("Table 2", "2")
    };
    let name = format!("table{number}_agreement_{}", rated.system.file_name);
    paper_items.add(paper, name, &rated.system.name, table, None);
}

/// Table 5: the parts of the composite alone, the averages of two, further metrics, and the composite.
pub(super) fn parts_and_averages(rated: &Rated<'_>, paper_items: &mut PaperItems) {
    const PAPER: &str = "Table 5";
    let about = &rated.system.name;
    let record = &rated.meta.record;
    let is_there = |id: &str| record.result.metrics.iter().any(|m| m.name == id);
    let averages = record.combinations.as_ref().map(|found| &found.averages);
    let lacking: Vec<&str> = parts().iter().copied().filter(|id| !is_there(id)).collect();
    let (Some(averages), true) = (averages, lacking.is_empty()) else {
        let lacking: Vec<String> = lacking.into_iter().map(label).collect();
        paper_items.absent(
            PAPER,
            about,
            format!("the parts of SEED; {} is missing", lacking.join(", ")),
        );
        return;
    };
    let mut notes = vec![
        of_people(rated),
        COUNTED.to_owned(),
        "Averages are of the metrics as they are, distances negated; SEED is the average of all three.".to_owned(),
    ];
    let mut rows = Vec::new();
    let alone = (0..parts().len()).map(|part| (part, part));
    let two = (0..parts().len()).flat_map(|a| (a + 1..parts().len()).map(move |b| (a, b)));
    for (a, b) in alone.chain(two) {
        let (first, second) = (parts()[a], parts()[b]);
        let is_it = |cell: &&AverageOfTwo| {
            let names = (cell.first.as_str(), cell.second.as_str());
            names == (first, second) || names == (second, first)
        };
        let Some(cell) = averages.cells.iter().find(is_it) else {
            continue;
        };
        let shown = if a == b {
            rated.labelled(first)
        } else {
            format!("{} + {}", rated.labelled(first), rated.labelled(second))
        };
        rows.push(line(shown, &cell.statistics, cell.n_items, &mut notes));
    }
    let is_further = |name: &str| rated.further.iter().any(|further| further == name);
    let metrics = record.result.metrics.iter();
    let further = metrics.clone().filter(|metric| is_further(&metric.name));
    let composite = metrics.filter(|metric| metric.name == COMPOSITE);
    for metric in further.chain(composite) {
        let shown = rated.labelled(&metric.name);
        rows.push(line(shown, &metric.statistics, metric.n_items, &mut notes));
    }
    let title = format!("The parts of SEED, their averages and people: {about}");
    let table = finished(rated, title, "", rows, notes);
    let name = format!("table5_parts_{}", rated.system.file_name);
    paper_items.add(PAPER, name, about, table, None);
}

/// A line of values, with a note for each that is missing.
fn line<F: Figure>(shown: String, figures: &[F], n: usize, notes: &mut Vec<String>) -> Vec<Cell> {
    let values = STATISTICS.map(|statistic| match figure_of(figures, statistic) {
        Some(figure) => number(&shown, statistic, figure.value(), notes),
        None => Cell::Missing,
    });
    let mut cells = vec![Cell::Text(shown)];
    cells.extend(values);
    cells.push(Cell::Count(n));
    cells
}

/// Headings, marks and what is said of placeholder models.
fn finished(
    rated: &Rated<'_>,
    title: String,
    what: &str,
    rows: Vec<Vec<Cell>>,
    mut notes: Vec<String>,
) -> TextTable {
    let level = rated.meta.record.result.options.bootstrap.level * 100.0;
    let heading = |statistic: Statistic| match what {
        "" => statistic.label().to_owned(),
        _ => format!("{} [{level}% interval]", statistic.label()),
    };
    let mut headings = vec!["Metric".to_owned()];
    headings.extend(STATISTICS.map(heading));
    headings.push("n".to_owned());
    let metrics = rated.meta.record.result.metrics.iter();
    let rests_on_stand_in = metrics.clone().any(|m| rated.system.is_stand_in(&m.name));
    if rests_on_stand_in {
        notes.push(
            "† rests on a stand-in model: the number shows that the pipeline runs and means nothing else; so none \
             is marked as best."
                .to_owned(),
        );
    }
    let table = TextTable {
        title,
        headings,
        rows,
        notes,
    };
    marked(table, rests_on_stand_in)
}

/// Sets off the best metric by each statistic, unless the table rests on a placeholder model.
pub(super) fn marked(mut table: TextTable, rests_on_stand_in: bool) -> TextTable {
    if !rests_on_stand_in {
        for column in 1..=STATISTICS.len() {
            table.mark_best(column, Direction::Higher);
        }
    }
    table
}

/// Who rated, and how intervals are made.
pub(super) fn of_people(rated: &Rated<'_>) -> String {
    let result = &rated.meta.record.result;
    let bootstrap = &result.options.bootstrap;
    let drawn = match result.options.resampled {
        Resampled::Raters => "raters",
        Resampled::Items => "pairs",
        Resampled::Both => "raters and pairs",
    };
    format!(
        "{} raters, {} rated pairs. Bootstrap over {drawn}, {} resamples, seed {}. Pairwise accuracy with calibrated ties.",
        result.n_raters, result.n_items, bootstrap.resamples, bootstrap.seed.0
    )
}

/// With its direction.
fn name(rated: &Rated<'_>, metric: &MetricAgreement) -> String {
    format!(
        "{} {}",
        rated.labelled(&metric.name),
        metric.direction.arrow()
    )
}

fn of_metric(metric: &MetricAgreement, statistic: Statistic, notes: &mut Vec<String>) -> Cell {
    let Some(found) = figure_of(&metric.statistics, statistic) else {
        return Cell::Missing;
    };
    match (&found.value, found.interval) {
        (value @ Ok(_), ends @ Some(_)) => Cell::estimate(value, ends),
        (outcome, _) => number(&label(&metric.name), statistic, outcome, notes),
    }
}

/// A value, or a note on why there is none.
fn number(shown: &str, statistic: Statistic, outcome: &Outcome, notes: &mut Vec<String>) -> Cell {
    match outcome {
        Ok(value) => Cell::number(value),
        Err(reason) => {
            notes.push(format!("{shown}, {}: {reason}", statistic.label()));
            Cell::Missing
        }
    }
}

/// How much better the composite agrees than the part that agrees best by itself in the paper.
fn against_effnet(rated: &Rated<'_>) -> Option<String> {
    const OTHER: &str = "effnet";
    let differences = &rated.meta.record.result.differences;
    let found = differences.iter().find_map(|difference| {
        match (difference.minuend.as_str(), difference.subtrahend.as_str()) {
            (COMPOSITE, OTHER) => Some((difference, 1.0)),
            (OTHER, COMPOSITE) => Some((difference, -1.0)),
            _ => None,
        }
    });
    let (difference, sign) = found?;
    let shown = STATISTICS.iter().filter_map(|statistic| {
        let figure = figure_of(&difference.statistics, *statistic)?;
        let (value, (low, high)) = (figure.value.as_ref().ok()?, figure.interval?);
        let ends = [sign * low, sign * high];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let value = sign * value;
        Some(format!(
            "{} {value:+.3} [{low:+.3}, {high:+.3}]",
            statistic.label()
        ))
    });
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| {
        format!(
            "{} less {}: {}.",
            label(COMPOSITE),
            label(OTHER),
            shown.join("; ")
        )
    })
}
