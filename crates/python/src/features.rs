//! Metrics of rows of features.

use crate::arrays::{Floats, Matrix, check_pairs};
use crate::averaged_trials::{Averaged, ShownImages};
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, details, scored};
use crate::work;
use neurogauge::core::{FeatureValue, Outcome};
use neurogauge::metrics::MetricError;
use neurogauge::metrics::decoding::feature_correlation::correlation;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;
use neurogauge::metrics::decoding::frame_consistency::{FramePairs, frame_consistency};
use neurogauge::metrics::decoding::identification::{
    Copies, Identification, IdentificationOptions, Others, identify_among, identify_means,
};
use neurogauge::metrics::decoding::n_way_accuracy::{NWayOptions, n_way_accuracy, n_way_details};
use neurogauge::stats::similarity::HeldRows;
use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

type CompareFeatures = fn(&[f64], &[f64]) -> Result<Outcome, MetricError>;

/// The correlation of each pair's rows, or a distance derived from it.
#[pyfunction]
pub(crate) fn feature_rows<'py>(
    py: Python<'py>,
    as_distance: bool,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
) -> PyResult<Scored<'py>> {
    let (id, compare): (&'static str, CompareFeatures) = match as_distance {
        true => ("correlation_distance", correlation_distance),
        false => ("feature_correlation", correlation),
    };
    of_pairs(py, id, &reference, &reconstruction, |_, gt, recon| compare(gt, recon))
}

/// The accuracy of each pair's classes, the classes, and the chance level.
#[pyfunction]
pub(crate) fn n_way_accuracies<'py>(
    py: Python<'py>,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    n_way: usize,
    options: &str,
) -> PyResult<(Scored<'py>, String, f64)> {
    let options: NWayOptions = options::read(options)?;
    let id = "n_way_accuracy";
    let compare = |pair, gt: &[f64], recon: &[f64]| n_way_accuracy(gt, recon, n_way, pair, &options);
    let scored = of_pairs(py, id, &reference, &reconstruction, compare)?;
    let (gt, recon) = (reference.doubles()?, reconstruction.doubles()?);
    let (gt, recon) = (gt.rows(), recon.rows());
    let classes = gt.iter().zip(&recon).map(|(gt, recon)| {
        let found = n_way_details(gt, recon, &options);
        vec![(id, "classes", found)]
    });
    Ok((scored, details(classes.collect())?, options.chance(n_way)))
}

/// The consistency of each clip's frames, which are `n_frames` consecutive rows.
#[pyfunction]
pub(crate) fn frame_consistencies<'py>(
    py: Python<'py>,
    frames: Floats<'py>,
    n_frames: usize,
    all: bool,
) -> PyResult<Scored<'py>> {
    let pairs = match all {
        true => FramePairs::All,
        false => FramePairs::Adjacent,
    };
    let frames = frames.doubles()?;
    let rows = frames.rows();
    let clips: Vec<&[&[f64]]> = rows.chunks(n_frames.max(1)).collect();
    let outcome = |clip: usize| Ok(frame_consistency(clips[clip], pairs));
    let outcomes = work::each(py, None, ("comparing frames", clips.len()), outcome)?;
    Ok(scored(py, &outcomes))
}

/// The outcome of a comparison for each pair's rows.
fn of_pairs<'py>(
    py: Python<'py>,
    id: &'static str,
    reference: &Floats<'py>,
    reconstruction: &Floats<'py>,
    compare: impl Fn(usize, &[f64], &[f64]) -> Result<Outcome, MetricError> + Send + Sync,
) -> PyResult<Scored<'py>> {
    let (gt, recon) = (reference.doubles()?, reconstruction.doubles()?);
    check_pairs("rows", gt.n_rows, recon.n_rows)?;
    let (gt, recon) = (gt.rows(), recon.rows());
    let outcome =
        |pair: usize| compare(pair, gt[pair], recon[pair]).map_err(|source| Failure::of_pair(pair, id, source));
    let outcomes = work::each(py, None, (id, gt.len()), outcome)?;
    Ok(scored(py, &outcomes))
}

/// Values, the size of the pool, the excluded others, pseudo-values, and the stimulus of each pair.
type Identified<'py> = (Scored<'py>, usize, Vec<usize>, Bound<'py, PyArray1<f64>>, Vec<usize>);

/// Identifies each pair among others, or each image by means of trials. `of` has the stimulus of each, and the trials;
/// without stimuli, those with equal rows are taken to show the same one.
#[pyfunction]
pub(crate) fn identification<'py>(
    py: Python<'py>,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    pool: Option<Floats<'py>>,
    options: &str,
    copies: &str,
    of: (Option<Vec<usize>>, Option<Averaged>),
) -> PyResult<Identified<'py>> {
    let options: IdentificationOptions = options::read(options)?;
    let copies: Copies = options::read(copies)?;
    match (&reference, &reconstruction, &pool) {
        (Floats::Single(gt), Floats::Single(recon), None | Some(Floats::Single(_))) => {
            let pool = match &pool {
                Some(Floats::Single(pool)) => Some(Matrix::of(pool)?),
                _ => None,
            };
            identified(py, [Matrix::of(gt)?, Matrix::of(recon)?], pool, &options, copies, of)
        }
        _ => {
            let pool = pool.as_ref().map(Floats::doubles).transpose()?;
            let sides = [reference.doubles()?, reconstruction.doubles()?];
            identified(py, sides, pool, &options, copies, of)
        }
    }
}

fn identified<'py, T: FeatureValue + Element>(
    py: Python<'py>,
    [gt, recon]: [Matrix<'_, T>; 2],
    pool: Option<Matrix<'_, T>>,
    options: &IdentificationOptions,
    copies: Copies,
    (stimuli, averaged): (Option<Vec<usize>>, Option<Averaged>),
) -> PyResult<Identified<'py>> {
    if averaged.is_none() {
        check_pairs("rows", gt.n_rows, recon.n_rows)?;
    }
    let (gt, recon) = (gt.rows(), recon.rows());
    let pool = pool.as_ref().map(Matrix::rows);
    let (stimuli, found) = work::run(py, None, |_| {
        let stimuli = stimuli.unwrap_or_else(|| equal_rows(&gt));
        let shown = averaged.map(|averaged| ShownImages::of(&averaged, gt.len()));
        let of_shown = |places: &[usize]| places.iter().map(|&image| stimuli[image]).collect::<Vec<usize>>();
        let of_pairs = shown.as_ref().map_or(stimuli.clone(), |shown| of_shown(&shown.images));
        let identified = || {
            let recon = HeldRows::new(&recon)?;
            let pool = pool.as_deref().map(HeldRows::new).transpose()?;
            let others = match &pool {
                Some(pool) => Others::Pool(pool),
                None => Others::Pairs {
                    stimuli: Some(&of_pairs),
                    copies,
                    clusters: None,
                    parts: None,
                },
            };
            let Some(shown) = &shown else {
                return identify_among(&HeldRows::new(&gt)?, &recon, others, options);
            };
            let gt: Vec<&[T]> = shown.images.iter().map(|&image| gt[image]).collect();
            let found = identify_means(&HeldRows::new(&gt)?, &recon, &shown.subsets, others, options)?;
            let of_all = |outcomes| shown.of_all(stimuli.len(), outcomes);
            Ok(Identification {
                outcomes: of_all(found.outcomes),
                pseudo_values: of_all(found.pseudo_values),
                ..found
            })
        };
        match identified() {
            Ok(found) => Ok((stimuli, found)),
            Err(source) => Err(Failure::of_all("two_way_identification", source)),
        }
    })?;
    let Identification {
        outcomes,
        n_others,
        left_out,
        pseudo_values,
    } = found;
    let left_out = left_out.into_iter().map(|(other, _)| other).collect();
    let (pseudo_values, _) = scored(py, &pseudo_values);
    Ok((scored(py, &outcomes), n_others, left_out, pseudo_values, stimuli))
}

/// For each row, the index of the first row that is equal to it.
fn equal_rows<T: FeatureValue>(rows: &[&[T]]) -> Vec<usize> {
    let mut first: HashMap<Bits<'_, T>, usize> = HashMap::new();
    rows.iter().enumerate().map(|(place, &row)| *first.entry(Bits(row)).or_insert(place)).collect()
}

/// A row of features that can be compared: rows are equal if all their values are, and zeros of either sign are equal.
struct Bits<'a, T>(&'a [T]);

impl<T: FeatureValue> Bits<'_, T> {
    fn all(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|&value| (value.into() + 0.0).to_bits())
    }
}

impl<T: FeatureValue> PartialEq for Bits<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.all().eq(other.all())
    }
}

impl<T: FeatureValue> Eq for Bits<'_, T> {}

impl<T: FeatureValue> Hash for Bits<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all().for_each(|bits| state.write_u64(bits));
    }
}
