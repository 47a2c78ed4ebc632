//! Systems with several decoded subjects.

use crate::columns::{SharedColumns, check_columns};
use crate::comparison::compare_means;
use crate::crossed::{FEWEST_SUBJECTS, crossed_mean};
use crate::stimuli::MeanOverStimuli;
use crate::system_means::SystemMeans;
use crate::{
    BootstrapOptions, Comparison, Difference, IdentificationScores, PairedTest, StatsError, compare_identifications,
    compare_over_stimuli,
};
use neurogauge_core::{Direction, Estimate, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The scores of one subject of a system.
#[derive(Debug, Clone)]
pub struct SubjectScores<'a> {
    /// One or more columns, as in [`compare_systems`](crate::compare_systems()).
    pub columns: Vec<&'a [Outcome]>,
    /// For identification, the pseudo-values of its only column.
    pub pseudo_values: Option<&'a [Outcome]>,
    /// For identification, how far every value is below a share from 0 to 1.
    pub too_low_by: f64,
}

/// The population that intervals and tests of means over subjects refer to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubjectPopulation {
    /// These subjects, with new stimuli.
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
    /// For each system, the estimate of each subject, for that subject and new stimuli.
    pub subjects: Vec<Vec<Estimate>>,
    /// For each subject, the differences of the systems, for that subject and new stimuli, with uncorrected p values;
    /// empty if systems have different numbers of subjects, or only one.
    pub differences: Vec<Vec<Difference>>,
    /// The number of values in the mean of the first system: cells of a subject and a pair that have one.
    pub n_cells: usize,
}

/// Compares systems by the mean over their subjects, each over the pairs for which this subject has a value in every
/// system.
///
/// Subjects who saw the same stimuli are not independent: what makes a stimulus hard does so for all of them. So values
/// are first averaged over subjects within each pair. Then [`compare_systems`](crate::compare_systems()), or
/// [`compare_identifications`] for identification, treats these averages (and those of the pseudo-values) like the
/// values of one subject. The result refers to these subjects and new stimuli. If subjects lack different pairs, or
/// have separate pairs, the mean is that of the subjects' means, and each stimulus gets the sum of its influences on
/// them, v_g of [`compare_systems`](crate::compare_systems()) with subjects as columns. So a missing value leaves out
/// only one cell of a subject and a pair.
///
/// For [`SubjectPopulation::New`], intervals and p values are those of [`crossed_mean`] over subjects and stimuli, for
/// each system and for each difference of systems with the same subjects in the same order. They are `None` with fewer
/// than [`FEWEST_SUBJECTS`] subjects, and for a difference of systems with different numbers of subjects.
///
/// - Shapes: `systems` holds the subjects of each system; `stimuli` has the stimulus of each pair. Systems with the
///   same number of subjects have them in the same order; otherwise each system uses all of its cells.
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
    options.check()?;
    let subjects = || systems.iter().flatten();
    let n_pairs = stimuli.len();
    let is_identified = subjects().all(|subject| subject.pseudo_values.is_some());
    for (system, subjects) in systems.iter().enumerate() {
        for subject in subjects {
            check_columns(system, &subject.columns, n_pairs)?;
        }
    }
    let columns = systems
        .iter()
        .map(|subjects| subjects.iter().flat_map(|subject| subject.columns.clone()).collect::<Vec<&[Outcome]>>());
    let shared = SharedColumns::of(&columns.collect::<Vec<_>>());
    let kept: Vec<Vec<Kept>> = (systems.iter().zip(&shared.0))
        .map(|(subjects, columns)| {
            let mut columns = columns.iter().cloned();
            let kept = subjects.iter().map(|subject| Kept {
                columns: columns.by_ref().take(subject.columns.len()).collect(),
                pseudo_values: (subject.pseudo_values.filter(|_| is_identified)).map(<[Outcome]>::to_vec),
                too_low_by: subject.too_low_by,
            });
            kept.collect()
        })
        .collect();
    let compared = |systems: &[&Kept], test: (PairedTest, usize)| -> Result<Comparison, StatsError> {
        let identified: Option<Vec<IdentificationScores<'_>>> =
            systems.iter().map(|system| system.identified()).collect();
        match identified {
            Some(identified) => compare_identifications(&identified, stimuli, direction, test, options),
            None => {
                let columns: Vec<Vec<&[Outcome]>> = systems.iter().map(|system| system.columns()).collect();
                compare_over_stimuli(&columns, stimuli, direction, test, options)
            }
        }
    };
    let alone = |subject: &Kept| Ok(compared(&[subject], test)?.systems.swap_remove(0).estimate);
    let of_subjects = kept.iter().map(|subjects| subjects.iter().map(alone).collect());
    let of_subjects = of_subjects.collect::<Result<Vec<Vec<Estimate>>, StatsError>>()?;
    let n_subjects = kept.first().map_or(0, Vec::len);
    let are_paired = kept.len() > 1 && kept.iter().all(|subjects| subjects.len() == n_subjects);
    let of_subject = |subject: usize| {
        let own: Vec<&Kept> = kept.iter().map(|subjects| &subjects[subject]).collect();
        Ok(compared(&own, (test.0, 1))?.differences)
    };
    let differences = (0..n_subjects).filter(|_| are_paired).map(of_subject);
    let differences = differences.collect::<Result<Vec<Vec<Difference>>, StatsError>>()?;
    let means: Vec<Kept> = kept.iter().map(|subjects| Kept::mean(subjects)).collect();
    let mut comparison = match shared.are_complete() {
        true => compared(&means.iter().collect::<Vec<_>>(), test)?,
        false => {
            let parts = kept
                .iter()
                .map(|subjects| subjects.iter().flat_map(|subject| subject.parts(stimuli)).collect::<Vec<_>>());
            let (n_shared, _) = shared.n_pairs();
            let found = SystemMeans::of_parts(&parts.collect::<Vec<_>>(), (n_shared, n_shared));
            let too_low_by: Vec<f64> = means.iter().map(|system| system.too_low_by).collect();
            // The contributions tell which system is higher at a stimulus: subjects have different stimuli.
            let scores = found.values.clone();
            let identified = Some((&too_low_by[..], &scores[..])).filter(|_| is_identified);
            compare_means(found, n_pairs, identified, direction, test, options)?
        }
    };
    if population == SubjectPopulation::New {
        let tables = kept
            .iter()
            .map(|subjects| subjects.iter().map(|subject| subject.cells(stimuli)).collect::<Vec<_>>());
        for_new_subjects(&mut comparison, &tables.collect::<Vec<_>>(), options);
        comparison = comparison.ranked(options)?;
    }
    let n_cells = |subject: &Kept| {
        let has = |pair: &usize| subject.columns.iter().any(|column| column[*pair].is_ok());
        (0..n_pairs).filter(has).count()
    };
    Ok(SubjectComparison {
        comparison,
        subjects: of_subjects,
        differences,
        n_cells: kept.first().map_or(0, |subjects| subjects.iter().map(n_cells).sum()),
    })
}

/// Replaces intervals and p values by those for new subjects.
fn for_new_subjects(found: &mut Comparison, tables: &[Vec<Vec<Option<f64>>>], options: &BootstrapOptions) {
    let tested = |table: &[Vec<Option<f64>>]| match table.len() < FEWEST_SUBJECTS {
        true => None,
        false => crossed_mean(table, options.level),
    };
    for (standing, table) in found.systems.iter_mut().zip(tables) {
        standing.estimate.interval = tested(table).and_then(|found| found.interval);
        standing.strong_skewness = None;
    }
    for difference in &mut found.differences {
        let (a, b) = (&tables[difference.minuend], &tables[difference.subtrahend]);
        let subject = |(a, b): (&Vec<Option<f64>>, &Vec<Option<f64>>)| {
            a.iter().zip(b).map(|(a, b)| Some((*a)? - (*b)?)).collect::<Vec<Option<f64>>>()
        };
        let table: Vec<Vec<Option<f64>>> = a.iter().zip(b).map(subject).collect();
        let tested = tested(&table).filter(|_| a.len() == b.len());
        difference.interval = tested.and_then(|found| found.interval);
        difference.p_value = tested.map(|found| found.p_value);
        difference.strong_skewness = None;
        // The deviation refers to the mean over these subjects.
        difference.deviation = None;
    }
}

/// One subject, or the mean over several, restricted to the values that all systems have.
struct Kept {
    columns: Vec<Vec<Outcome>>,
    /// `None` unless all are identifications.
    pseudo_values: Option<Vec<Outcome>>,
    too_low_by: f64,
}

impl Kept {
    fn columns(&self) -> Vec<&[Outcome]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    fn identified(&self) -> Option<IdentificationScores<'_>> {
        match self.columns.as_slice() {
            [outcomes] => Some(IdentificationScores {
                outcomes,
                pseudo_values: self.pseudo_values.as_deref()?,
                too_low_by: self.too_low_by,
            }),
            _ => None,
        }
    }

    /// The means that this mean consists of.
    fn parts(&self, stimuli: &[usize]) -> Vec<Option<MeanOverStimuli>> {
        let pseudo = self.pseudo_values.as_deref();
        let part = |column: &Vec<Outcome>| MeanOverStimuli::of(column, pseudo, stimuli);
        self.columns.iter().map(part).collect()
    }

    /// The value at each stimulus of all subjects.
    fn cells(&self, stimuli: &[usize]) -> Vec<Option<f64>> {
        let parts = self.parts(stimuli);
        let parts: Option<Vec<&MeanOverStimuli>> = parts.iter().map(Option::as_ref).collect();
        let own = parts.and_then(|parts| {
            let places = parts.iter().flat_map(|part| part.values.keys().copied());
            MeanOverStimuli::mean_of(&parts, &places.collect())
        });
        let all: BTreeSet<usize> = stimuli.iter().copied().collect();
        all.into_iter().map(|place: usize| own.as_ref()?.values.get(&place).copied()).collect()
    }

    /// The mean over subjects, pair by pair.
    fn mean(subjects: &[Kept]) -> Self {
        let n_columns = subjects.first().map_or(0, |subject| subject.columns.len());
        let column = |c: usize| {
            let columns: Vec<&[Outcome]> = subjects.iter().map(|s| &*s.columns[c]).collect();
            mean_over(&columns)
        };
        let pseudo: Option<Vec<&[Outcome]>> = subjects.iter().map(|s| s.pseudo_values.as_deref()).collect();
        Kept {
            columns: (0..n_columns).map(column).collect(),
            pseudo_values: pseudo.map(|columns| mean_over(&columns)),
            too_low_by: subjects.iter().map(|s| s.too_low_by).sum::<f64>() / subjects.len() as f64,
        }
    }
}

/// The mean of columns, pair by pair; undefined for a pair that has no value in one of them.
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
        let values = columns.iter().map(|column| column[pair].clone()).collect::<Result<Vec<f64>, _>>()?;
        Ok(values.iter().sum::<f64>() / values.len() as f64)
    };
    (0..n_pairs).map(of_pair).collect()
}
