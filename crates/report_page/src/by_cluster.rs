//! Compares identification with what the cluster of a stimulus alone gives, for the clusters of an audit.

use crate::confusers::{MOST_PRODUCTS, is_identified, needs_pool};
use crate::feature_files::FeatureFiles;
use neurogauge::core::{Estimate, Undefined};
use neurogauge::formats::{class_labels, content_hash};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::Similarity;
use neurogauge::stats::similarity::{ComparedRows, similarities_between};
use neurogauge::{Error, MetricSummary, Run};
use neurogauge_audit::ceiling::by_cluster_alone;
use neurogauge_audit::two_way_among;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The file of an audit with the cluster of each test stimulus.
const ITEMS: &str = "items.csv";

pub(crate) type Clusters = BTreeMap<String, String>;

/// The clusters of an audit.
///
/// # Errors
/// A folder that `neurogauge audit` did not write.
pub(crate) fn clusters_of(audit: &Path) -> Result<Clusters, Error> {
    let clusters = class_labels::read_single(&audit.join(ITEMS))?;
    content_hash::verify_outputs(&audit.join("audit.json"))?;
    Ok(clusters)
}

/// Every identification accuracy of these runs, the accuracy of a decoder that knows only the cluster, and the accuracy
/// within clusters; `audit` is the folder of an audit of the same stimuli. `None` if the runs have no identification
/// accuracy.
///
/// # Errors
/// A folder that `neurogauge audit` did not write, or an audit of other stimuli.
pub fn beside_clusters(runs: &[(&str, &Run)], audit: &Path) -> Result<Option<Table>, Error> {
    let clusters = clusters_of(audit)?;
    let mut rows = Vec::new();
    for (name, run) in runs {
        for summary in run.summaries()?.iter().filter(|one| is_identified(run, one.metric.spec.id)) {
            rows.push(AccuracyRow::of(name, run, summary, &clusters)?);
        }
    }
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    if rows.iter().all(|row| row.n_clusters == 0) {
        return Err(Error::Usage(format!(
            "{}: none of its stimuli is in {}; expected an audit of the same stimuli, called as in the run",
            audit.join(ITEMS).display(),
            first.system
        )));
    }
    let mut notes = vec![
        "By cluster alone: what a decoder has that knows the cluster of each stimulus and nothing else (in closed form from the clusters' \
         sizes; convention audit-ceiling). Two-way within a cluster: distractors of the same cluster alone; chance is 0.500, ties lose."
            .to_owned(),
    ];
    let reasons: BTreeSet<String> = rows.iter().filter_map(AccuracyRow::reason).collect();
    notes.extend(reasons);
    if rows.iter().any(|row| row.label.contains('†')) {
        notes.push("† rests on a placeholder model: its numbers mean nothing.".to_owned());
    }
    let table = Table::of("Identification beside what the cluster gives alone", rows)
        .column("system", |row| Cell::text(&row.system))
        .column("metric", |row| Cell::text(&row.label))
        .column("accuracy", |row| Cell::estimate(row.all.value.clone(), row.all.interval))
        .column("by cluster alone", |row| Cell::number(row.ceiling).decimals(3))
        .column("two-way within a cluster", |row| match &row.within {
            Ok(found) => Cell::estimate(found.value.clone(), found.interval),
            Err(_) => Cell::Missing,
        })
        .column("clusters", |row| Cell::Count(row.n_clusters))
        .noted(notes);
    Ok(Some(table))
}

struct AccuracyRow {
    system: String,
    label: String,
    all: Estimate,
    ceiling: Option<f64>,
    within: Result<Estimate, String>,
    n_clusters: usize,
}

impl AccuracyRow {
    fn of(system: &str, run: &Run, summary: &MetricSummary, clusters: &Clusters) -> Result<Self, Error> {
        let id = summary.metric.spec.id;
        let stimuli = run.record.stimuli_of(&run.scores.pairs);
        let outcomes = run.scores.column(id).unwrap_or_default();
        // Pairs of the same stimulus are not each other's distractors, so a stimulus counts once.
        let pairs = run.scores.pairs.iter().zip(&stimuli).zip(outcomes);
        let known: BTreeMap<usize, &String> = pairs
            .filter(|(_, outcome)| outcome.is_ok())
            .filter_map(|((stem, stimulus), _)| Some((*stimulus, clusters.get(stem)?)))
            .collect();
        let mut sizes: BTreeMap<&String, usize> = BTreeMap::new();
        known.values().for_each(|cluster| *sizes.entry(cluster).or_default() += 1);
        let options = &run.record.request.options.identification;
        let sizes: Vec<usize> = sizes.into_values().collect();
        let ceiling = match needs_pool(id) {
            true => None,
            false => by_cluster_alone(&sizes, options.n_way, options.top_k),
        };
        let dagger = if summary.stand_in { "†" } else { "" };
        Ok(AccuracyRow {
            system: system.to_owned(),
            label: match options.n_way {
                2 => format!("{}{dagger}", summary.label),
                n => format!("{}{dagger} ({n} ways)", summary.label),
            },
            all: summary.estimate.clone(),
            ceiling,
            within: within(run, id, &stimuli, clusters),
            n_clusters: sizes.len(),
        })
    }

    /// Why there is no accuracy within clusters.
    fn reason(&self) -> Option<String> {
        let reason = self.within.as_ref().err()?;
        Some(format!("{}, {}, within a cluster: {reason}.", self.system, self.label))
    }
}

/// Two-way identification among stimuli of the same cluster, by the features that the run stored or received.
fn within(run: &Run, id: &str, stimuli: &[usize], clusters: &Clusters) -> Result<Estimate, String> {
    if needs_pool(id) {
        return Err("its distractors are a pool, whose clusters are not known".to_owned());
    }
    let files = FeatureFiles::find(run, id, false)?;
    if files.n_products > MOST_PRODUCTS {
        return Err(format!(
            "rows of {} values take too long to compare here; give them to `neurogauge audit`",
            files.n_features
        ));
    }
    let opened = files.open(run)?;
    let pairs: Vec<usize> = (0..opened.rows.len())
        .filter(|&pair| opened.rows[pair].is_some())
        .filter(|&pair| clusters.contains_key(&run.scores.pairs[pair]))
        .collect();
    let options = &run.record.request.options.identification;
    let [query, own] = opened.compared(options.direction, &pairs);
    let compute = || -> Result<Estimate, Error> {
        let query = ComparedRows::new(&query, Similarity::Correlation)?;
        let own = ComparedRows::new(&own, Similarity::Correlation)?;
        let n = pairs.len();
        let found = similarities_between((&query, 0..n), (&own, 0..n))?;
        let cluster = |pair: usize| clusters.get(&run.scores.pairs[pairs[pair]]);
        let counts = |i: usize, j: usize| stimuli[pairs[i]] != stimuli[pairs[j]] && cluster(i) == cluster(j);
        two_way_among(&found, counts, &run.record.request.bootstrap)
    };
    let found = compute().map_err(|error| error.to_string())?;
    match found.value {
        Ok(_) => Ok(found),
        Err(Undefined::EmptyPool | Undefined::NoPairs) => Err("no stimulus has another one in its cluster".to_owned()),
        Err(reason) => Err(reason.to_string()),
    }
}
