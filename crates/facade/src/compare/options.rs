//! What is compared, and which differences are tested together.

use crate::Error;
use crate::score::Run;
use crate::selection::{named, wanted};
use neurogauge_core::name_pattern::SubjectPattern;
use neurogauge_metrics::{Compute, METRICS, Metric};
use neurogauge_stats::{BootstrapOptions, PairedTest, SubjectPopulation};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How runs are compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareOptions {
    /// Ids or lists of metrics (`nsd8`); empty: every metric that all runs have.
    pub metrics: Vec<String>,
    /// The family of Holm's correction.
    pub holm: HolmFamily,
    /// The test of the differences, which also gives their intervals.
    pub test: PairedTest,
    /// Which runs are subjects of one system; `None` where every run is a system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subjects: Option<SubjectPattern>,
    /// May runs be of different protocols?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mixed: bool,
    /// Whom means over subjects speak of.
    #[serde(skip_serializing_if = "is_of_these")]
    pub population: SubjectPopulation,
    /// Is BASIC-H also compared by dimension?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_dimension: bool,
    /// Intervals.
    pub bootstrap: BootstrapOptions,
}

impl CompareOptions {
    /// The smallest p value that a test over so many stimuli can give, in a family of so many tests.
    pub(super) fn smallest_p(&self, n_stimuli: usize, n_family: usize) -> f64 {
        match self.population {
            SubjectPopulation::These => self.test.smallest_p(n_stimuli, n_family, &self.bootstrap),
            // Student's t has no smallest one.
            SubjectPopulation::New => 0.0,
        }
    }

    /// What tests the differences, in sentences.
    pub(super) fn test_label(&self) -> &'static str {
        match self.population {
            SubjectPopulation::These => self.test.label(),
            SubjectPopulation::New => "Student's t over subjects and stimuli",
        }
    }
}

/// Do means over subjects speak of the subjects at hand?
fn is_of_these(population: &SubjectPopulation) -> bool {
    *population == SubjectPopulation::These
}

/// The differences that Holm's correction takes together (convention `paired-test`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HolmFamily {
    /// Those of one metric: which systems differ by it?
    #[default]
    Metric,
    /// Those of all metrics that are tested: do any systems differ by anything?
    All,
}

impl HolmFamily {
    /// Are there several tests in a family, so that p values change by the correction?
    pub(super) fn corrects(self, n_tests: usize, n_metrics: usize) -> bool {
        match self {
            HolmFamily::Metric => n_tests > n_metrics,
            HolmFamily::All => n_tests > 1,
        }
    }

    /// The note on the correction below a table with this many tests.
    pub(super) fn note(self, n_tests: usize, n_metrics: usize, by: &str) -> String {
        match self {
            _ if !self.corrects(n_tests, n_metrics) => {
                format!("Holm's correction would change no p, since a {by} has one difference")
            }
            HolmFamily::Metric => format!(
                "p (Holm): corrected for the {} differences of the same {by}",
                n_tests / n_metrics
            ),
            HolmFamily::All => {
                format!("p (Holm): corrected for all {n_tests} differences of this table")
            }
        }
    }
}

/// Which metrics of the runs are compared, and which of these are tested.
pub(super) struct Compared {
    chosen: Option<HashSet<&'static str>>,
    /// Reported along with another metric, but not requested.
    unasked: HashSet<&'static str>,
    /// Computed with a placeholder model in one of the runs.
    placeholders: HashSet<String>,
}

impl Compared {
    pub(super) fn of(runs: &[&Run], options: &CompareOptions) -> Result<Self, Error> {
        let chosen: HashSet<&'static str> = (named(&options.metrics)?.iter())
            .map(|metric| metric.spec.id)
            .collect();
        let mut asked: HashSet<&str> = chosen.clone();
        for run in runs {
            // Metric names that only another version of the program knows are ignored.
            asked.extend(wanted(run.record.request.metrics.as_deref()).unwrap_or_default());
        }
        let reported_with = METRICS.iter().flat_map(|metric| match metric.compute {
            Compute::Identification { reported_with, .. } => reported_with,
            _ => &[],
        });
        let records = runs.iter().flat_map(|run| &run.record.metrics);
        let placeholders = records.filter(|record| record.stand_in);
        Ok(Compared {
            unasked: reported_with
                .copied()
                .filter(|id| !asked.contains(id))
                .collect(),
            chosen: Some(chosen).filter(|chosen| !chosen.is_empty()),
            placeholders: placeholders.map(|record| record.id.clone()).collect(),
        })
    }

    /// The metric is among the requested ones.
    pub(super) fn includes(&self, metric: &Metric) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|chosen| chosen.contains(metric.spec.id))
    }

    /// The metric is requested by name, so a run without it is an error.
    pub(super) fn demands(&self, metric: &Metric) -> bool {
        self.chosen.is_some() && self.includes(metric)
    }

    /// Its numbers come from a placeholder model and mean nothing.
    pub(super) fn is_placeholder(&self, metric: &Metric) -> bool {
        self.placeholders.contains(metric.spec.id)
    }

    /// Its differences are tested: it was requested, and no placeholder model made its numbers.
    pub(super) fn tests(&self, metric: &Metric) -> bool {
        !self.unasked.contains(metric.spec.id) && !self.is_placeholder(metric)
    }
}
