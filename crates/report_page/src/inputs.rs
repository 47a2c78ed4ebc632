//! The runs of a page, and their pairs.

use crate::request::PageRequest;
use neurogauge::core::PairDetails;
use neurogauge::core::pair::natural_cmp;
use neurogauge::{
    CompareOptions, Error, MetricSummary, Reopened, Run, SystemComparison, compare, compare_runs, have_dimensions,
    load_run,
};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

pub(crate) struct System {
    pub(crate) name: String,
    pub(crate) run: Run,
    /// The summaries of its run.
    pub(crate) summaries: Vec<MetricSummary>,
    pub(crate) reopened: Reopened,
    pub(crate) details: Vec<PairDetails>,
    /// For each pair of the page, the index of the run's pair.
    pub(crate) places: Vec<Option<usize>>,
}

impl System {
    /// For each pair of the run, its index on the page.
    pub(crate) fn on_page(&self) -> HashMap<usize, usize> {
        self.places.iter().enumerate().filter_map(|(page, run)| Some(((*run)?, page))).collect()
    }
}

pub(crate) struct Inputs {
    pub(crate) systems: Vec<System>,
    /// Stems of the pairs that any run has, in natural order.
    pub(crate) stems: Vec<String>,
    /// The comparison of the runs; `None` for a single run.
    pub(crate) comparison: Option<SystemComparison>,
    /// The notes of the comparison, or of the single run's table.
    pub(crate) notes: Vec<String>,
}

impl Inputs {
    /// Reads the runs in these folders; `names` are the systems' names, by default the folders' names.
    pub(crate) fn read(folders: &[PathBuf], names: &[String]) -> Result<Self, Error> {
        let runs: Vec<Run> = folders.iter().map(|folder| load_run(folder)).collect::<Result<_, Error>>()?;
        let first = runs
            .first()
            .ok_or_else(|| Error::Usage("a report needs at least one folder of a finished run".into()))?;
        let options = &CompareOptions {
            mixed: true,
            by_dimension: runs.len() > 1 && have_dimensions(&runs)?,
            bootstrap: first.record.request.bootstrap,
            ..CompareOptions::default()
        };
        let comparison = match (runs.len(), names) {
            (1, _) => None,
            (_, []) => Some(compare(folders, None, options)?),
            _ => {
                let runs: Vec<&Run> = runs.iter().collect();
                Some(compare_runs(names.to_vec(), &runs, options)?)
            }
        };
        let names = match (&comparison, names) {
            (Some(comparison), _) => comparison.systems.clone(),
            (None, [name]) => vec![name.clone()],
            _ => vec![first.folder.name()],
        };
        let notes = match &comparison {
            Some(comparison) => comparison.table.notes.clone(),
            None => first.table()?.notes.clone(),
        };
        let all = runs.iter().flat_map(|run| run.scores.pairs.iter().cloned());
        let mut stems: Vec<String> = all.collect::<BTreeSet<_>>().into_iter().collect();
        stems.sort_by(|a, b| natural_cmp(a, b));
        let systems = runs.into_iter().zip(names).map(|(run, name)| {
            Ok::<_, Error>(System {
                places: places(&stems, &run.scores.pairs),
                reopened: run.reopen(),
                details: run.details()?,
                summaries: run.summaries()?.to_vec(),
                name,
                run,
            })
        });
        Ok(Inputs {
            systems: systems.collect::<Result<_, Error>>()?,
            stems,
            comparison,
            notes,
        })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.systems.iter().map(|system| system.name.clone()).collect()
    }
}

/// The comparison of systems by the mean over their subjects; `None` unless the request says that runs are subjects.
pub(crate) fn over_subjects(request: &PageRequest) -> Result<Option<SystemComparison>, Error> {
    let Some((pattern, population)) = &request.subjects else {
        return Ok(None);
    };
    let first = request.runs.first().map(|run| load_run(run)).transpose()?;
    let options = CompareOptions {
        subjects: Some(pattern.clone()),
        population: *population,
        mixed: true,
        bootstrap: first.map_or_else(Default::default, |run| run.record.request.bootstrap),
        ..CompareOptions::default()
    };
    Ok(Some(compare(&request.runs, None, &options)?))
}

/// The index of each of these stems among others.
pub(crate) fn places(stems: &[String], among: &[String]) -> Vec<Option<usize>> {
    let known = among.iter().enumerate();
    let known: HashMap<&str, usize> = known.map(|(place, stem)| (stem.as_str(), place)).collect();
    stems.iter().map(|stem| known.get(stem.as_str()).copied()).collect()
}
