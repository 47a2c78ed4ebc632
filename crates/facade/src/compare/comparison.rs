//! Metric by metric: estimates, ranks and differences on the pairs that all systems have.

use super::conditions::{note_counted_samples, note_differing_conditions};
use super::differences::{NamedDifference, Tested, differences};
use super::dimensions::{self, ComparedDimensions};
use super::figures::has_figure;
use super::mixed_protocols::refuse_mixed;
use super::options::{CompareOptions, Compared, HolmFamily};
use super::pools;
use super::shared_pairs::{restrict, shared_pairs, shared_stimuli, unit};
use super::subjects::{self, SystemSubjects};
use super::table::{self, all_differences, is_placeholder, table};
use crate::figure_files::Figures;
use crate::results::{Provenance, Report, ResultFiles, keep};
use crate::score::{Run, load_run};
use crate::summary::{of_identification, system_columns};
use crate::{Error, RunFolder};
use neurogauge_core::{Estimate, Outcome, ScoreTable, Warning, first_names};
use neurogauge_formats::atomic_file;
use neurogauge_metrics::{Metric, in_order};
use neurogauge_report::{Format, ResultTable, Table, TextTable, render};
use neurogauge_stats::{
    Comparison, IdentificationScores, SubjectPopulation, SubjectScores, bounded,
    compare_identifications, compare_over_stimuli, compare_subjects, mean_over,
};
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Systems side by side.
#[derive(Debug)]
pub struct SystemComparison {
    /// Names of the systems, in the order given.
    pub systems: Vec<String>,
    /// What each run is called: as its system, or as a subject of it.
    pub runs: Vec<String>,
    /// The subjects of each system, where these are told apart.
    pub subjects: Option<Vec<SystemSubjects>>,
    /// For every metric that all runs have: estimates, ranks and differences of the systems.
    pub metrics: Vec<(&'static Metric, Comparison)>,
    /// Of each metric, system and subject the estimate for this subject; empty where subjects are not told apart.
    pub of_subjects: Vec<Vec<Vec<Estimate>>>,
    /// The same as a table, with what should be known about it as notes.
    pub table: Table,
    /// The content of `compare.json`.
    record: CompareRecord,
    /// For every metric that is a mean over pairs: the pairs' values, for each system.
    pub(super) pairs: Vec<(&'static str, Vec<Vec<f64>>)>,
}

/// The content of `compare.json`: the table's data, the differences, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareRecord {
    /// The program, and the scores that it read.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The request.
    pub request: CompareRequest,
    /// The subjects of each system, where these are told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subjects: Option<Vec<SystemSubjects>>,
    /// The table, as JSON has it.
    #[serde(flatten)]
    pub table: serde_json::Value,
    /// Every difference between two systems.
    pub differences: Vec<NamedDifference>,
    /// BASIC-H by dimension, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_dimension: Option<ComparedDimensions>,
}

/// Which runs to compare, and how.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareRequest {
    /// Folders of finished runs.
    pub runs: Vec<PathBuf>,
    /// Metrics, intervals and tests.
    #[serde(flatten)]
    pub options: CompareOptions,
}

/// BASIC-H by dimension, a row for each dimension and system.
const DIMENSIONS: &str = "dimensions.csv";
/// The differences by dimension.
const DIMENSION_DIFFERENCES: &str = "dimension_differences.csv";

/// Raised when the layout of `compare.json` changes.
const SCHEMA: u32 = 3;
/// Metrics that a message names one by one.
const LACKING_NAMED: usize = 5;

/// Compares finished runs over their shared pairs: intervals of means, and a test with its interval of every difference.
pub fn compare(roots: &[PathBuf], options: &CompareOptions) -> Result<SystemComparison, Error> {
    if roots.len() < 2 {
        return Err(Error::Usage(
            "compare needs at least two run folders".into(),
        ));
    }
    let runs = roots
        .iter()
        .map(|root| load_run(root))
        .collect::<Result<Vec<Run>, Error>>()?;
    let names = match &options.subjects {
        None => system_names(&runs.iter().map(|run| &run.folder).collect::<Vec<_>>()),
        Some(_) => {
            let path = |run: &Run| {
                let root = run.folder.root();
                let path = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
                path.display().to_string()
            };
            runs.iter().map(path).collect()
        }
    };
    compare_runs(names, &runs.iter().collect::<Vec<_>>(), options)
}

/// The same for runs that are already read, under the given names.
pub fn compare_runs(
    names: Vec<String>,
    runs: &[&Run],
    options: &CompareOptions,
) -> Result<SystemComparison, Error> {
    let mut notes = Vec::new();
    let compared = Compared::of(runs, options)?;
    let pattern = options.subjects.as_ref();
    let mut subjects = pattern.map(|p| subjects::grouped(p, &names)).transpose()?;
    let (systems, names) = match &mut subjects {
        None => (names.clone(), names),
        Some(systems) => {
            subjects::in_one_order(systems);
            notes.extend(subjects::notes(systems, options.population));
            let of_systems = systems.iter().map(|system| system.system.clone());
            (
                of_systems.collect::<Vec<String>>(),
                subjects::run_names(systems, runs.len()),
            )
        }
    };
    if !options.mixed {
        refuse_mixed(runs, &names)?;
    }
    let shared = shared_pairs(runs, &names, &mut notes)?;
    let unit = unit(runs);
    note_differing_conditions(runs, &names, &mut notes);
    note_counted_samples(runs, &names, &mut notes);
    let shared_of = |table: fn(&Run) -> &ScoreTable| -> Vec<ScoreTable> {
        let tables = runs.iter().map(|run| restrict(table(run), &shared));
        tables.collect()
    };
    let tables = shared_of(|run| &run.scores);
    let pseudo_values = shared_of(|run| &run.pseudo_values);
    let stimuli = shared_stimuli(runs, &shared);

    let (mut metrics, mut pairs) = (Vec::new(), Vec::new());
    // Of each metric, system and subject.
    let mut of_metrics: Vec<Vec<Vec<Estimate>>> = Vec::new();
    let mut by_stimuli = HashSet::new();
    let ids = tables.iter().flat_map(|table| &table.columns);
    let metrics_of_runs = in_order(ids.map(|(id, _)| id.as_str()));
    let included = || {
        metrics_of_runs
            .iter()
            .copied()
            .filter(|metric| compared.includes(metric))
    };
    let has_all = |metric: &&Metric| {
        tables
            .iter()
            .all(|table| table.column(metric.spec.id).is_some())
    };
    let n_tested = included()
        .filter(|metric| compared.tests(metric))
        .filter(has_all)
        .count();
    let n_differences = systems.len() * (systems.len() - 1) / 2;
    let n_family = match options.holm {
        HolmFamily::Metric => n_differences,
        HolmFamily::All => n_tested * n_differences,
    };
    for metric in included() {
        let having: Vec<usize> = (0..runs.len())
            .filter(|&i| tables[i].column(metric.spec.id).is_some())
            .collect();
        if having.len() < runs.len() {
            let lacking: Vec<&str> = (0..runs.len())
                .filter(|place| !having.contains(place))
                .map(|place| names[place].as_str())
                .collect();
            if compared.demands(metric) {
                return Err(Error::Usage(format!(
                    "{} is not scored for {}; score it there too, or leave it out of --metrics",
                    metric.spec.id,
                    first_names(&lacking, LACKING_NAMED)
                )));
            }
            notes.push(format!(
                "{} is not compared: not scored for {}",
                metric.spec.label,
                first_names(&lacking, LACKING_NAMED)
            ));
            continue;
        }
        let columns: Vec<Vec<Vec<Outcome>>> = tables
            .iter()
            .zip(&pseudo_values)
            .zip(runs)
            .map(|((table, pseudo), run)| system_columns(metric, table, pseudo, &run.record))
            .collect();
        let borrowed: Vec<Vec<&[Outcome]>> = columns
            .iter()
            .map(|columns| columns.iter().map(Vec::as_slice).collect())
            .collect();
        let test = (options.test, n_family);
        let of_run = |run: usize| match borrowed[run].as_slice() {
            [outcomes] => Some(IdentificationScores {
                outcomes,
                pseudo_values: of_identification(metric, &pseudo_values[run])?,
                too_low_by: runs[run].record.too_low_by(metric),
            }),
            _ => None,
        };
        let identified: Option<Vec<IdentificationScores<'_>>> =
            (0..runs.len()).map(of_run).collect();
        let direction = metric.spec.direction;
        let range = metric.spec.range;
        let mut comparison = match (&subjects, &identified) {
            (Some(systems), _) => {
                let scores = |&run: &usize| SubjectScores {
                    columns: borrowed[run].clone(),
                    pseudo_values: identified.as_ref().map(|found| found[run].pseudo_values),
                    too_low_by: identified
                        .as_ref()
                        .map_or(0.0, |found| found[run].too_low_by),
                };
                let of_system = |system: &SystemSubjects| system.runs.iter().map(scores).collect();
                let scores: Vec<Vec<SubjectScores<'_>>> = systems.iter().map(of_system).collect();
                let (population, bootstrap) = (options.population, &options.bootstrap);
                let found =
                    compare_subjects(&scores, &stimuli, direction, test, population, bootstrap)?;
                let within = |found: Estimate| Ok(bounded(found, range, bootstrap)?);
                let within = |found: Vec<Estimate>| found.into_iter().map(within).collect();
                let of_subjects = found.subjects.into_iter().map(within);
                of_metrics.push(of_subjects.collect::<Result<Vec<Vec<Estimate>>, Error>>()?);
                found.comparison
            }
            (None, Some(systems)) => {
                compare_identifications(systems, &stimuli, direction, test, &options.bootstrap)?
            }
            (None, None) => {
                compare_over_stimuli(&borrowed, &stimuli, direction, test, &options.bootstrap)?
            }
        };
        clip(&mut comparison, range, options)?;
        if comparison.n_dropped > 0 {
            notes.push(format!(
                "{}: {} of {} {unit} left out because it is undefined there for some system",
                metric.spec.label,
                comparison.n_dropped,
                shared.len()
            ));
        }
        if metric.compute.is_of_all_pairs()
            && runs.iter().any(|run| run.scores.pairs.len() > shared.len())
        {
            notes.push(format!(
                "{}: of the shared {unit} to first order, since it is computed of all {unit} of a run together",
                metric.spec.label
            ));
        }
        notes.extend(pools::difference(metric, runs, &names));
        let has_all = |pair: &usize| {
            borrowed
                .iter()
                .flatten()
                .all(|column| column[*pair].is_ok())
        };
        let shown: Vec<usize> = (0..shared.len()).filter(has_all).collect();
        let of_runs: Option<Vec<Vec<Outcome>>> = borrowed
            .iter()
            .map(|columns| match columns.as_slice() {
                [column] => Some(shown.iter().map(|&pair| column[pair].clone()).collect()),
                _ => None,
            })
            .collect();
        let of_systems = of_runs.map(|columns| match &subjects {
            None => columns,
            Some(systems) => {
                let mean = |system: &SystemSubjects| {
                    let runs = system.runs.iter().map(|&run| columns[run].as_slice());
                    mean_over(&runs.collect::<Vec<&[Outcome]>>())
                };
                systems.iter().map(mean).collect()
            }
        });
        let values = of_systems.map(|columns| {
            let values = columns
                .into_iter()
                .map(|c| c.into_iter().flatten().collect());
            values.collect::<Vec<Vec<f64>>>()
        });
        pairs.extend(values.map(|values| (metric.spec.id, values)));
        metrics.push((metric, comparison));
        by_stimuli.extend(identified.map(|_| metric.spec.id));
    }
    notes.extend(pools::of_earlier_versions(runs, &metrics, &by_stimuli));
    if metrics.is_empty() {
        return Err(no_shared_metric(runs, &names));
    }
    let table = table(
        &systems,
        (&metrics, subjects.as_deref().zip(Some(&of_metrics))),
        (runs, &compared, &by_stimuli),
        (shared.len(), unit),
        options,
        notes,
    );
    let by_dimension = options.by_dimension.then(|| {
        dimensions::compared(
            (&systems, &names),
            runs,
            subjects.as_deref(),
            (&shared, &stimuli),
            (&compared, options),
        )
    });
    let by_dimension = by_dimension.transpose()?;
    let mut provenance = Provenance::new(SCHEMA, "compare", Some(options.bootstrap.seed.0));
    for (run, name) in runs.iter().zip(&names) {
        let path = run.folder.root().join("scores.parquet");
        provenance.read(format!("scores/{name}"), &path)?;
    }
    let json = render(&table, Format::Json, None)?;
    let record = CompareRecord {
        provenance,
        request: CompareRequest {
            runs: runs
                .iter()
                .map(|run| run.folder.root().to_owned())
                .collect(),
            options: options.clone(),
        },
        subjects: subjects.clone(),
        table: serde_json::from_str(&json).unwrap_or_default(),
        differences: {
            let tested = metrics.iter().map(|(metric, comparison)| Tested {
                id: metric.spec.id,
                dimension: None,
                is_tested: compared.tests(metric),
                comparison,
            });
            differences(&systems, tested, n_family, options)?
        },
        by_dimension,
    };
    Ok(SystemComparison {
        systems,
        runs: names,
        subjects,
        of_subjects: of_metrics,
        metrics,
        table,
        record,
        pairs,
    })
}

/// Means are within the metric's range, and differences within a range twice as wide.
pub(super) fn clip(
    comparison: &mut Comparison,
    range: (f64, f64),
    options: &CompareOptions,
) -> Result<(), Error> {
    for standing in &mut comparison.systems {
        let found = standing.estimate.clone();
        standing.estimate = match options.population {
            SubjectPopulation::These => bounded(found, range, &options.bootstrap)?,
            // That all pairs score 1 says nothing of other subjects.
            SubjectPopulation::New => found.within(range),
        };
    }
    let most = range.1 - range.0;
    for difference in &mut comparison.differences {
        let ends = difference.interval;
        difference.interval = ends.map(|(low, high)| (low.max(-most), high.min(most)));
    }
    Ok(())
}

impl SystemComparison {
    /// Every difference between two systems, metric by metric.
    pub fn differences(&self) -> &[NamedDifference] {
        &self.record.differences
    }

    /// BASIC-H by dimension, if that was asked for.
    pub fn by_dimension(&self) -> Option<&ComparedDimensions> {
        self.record.by_dimension.as_ref()
    }

    /// The tables by dimension, for reading; empty if they were not asked for.
    pub fn dimension_tables(&self, format: Format) -> Vec<TextTable> {
        self.named_dimension_tables(format)
            .into_iter()
            .map(|(_, table)| table)
            .collect()
    }

    /// The same, with the names of their files.
    fn named_dimension_tables(&self, format: Format) -> Vec<(&'static str, TextTable)> {
        let Some(found) = self.by_dimension() else {
            return Vec::new();
        };
        let differences = &found.differences;
        let (scores, differences) = match format {
            Format::Csv => (
                found.rows(&self.systems),
                all_differences(differences, |_| found.stand_in),
            ),
            _ => (
                found.table(&self.systems, &self.table),
                table::differences(
                    differences,
                    |_| found.stand_in,
                    &self.table,
                    &self.record.request.options,
                ),
            ),
        };
        let scores = (DIMENSIONS, scores);
        match self.systems.len() {
            1 => vec![scores],
            _ => vec![scores, (DIMENSION_DIFFERENCES, differences)],
        }
    }

    /// The tables in the form for this format, with the names of their files.
    fn named_tables(&self, format: Format) -> Vec<(&'static str, ResultTable)> {
        let mut tables = vec![("compare.csv", self.table.clone().into())];
        if self.systems.len() > 1 {
            let is_placeholder = |found: &NamedDifference| is_placeholder(&self.table, found);
            let differences = match format {
                Format::Csv => all_differences(self.differences(), is_placeholder),
                _ => table::differences(
                    self.differences(),
                    is_placeholder,
                    &self.table,
                    &self.record.request.options,
                ),
            };
            tables.push(("differences.csv", differences.into()));
        }
        let by_dimension = self.named_dimension_tables(format).into_iter();
        tables.extend(by_dimension.map(|(name, table)| (name, table.into())));
        tables
    }
}

impl Report for SystemComparison {
    const FILES: ResultFiles = ResultFiles {
        record: "compare.json",
        tables: "compare",
        // CSV files hold one table each.
        formats: &[Format::Markdown, Format::LATEX],
    };
    type Record = CompareRecord;

    fn record(&self) -> &CompareRecord {
        &self.record
    }

    fn warnings(&self) -> &[Warning] {
        // They are the table's notes.
        &[]
    }

    fn done(&self) -> String {
        match self.systems.len() {
            1 => format!("{} subjects of one system compared", self.runs.len()),
            n => format!("{n} systems compared"),
        }
    }

    fn tables(&self, format: Format) -> Vec<ResultTable> {
        let tables = self.named_tables(format).into_iter();
        tables.map(|(_, table)| table).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        if self.by_dimension().is_none() {
            for name in [DIMENSIONS, DIMENSION_DIFFERENCES] {
                keep::remove(&folder.join(name))?;
            }
        }
        for (name, table) in self.named_tables(Format::Csv) {
            let text = table.render(Format::Csv, None)?;
            atomic_file::write(&folder.join(name), text.as_bytes())?;
        }
        Ok(())
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.drawn())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        has_figure(stem, ending)
    }
}

/// Folder names, or whole paths where two folders share a name.
fn system_names(folders: &[&RunFolder]) -> Vec<String> {
    let names: Vec<String> = folders.iter().map(|folder| folder.name()).collect();
    let distinct: HashSet<&String> = names.iter().collect();
    if distinct.len() == names.len() {
        return names;
    }
    folders
        .iter()
        .map(|folder| folder.root().display().to_string())
        .collect()
}

fn no_shared_metric(runs: &[&Run], systems: &[String]) -> Error {
    let held: Vec<String> = runs
        .iter()
        .zip(systems)
        .map(|(run, system)| {
            let ids: Vec<&str> = run.scores.columns.iter().map(|c| c.0.as_str()).collect();
            format!("{system} has {}", ids.join(", "))
        })
        .collect();
    Error::Usage(format!("the runs share no metric ({})", held.join("; ")))
}
