//! How well metrics agree with people (SEED, Tables 1 and 2), and the parts of SEED and their averages (Table 5).

use crate::paper_item::PaperItems;
use crate::published::{self, Survey};
use crate::rated::Rated;
use crate::shown_metrics::{COMPOSITE, label, parts};
use neurogauge::core::Outcome;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::combination::AverageOfTwo;
use neurogauge::stats::meta::{Figure, Statistic, StatisticEstimate, figure_of};

/// The statistics of the paper's tables.
pub(crate) const STATISTICS: [Statistic; 3] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson];

/// The explanation of the column `n`.
const COUNTED: &str = "n: pairs with a rating and a score.";

/// Tables 1 and 2: all metrics of a system.
pub(crate) fn agreement(rated: &Rated<'_>, is_first: bool, paper_items: &mut PaperItems) {
    let (paper, number) = match (rated.survey, is_first) {
        (Some(survey), _) if survey.agreement == "Table 2" => ("Table 2", "2"),
        (Some(_), _) | (None, true) => ("Table 1", "1"),
        (None, false) => ("Table 2", "2"),
    };
    let mut table = StatisticsTable::new(rated, rated.survey.map(|survey| survey.agreement));
    for metric in &rated.meta.record.result.metrics {
        let arrow = metric.direction.arrow();
        let shown = format!("{} {arrow}", rated.labelled(&metric.name));
        let key = rated.own(&metric.name);
        table.estimates(shown, &rated.label(&metric.name), key, &metric.statistics, metric.n_items);
    }
    table.notes.extend(against_effnet(rated));
    let title = format!("Agreement with people: {}", rated.system.name);
    let table = table.finished(title, "Metric", true, rated.stand_in_note());
    paper_items.add(rated.system.item(paper, &format!("table{number}_agreement")), table);
}

/// Table 5: the parts of the composite alone, the averages of two, further metrics, and the composite.
pub(crate) fn parts_and_averages(rated: &Rated<'_>, paper_items: &mut PaperItems) {
    const PAPER: &str = "Table 5";
    let about = &rated.system.name;
    let record = &rated.meta.record;
    let is_there = |id: &str| record.result.metrics.iter().any(|m| m.name == id);
    let averages = record.combinations.as_ref().map(|found| &found.averages);
    let parts = parts(&rated.system.run.scores);
    let lacking: Vec<&str> = parts.iter().copied().filter(|id| !is_there(id)).collect();
    let (Some(averages), true) = (averages, lacking.is_empty()) else {
        let lacking: Vec<String> = lacking.into_iter().map(label).collect();
        paper_items.absent(PAPER, about, format!("the parts of SEED; {} is missing", lacking.join(", ")));
        return;
    };
    let mut table = StatisticsTable::new(rated, Some(PAPER));
    table.notes.push(
        "Averages are of the metrics as they are, distances negated; SEED is the average of all three.".to_owned(),
    );
    let n = parts.len();
    for (a, b) in (0..n).map(|part| (part, part)).chain((0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)))) {
        let (first, second) = (parts[a], parts[b]);
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
        let key = match a == b {
            true => rated.own(first).to_owned(),
            // As in the paper: its EffNet is the EffNet with SEED's preprocessing.
            false => pair_key(rated, first, second),
        };
        table.values(shown, &key, &cell.statistics, cell.n_items);
    }
    let metrics = record.result.metrics.iter();
    let further = metrics.clone().filter(|metric| rated.is_further(&metric.name));
    for metric in further.chain(metrics.filter(|metric| metric.name == COMPOSITE)) {
        let shown = rated.labelled(&metric.name);
        table.values(shown, rated.own(&metric.name), &metric.statistics, metric.n_items);
    }
    let title = format!("Parts of SEED and their averages, against people: {about}");
    let table = table.finished(title, "Metric", false, rated.stand_in_note());
    paper_items.add(rated.system.item(PAPER, "table5_parts"), table);
}

/// The key of two of SEED's parts Object F1, Cap-Sim and EffNet; empty if either uses a placeholder.
fn pair_key(rated: &Rated<'_>, first: &str, second: &str) -> String {
    match (rated.own(first), rated.own(second)) {
        ("", _) | (_, "") => String::new(),
        (first, second) => format!("{first}+{second}"),
    }
}

/// A value, or why there is none, and its interval.
type WithInterval<'a> = (&'a Outcome, Option<(f64, f64)>);

/// A table with a line for each metric, or choice, and a column for each of the paper's statistics.
pub(crate) struct StatisticsTable {
    level: f64,
    rows: Vec<Vec<Cell>>,
    pub(crate) notes: Vec<String>,
    /// The published survey, and the paper's table.
    published: Option<(&'static Survey, &'static str)>,
}

impl StatisticsTable {
    /// For a system's ratings, with the values of the paper's `paper_table` if these are the published ratings.
    pub(crate) fn new(rated: &Rated<'_>, paper_table: Option<&'static str>) -> Self {
        // A survey without such a table has no published values.
        let printed = |(survey, table): &(&'static Survey, &'static str)| published::has_table(survey, table);
        StatisticsTable {
            published: rated.survey.zip(paper_table).filter(printed),
            level: rated.meta.record.result.options.bootstrap.level * 100.0,
            rows: Vec::new(),
            notes: vec![of_people(rated), COUNTED.to_owned()],
        }
    }

    /// Adds a line, with a note about each missing value, in which the line is called `noted`. `key` is its name among
    /// the published values; empty for a different quantity, such as one from a placeholder.
    fn line<'a>(
        &mut self,
        shown: String,
        noted: &str,
        key: &str,
        figure: impl Fn(Statistic) -> Option<WithInterval<'a>>,
        n: usize,
    ) {
        let mut cells = vec![Cell::Text(shown)];
        for statistic in STATISTICS {
            let found = figure(statistic);
            if let Some((Err(reason), _)) = found {
                let label = statistic.label();
                self.notes.push(format!("{noted}, {label}: {reason}"));
            }
            cells.push(found.map_or(Cell::Missing, |(value, ends)| Cell::estimate(value, ends)));
        }
        cells.push(Cell::Count(n));
        if let Some((survey, table)) = self.published {
            let printed = published::agreement(survey, table, key);
            cells.extend((0..STATISTICS.len()).map(|place| Cell::number(printed.map(|of| of[place]))));
        }
        self.rows.push(cells);
    }

    /// Adds a line with intervals.
    pub(crate) fn estimates(
        &mut self,
        shown: String,
        noted: &str,
        key: &str,
        statistics: &[StatisticEstimate],
        n: usize,
    ) {
        let figure = |statistic| {
            let found = figure_of(statistics, statistic)?;
            Some((&found.value, found.interval))
        };
        self.line(shown, noted, key, figure, n);
    }

    /// Adds a line without intervals.
    fn values<F: Figure>(&mut self, shown: String, key: &str, figures: &[F], n: usize) {
        let noted = shown.clone();
        let figure = |statistic| Some((figure_of(figures, statistic)?.value(), None));
        self.line(shown, &noted, key, figure, n);
    }

    /// Adds headings and the note on placeholder models, and highlights the best line by each statistic unless the
    /// table uses a placeholder.
    pub(crate) fn finished(
        self,
        title: String,
        heading: &str,
        with_intervals: bool,
        stand_in_note: Option<&str>,
    ) -> TextTable {
        let of_statistic = |statistic: Statistic| match with_intervals {
            true => format!("{} [{}% interval]", statistic.label(), self.level),
            false => statistic.label().to_owned(),
        };
        let mut headings = vec![heading.to_owned()];
        headings.extend(STATISTICS.map(of_statistic));
        headings.push("n".to_owned());
        let mut notes = self.notes;
        if let Some((survey, table)) = self.published {
            headings.extend(STATISTICS.map(|statistic| format!("published {}", statistic.label())));
            notes.push(format!("Published: {}, {table} ({}).", published::SOURCE, survey.about));
        }
        notes.extend(stand_in_note.map(str::to_owned));
        TextTable {
            title,
            headings,
            rows: self.rows,
            notes,
        }
    }
}

impl Rated<'_> {
    /// The note on metrics that use a placeholder model.
    pub(crate) fn stand_in_note(&self) -> Option<&'static str> {
        on_placeholder(self.meta.record.result.metrics.iter().any(|m| self.is_stand_in(&m.name)))
    }

    /// The id of the paper's quantity that a metric measures: EffNet with SEED's preprocessing is the paper's EffNet,
    /// and a placeholder's metric is none. For a metric from a file, its id in the registry.
    pub(crate) fn own<'b>(&'b self, id: &'b str) -> &'b str {
        match id {
            _ if self.is_stand_in(id) => "",
            // For example SEED's released scores, beside those of a run.
            _ if self.is_further(id) => self.role(id).and_then(|role| role.registry_id).unwrap_or(id),
            "effnet_official" => "effnet",
            "effnet" if self.system.run.scores.column("effnet_official").is_some() => "",
            id => id,
        }
    }
}

/// The note on a table whose headings or lines have a dagger, if any has.
pub(crate) fn on_daggers(names: &[String]) -> Option<String> {
    let has_one = names.iter().any(|name| name.ends_with('†'));
    has_one.then(|| "† rests on a placeholder model: its numbers mean nothing.".to_owned())
}

/// The note on numbers from a placeholder model.
pub(crate) fn on_placeholder(do_they: bool) -> Option<&'static str> {
    do_they.then_some("† rests on a placeholder model: the number shows that the pipeline runs and means nothing else.")
}

/// Who rated, and how intervals are computed.
pub(crate) fn of_people(rated: &Rated<'_>) -> String {
    let result = &rated.meta.record.result;
    format!(
        "{} raters, {} rated pairs. Intervals: {}. Pairwise accuracy with calibrated ties.",
        result.n_raters,
        result.n_items,
        result.options.in_words("pairs")
    )
}

/// How much better the composite agrees with people than EffNet, the best single part in the paper.
fn against_effnet(rated: &Rated<'_>) -> Option<String> {
    const OTHER: &str = "effnet";
    let is = |name: &str, id: &str| name == id || rated.is_further(name) && rated.own(name) == id;
    let differences = &rated.meta.record.result.differences;
    let found = differences.iter().find_map(|difference| {
        let (minuend, subtrahend) = (&difference.minuend, &difference.subtrahend);
        let is_of = |first: &str, second: &str| is(minuend, first) && is(subtrahend, second);
        let sign = is_of(COMPOSITE, OTHER).then_some(1.0).or_else(|| is_of(OTHER, COMPOSITE).then_some(-1.0))?;
        Some((difference, sign))
    });
    let (difference, sign) = found?;
    let shown = STATISTICS.iter().filter_map(|statistic| {
        let figure = figure_of(&difference.statistics, *statistic)?;
        let (value, (low, high)) = (figure.value.as_ref().ok()?, figure.interval?);
        let ends = [sign * low, sign * high];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let value = sign * value;
        Some(format!("{} {value:+.3} [{low:+.3}, {high:+.3}]", statistic.label()))
    });
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| format!("{} less {}: {}.", label(COMPOSITE), label(OTHER), shown.join("; ")))
}
