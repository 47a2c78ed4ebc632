//! Systems with several decoded subjects, on the same stimuli.

use crate::comparison::subject_tables;
use crate::crossed::{FEWEST_SUBJECTS, crossed_mean};
use crate::{
    BootstrapOptions, Comparison, Difference, IdentificationScores, PairedTest, StatsError,
    compare_identifications, compare_over_stimuli,
};
use neurogauge_core::{Direction, Estimate, Outcome};
use serde::{Deserialize, Serialize};

/// The scores of one subject of a system.
#[derive(Debug, Clone)]
pub struct SubjectScores<'a> {
    /// One or more columns, as in [`compare_systems`](crate::compare_systems()).
    pub columns: Vec<&'a [Outcome]>,
    /// Of identification, the pseudo-values of its only column.
    pub pseudo_values: Option<&'a [Outcome]>,
    /// Of identification, what every value is lower by than a share from 0 to 1.
    pub too_low_by: f64,
}

/// Whom intervals and tests of means over subjects speak of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubjectPopulation {
    /// The subjects that there are, with new stimuli.
    #[default]
    These,
    /// New subjects with new stimuli ([`crossed_mean`]).
    New,
}

/// The result of [`compare_subjects`].
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectComparison {
    /// The means over subjects of the systems.
    pub comparison: Comparison,
    /// Of each system the estimate of each subject, for this subject and new stimuli.
    pub subjects: Vec<Vec<Estimate>>,
    /// Of each subject the differences of the systems, for this subject and new stimuli, with uncorrected p values; empty where systems
    /// have different numbers of subjects, or there is one.
    pub differences: Vec<Vec<Difference>>,
}

/// Compares systems by the mean over their subjects, on the pairs that all subjects of all systems have a value for.
///
/// Subjects who saw the same stimuli are not independent: what makes a stimulus hard does so for all of them. So values are averaged over
/// subjects within each pair first, and then [`compare_systems`](crate::compare_systems()), or of identification
/// [`compare_identifications`], does with these averages (and those of the pseudo-values) what it does with the values of one subject. That
/// speaks of these subjects and new stimuli.
///
/// For [`SubjectPopulation::New`], intervals and p values are those of [`crossed_mean`] over subjects and stimuli, of each system and of
/// each difference, whose subjects are the same in the same order. They are `None` with fewer than [`FEWEST_SUBJECTS`] subjects, and those of a difference
/// where the systems have different numbers of subjects.
///
/// - Shapes: `systems` holds the subjects of each system; `stimuli` has the stimulus of each pair.
/// - Errors: those of [`compare_systems`](crate::compare_systems()).
///
/// ```
/// use neurogauge_core::{Direction, Outcome};
/// use neurogauge_stats::{PairedTest, SubjectPopulation, SubjectScores, compare_subjects};
/// let scores: [[Outcome; 3]; 2] = [[Ok(0.1), Ok(0.5), Ok(0.3)], [Ok(0.3), Ok(0.9), Ok(0.3)]];
/// let subject = |column| SubjectScores { columns: vec![column], pseudo_values: None, too_low_by: 0.0 };
/// let systems = [vec![subject(&scores[0][..]), subject(&scores[1])]];
/// let test = (PairedTest::SignFlip, 1);
/// let found = compare_subjects(
///     &systems, &[0, 1, 2], Direction::Higher, test, SubjectPopulation::These, &Default::default(),
/// ).unwrap();
/// // Stimuli have 0.2, 0.7 and 0.3 on average over the two subjects.
/// let mean = &found.comparison.systems[0].estimate;
/// assert!((mean.value.clone().unwrap() - 0.4).abs() < 1e-12);
/// assert!((mean.interval.unwrap().1 - 1.0572).abs() < 1e-4);
/// assert_eq!((found.subjects[0].len(), found.differences.len()), (2, 0));
/// ```
pub fn compare_subjects(
    systems: &[Vec<SubjectScores<'_>>],
    stimuli: &[usize],
    direction: Direction,
    test: (PairedTest, usize),
    population: SubjectPopulation,
    options: &BootstrapOptions,
) -> Result<SubjectComparison, StatsError> {
    let subjects = || systems.iter().flatten();
    let n_pairs = stimuli.len();
    let columns = || subjects().flat_map(|subject| &subject.columns);
    let is_identified = subjects().all(|subject| subject.pseudo_values.is_some());
    for (system, subjects) in systems.iter().enumerate() {
        for subject in subjects {
            crate::columns::check_columns(system, &subject.columns, n_pairs)?;
        }
    }
    let shared: Vec<usize> = (0..n_pairs)
        .filter(|&pair| columns().all(|column| column[pair].is_ok()))
        .collect();
    let at_shared = |column: &[Outcome]| -> Vec<Outcome> {
        shared.iter().map(|&pair| column[pair].clone()).collect()
    };
    let stimuli: Vec<usize> = shared.iter().map(|&pair| stimuli[pair]).collect();
    let restricted: Vec<Vec<Restricted>> = (systems.iter())
        .map(|subjects| {
            let subjects = subjects.iter().map(|subject| Restricted {
                columns: subject.columns.iter().map(|c| at_shared(c)).collect(),
                pseudo_values: subject.pseudo_values.map(at_shared),
                too_low_by: subject.too_low_by,
            });
            subjects.collect()
        })
        .collect();
    let compared = |systems: &[&Restricted], test| -> Result<Comparison, StatsError> {
        let identified = systems.iter().map(|system| {
            let [values] = system.columns.as_slice() else {
                return None;
            };
            Some(IdentificationScores {
                outcomes: values,
                pseudo_values: system.pseudo_values.as_deref()?,
                too_low_by: system.too_low_by,
            })
        });
        let identified: Option<Vec<IdentificationScores<'_>>> = identified.collect();
        match identified.filter(|_| is_identified) {
            Some(identified) => {
                compare_identifications(&identified, &stimuli, direction, test, options)
            }
            None => {
                let columns = systems.iter().map(|system| system.columns());
                let columns: Vec<Vec<&[Outcome]>> = columns.collect();
                compare_over_stimuli(&columns, &stimuli, direction, test, options)
            }
        }
    };
    let alone = |subject: &Restricted| {
        let mut found = compared(&[subject], test)?;
        Ok(found.systems.swap_remove(0).estimate)
    };
    let of_subjects = restricted
        .iter()
        .map(|subjects| subjects.iter().map(alone).collect());
    let of_subjects = of_subjects.collect::<Result<Vec<Vec<Estimate>>, StatsError>>()?;
    let n_subjects = restricted.first().map_or(0, Vec::len);
    let are_paired = restricted.len() > 1 && restricted.iter().all(|s| s.len() == n_subjects);
    let of_subject = |subject: usize| {
        let own: Vec<&Restricted> = restricted.iter().map(|s| &s[subject]).collect();
        Ok(compared(&own, (test.0, 1))?.differences)
    };
    let differences = (0..n_subjects).filter(|_| are_paired).map(of_subject);
    let differences = differences.collect::<Result<Vec<Vec<Difference>>, StatsError>>()?;
    let means: Vec<Restricted> = restricted.iter().map(|s| Restricted::mean(s)).collect();
    let mut comparison = compared(&means.iter().collect::<Vec<_>>(), test)?;
    comparison.n_dropped = n_pairs - shared.len();
    if population == SubjectPopulation::New {
        let tables = restricted.iter().map(|subjects| {
            let subjects = subjects.iter().map(|subject| {
                let pseudo = subject.pseudo_values.as_deref();
                let pseudo = pseudo.filter(|_| is_identified);
                subject_tables(&subject.columns(), pseudo, &stimuli)
            });
            subjects.collect()
        });
        let tables: Vec<Vec<Vec<f64>>> = tables.collect();
        for_new_subjects(&mut comparison, &tables, options);
        comparison = comparison.ranked(options)?;
    }
    Ok(SubjectComparison {
        comparison,
        subjects: of_subjects,
        differences,
    })
}

/// Puts intervals and p values for new subjects instead of those for the subjects at hand.
fn for_new_subjects(found: &mut Comparison, tables: &[Vec<Vec<f64>>], options: &BootstrapOptions) {
    let tested = |table: &[Vec<f64>]| match table.len() < FEWEST_SUBJECTS {
        true => None,
        false => crossed_mean(table, options.level),
    };
    for (standing, table) in found.systems.iter_mut().zip(tables) {
        standing.estimate.interval = tested(table).and_then(|found| found.interval);
        standing.strong_skewness = None;
    }
    for difference in &mut found.differences {
        let (a, b) = (&tables[difference.minuend], &tables[difference.subtrahend]);
        let subject = |(a, b): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| a - b).collect()
        };
        let table: Vec<Vec<f64>> = a.iter().zip(b).map(subject).collect();
        let tested = tested(&table).filter(|_| a.len() == b.len());
        difference.interval = tested.and_then(|found| found.interval);
        difference.p_value = tested.map(|found| found.p_value);
        difference.strong_skewness = None;
        // It is of the mean over these subjects.
        difference.deviation = None;
    }
}

/// One subject, or the mean over several, on the shared pairs.
struct Restricted {
    columns: Vec<Vec<Outcome>>,
    pseudo_values: Option<Vec<Outcome>>,
    too_low_by: f64,
}

impl Restricted {
    fn columns(&self) -> Vec<&[Outcome]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    /// Pair by pair.
    fn mean(subjects: &[Restricted]) -> Self {
        let n_columns = subjects.first().map_or(0, |subject| subject.columns.len());
        let column = |c: usize| {
            let columns: Vec<&[Outcome]> = subjects.iter().map(|s| &*s.columns[c]).collect();
            mean_over(&columns)
        };
        let pseudo: Option<Vec<&[Outcome]>> = subjects
            .iter()
            .map(|s| s.pseudo_values.as_deref())
            .collect();
        Restricted {
            columns: (0..n_columns).map(column).collect(),
            pseudo_values: pseudo.map(|columns| mean_over(&columns)),
            too_low_by: subjects.iter().map(|s| s.too_low_by).sum::<f64>() / subjects.len() as f64,
        }
    }
}

/// The mean of columns, pair by pair; a pair that one of them has no value for has none.
///
/// ```
/// use neurogauge_core::Undefined;
/// use neurogauge_stats::mean_over;
/// let found = mean_over(&[&[Ok(1.0), Ok(2.0)], &[Ok(2.0), Err(Undefined::NoPairs)]]);
/// assert_eq!(found, [Ok(1.5), Err(Undefined::NoPairs)]);
/// ```
pub fn mean_over(columns: &[&[Outcome]]) -> Vec<Outcome> {
    let n_pairs = columns.first().map_or(0, |column| column.len());
    let of_pair = |pair: usize| {
        let values = columns.iter().map(|column| column[pair].clone());
        let values = values.collect::<Result<Vec<f64>, _>>()?;
        Ok(values.iter().sum::<f64>() / values.len() as f64)
    };
    (0..n_pairs).map(of_pair).collect()
}
