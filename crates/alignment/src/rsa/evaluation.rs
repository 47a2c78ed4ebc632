//! Sources beside subjects: similarities, their intervals, noise ceilings and differences.

use super::comparison::{Ordered, Weights};
use super::{Dissimilarities, RdmComparison};
use crate::{AlignmentError, TwoFactorEstimate};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{BootstrapOptions, resample};
use serde::Serialize;

/// With fewer different stimuli a resample has too few pairs.
const FEWEST_STIMULI: usize = 3;

/// The difference between two sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RsaDifference {
    /// Positions of the sources.
    pub minuend: usize,
    pub subtrahend: usize,
    pub estimate: TwoFactorEstimate,
}

/// The result of [`evaluate_rsa`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RsaResult {
    /// Number of stimuli that all subjects and sources have.
    pub n_shared: usize,
    pub sources: Vec<TwoFactorEstimate>,
    /// The similarity of each subject to the mean of the others: what a source that knows what subjects share reaches
    /// at least. `None` for fewer than two subjects.
    pub lower_ceiling: Option<TwoFactorEstimate>,
    /// The similarity of each subject to the mean of all: no source exceeds it, or hardly.
    pub upper_ceiling: Option<TwoFactorEstimate>,
    /// For each source, the lower ceiling minus the source.
    pub below_ceiling: Vec<TwoFactorEstimate>,
    pub differences: Vec<RsaDifference>,
}

/// Compares sources with subjects.
///
/// A source's similarity is the mean over subjects, each over the stimuli that this subject and all sources have, as a
/// [`TwoFactorEstimate`].
///
/// Ceilings compare every subject with the mean over subjects of [`Dissimilarities`] divided by their root mean square
/// (for correlations z-scored, for rank correlations ranked), over the stimuli that all have.
///
/// - Undefined: a value of a subject is, and then the mean.
/// - Errors: no subject, no source, different numbers of stimuli, options out of range.
/// - Reference: values and ceilings rsatoolbox 0.3.2 (`eval_fixed`), to 1e-12; `docs/pages/project/calibration.md` has
///   the coverage of the intervals.
pub fn evaluate_rsa(
    subjects: &[Dissimilarities],
    sources: &[Dissimilarities],
    comparison: RdmComparison,
    is_crossvalidated: bool,
    options: &BootstrapOptions,
) -> Result<RsaResult, AlignmentError> {
    options.check()?;
    let study = Compared::new(subjects, sources, comparison)?;
    let observed = study.rows(&vec![1; study.n_stimuli]);
    let drawn = resample(study.n_stimuli, options, |drawn| {
        let mut counts = vec![0; study.n_stimuli];
        drawn.iter().for_each(|&stimulus| counts[stimulus as usize] += 1);
        let n_different = counts.iter().filter(|count| **count > 0).count();
        (n_different >= FEWEST_STIMULI).then(|| study.rows(&counts))
    })?;
    let drawn: Vec<Vec<Vec<Outcome>>> = drawn.into_iter().flatten().collect();
    let estimating = Estimating {
        observed,
        drawn,
        n_stimuli: study.shared.iter().filter(|is_shared| **is_shared).count(),
        level: options.level,
    };
    let n = sources.len();
    let of = |row: usize| move |values: &Rows, subject: usize| values[row][subject].clone();
    let minus = |a: usize, b: usize| {
        move |values: &Rows, subject: usize| Ok(values[a][subject].clone()? - values[b][subject].clone()?)
    };
    let mut own: Vec<TwoFactorEstimate> = (0..n).map(|source| estimating.of(of(source))).collect();
    if !comparison.has_zero_chance(is_crossvalidated) {
        own.iter_mut().for_each(|found| found.p = None);
    }
    let has_ceiling = subjects.len() > 1;
    let mut below: Vec<TwoFactorEstimate> =
        (0..n).filter(|_| has_ceiling).map(|source| estimating.of(minus(n, source))).collect();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let mut differences: Vec<RsaDifference> = pairs
        .map(|(minuend, subtrahend)| RsaDifference {
            minuend,
            subtrahend,
            estimate: estimating.of(minus(minuend, subtrahend)),
        })
        .collect();
    TwoFactorEstimate::correct(own.iter_mut())?;
    TwoFactorEstimate::correct(below.iter_mut())?;
    TwoFactorEstimate::correct(differences.iter_mut().map(|difference| &mut difference.estimate))?;
    let ceiling = |row: usize| {
        has_ceiling.then(|| TwoFactorEstimate {
            p: None,
            ..estimating.of(of(row))
        })
    };
    Ok(RsaResult {
        n_shared: estimating.n_stimuli,
        sources: own,
        lower_ceiling: ceiling(n),
        upper_ceiling: ceiling(n + 1),
        below_ceiling: below,
        differences,
    })
}

/// A row for each source, then the lower and the upper ceiling; a value for each subject.
type Rows = [Vec<Outcome>];

struct Compared {
    subjects: Vec<Ordered>,
    sources: Vec<Ordered>,
    /// For each subject the mean of the others, then the mean of all; empty for a single subject.
    pooled: Vec<Ordered>,
    comparison: RdmComparison,
    n_stimuli: usize,
    /// For each subject, the stimuli that it and all sources have.
    own: Vec<Vec<bool>>,
    /// The stimuli that all have.
    shared: Vec<bool>,
}

impl Compared {
    fn new(
        subjects: &[Dissimilarities],
        sources: &[Dissimilarities],
        comparison: RdmComparison,
    ) -> Result<Self, AlignmentError> {
        let n_stimuli = subjects.first().map_or(0, Dissimilarities::n_stimuli);
        if subjects.is_empty() || sources.is_empty() {
            return Err(AlignmentError::empty("subject or source"));
        }
        if let Some(other) = subjects.iter().chain(sources).find(|own| own.n_stimuli() != n_stimuli) {
            return Err(AlignmentError::stimulus_count("a subject or source", other.n_stimuli(), n_stimuli));
        }
        let have = |all: &[Dissimilarities]| -> Vec<bool> {
            (0..n_stimuli).map(|stimulus| all.iter().all(|own| own.is_present()[stimulus])).collect()
        };
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<bool>>();
        let of_sources = have(sources);
        let ordered = |all: &[Dissimilarities]| all.iter().cloned().map(Ordered::of).collect::<Vec<Ordered>>();
        let mut study = Compared {
            subjects: ordered(subjects),
            sources: ordered(sources),
            pooled: Vec::new(),
            comparison,
            n_stimuli,
            own: subjects.iter().map(|own| both(own.is_present(), &of_sources)).collect(),
            shared: both(&have(subjects), &of_sources),
        };
        if subjects.len() > 1 {
            study.pooled = study.pool();
        }
        Ok(study)
    }

    /// The mean of the other subjects for each subject, and of all; without one that has no value.
    fn pool(&self) -> Vec<Ordered> {
        let once = vec![1; self.n_stimuli];
        let weights = weights(&once, &self.shared);
        let forms = self.subjects.iter().map(|own| own.pooled_form(self.comparison, &weights).ok());
        let forms: Vec<Option<Vec<f64>>> = forms.collect();
        let without = (0..forms.len()).map(Some).chain([None]);
        without.map(|left_out| Ordered::of(mean_of(&forms, left_out, &self.shared))).collect()
    }

    /// The similarities in a resample; `counts` says how often it has each stimulus.
    fn rows(&self, counts: &[u32]) -> Vec<Vec<Outcome>> {
        let form = |own: &Ordered, weights: &Weights| self.comparison.comparable(own, weights);
        let similarity = |one: &Form, other: &Form| match (one, other) {
            (Ok(one), Ok(other)) => self.comparison.similarity(one, other),
            (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
        };
        let mut rows = vec![Vec::new(); self.sources.len()];
        let mut known: Option<(&Vec<bool>, Weights, Vec<Form>)> = None;
        for (subject, own) in self.subjects.iter().zip(&self.own) {
            // Mostly all subjects have the same stimuli.
            if known.as_ref().is_none_or(|(stimuli, ..)| *stimuli != own) {
                let weights = weights(counts, own);
                let sources = self.sources.iter().map(|source| form(source, &weights)).collect();
                known = Some((own, weights, sources));
            }
            let Some((_, weights, sources)) = &known else { continue };
            let subject = form(subject, weights);
            for (row, source) in rows.iter_mut().zip(sources) {
                row.push(similarity(&subject, source));
            }
        }
        let weights = weights(counts, &self.shared);
        let pooled: Vec<Form> = self.pooled.iter().map(|own| form(own, &weights)).collect();
        let of_subjects = || self.subjects.iter().map(|own| form(own, &weights));
        let [mut lower, mut upper] = [Vec::new(), Vec::new()];
        if let Some((all, others)) = pooled.split_last() {
            for (subject, others) in of_subjects().zip(others) {
                lower.push(similarity(&subject, others));
                upper.push(similarity(&subject, all));
            }
        }
        rows.extend([lower, upper]);
        rows
    }
}

type Form = Result<Vec<f64>, Undefined>;

fn weights(counts: &[u32], stimuli: &[bool]) -> Weights {
    Weights::of(counts.iter().zip(stimuli).map(|(count, is_there)| count * u32::from(*is_there)))
}

/// The mean of the forms but one, over pairs of `stimuli`.
fn mean_of(forms: &[Option<Vec<f64>>], left_out: Option<usize>, stimuli: &[bool]) -> Dissimilarities {
    let own = forms.iter().enumerate().filter(|(subject, _)| Some(*subject) != left_out);
    let own: Vec<&Vec<f64>> = own.filter_map(|(_, form)| form.as_ref()).collect();
    let n = stimuli.len();
    let place = |i: usize, j: usize| i * (2 * n - i - 1) / 2 + j - i - 1;
    let mean = |i, j| own.iter().map(|form| form[place(i, j)]).sum::<f64>() / own.len() as f64;
    Dissimilarities::from_fn(stimuli.to_vec(), mean)
}

/// Observed values, and those of each resample.
struct Estimating {
    observed: Vec<Vec<Outcome>>,
    drawn: Vec<Vec<Vec<Outcome>>>,
    n_stimuli: usize,
    level: f64,
}

impl Estimating {
    /// The estimate of a quantity that `of` takes from the rows of each subject.
    fn of(&self, of: impl Fn(&Rows, usize) -> Outcome) -> TwoFactorEstimate {
        let n_subjects = self.observed[0].len();
        let all = |rows: &Rows| (0..n_subjects).map(|subject| of(rows, subject)).collect::<Vec<Outcome>>();
        let drawn = self.drawn.iter().filter_map(|rows| all(rows).into_iter().collect::<Result<Vec<f64>, _>>().ok());
        TwoFactorEstimate::new(all(&self.observed), &drawn.collect::<Vec<_>>(), self.n_stimuli, self.level)
    }
}
