//! Tables, files and figures of an audit.

use crate::run::Audit;
use crate::{AuditRecord, Line, Section};
use neurogauge::core::Finding;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{Dot, Fit, IntervalPanel, Intervals, Point, Scatter, ScatterPanel};
use neurogauge::report::{Cell, Format, Table};
use neurogauge::{Error, Figures, Report, ResultFiles, is_sheet};
use std::path::Path;

const SCATTER: &str = "nearest_training";
const CEILING: &str = "by_cluster_alone";
const COPIES: &str = "copies";

impl Report for Audit {
    const FILES: ResultFiles = ResultFiles::of("audit.json", "audit", &[Format::Markdown, Format::Csv]);
    const SHOWN: usize = 1;
    type Record = AuditRecord;

    fn record(&self) -> &AuditRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        format!("{} test stimuli and {} training stimuli audited", self.record.n_test, self.record.n_train)
    }

    fn opening(&self) -> Vec<String> {
        self.record.sections.iter().map(|section| section.sentences().0.to_owned()).collect()
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        self.record.sections.iter().map(|section| reading(section, &self.record, format)).collect()
    }

    fn full(&self) -> Option<Table> {
        let lines =
            |section: &'_ Section| section.lines.iter().cloned().map(|line| (section.id, line)).collect::<Vec<_>>();
        let lines: Vec<(&str, Line)> = self.record.sections.iter().flat_map(lines).collect();
        let table = Table::of("Audit", lines)
            .column("question", |(id, _)| Cell::text(*id))
            .column("what", |(_, line)| Cell::text(&line.what))
            .column("value", |(_, line)| Cell::number(&line.estimate.value))
            .ends(["low", "high"], |(_, line)| line.estimate.interval)
            .column("n", |(_, line)| Cell::Count(line.estimate.n))
            .column("compared_with", |(_, line)| Cell::text(line.compared_with.as_ref().map_or("", |other| other.what)))
            .column("compared_value", |(_, line)| Cell::number(line.compared_with.as_ref().map(|other| other.value)))
            .column("undefined", |(_, line)| {
                Cell::text(line.estimate.value.as_ref().err().map_or(String::new(), ToString::to_string))
            })
            .column("stand_in", |_| Cell::text(self.record.is_stand_in().to_string()));
        Some(table.noted(Vec::new()))
    }

    fn figures(&self) -> Result<Figures, Error> {
        let mut figures = Figures::default();
        if let Some(scatter) = self.scatter() {
            figures.add(SCATTER, scatter.draw());
        }
        if let Some(intervals) = self.ceiling() {
            figures.add(CEILING, intervals.draw());
        }
        if let Some(copies) = &self.copies {
            let sheet = copies.sheet(&self.record)?;
            figures.add_sheet(COPIES.to_owned(), sheet.draw());
        }
        Ok(figures)
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        [SCATTER, CEILING].contains(&stem) || stem == COPIES && is_sheet(ending)
    }

    fn data(&self) -> Vec<String> {
        let folds = self.folds.as_ref().map(|_| "folds.csv".to_owned());
        folds.into_iter().chain(["items.csv".to_owned()]).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        if let Some(folds) = &self.folds {
            atomic_file::write(&folder.join("folds.csv"), folds.as_bytes())?;
        }
        atomic_file::write(&folder.join("items.csv"), self.item_table().as_bytes())?;
        Ok(())
    }
}

impl Audit {
    fn item_table(&self) -> String {
        let named = |nearest: Option<&(String, f64)>| match nearest {
            Some((id, value)) => [Cell::text(id), Cell::text(value.to_string())],
            None => [Cell::Missing, Cell::Missing],
        };
        Table::of("", &self.items)
            .column("item", |line| Cell::text(&line.stem))
            .column("cluster", |line| Cell::text(&line.cluster))
            .columns(["nearest_training", "nearest_similarity"], |line| named(line.nearest.as_ref()))
            .column("decoded_similarity", |line| {
                line.decoded.as_ref().map_or(Cell::Missing, |own| Cell::text(own.own_similarity.to_string()))
            })
            .columns(["decoded_nearest_training", "decoded_nearest_similarity"], |line| {
                named(line.decoded.as_ref().and_then(|own| own.nearest.as_ref()))
            })
            .column("rank", |line| line.decoded.as_ref().map_or(Cell::Missing, |own| Cell::Count(own.rank)))
            .column("stand_in", |_| Cell::text(self.record.is_stand_in().to_string()))
            .noted(Vec::new())
            .csv()
    }

    /// For each reconstruction, the similarity to the nearest training stimulus against that to its own.
    fn scatter(&self) -> Option<Scatter> {
        let points = self.items.iter().filter_map(|line| {
            let decoded = line.decoded.as_ref()?;
            Some(Point::at(decoded.own_similarity, decoded.nearest.as_ref()?.1))
        });
        let points: Vec<Point> = points.collect();
        (!points.is_empty()).then(|| Scatter {
            title: self.record.marked("Own stimulus or nearest training stimulus?"),
            x_label: "similarity to the own stimulus".into(),
            y_label: "similarity to the nearest training stimulus".into(),
            panels: vec![ScatterPanel {
                points,
                fit: Fit::Identity,
                ..ScatterPanel::default()
            }],
            caption: self.record.noted(
                "Above the line a reconstruction is nearer to a training stimulus than to the stimulus that was seen."
                    .into(),
            ),
            ..Scatter::default()
        })
    }

    /// Identification compared with knowing only the cluster.
    fn ceiling(&self) -> Option<Intervals> {
        let section = self.record.sections.iter().find(|section| section.id == "clusters")?;
        let compared = section.lines.iter().filter(|line| line.compared_with.is_some());
        let compared: Vec<&Line> = compared.filter(|line| line.value().is_some()).collect();
        let dots = compared.iter().enumerate().filter_map(|(row, line)| {
            Some(Dot {
                notch: line.compared_with.as_ref().map(|other| other.value),
                ..Dot::estimate((row, 0), line.value(), line.estimate.interval)?
            })
        });
        let dots: Vec<Dot> = dots.collect();
        (!dots.is_empty()).then(|| Intervals {
            title: self.record.marked("Identification beside what the cluster alone gives"),
            rows: compared.iter().map(|line| line.what.replace(" identification", "")).collect(),
            notch_label: "by cluster alone, or chance".into(),
            panels: vec![IntervalPanel::of("", dots)],
            caption: self.record.noted(format!("Intervals: {}.", section.population)),
            ..Intervals::default()
        })
    }
}

fn reading(section: &Section, record: &AuditRecord, format: Format) -> Table {
    let level = record.request.bootstrap.level * 100.0;
    // A terminal has the first sentence just above.
    let answer = match format {
        Format::Table => section.sentences().1,
        _ => &section.answer,
    };
    let mut notes = Vec::from_iter((!answer.is_empty()).then(|| answer.to_owned()));
    notes.push(record.noted(format!("Intervals: {}. {}.", section.population, section.reference)));
    Table::of(section.question, &section.lines)
        .column("", |line| Cell::text(record.marked(&line.what)))
        .column(format!("value [{level}%]"), |line| match &line.estimate.value {
            Ok(value) if is_count(*value) => Cell::Count(*value as usize),
            Ok(value) => Cell::estimate(*value, line.estimate.interval),
            Err(reason) => Cell::text(format!("undefined: {reason}")),
        })
        .column("compare with", |line| match &line.compared_with {
            Some(other) => Cell::text(match is_count(other.value) {
                true => format!("{} {}", other.what, other.value),
                false => format!("{} {:.3}", other.what, other.value),
            }),
            None => Cell::Missing,
        })
        .noted(notes)
}

/// Is it a number of clusters or dimensions, rather than a share?
fn is_count(value: f64) -> bool {
    value >= 2.0 && value.fract() == 0.0
}
