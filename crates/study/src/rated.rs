//! Compares metrics with people, for each system with rated reconstructions.

use crate::config::{StudyConfig, StudyRatings};
use crate::published::survey_of;
use crate::scoring::{System, of_system};
use crate::shown_metrics::{held_against_people, label, parts};
use neurogauge::core::Input;
use neurogauge::core::option_words::{ConfigTable, in_table};
use neurogauge::formats::metric_table;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::marked;
use neurogauge::stats::{RankDifference, rank_differences};
use neurogauge::{Error, Report, RunSettings};
use neurogauge_meta::{
    CombinationRequest, CombineWhen, MetaRequest, MetaRun, MetricRole, RatingScale, WorstCaseRequest, meta, oriented,
};
use serde_json::Value;
use std::path::Path;

/// The options of `neurogauge meta` that a study has.
const RATINGS: ConfigTable = ConfigTable {
    name: "its [[ratings]]",
    keys: &[
        "item-column",
        "rater-column",
        "value-column",
        "join",
        "pairs",
        "scale",
        "missing",
        "lower-is-better",
        "higher-is-better",
    ],
};

#[derive(Debug)]
pub(crate) struct Rated<'a> {
    pub(crate) system: &'a System,
    pub(crate) ratings: &'a StudyRatings,
    /// The published survey that the configuration names for these ratings.
    pub(crate) survey: Option<&'static Value>,
    /// Path relative to the study's folder.
    pub(crate) place: String,
    /// Names of other metrics, from files.
    pub(crate) further: Vec<String>,
    pub(crate) meta: MetaRun,
}

/// Compares the metrics of each rated system with people.
pub(crate) fn rate_all<'a>(config: &'a StudyConfig, systems: &'a [System]) -> Result<Vec<Rated<'a>>, Error> {
    let rated = systems.iter().filter_map(|system| {
        let ratings = config.ratings_of(&system.name)?;
        Some(rate(config, system, ratings))
    });
    rated.collect()
}

/// A request with a system's ratings, to be completed.
pub(crate) fn request(config: &StudyConfig, ratings: &StudyRatings) -> MetaRequest {
    MetaRequest {
        human: ratings.file.clone(),
        item_column: ratings.item_column.clone(),
        rater_column: ratings.rater_column.clone(),
        value_column: ratings.value_column.clone(),
        join: ratings.join.clone(),
        pairs: ratings.pairs,
        scale: ratings.scale.map(|(low, high)| RatingScale::Ends(low, high)),
        missing: ratings.missing.clone(),
        options: config.meta,
        combinations: CombinationRequest {
            when: CombineWhen::Off,
            ..CombinationRequest::default()
        },
        ..MetaRequest::default()
    }
}

fn rate<'a>(config: &StudyConfig, system: &'a System, ratings: &'a StudyRatings) -> Result<Rated<'a>, Error> {
    let of_run = held_against_people(config, &system.run.scores);
    let parts = parts(&system.run.scores).into_iter().map(str::to_owned);
    let worst_of: Vec<String> = parts.filter(|part| of_run.contains(part)).collect();
    let inputs = &system.run.record.request.inputs;
    let there = |input| inputs.get(input).filter(|path| path.exists()).map(Path::to_owned);
    let mut only = of_run;
    for path in &ratings.scores {
        let table = metric_table::read_by(path, ratings.item_column.as_deref());
        only.extend(
            table
                .map_err(|error| of_system(&system.name)(error.into()))?
                .metrics
                .into_iter()
                .map(|(name, _)| name),
        );
    }
    let run = system.run.folder.root();
    let request = MetaRequest {
        metrics: [run.to_owned()].into_iter().chain(ratings.scores.clone()).collect(),
        combinations: CombinationRequest {
            when: match only.len() {
                0 | 1 => CombineWhen::Off,
                _ => CombineWhen::On,
            },
            ..CombinationRequest::default()
        },
        worst_cases: WorstCaseRequest {
            n: config.examples.n,
            others_agree: (worst_of.len() > 1).then_some(config.examples.others_agree),
            metrics: worst_of,
            groups: None,
            gt: there(Input::GT),
            recon: there(Input::RECON),
            reading: system.run.record.request.reading,
        },
        only,
        first_keeps_names: true,
        lower_is_better: ratings.lower_is_better.clone(),
        higher_is_better: ratings.higher_is_better.clone(),
        classes: ratings.classes.clone(),
        ..request(config, ratings)
    };
    let meta = in_table(&RATINGS, || meta(&request)).map_err(of_system(&system.name))?;
    let roles = meta.record.metrics.iter();
    let run = run.display().to_string();
    let further = roles.filter(|role| role.source != run);
    Ok(Rated {
        further: further.map(|role| role.name.clone()).collect(),
        system,
        ratings,
        survey: survey_of(config, &system.name)?,
        place: format!("meta/{}", system.file_name),
        meta,
    })
}

impl Rated<'_> {
    /// The name of a metric in tables, followed by its file if the run has a metric of the same name.
    pub(crate) fn label(&self, name: &str) -> String {
        let role = self.role(name);
        let of_file = role.and_then(|role| name.strip_prefix(&role.column));
        match (role, of_file) {
            (Some(role), Some(of_file)) => format!("{}{of_file}", label(&role.column)),
            _ => label(name),
        }
    }

    /// The same with a dagger if the metric uses a placeholder model.
    pub(crate) fn labelled(&self, name: &str) -> String {
        marked(&self.label(name), self.is_stand_in(name))
    }

    /// Does a metric use a placeholder model?
    pub(crate) fn is_stand_in(&self, name: &str) -> bool {
        let mut findings = self.meta.record.findings.iter();
        findings.any(|warning| warning.code == "stand_in" && warning.subject == name) || self.system.is_stand_in(name)
    }

    /// The ranks of every item by a metric and by people; `None` without such a metric.
    pub(crate) fn ranks_by(&self, metric: &str) -> Result<Option<Vec<Option<RankDifference>>>, Error> {
        let items = &self.meta.items;
        let column = items.metrics.iter().find(|column| column.name == metric);
        Ok(column.map(|column| rank_differences(&oriented(column), &items.human)).transpose()?)
    }

    pub(crate) fn role(&self, name: &str) -> Option<&MetricRole> {
        self.meta.record.metrics.iter().find(|role| role.name == name)
    }

    /// Is a metric from the files with other scores?
    pub(crate) fn is_further(&self, name: &str) -> bool {
        self.further.iter().any(|further| further == name)
    }

    /// Writes tables and figures as `neurogauge meta` does.
    pub(crate) fn write(&self, settings: &RunSettings, drawing: &FigureOptions) -> Result<(), Error> {
        let folder = settings.out.join(&self.place);
        self.meta.write_figures(&folder, drawing)?;
        self.meta.write(&folder, settings.latex)
    }
}
