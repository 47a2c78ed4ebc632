//! Notes below tables: how intervals were made, which population they refer to, and when they are doubtful.

use crate::run_record::RunRecord;
use itertools::Itertools;
use neurogauge_core::{Estimate, first_names};
use neurogauge_metrics::Metric;
use neurogauge_report::interval_note;
use neurogauge_stats::{BootstrapOptions, MeanInterval, SubjectPopulation, smallest_sign_flip_p, student_reach};
use std::collections::HashSet;

/// With fewer pairs or target units, a note says how little they show.
pub(crate) const FEW_ITEMS: usize = 10;

/// With fewer events, the interval of an identification metric covers more than its level.
pub(crate) const FEW_EVENTS: f64 = 2.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct IdentifiedInterval {
    /// Are the distractors a fixed pool?
    pub(crate) of_pool: bool,
    /// Do one or two stimuli account for the whole distance from the end of the scale?
    pub(crate) of_few: bool,
    /// The number of clusters of stimuli, if clusters are used.
    pub(crate) n_clusters: Option<usize>,
}

impl IdentifiedInterval {
    pub(crate) fn population(self) -> &'static str {
        match (self.of_pool, self.n_clusters) {
            (true, None) => "new stimuli, this pool",
            (false, None) => "new stimuli and new distractors",
            (true, Some(_)) => "new clusters of stimuli, this pool",
            (false, Some(_)) => "new clusters of stimuli and of distractors",
        }
    }

    pub(crate) fn method(self, options: &BootstrapOptions) -> String {
        let stimuli = match self.n_clusters {
            None => "over stimuli".to_owned(),
            Some(n) => format!("over {n} clusters of stimuli"),
        };
        let roles = match self.of_pool {
            true => stimuli,
            false => format!("jackknife {stimuli} as targets and distractors"),
        };
        match options.interval {
            MeanInterval::Studentized => format!("{roles}, beta distributions"),
            other => format!("{roles}, {}", other.label()),
        }
    }
}

/// The units that the intervals of a table are over.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Over {
    /// Number of stimuli if several pairs show the same one, or of their clusters.
    pub(crate) n_stimuli: Option<usize>,
    /// Are alike stimuli taken together?
    pub(crate) is_of_clusters: bool,
    /// Does a value belong to an item with several pairs?
    pub(crate) is_of_items: bool,
    /// The population that means over subjects refer to, if there are subjects.
    pub(crate) subjects: Option<SubjectPopulation>,
    /// Are pairs left out because some system could not be scored on them?
    pub(crate) is_of_scored: bool,
}

impl Over {
    /// The units of a run; pairs with the same number in `clusters` are taken together.
    pub(crate) fn of_run(record: &RunRecord, clusters: &[usize]) -> Self {
        let n_stimuli = clusters.iter().collect::<HashSet<_>>().len();
        Over {
            n_stimuli: Some(n_stimuli).filter(|n| *n < clusters.len()),
            is_of_clusters: record.clusters.is_some(),
            is_of_items: record.parts.is_some(),
            ..Over::default()
        }
    }

    /// The number of clusters, if stimuli are clustered.
    pub(crate) fn n_clusters(self) -> Option<usize> {
        self.n_stimuli.filter(|_| self.is_of_clusters)
    }

    /// The population that intervals refer to, and the units that are resampled.
    fn words(self) -> (&'static str, String) {
        let stimuli = match self.n_clusters() {
            None => "over stimuli".to_owned(),
            Some(n) => format!("over {n} clusters of stimuli"),
        };
        match (self.subjects, self.n_stimuli) {
            (None, None) if self.is_of_items => ("new stimuli", "over items".to_owned()),
            (None, None) => ("new stimuli", "over pairs".to_owned()),
            (None, Some(_)) if self.is_of_clusters => {
                ("new clusters of stimuli", format!("{stimuli}, each with all its pairs"))
            }
            (None, Some(_)) => ("new stimuli", format!("{stimuli}, each with all its pairs")),
            (Some(_), _) => (
                match self.is_of_clusters {
                    true => "new clusters of stimuli, these subjects",
                    false => "new stimuli, these subjects",
                },
                format!("{stimuli}, averaged over subjects first"),
            ),
        }
    }
}

/// Notes on how the intervals of these means were made, and on how little few pairs show. Identification metrics are
/// given with their labels.
pub(crate) fn interval_notes<'a>(
    options: &BootstrapOptions,
    over: Over,
    estimates: impl Iterator<Item = (&'a str, &'a Estimate, Option<IdentifiedInterval>)>,
) -> Vec<String> {
    let found: Vec<_> = estimates.filter(|(_, estimate, _)| estimate.interval.is_some()).collect();
    let Some(fewest) = found.iter().map(|(_, estimate, _)| estimate.n).min() else {
        return Vec::new();
    };
    let with_fewest = found.iter().filter(|(_, estimate, _)| estimate.n == fewest);
    let with_fewest = with_fewest.map(|(label, ..)| *label).dedup().collect_vec();
    let is_of_all = over.n_stimuli.is_some() || found.iter().all(|found| found.1.n == fewest);
    let fewest = over.n_stimuli.unwrap_or(fewest);
    let level = 100.0 * options.level;
    let of_scored = match over.is_of_scored {
        true => ", of pairs that all systems could be scored on",
        false => "",
    };
    let mut notes = Vec::new();
    if over.subjects == Some(SubjectPopulation::New) {
        let method = "variance of subjects and of stimuli, Student's t; single subjects as without --new-subjects";
        let population = format!("new subjects and new stimuli{of_scored}");
        notes.push(interval_note(options.level, &population, method));
        return notes;
    }
    let (population, units) = over.words();
    if found.iter().any(|(.., identified)| identified.is_none()) {
        let (way, n) = (options.interval.label(), options.resamples);
        let method = format!("{way} {units}, {n} resamples");
        notes.push(interval_note(options.level, &format!("{population}{of_scored}"), &method));
    }
    let labels = |is_meant: &dyn Fn(IdentifiedInterval) -> bool| {
        let meant = found.iter().filter(|(.., identified)| identified.is_some_and(is_meant));
        meant.map(|(label, ..)| label).dedup().join(", ")
    };
    for of_pool in [false, true] {
        let identified = found.iter().filter_map(|(.., identified)| *identified);
        if let Some(one) = identified.clone().find(|found| found.of_pool == of_pool) {
            let labels = labels(&|found| found.of_pool == of_pool);
            let these = over.subjects.map_or("", |_| ", these subjects");
            let population = format!("{}{these}{of_scored}", one.population());
            let note = interval_note(options.level, &population, &one.method(options));
            notes.push(format!("{labels}: {note}"));
        }
    }
    let of_few = labels(&|found| found.of_few);
    if !of_few.is_empty() && options.interval == MeanInterval::Studentized {
        notes.push(format!(
            "{of_few}: at most two stimuli make up the distance to the end of the scale, so the interval is wider than {level}% takes"
        ));
    }
    if fewest < FEW_ITEMS {
        notes.push(format!(
            "{} {fewest} {}: no test of two systems can reach p < {}, and {level}% intervals are at least ±{:.1} standard errors \
             wide (large n: ±{:.1}).",
            match (is_of_all, with_fewest.as_slice()) {
                (false, [label]) => format!("{label} has only"),
                (false, labels) => format!("{} have only", first_names(labels)),
                (true, _) => "Only".to_owned(),
            },
            match (over.n_stimuli, over.is_of_items) {
                (Some(_), _) if over.is_of_clusters => "clusters of stimuli",
                (Some(_), _) => "stimuli",
                (None, true) => "items",
                (None, false) => "pairs",
            },
            two_digits_of(smallest_sign_flip_p(fewest, 1, options.level)),
            student_reach(fewest, options.level),
            student_reach(usize::MAX, options.level),
        ));
    }
    notes
}

/// How skewed the scores of a metric are.
pub(crate) struct Skew<'a> {
    pub(crate) label: &'a str,
    /// The skewness of the scores, if it is strong.
    pub(crate) strong: Option<f64>,
    /// Are such metrics often skewed, and are there too few independent scores to show it?
    pub(crate) is_unsure: bool,
}

/// Fewer scores may lack the long tail of the population, so intervals of metrics with [`Metric::is_often_skewed`] are
/// doubtful.
const ENOUGH_TO_SHOW_SKEW: usize = 30;

impl<'a> Skew<'a> {
    /// The skewness of `n` scores with an interval.
    pub(crate) fn of(label: &'a str, metric: &Metric, strong: Option<f64>, n: usize) -> Self {
        let is_unsure = metric.is_often_skewed() && (2..ENOUGH_TO_SHOW_SKEW).contains(&n);
        Skew {
            label,
            strong,
            is_unsure,
        }
    }
}

/// Notes on means whose intervals are doubtful because their scores are strongly skewed, or often are for such metrics.
pub(crate) fn skewness_notes(metrics: &[Skew<'_>], level: f64) -> Vec<String> {
    let named = metrics.iter().filter_map(|found| Some(format!("{} ({:+.1})", found.label, found.strong?)));
    let named: Vec<String> = named.collect();
    let shown = (!named.is_empty()).then(|| {
        format!(
            "strongly skewed scores (skewness): {}; intervals of such means miss the true mean more often than they say, nearly always on \
             the side of the long tail",
            named.join(", ")
        )
    });
    let labels: Vec<&str> = metrics.iter().filter(|found| found.is_unsure).map(|found| found.label).collect();
    let known = (!labels.is_empty()).then(|| {
        format!(
            "{}: intervals may cover less than {}% below n = {ENOUGH_TO_SHOW_SKEW}, since such scores often have a long tail that few of them do not show",
            labels.join(", "),
            100.0 * level
        )
    });
    shown.into_iter().chain(known).collect()
}

/// A small number cut (not rounded) after its first two nonzero digits: 0.03125 is 0.031.
fn two_digits_of(p: f64) -> f64 {
    let unit = 10_f64.powi(1 - p.log10().floor() as i32);
    (p * unit).floor() / unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_metrics::find;

    #[test]
    fn few_scores_of_a_metric_that_is_often_skewed_have_words_whatever_they_look_like() {
        let notes = |id: &str, strong, n| {
            let metric = find(id).unwrap();
            skewness_notes(&[Skew::of("It", metric, strong, n)], 0.95).join("\n")
        };
        // These notes cover every miss of SSIM below 30 pairs.
        for n in [6, 10, 20, 29] {
            let note = "It: intervals may cover less than 95% below n = 30,";
            assert!(notes("ssim", None, n).starts_with(note));
            assert!(notes("object_f1", Some(3.2), n).contains(note));
        }
        assert!(notes("ssim", Some(3.2), 30).starts_with("strongly skewed scores (skewness): It (+3.2)"));
        assert_eq!(notes("ssim", None, 30) + &notes("swav", None, 10) + &notes("clip", None, 10), "");
    }

    #[test]
    fn a_metric_of_few_pairs_among_others_is_named() {
        let estimate = |n: usize| Estimate::of(Ok(0.5), Some((0.25, 0.75)), n);
        let note = |of: &[(&str, usize)]| {
            let found: Vec<(&str, Estimate)> = of.iter().map(|&(label, n)| (label, estimate(n))).collect();
            let found = found.iter().map(|(label, found)| (*label, found, None));
            let notes = interval_notes(&BootstrapOptions::default(), Over::default(), found);
            notes.into_iter().nth(1).unwrap_or_default()
        };
        let begins = |of: &[(&str, usize)], words: &str| {
            let note = note(of);
            assert!(note.starts_with(words), "{note}");
        };
        // Two systems for each metric.
        begins(&[("SSIM", 8), ("SSIM", 8), ("SNM", 5), ("SNM", 5)], "SNM has only 5 pairs: no test");
        begins(&[("SNM", 5), ("SDM", 5), ("SSIM", 12)], "SNM, SDM have only 5 pairs: no test");
        begins(&[("SSIM", 8), ("SNM", 8)], "Only 8 pairs: no test");
        assert_eq!(note(&[("SSIM", 12)]), "");
    }
}
