//! Options of a comparison, and the families of its tests.

use crate::Error;
use crate::score::Run;
use crate::selection::{named, wanted};
use neurogauge_core::name_pattern::SubjectPattern;
use neurogauge_core::option_words::option;
use neurogauge_metrics::{METRICS, Metric};
use neurogauge_stats::{BootstrapOptions, PairedTest, SubjectPopulation};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareOptions {
    /// Ids or lists of metrics (`nsd8`). If empty, every metric that all runs have is compared.
    pub metrics: Vec<String>,
    pub holm: HolmFamily,
    /// The test of the differences, which also gives their intervals.
    pub test: PairedTest,
    /// The pattern that groups runs as subjects of one system; `None` if every run is a system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subjects: Option<SubjectPattern>,
    /// May runs have different protocols?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mixed: bool,
    /// The population that means over subjects refer to.
    #[serde(skip_serializing_if = "is_of_these")]
    pub population: SubjectPopulation,
    /// Differences up to this size count as zero in tests of equivalence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<f64>,
    /// Is BASIC-H compared by dimension too?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_dimension: bool,
    pub bootstrap: BootstrapOptions,
}

impl CompareOptions {
    /// The smallest p value that a test over `n_stimuli` stimuli can give, in a family of `n_family` tests.
    pub(super) fn smallest_p(&self, n_stimuli: usize, n_family: usize) -> f64 {
        match self.population {
            SubjectPopulation::These => self.test.smallest_p(n_stimuli, n_family, &self.bootstrap),
            // Student's t has no smallest p value.
            SubjectPopulation::New => 0.0,
        }
    }

    /// The level of intervals that show equivalence: 1 − 2 α / m, since there are m pairs of one-sided tests at α / m.
    pub(super) fn one_sided_level(&self, n_family: usize) -> f64 {
        1.0 - 2.0 * (1.0 - self.bootstrap.level) / n_family.max(1) as f64
    }

    /// Checks the bound of equivalence.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.equivalence.filter(|bound| !(*bound > 0.0 && bound.is_finite())) {
            None => Ok(()),
            Some(bound) => Err(Error::Usage(format!(
                "{}: expected a number above 0 in the unit of the metric, such as 0.02",
                option("equivalence", &bound.to_string())
            ))),
        }
    }

    /// Describes the test of the differences, in sentences.
    pub(super) fn test_label(&self) -> &'static str {
        match self.population {
            SubjectPopulation::These => self.test.label(),
            SubjectPopulation::New => "Student's t over subjects and stimuli",
        }
    }
}

/// Do means over subjects refer to these subjects?
fn is_of_these(population: &SubjectPopulation) -> bool {
    *population == SubjectPopulation::These
}

/// The differences that one Holm correction covers (convention `paired-test`). Verdicts, rank intervals, marks in
/// tables and the sentences of a page all follow from p values after this correction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HolmFamily {
    /// The differences by one metric. They show which systems differ by it.
    Metric,
    /// The differences by all tested metrics. They show whether any systems differ at all.
    #[default]
    All,
}

impl HolmFamily {
    /// Describes the differences that each p value is corrected for; `n_tests` are tested. `by` is a metric or a
    /// dimension.
    pub(super) fn words(self, n_tests: usize, by: &str) -> String {
        match self {
            _ if n_tests == 0 => "for no difference".to_owned(),
            _ if n_tests == 1 => "for the only difference".to_owned(),
            HolmFamily::All => format!("for all {n_tests} differences"),
            HolmFamily::Metric => {
                format!("within each {by} ({}), not for all {n_tests} differences", option("holm", "metric"))
            }
        }
    }
}

/// The metrics that are compared, and those that are tested.
pub(super) struct Compared {
    chosen: Option<HashSet<&'static str>>,
    /// Twins of metrics of identification that were not requested.
    unasked: HashSet<&'static str>,
    /// Metrics that are computed with a placeholder model in one of the runs.
    placeholders: HashSet<String>,
}

impl Compared {
    pub(super) fn of(runs: &[&Run], options: &CompareOptions) -> Result<Self, Error> {
        let chosen: HashSet<&'static str> = (named(&options.metrics)?.iter()).map(|metric| metric.spec.id).collect();
        let mut asked: HashSet<&str> = chosen.clone();
        for run in runs {
            // Metric names that only another version of the program knows are ignored.
            asked.extend(wanted(run.record.request.metrics.as_deref()).unwrap_or_default());
        }
        let twins = METRICS.iter().filter(|metric| metric.is_twin()).map(|metric| metric.spec.id);
        let records = runs.iter().flat_map(|run| &run.record.metrics);
        let placeholders = records.filter(|record| record.stand_in);
        Ok(Compared {
            unasked: twins.filter(|id| !asked.contains(id)).collect(),
            chosen: Some(chosen).filter(|chosen| !chosen.is_empty()),
            placeholders: placeholders.map(|record| record.id.clone()).collect(),
        })
    }

    pub(super) fn includes(&self, metric: &Metric) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|chosen| chosen.contains(metric.spec.id))
    }

    /// Is the metric requested by name, so that a run without it is an error?
    pub(super) fn demands(&self, metric: &Metric) -> bool {
        self.chosen.is_some() && self.includes(metric)
    }

    /// Do the metric's numbers come from a placeholder model and mean nothing?
    pub(super) fn is_placeholder(&self, metric: &Metric) -> bool {
        self.placeholders.contains(metric.spec.id)
    }

    /// Are the metric's differences tested? It must be requested, and no placeholder model may have made its numbers.
    pub(super) fn tests(&self, metric: &Metric) -> bool {
        !self.unasked.contains(metric.spec.id) && !self.is_placeholder(metric)
    }
}
