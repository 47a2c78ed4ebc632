//! Sources beside subjects: similarities, their intervals, noise ceilings and differences.

use super::comparison::{Ordered, Weights};
use super::{Dissimilarities, RdmComparison};
use crate::region_estimates::{SubjectValues, estimate_region};
use crate::{AlignmentError, Quantity, RegionEstimates};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::BootstrapOptions;
use std::slice::from_ref;

/// Compares sources with subjects.
///
/// A source's similarity is the mean over subjects, each over the stimuli that this subject and all sources have, as a
/// [`TwoFactorEstimate`](crate::TwoFactorEstimate).
///
/// Ceilings compare every subject with the mean over subjects of [`Dissimilarities`] divided by their root mean square
/// (for correlations z-scored, for rank correlations ranked), over the stimuli that all have.
///
/// Cosines are above 0 for every source, and higher for one whose dissimilarities vary little: neither they nor their
/// differences have a p.
///
/// - Undefined: a value of a subject is, and then the mean.
/// - Errors: no subject, no source, different numbers of stimuli, options out of range.
/// - Reference: values and ceilings rsatoolbox 0.3.2 (`eval_fixed`), to 1e-12; `docs/pages/project/calibration.md` has
///   the coverage of the intervals.
pub fn evaluate_rsa(
    subjects: &[Dissimilarities],
    sources: &[Dissimilarities],
    comparison: RdmComparison,
    options: &BootstrapOptions,
) -> Result<RegionEstimates, AlignmentError> {
    let study = Compared::new(subjects, sources, comparison)?;
    let quantities = [
        (Quantity::Similarity, comparison.has_zero_chance()),
        (Quantity::LowerCeiling, false),
        (Quantity::UpperCeiling, false),
        (Quantity::BelowCeiling, true),
    ];
    let quantities = &quantities[..if subjects.len() > 1 { quantities.len() } else { 1 }];
    let n_shared = study.shared.iter().filter(|is_shared| **is_shared).count();
    estimate_region(quantities, (study.shared.len(), n_shared), (options, 1.0), |counts| study.values(counts))
}

/// The similarity of two matrices of dissimilarities, over the pairs of stimuli that both have, for a resample that has
/// `counts` copies of each stimulus. Copies of one stimulus have no dissimilarity from each other.
///
/// - Range: −1 to 1; higher is more alike. Chance is 0, but not of cosines.
/// - Undefined: fewer than two pairs in common; all dissimilarities equal (for cosines: zero).
/// - Errors: different numbers of stimuli.
/// - Reference: rsatoolbox 0.3.2 (`compare`: spearman, tau-a, tau-b, corr, cosine, cosine_cov), to 1e-12.
///
/// ```
/// use neurogauge_alignment::rsa::{Dissimilarities, RdmComparison, compare_dissimilarities};
/// let of = |d: [f64; 3]| Dissimilarities::from_fn(vec![true; 3], |i, j| d[i + j - 1]);
/// let (one, other) = (of([1.0, 2.0, 3.0]), of([1.0, 3.0, 2.0]));
/// let found = compare_dissimilarities(&one, &other, RdmComparison::Spearman, &[1; 3])?;
/// assert!((found.unwrap() - 0.5).abs() < 1e-15);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
pub fn compare_dissimilarities(
    one: &Dissimilarities,
    other: &Dissimilarities,
    comparison: RdmComparison,
    counts: &[u32],
) -> Result<Outcome, AlignmentError> {
    if counts.len() != one.n_stimuli() {
        return Err(AlignmentError::stimulus_count("the list of counts", counts.len(), one.n_stimuli()));
    }
    Ok(Compared::new(from_ref(one), from_ref(other), comparison)?.values(counts)[0][0][0].clone())
}

struct Compared {
    subjects: Vec<Ordered>,
    sources: Vec<Ordered>,
    /// For each subject the mean of the others, then the mean of all; empty for a single subject.
    pooled: Vec<Ordered>,
    comparison: RdmComparison,
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
        let with_sources = |own: &[Dissimilarities]| -> Vec<bool> {
            let have = |stimulus: usize| own.iter().chain(sources).all(|own| own.is_present()[stimulus]);
            (0..n_stimuli).map(have).collect()
        };
        let ordered = |all: &[Dissimilarities]| all.iter().cloned().map(Ordered::of).collect::<Vec<Ordered>>();
        let mut study = Compared {
            subjects: ordered(subjects),
            sources: ordered(sources),
            pooled: Vec::new(),
            comparison,
            own: subjects.iter().map(|own| with_sources(from_ref(own))).collect(),
            shared: with_sources(subjects),
        };
        if subjects.len() > 1 {
            // Without a subject that has no value.
            let weights = Weights::of(&vec![1; n_stimuli], &study.shared);
            let forms = study.subjects.iter().map(|own| own.pooled_form(comparison, &weights).ok());
            let forms: Vec<Option<Vec<f64>>> = forms.collect();
            let without = (0..forms.len()).map(Some).chain([None]);
            study.pooled = without.map(|left_out| Ordered::of(mean_of(&forms, left_out, &study.shared))).collect();
        }
        Ok(study)
    }

    /// The similarities in a resample; `counts` says how often it has each stimulus.
    fn values(&self, counts: &[u32]) -> SubjectValues {
        let form = |own: &Ordered, weights: &Weights| self.comparison.comparable(own, weights);
        let similarity = |one: &Form, other: &Form| match (one, other) {
            (Ok(one), Ok(other)) => self.comparison.similarity(one, other),
            (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
        };
        let shared = Weights::of(counts, &self.shared);
        let forms =
            |all: &[Ordered], weights: &Weights| all.iter().map(|own| form(own, weights)).collect::<Vec<Form>>();
        let (pooled, of_shared) = (forms(&self.pooled, &shared), forms(&self.sources, &shared));
        let of_subject = |(place, (subject, own)): (usize, (&Ordered, &Vec<bool>))| {
            let in_shared = form(subject, &shared);
            let ceilings: Vec<Outcome> = match pooled.split_last() {
                None => Vec::new(),
                Some((all, others)) => [&others[place], all].map(|pooled| similarity(&in_shared, pooled)).into(),
            };
            // Mostly all subjects have the same stimuli.
            let different = (*own != self.shared).then(|| {
                let weights = Weights::of(counts, own);
                (form(subject, &weights), forms(&self.sources, &weights))
            });
            let (subject, sources) = different.as_ref().map_or((&in_shared, &of_shared), |(own, all)| (own, all));
            let of_source = |source: &Form| {
                let own = similarity(subject, source);
                let below = ceilings.first().map(|lower| Ok(lower.clone()? - own.clone()?));
                [own].into_iter().chain(ceilings.iter().cloned()).chain(below).collect()
            };
            sources.iter().map(of_source).collect()
        };
        self.subjects.iter().zip(&self.own).enumerate().map(of_subject).collect()
    }
}

type Form = Result<Vec<f64>, Undefined>;

/// The mean of the forms but one, over pairs of `stimuli`.
fn mean_of(forms: &[Option<Vec<f64>>], left_out: Option<usize>, stimuli: &[bool]) -> Dissimilarities {
    let own = forms.iter().enumerate().filter(|(subject, _)| Some(*subject) != left_out);
    let own: Vec<&Vec<f64>> = own.filter_map(|(_, form)| form.as_ref()).collect();
    let n = stimuli.len();
    let place = |i: usize, j: usize| i * (2 * n - i - 1) / 2 + j - i - 1;
    let mean = |i, j| own.iter().map(|form| form[place(i, j)]).sum::<f64>() / own.len() as f64;
    Dissimilarities::from_fn(stimuli.to_vec(), mean)
}
