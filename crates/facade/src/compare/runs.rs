//! Compares runs: estimates, ranks and differences of systems, metric by metric.

use super::comparison::{CompareRecord, CompareRequest, SystemComparison};
use super::conditions::{note_counted_samples, note_differing_conditions, note_same_scores};
use super::differences::{Differences, Tested};
use super::dimensions;
use super::mixed_protocols::refuse_mixed;
use super::options::{CompareOptions, Compared, HolmFamily};
use super::shared_pairs::{shared_pairs, shared_stimuli, unit};
use super::shared_runs::{ComparedMetric, SharedRuns};
use super::subjects;
use super::table::table;
use crate::results::Provenance;
use crate::score::{Run, load_run};
use crate::{Error, RunFolder, shared_names};
use itertools::Itertools;
use neurogauge_core::first_names;
use neurogauge_metrics::Metric;
use std::collections::HashSet;
use std::mem::take;
use std::path::PathBuf;

/// Increased when the layout of `compare.json` changes.
const SCHEMA: u32 = 3;

/// Compares finished runs over their shared pairs: intervals of means, and a test with an interval for every
/// difference. They are called by `names`, or by the names of their folders.
pub fn compare(
    roots: &[PathBuf],
    names: Option<Vec<String>>,
    options: &CompareOptions,
) -> Result<SystemComparison, Error> {
    if roots.len() < 2 {
        return Err(Error::Usage("compare needs at least two run folders".into()));
    }
    if let Some(twice) = given_twice(roots) {
        let twice = twice.display();
        return Err(Error::Usage(format!("{twice} is given twice, and a run cannot be compared with itself")));
    }
    let (mut runs, mut stems): (Vec<Run>, _) = (Vec::with_capacity(roots.len()), None);
    for root in roots {
        let mut run = load_run(root)?;
        let first = runs.first().map_or(&[][..], |first| &first.record.provenance.inputs);
        // Only stimuli that differ from those of the first run are noted, and thousands of runs have millions of items.
        for input in &mut run.record.provenance.inputs {
            let is_known = first.iter().any(|own| (&own.role, &own.sha256) == (&input.role, &input.sha256));
            if is_known || !input.role.starts_with("gt/") {
                input.items = Vec::new();
            }
        }
        run.share_stems(&mut stems);
        runs.push(run);
    }
    let names = match (names, &options.subjects) {
        (Some(names), _) => names,
        (None, None) => system_names(&runs.iter().map(|run| &run.folder).collect::<Vec<_>>()),
        (None, Some(_)) => {
            let path = |run: &Run| {
                let root = run.folder.root();
                std::path::absolute(root).unwrap_or_else(|_| root.to_owned()).display().to_string()
            };
            runs.iter().map(path).collect()
        }
    };
    compare_runs(names, &runs.iter().collect::<Vec<_>>(), options)
}

/// Compares runs that are already read, under the given names.
pub fn compare_runs(names: Vec<String>, runs: &[&Run], options: &CompareOptions) -> Result<SystemComparison, Error> {
    options.check()?;
    let mut notes = Vec::new();
    let compared = Compared::of(runs, options)?;
    let pattern = options.subjects.as_ref();
    let mut subjects = pattern.map(|p| subjects::grouped(p, &names)).transpose()?;
    let (systems, names) = match &mut subjects {
        None => {
            let fits = |pattern: &_| subjects::grouped(pattern, &names).is_ok();
            notes.extend(shared_names::of_runs(&names, fits));
            (names.clone(), names)
        }
        Some(systems) => {
            subjects::in_one_order(systems);
            notes.extend(subjects::notes(systems, options.population));
            let of_systems = systems.iter().map(|system| system.system.clone());
            (of_systems.collect::<Vec<String>>(), subjects::run_names(systems, runs.len()))
        }
    };
    if !options.mixed {
        refuse_mixed(runs, &names)?;
    }
    let shared = shared_pairs(runs, &names, subjects.as_deref(), &mut notes)?;
    let n_stimuli = shared_stimuli(runs, &shared).into_iter().collect::<HashSet<_>>().len();
    if n_stimuli == shared.len() {
        notes.extend(shared_names::of_pairs(&shared, false).map(|found| found.to_string()));
    }
    let unit = unit(runs);
    note_differing_conditions(runs, &names, &mut notes);
    note_counted_samples(runs, &names, &mut notes);
    note_same_scores(runs, &names, &mut notes);
    let of_runs = SharedRuns::of(runs, (&names, subjects.as_deref()), (&shared, unit), options);
    let included: Vec<&'static Metric> =
        of_runs.metrics().into_iter().filter(|metric| compared.includes(metric)).collect();
    let n_tested = included
        .iter()
        .filter(|metric| compared.tests(metric) && of_runs.lacking(metric).is_empty())
        .count();
    let n_differences = systems.len() * (systems.len() - 1) / 2;
    let n_family = match options.holm {
        HolmFamily::Metric => n_differences,
        HolmFamily::All => n_tested * n_differences,
    };
    let mut found: Vec<(&'static Metric, ComparedMetric)> = Vec::new();
    for metric in included {
        let lacking = of_runs.lacking(metric);
        if !lacking.is_empty() {
            let lacking = first_names(&lacking);
            if compared.demands(metric) {
                return Err(Error::Usage(format!(
                    "{} is not scored for {lacking}; score it there too, or leave it out of --metrics",
                    metric.spec.id
                )));
            }
            notes.push(format!("{} is not compared: not scored for {lacking}", metric.spec.label));
            continue;
        }
        found.push((metric, of_runs.compared(metric, n_family, &mut notes)?));
    }
    if found.is_empty() {
        return Err(no_shared_metric(runs, &names));
    }
    let names_of_subjects = subjects::same_names(subjects.as_deref());
    let tested = found.iter_mut().map(|(metric, own)| {
        let of_subjects = own.found.differences.iter_mut().map(take);
        let one_sided = own.one_sided.take();
        Tested {
            equivalence: (options.equivalence.zip(one_sided))
                .map(|(bound, (level, found))| (bound, level, found.differences)),
            subjects: names_of_subjects.iter().cloned().zip(of_subjects).collect(),
            ..Tested::of((metric.spec.id, None, compared.tests(metric)), &mut own.found.comparison)
        }
    });
    let mut differences = Differences::of(&systems, tested.collect(), n_family, options)?;
    for ((_, own), tested) in found.iter_mut().zip(&mut differences.by) {
        tested.rank(&mut own.found.comparison, 1.0 - options.bootstrap.level);
    }
    let mut table = table(
        &systems,
        (&found, &differences, subjects.as_deref()),
        (runs, &compared),
        (shared.len(), unit),
        options,
        notes,
    );
    for row in &mut table.rows {
        let of_system = |run: &usize| match &subjects {
            Some(systems) => systems.iter().any(|s| s.system == row.system && s.runs.contains(run)),
            None => names[*run] == row.system,
        };
        let runs: Vec<usize> = (0..names.len()).filter(of_system).collect();
        let reasons = |(_, own): &(_, ComparedMetric)| {
            runs.iter().map(|run| own.lacking[*run].as_str()).filter(|why| !why.is_empty()).join("; ")
        };
        row.undefined = Some(found.iter().map(reasons).collect());
    }
    let by_dimension = options.by_dimension.then(|| dimensions::compared(&systems, &of_runs, &shared, &compared));
    let by_dimension = by_dimension.transpose()?;
    let mut provenance = Provenance::new(SCHEMA, "compare", Some(options.bootstrap.seed.0));
    for (run, name) in runs.iter().zip(&names) {
        let path = run.folder.root().join("scores.parquet");
        provenance.read(format!("scores/{name}"), &path)?;
    }
    let written = table.table()?;
    let record = CompareRecord {
        provenance,
        request: CompareRequest {
            runs: runs.iter().map(|run| run.folder.root().to_owned()).collect(),
            options: options.clone(),
        },
        subjects: subjects.clone(),
        table: serde_json::from_str(&written.json()).unwrap_or_default(),
        differences,
        by_dimension,
    };
    let mut whole = SystemComparison {
        systems,
        runs: names,
        subjects,
        of_subjects: Vec::new(),
        metrics: Vec::new(),
        table,
        written,
        record,
        pairs: Vec::new(),
    };
    for (metric, own) in found {
        whole.of_subjects.extend(whole.subjects.is_some().then_some(own.found.subjects));
        whole.pairs.extend(own.pairs.map(|values| (metric.spec.id, values)));
        whole.metrics.push((metric, own.found.comparison));
    }
    Ok(whole)
}

/// A folder that occurs twice.
fn given_twice(roots: &[PathBuf]) -> Option<&PathBuf> {
    let mut known = HashSet::new();
    let mut roots = roots.iter();
    roots.find(|root| std::fs::canonicalize(root).is_ok_and(|whole| !known.insert(whole)))
}

/// Folder names, or whole paths if two folders share a name.
fn system_names(folders: &[&RunFolder]) -> Vec<String> {
    let names: Vec<String> = folders.iter().map(|folder| folder.name()).collect();
    let distinct: HashSet<&String> = names.iter().collect();
    if distinct.len() == names.len() {
        return names;
    }
    folders.iter().map(|folder| folder.root().display().to_string()).collect()
}

fn no_shared_metric(runs: &[&Run], systems: &[String]) -> Error {
    let ids = |run: &Run| run.scores.columns.iter().map(|(id, _)| id).join(", ");
    let held = runs.iter().zip(systems).map(|(run, system)| format!("{system} has {}", ids(run))).join("; ");
    Error::Usage(format!("the runs share no metric ({held})"))
}
