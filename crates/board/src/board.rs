//! Compares entries.

use crate::addresses::addresses;
use crate::entry::{CARD, Entry, Printed};
use neurogauge::core::{Estimate, Finding, MetricSpec};
use neurogauge::formats::IoResult;
use neurogauge::formats::names_below::own_file;
use neurogauge::metrics::{Metric, find, in_order};
use neurogauge::{CompareOptions, Error, NamedDifference, Progress, Run, compare_runs, read_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardConfig {
    pub title: String,
    /// A paragraph below the title.
    #[serde(default)]
    pub about: String,
    /// Folders of entries, or folders with entries inside, relative to the file.
    pub entries: Vec<PathBuf>,
    /// Ids of metrics, in the order of columns; by default all metrics of the entries.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// May the systems of one table have seen different stimuli?
    #[serde(default)]
    pub mixed: bool,
    /// Does the site have a table of every pair's scores for each entry? By default it does if the entries have at most
    /// four million scores.
    pub pairs: Option<bool>,
    /// Number of stimuli whose pictures the first page shows with each system's reconstruction. Published pictures need
    /// their owners' permission, so there are none by default.
    #[serde(default)]
    pub pictures: usize,
}

/// The record in the folder of a run.
const RUN: &str = "run.json";

/// The most scores for which a site has tables by default: about ten megabytes.
const MOST_SCORES: usize = 4_000_000;

#[derive(Debug, Clone)]
pub struct Cell {
    /// Mean and interval over the pairs that all systems in the column have.
    pub estimate: Estimate,
    /// Best and worst rank that the tests allow; `None` if nothing is compared.
    pub ranks: Option<(f64, f64)>,
    pub printed: Option<Printed>,
}

#[derive(Debug, Clone)]
pub struct MetricColumn {
    pub spec: MetricSpec,
    /// A cell for each row of the table; `None` if the entry lacks the metric.
    pub cells: Vec<Option<Cell>>,
    /// The differences between every two systems.
    pub differences: Vec<NamedDifference>,
}

/// The entries with the same protocol and subject.
#[derive(Debug)]
pub struct BoardTable {
    pub protocol: &'static str,
    pub subject: String,
    /// Indices of the entries, one for each row, sorted by system.
    pub entries: Vec<usize>,
    pub columns: Vec<MetricColumn>,
}

impl BoardTable {
    /// The rows by their mean rank over the metrics, the best first; systems without ranks come last.
    pub(crate) fn by_rank(&self) -> Vec<usize> {
        let mean_rank = |row: usize| {
            let ranks = self.columns.iter().filter_map(|column| column.cells[row].as_ref()?.ranks);
            neurogauge::stats::mean(ranks.map(|(best, worst)| f64::midpoint(best, worst))).unwrap_or(f64::INFINITY)
        };
        let mut rows: Vec<usize> = (0..self.entries.len()).collect();
        rows.sort_by(|&a, &b| mean_rank(a).total_cmp(&mean_rank(b)));
        rows
    }
}

/// Everything that the site shows.
#[derive(Debug)]
pub struct Board {
    pub config: BoardConfig,
    /// Sorted by system and subject.
    pub entries: Vec<Entry>,
    /// Sorted by protocol and subject.
    pub tables: Vec<BoardTable>,
    /// Runs that were left out, and impossible printed values.
    pub findings: Vec<Finding>,
    pub(crate) addresses: Addresses,
}

/// Names of the site's files, without extension.
#[derive(Debug)]
pub(crate) struct Addresses {
    pub(crate) systems: BTreeMap<String, String>,
    /// By id of the metric.
    pub(crate) metrics: BTreeMap<String, String>,
    /// By [`key_of`] the entry.
    entries: BTreeMap<String, String>,
}

impl Addresses {
    fn of(entries: &[Entry]) -> Self {
        let metrics = entries.iter().flat_map(|entry| &entry.run.scores.columns);
        let keys: Vec<String> = entries.iter().map(key_of).collect();
        Addresses {
            systems: addresses(entries.iter().map(|entry| entry.card.system.as_str())),
            metrics: addresses(metrics.map(|(id, _)| id.as_str())),
            entries: addresses(keys.iter().map(String::as_str)),
        }
    }
}

/// The system, the subject and, if known, the protocol of an entry, which identify it. No name contains the control
/// character between them.
fn key_of(entry: &Entry) -> String {
    let (system, subject) = (&entry.card.system, &entry.card.subject);
    let protocol = entry.protocol.map(|protocol| format!("\u{1}{}", protocol.id));
    format!("{system}\u{1}{subject}{}", protocol.unwrap_or_default())
}

impl Board {
    /// The number of scores of all entries, if it is too large for tables of every pair.
    pub(crate) fn n_left_out(&self) -> Option<usize> {
        let entries = self.entries.iter();
        let n_scores = entries.map(|entry| entry.run.scores.pairs.len() * entry.run.scores.columns.len()).sum();
        let kept = self.config.pairs.unwrap_or(n_scores <= MOST_SCORES);
        (!kept).then_some(n_scores)
    }

    /// The file name of an entry, without extension.
    pub(crate) fn entry_address(&self, place: usize) -> &str {
        &self.addresses.entries[&key_of(&self.entries[place])]
    }

    /// The address of a metric's pairs; `up` leads from the page to the site's folder.
    pub(crate) fn cell_address(&self, place: usize, metric: &str, up: &str) -> String {
        let (entry, metric) = (self.entry_address(place), &self.addresses.metrics[metric]);
        format!("{up}entry/{entry}.html#{metric}")
    }
}

/// Reads the entries of a `board.toml` and compares them.
///
/// # Errors
/// A malformed file, no entry, entries of the same system, subject and protocol, unknown metrics, systems of one table
/// with different stimuli unless the file says `mixed = true`; errors of runs.
pub fn board(config: &Path, progress: &dyn Progress) -> Result<Board, Error> {
    let path = config;
    let config: BoardConfig = read_toml(path)?;
    let refused = |reason: String| Error::Usage(format!("{}: {reason}", path.display()));
    let beside = path.parent().unwrap_or(Path::new(""));
    let (mut entries, mut findings) = (Vec::new(), Vec::new());
    for folder in &config.entries {
        // Whoever makes the board chooses its entries, so they may be anywhere.
        #[allow(clippy::disallowed_methods)]
        let folder = beside.join(folder);
        for folder in folders_of(&folder, &mut findings)? {
            progress.detail(&format!("entry {}", folder.display()));
            let entry = Entry::read(&folder, &config.metrics)?;
            entry.check_protocol()?;
            findings.extend(impossible_values(&entry));
            entries.push(entry);
        }
    }
    if entries.is_empty() {
        return Err(refused(format!(
            "entries: none has a {CARD}; expected folders of finished runs with a card, or folders of such folders"
        )));
    }
    let key = |entry: &Entry| {
        let card = &entry.card;
        (entry.protocol_id(), card.subject.clone(), card.system.clone())
    };
    entries.sort_by_key(key);
    let twice = entries.windows(2).find(|pair| key(&pair[0]) == key(&pair[1]));
    if let Some([one, other]) = twice {
        return Err(refused(format!(
            "{} and {} are both of {}, {}; give one of them another name of system or subject",
            one.folder.display(),
            other.folder.display(),
            one.card.system,
            one.card.subject
        )));
    }
    if let Some(id) = config.metrics.iter().find(|id| in_order([id.as_str()]).is_empty()) {
        return Err(refused(format!("metrics: no metric is called {id:?}; `neurogauge list metrics` lists all")));
    }
    let mut groups: BTreeMap<(&'static str, String), Vec<usize>> = BTreeMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let group = (entry.protocol_id(), entry.card.subject.clone());
        groups.entry(group).or_default().push(place);
    }
    let mut tables = Vec::new();
    for ((protocol, subject), places) in groups {
        let of_group: Vec<&Entry> = places.iter().map(|&place| &entries[place]).collect();
        if !config.mixed {
            same_stimuli(&of_group).map_err(refused)?;
        }
        tables.push(BoardTable {
            protocol,
            subject,
            columns: columns(&of_group, &config.metrics)?,
            entries: places,
        });
    }
    Ok(Board {
        config,
        addresses: Addresses::of(&entries),
        entries,
        tables,
        findings,
    })
}

/// Values in the card that the metric cannot have, such as percentages.
fn impossible_values(entry: &Entry) -> Vec<Finding> {
    let printed = entry.card.printed.iter();
    let outside = |(id, printed): (&String, &Printed)| {
        let (Printed::Value(value) | Printed::By { value, .. }) = printed;
        let (low, high) = find(id)?.spec.range;
        let is_inside = (low..=high).contains(value);
        (!is_inside).then(|| {
            Finding::warning(
                "impossible_value",
                own_file(&entry.folder, CARD).display().to_string(),
                format!("printed.{id} = {value}: expected a value from {low} to {high}, in the units of the metric"),
            )
        })
    };
    printed.filter_map(outside).collect()
}

/// The folder itself if it is an entry, otherwise the entries in it, sorted by name. Finished runs without a card give
/// a warning.
fn folders_of(folder: &Path, findings: &mut Vec<Finding>) -> Result<Vec<PathBuf>, Error> {
    if own_file(folder, CARD).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let expected = "a folder of entries, since board.toml names it";
    let listed = std::fs::read_dir(folder).when_expecting("reading", folder, expected)?;
    let mut folders: Vec<PathBuf> = listed.filter_map(|item| Some(item.ok()?.path())).collect();
    folders.sort();
    let (entries, others): (Vec<PathBuf>, Vec<PathBuf>) =
        (folders.into_iter()).partition(|item| own_file(item, CARD).is_file());
    let runs = others.iter().filter(|item| own_file(item, RUN).is_file());
    findings.extend(runs.map(|run| {
        let message = format!(
            "a run without a {CARD} is no entry and is left out; write one with at least system = \"...\" and subject = \"...\""
        );
        Finding::warning("run_without_card", run.display().to_string(), message)
    }));
    Ok(entries)
}

/// Fails if two entries have stimuli of the same kind with different content, or different pairs.
fn same_stimuli(entries: &[&Entry]) -> Result<(), String> {
    let Some((first, others)) = entries.split_first() else {
        return Ok(());
    };
    let names = |other: &Entry| format!("{} and {}", first.folder.display(), other.folder.display());
    for other in others {
        if other.run.scores.pairs != first.run.scores.pairs {
            return Err(format!(
                "{} have different pairs ({} and {}); say mixed = true to compare them on those they share",
                names(other),
                first.run.scores.pairs.len(),
                other.run.scores.pairs.len()
            ));
        }
        let stimuli = |run: &Run| -> BTreeMap<String, String> {
            let of_gt = run.record.provenance.inputs.iter().filter(|input| input.role.starts_with("gt/"));
            of_gt.map(|input| (input.role.clone(), input.sha256.clone())).collect()
        };
        let own = stimuli(&first.run);
        let differing = stimuli(&other.run)
            .into_iter()
            .find(|(role, sha256)| own.get(role).is_some_and(|first| first != sha256));
        if let Some((role, _)) = differing {
            return Err(format!(
                "{} have different {role}: their stimuli or the order of them differ; say mixed = true to compare them all the same",
                names(other)
            ));
        }
    }
    Ok(())
}

fn columns(entries: &[&Entry], metrics: &[String]) -> Result<Vec<MetricColumn>, Error> {
    let all = entries.iter().flat_map(|entry| &entry.run.scores.columns);
    let ids: Vec<&str> = match metrics {
        [] => all.map(|(id, _)| id.as_str()).collect(),
        chosen => chosen.iter().map(String::as_str).collect(),
    };
    let mut known = in_order(ids.iter().copied());
    if !metrics.is_empty() {
        known.sort_by_key(|metric| ids.iter().position(|id| *id == metric.spec.id));
    }
    // Metrics that the same entries have are compared in one call.
    let mut together: BTreeMap<Vec<usize>, Vec<&'static Metric>> = BTreeMap::new();
    for metric in &known {
        let has = |row: &usize| entries[*row].run.scores.column(metric.spec.id).is_some();
        let having: Vec<usize> = (0..entries.len()).filter(has).collect();
        together.entry(having).or_default().push(*metric);
    }
    let mut columns = Vec::new();
    for (having, metrics) in together {
        if having.is_empty() {
            continue;
        }
        let names = having.iter().map(|&row| entries[row].card.system.clone());
        let runs: Vec<&Run> = having.iter().map(|&row| &entries[row].run).collect();
        let options = CompareOptions {
            metrics: metrics.iter().map(|metric| metric.spec.id.to_owned()).collect(),
            ..CompareOptions::default()
        };
        let compared = compare_runs(names.collect(), &runs, &options)?;
        for (metric, comparison) in &compared.metrics {
            let id = metric.spec.id;
            let mut cells = vec![None; entries.len()];
            for (&row, standing) in having.iter().zip(&comparison.systems) {
                cells[row] = Some(Cell {
                    estimate: standing.estimate.clone(),
                    ranks: standing.rank_interval.filter(|_| runs.len() > 1),
                    printed: entries[row].card.printed.get(id).cloned(),
                });
            }
            let differences = compared.differences().iter().filter(|difference| difference.metric == id);
            columns.push(MetricColumn {
                spec: metric.spec,
                cells,
                differences: differences.collect(),
            });
        }
    }
    let place = |column: &MetricColumn| known.iter().position(|metric| metric.spec.id == column.spec.id);
    columns.sort_by_key(place);
    Ok(columns)
}
