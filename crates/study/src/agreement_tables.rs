//! Tables of how well metrics agree with people (SEED, Tables 1 to 5).

use crate::config::StudyConfig;
use crate::found::{Found, Made, VariantRun, needs};
use crate::published::{self, Survey};
use crate::rated::{Rated, request};
use crate::scoring::{below, of_system};
use crate::shown_metrics::{COMPOSITE, label, parts};
use itertools::Itertools;
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::report::{Cell, Table, marked};
use neurogauge::stats::combination::AverageOfTwo;
use neurogauge::stats::meta::{Figure, Statistic, figure_of};
use neurogauge::{Error, Progress, RunSettings, ScoreRequest};
use neurogauge_meta::{MetaRequest, meta};

pub(crate) const STATISTICS: [Statistic; 3] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson];

/// Tables 1 and 2: all metrics of a system. The published survey decides which of the two it is; without one, the first
/// rated system has Table 1 and the others Table 2.
pub(crate) fn agreement(found: &Found<'_>, rated: &Rated<'_>, paper: &str) -> Result<Made, Error> {
    let is_first = found.rated[0].system.name == rated.system.name;
    let own = if is_first { "Table 1" } else { "Table 2" };
    let published = rated.survey.map(|survey| survey.agreement);
    if published.unwrap_or(own) != paper {
        return Ok(Made::Nothing);
    }
    let mut table = StatisticsTable::new(rated, published);
    for metric in &rated.meta.record.result.metrics {
        let shown = format!("{} {}", rated.labelled(&metric.name), metric.direction.arrow());
        let key = rated.own(&metric.name);
        table.add(shown, &rated.label(&metric.name), key, &metric.statistics, metric.n_items);
    }
    table.notes.extend(against_effnet(rated));
    let title = format!("Agreement with people: {}", rated.system.name);
    Ok(Made::Table(table.finished(title, "Metric", rated.stand_in_note())))
}

/// Table 3: Object F1 and SEED with categories named by a vision-language model, beside those with the fixed list.
pub(crate) fn named_categories(found: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    /// In the paper's order, not the run's.
    const METRICS: [&str; 4] = ["object_f1", "object_f1_vlm", "seed", "seed_vlm"];
    let system = rated.system;
    let is_there = |id: &&str| system.run.scores.column(id).is_some();
    let there: Vec<String> = METRICS.into_iter().filter(is_there).map(str::to_owned).collect();
    if !there.iter().any(|id| id.ends_with("_vlm")) {
        return needs("categories that a model names in the images, with the metrics object_f1_vlm or seed_vlm");
    }
    let compared = meta(&MetaRequest {
        metrics: vec![system.run.folder.root().to_owned()],
        only: there.clone(),
        ..request(found.config, rated.ratings)
    });
    let compared = compared.map_err(of_system(&system.name))?.record.result.metrics;
    let mut table = StatisticsTable::new(rated, Some("Table 3"));
    for metric in there.iter().filter_map(|id| compared.iter().find(|metric| metric.name == *id)) {
        let (shown, key) = (rated.labelled(&metric.name), rated.own(&metric.name));
        table.add(shown, &label(&metric.name), key, &metric.statistics, metric.n_items);
    }
    let is_stand_in = there.iter().any(|id| system.is_stand_in(id));
    let title = format!("Named categories beside the fixed list, against people: {}", system.name);
    Ok(Made::Table(table.finished(title, "Metric", on_placeholder(is_stand_in))))
}

/// Table 4: Object F1 combined with size, location and number of objects.
pub(crate) fn object_variants(found: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let system = rated.system;
    let variants: Vec<&VariantRun> = found.variants.iter().filter(|run| run.system == system.name).collect();
    if variants.is_empty() {
        return needs("boxes and images of both sides");
    }
    let is_stand_in = system.is_stand_in(OBJECT_F1);
    let mut table = StatisticsTable::new(rated, Some("Table 4"));
    table.notes.push(
        "Size: a category weighs up to twice as much the larger its box. Location: the nearer its box is to the centre. Number: a \
         category that both have counts as the smaller number of boxes divided by the larger."
            .to_owned(),
    );
    for VariantRun {
        variant, shown, run, ..
    } in variants
    {
        let key = if is_stand_in { "" } else { variant.id() };
        table.add(marked(shown, system.is_stand_in(OBJECT_F1)), shown, key, &run.statistics, run.n_items);
    }
    let title = format!("Object F1 with size, location and number, against people: {}", system.name);
    Ok(Made::Table(table.finished(title, "What counts", on_placeholder(is_stand_in))))
}

/// Table 5: the parts of the composite alone, the averages of two, other metrics, and the composite.
pub(crate) fn parts_and_averages(_: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let record = &rated.meta.record;
    let metrics = &record.result.metrics;
    let parts = parts(&rated.system.run.scores);
    let lacking = parts
        .iter()
        .filter(|id| !metrics.iter().any(|metric| metric.name == **id))
        .map(|id| label(id))
        .join(", ");
    let averages = match &record.combinations {
        Some(found) if lacking.is_empty() => &found.averages,
        _ => return needs(format!("the parts of SEED; {lacking} is missing")),
    };
    let mut table = StatisticsTable::new(rated, Some("Table 5"));
    table.with_intervals = false;
    table.notes.push(
        "Averages are of the metrics as they are, distances negated; SEED is the average of all three.".to_owned(),
    );
    let alone = parts.iter().map(|part| (*part, *part));
    for (first, second) in alone.chain(parts.iter().copied().tuple_combinations()) {
        let is_it = |cell: &&AverageOfTwo| {
            let names = (cell.first.as_str(), cell.second.as_str());
            names == (first, second) || names == (second, first)
        };
        let Some(cell) = averages.cells.iter().find(is_it) else {
            continue;
        };
        let (shown, key) = match first == second {
            true => (rated.labelled(first), rated.own(first).to_owned()),
            // The paper's EffNet is EffNet with SEED's preprocessing.
            false => {
                (format!("{} + {}", rated.labelled(first), rated.labelled(second)), pair_key(rated, first, second))
            }
        };
        table.add(shown.clone(), &shown, &key, &cell.statistics, cell.n_items);
    }
    let further = metrics.iter().filter(|metric| rated.is_further(&metric.name));
    for metric in further.chain(metrics.iter().filter(|metric| metric.name == COMPOSITE)) {
        let shown = rated.labelled(&metric.name);
        table.add(shown.clone(), &shown, rated.own(&metric.name), &metric.statistics, metric.n_items);
    }
    let title = format!("Parts of SEED and their averages, against people: {}", rated.system.name);
    Ok(Made::Table(table.finished(title, "Metric", rated.stand_in_note())))
}

/// The key for two of SEED's parts Object F1, Cap-Sim and EffNet; empty if either uses a placeholder.
fn pair_key(rated: &Rated<'_>, first: &str, second: &str) -> String {
    match (rated.own(first), rated.own(second)) {
        ("", _) | (_, "") => String::new(),
        (first, second) => format!("{first}+{second}"),
    }
}

/// A table with a row for each metric, or choice, and a column for each of the paper's statistics.
pub(crate) struct StatisticsTable {
    level: f64,
    with_intervals: bool,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
    /// The published survey, and the paper's table.
    published: Option<(&'static Survey, &'static str)>,
}

impl StatisticsTable {
    /// A table for a system's ratings, with the values of the paper's `paper_table` if these are the published ratings.
    pub(crate) fn new(rated: &Rated<'_>, paper_table: Option<&'static str>) -> Self {
        // A survey without such a table has no published values.
        let printed = |(survey, table): &(&'static Survey, &'static str)| published::has_table(survey, table);
        StatisticsTable {
            published: rated.survey.zip(paper_table).filter(printed),
            level: rated.meta.record.result.options.bootstrap.level * 100.0,
            with_intervals: true,
            rows: Vec::new(),
            notes: vec![of_people(rated), "n: pairs with a rating and a score.".to_owned()],
        }
    }

    /// Adds a row, and a note about each missing value, in which the row is called `noted`. `key` is its name among the
    /// published values; it is empty for a quantity that the paper does not have, such as one from a placeholder.
    pub(crate) fn add<F: Figure>(&mut self, shown: String, noted: &str, key: &str, figures: &[F], n: usize) {
        let mut cells = vec![Cell::Text(shown)];
        for statistic in STATISTICS {
            let found = figure_of(figures, statistic);
            if let Some(Err(reason)) = found.map(Figure::value) {
                self.notes.push(format!("{noted}, {}: {reason}", statistic.label()));
            }
            cells.push(match self.with_intervals {
                true => statistic_cell(found),
                false => found.map_or(Cell::Missing, |found| Cell::number(found.value())),
            });
        }
        cells.push(Cell::Count(n));
        if let Some((survey, table)) = self.published {
            let printed = published::agreement(survey, table, key);
            cells.extend((0..STATISTICS.len()).map(|place| Cell::number(printed.map(|of| of[place]))));
        }
        self.rows.push(cells);
    }

    /// Adds headings, the source of published values, and the note on placeholder models.
    pub(crate) fn finished(self, title: String, heading: &str, stand_in_note: Option<&str>) -> Table {
        let of_statistic = |statistic: Statistic| match self.with_intervals {
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
        Table::of(title, self.rows).columns(headings, Vec::clone).noted(notes)
    }
}

pub(crate) fn statistic_cell<F: Figure>(found: Option<&F>) -> Cell {
    found.map_or(Cell::Missing, |found| Cell::estimate(found.value(), found.interval()))
}

impl Rated<'_> {
    /// The note on metrics that use a placeholder model.
    pub(crate) fn stand_in_note(&self) -> Option<&'static str> {
        on_placeholder(self.meta.record.result.metrics.iter().any(|m| self.is_stand_in(&m.name)))
    }

    /// The id of the paper's quantity that a metric measures: EffNet with SEED's preprocessing is the paper's EffNet,
    /// and a placeholder's metric measures none of them. A metric from a file has its id in the registry.
    pub(crate) fn own<'b>(&'b self, id: &'b str) -> &'b str {
        match id {
            _ if self.is_stand_in(id) => "",
            // For example SEED's released scores, beside those of the run.
            _ if self.is_further(id) => self.role(id).and_then(|role| role.registry_id).unwrap_or(id),
            "effnet_official" => "effnet",
            "effnet" if self.system.run.scores.column("effnet_official").is_some() => "",
            id => id,
        }
    }
}

/// The note for a table whose headings or rows have a dagger, if any do.
pub(crate) fn on_daggers(names: &[String]) -> Option<String> {
    let has_one = names.iter().any(|name| name.ends_with('†'));
    has_one.then(|| "† rests on a placeholder model: its numbers mean nothing.".to_owned())
}

/// The note on numbers from a placeholder model.
pub(crate) fn on_placeholder(do_they: bool) -> Option<&'static str> {
    do_they.then_some("† rests on a placeholder model: the number shows that the pipeline runs and means nothing else.")
}

/// Says who rated, and how intervals are computed.
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

const OBJECT_F1: &str = "object_f1";

const VARIANTS: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

/// Every variant for every rated system whose boxes and images are known.
pub(crate) fn score_variants(
    config: &StudyConfig,
    rated: &[Rated<'_>],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<VariantRun>, Error> {
    let mut runs = Vec::new();
    for rated in rated {
        let system = rated.system;
        let has_boxes = match system.run.scores.pairs.first() {
            Some(stem) => system.views.detections(Side::Gt, stem)?.is_some(),
            None => false,
        };
        for (variant, shown) in VARIANTS.into_iter().filter(|_| has_boxes && system.views.has_images()) {
            progress.note(&format!("{}, {} by {shown}", system.name, label(OBJECT_F1)));
            let settings = below(settings, &format!("objects/{}/{}", system.file_name, variant.id()));
            let choose = |asked: &mut ScoreRequest| asked.options.objects.variant = variant;
            let run = rated.variant(config, OBJECT_F1, choose, &settings, progress);
            runs.push(VariantRun {
                system: system.name.clone(),
                variant,
                shown,
                run: run.map_err(of_system(format!("{}, Object F1 by what it counts", system.name)))?,
            });
        }
    }
    Ok(runs)
}
