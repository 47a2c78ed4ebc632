//! Tables and specification curves of a multiverse.

use crate::record::DAGGER;
use crate::run::factors;
use crate::{Choice, MetricUniverse, MultiverseRecord, Nearest, Order, Over};
use itertools::Itertools;
use neurogauge::core::{Finding, counted};
use neurogauge::report::figures::{Factor, Specification, SpecificationCurve};
use neurogauge::report::{Cell, Format, Table, fixed};
use neurogauge::{Error, Figures, Report, ResultFiles};

/// Precedes the metric's id in the names of figures.
const FIGURE: &str = "specification_curve_";
const PLACEHOLDER: &str =
    "† rests on a placeholder model: the numbers show that the pipeline runs and mean nothing else.";
/// Number of estimates that are listed as near to a published number.
const N_NEAREST: usize = 5;
/// Number of systems that a sentence names.
const N_NAMED: usize = 4;

impl Report for MultiverseRecord {
    const FILES: ResultFiles = ResultFiles::of("multiverse.json", "multiverse", &[Format::Markdown, Format::Csv]);
    const SHOWN: usize = 1;
    type Record = Self;

    fn record(&self) -> &Self {
        self
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        let rows = self.metrics.iter().map(|metric| metric.conventions.len());
        format!(
            "{} of {} under up to {}",
            counted(self.metrics.len(), "metric"),
            counted(self.request.systems.len(), "system"),
            counted(rows.max().unwrap_or_default(), "convention")
        )
    }

    fn opening(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| self.headline(metric)).collect()
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        let metrics = self.metrics.iter();
        let mut tables: Vec<Table> = metrics.flat_map(|metric| [self.estimates(metric), effects(metric)]).collect();
        if let Some(published) = self.request.published {
            tables.push(nearest(published, self));
        }
        tables
    }

    fn full(&self) -> Option<Table> {
        let names = &self.request.systems;
        let rows = self.metrics.iter().flat_map(|metric| {
            metric.conventions.iter().flat_map(move |row| {
                let systems = names.iter().zip(&row.systems);
                let stand_in = is_stand_in(metric);
                systems.map(move |((name, _), scored)| (stand_in, metric.metric, row, name, scored))
            })
        });
        let table = Table::of("Multiverse", rows)
            .column("metric", |(_, metric, ..)| Cell::text(*metric))
            .column("convention", |(.., row, _, _)| Cell::text(&row.name))
            .column("choices", |(.., row, _, _)| Cell::text(in_words(&row.choices)))
            .column("system", |(.., name, _)| Cell::text(*name))
            .column("value", |(.., scored)| Cell::number(&scored.estimate.value))
            .ends(["low", "high"], |(.., scored)| scored.estimate.interval)
            .column("standard_error", |(.., scored)| Cell::number(scored.standard_error))
            .column("n", |(.., scored)| Cell::Count(scored.estimate.n))
            .column("run", |(.., scored)| Cell::text(&scored.run))
            .column("stand_in", |(stand_in, ..)| Cell::text(stand_in.to_string()));
        Some(table.noted(Vec::new()))
    }

    fn figures(&self) -> Result<Figures, Error> {
        let mut figures = Figures::default();
        for metric in &self.metrics {
            figures.add(format!("{FIGURE}{}", metric.metric), self.curve(metric).draw());
        }
        Ok(figures)
    }

    fn has_figure(stem: &str, _ending: &str) -> bool {
        stem.starts_with(FIGURE)
    }
}

impl MultiverseRecord {
    fn level(&self) -> f64 {
        self.request.score.bootstrap.level * 100.0
    }

    fn alpha(&self) -> f64 {
        1.0 - self.request.score.bootstrap.level
    }

    /// The range of each system over the conventions, and whether the order of systems depends on them.
    fn headline(&self, metric: &MetricUniverse) -> String {
        let ranges = self.request.systems.iter().enumerate().filter_map(|(place, (name, _))| {
            let values = metric.conventions.iter().filter_map(|row| row.systems[place].estimate.value.clone().ok());
            let (low, high) = values.minmax().into_option()?;
            Some(format!("{name} {} to {}", fixed(low, Cell::DECIMALS), fixed(high, Cell::DECIMALS)))
        });
        let mut ranges: Vec<String> = ranges.collect();
        let n_more = ranges.len().saturating_sub(N_NAMED);
        ranges.truncate(N_NAMED);
        ranges.extend((n_more > 0).then(|| format!("and {n_more} more")));
        let conventions = counted(metric.conventions.len(), "convention");
        let order = metric.order.as_ref().map(|order| format!(" {}", order.answer(self.alpha())));
        format!("{} under {conventions}: {}.{}", metric.label, ranges.join(", "), order.unwrap_or_default())
    }

    /// A metric's estimates, with one line for each convention.
    fn estimates(&self, metric: &MetricUniverse) -> Table {
        let title = format!("{} under {} conventions [{}%]", metric.label, metric.conventions.len(), self.level());
        let mut table = Table::of(title, &metric.conventions).column("convention", |row| Cell::text(&row.name));
        for (place, (name, _)) in self.request.systems.iter().enumerate() {
            table = table.column(name, |row| {
                let estimate = &row.systems[place].estimate;
                match &estimate.value {
                    Ok(value) => Cell::estimate(*value, estimate.interval),
                    Err(reason) => Cell::text(format!("undefined: {reason}")),
                }
            });
        }
        if self.request.over == Over::Presets {
            let differing = factors(&metric.conventions);
            let differs = |choice: &&Choice| differing.iter().any(|own| own.name == choice.factor);
            table = table.column("decides", |row| Cell::text(in_words(row.choices.iter().filter(differs))));
        }
        let mut notes = metric.order.as_ref().map_or_else(Vec::new, Order::details);
        notes.extend(is_stand_in(metric).then(|| PLACEHOLDER.to_owned()));
        table.noted(notes)
    }

    fn curve(&self, metric: &MetricUniverse) -> SpecificationCurve {
        let factors = factors(&metric.conventions);
        let rows = metric.conventions.iter().enumerate();
        SpecificationCurve {
            title: format!("{} under {} conventions", metric.label, metric.conventions.len()),
            y_label: metric.label.clone(),
            series: self.request.systems.iter().map(|(name, _)| name.clone()).collect(),
            specifications: rows
                .map(|(place, row)| Specification {
                    values: (row.systems.iter().enumerate())
                        .filter_map(|(system, scored)| {
                            let value = scored.estimate.value.clone().ok()?;
                            Some((system, value, scored.estimate.interval))
                        })
                        .collect(),
                    chosen: factors.iter().map(|factor| factor.levels[place]).collect(),
                })
                .collect(),
            factors: factors
                .iter()
                .map(|factor| Factor {
                    name: factor.name.clone(),
                    options: factor.options.clone(),
                })
                .collect(),
            level: self.request.published.map(|value| ("published".to_owned(), value)),
            caption: format!(
                "Sorted by the mean over systems. Bars: {}% intervals. Below: what each convention decides, where they differ.{}",
                self.level(),
                if is_stand_in(metric) {
                    format!(" {PLACEHOLDER}")
                } else {
                    String::new()
                }
            ),
        }
    }
}

/// Does the metric depend on a placeholder model?
fn is_stand_in(metric: &MetricUniverse) -> bool {
    metric.label.ends_with(DAGGER)
}

fn in_words<'a>(choices: impl IntoIterator<Item = &'a Choice>) -> String {
    let words = choices.into_iter().map(|choice| format!("{} {}", choice.factor, choice.option));
    words.collect::<Vec<String>>().join("; ")
}

/// How much of the spread each choice explains.
fn effects(metric: &MetricUniverse) -> Table {
    let option = |end: &Option<(String, f64)>| match end {
        Some((name, mean)) => Cell::text(format!("{name}: {mean:.3}")),
        None => Cell::Missing,
    };
    Table::of(format!("{}: what the choices make of the spread", metric.label), &metric.effects)
        .column("choice", |effect| Cell::text(&effect.factor))
        .column("share of the spread", |effect| Cell::text(format!("{:.1}%", 100.0 * effect.share)))
        .column("lowest", |effect| option(&effect.lowest))
        .column("highest", |effect| option(&effect.highest))
        .noted(match metric.effects.is_empty() {
            true => vec!["Nothing varies, or a system has no value.".to_owned()],
            false => Vec::new(),
        })
}

/// The estimates nearest to a published number.
fn nearest(published: f64, record: &MultiverseRecord) -> Table {
    let all = &record.nearest;
    let dagger = |near: &Nearest| {
        let mut metrics = record.metrics.iter();
        match metrics.any(|metric| metric.metric == near.metric && is_stand_in(metric)) {
            true => DAGGER,
            false => "",
        }
    };
    Table::of(
        format!("Which convention gives {published}?"),
        &all[..all.len().min(N_NEAREST)],
    )
    .column("metric", |near| Cell::text(format!("{}{}", near.metric, dagger(near))))
    .column("system", |near| Cell::text(&near.system))
    .column("convention", |near| Cell::text(&near.convention))
    .column("value", |near| Cell::number(near.value))
    .column("standard errors away", |near| Cell::text(format!("{:+.1}", near.distance)))
    .noted(vec![
        "Nearness is no proof: several conventions can come near to one number, and a number can come from other images, other pairs \
         or an error that no convention here has. Read the code that made it."
            .to_owned(),
    ])
}
