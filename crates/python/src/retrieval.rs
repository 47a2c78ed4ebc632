//! Retrieval of images by embeddings decoded from brains, and the reverse.

use crate::arrays::{Floats, Matrix, check_pairs};
use crate::averaged_trials::{Averaged, ShownImages};
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::work;
use neurogauge::core::{FeatureValue, Outcome, Undefined};
use neurogauge::metrics::decoding::retrieval::{RetrievalOptions, retrieve, retrieve_means};
use neurogauge::stats::similarity::HeldRows;
use neurogauge::stats::summarise_repeats;
use neurogauge::stats::u_statistic::{IdentificationScores, estimate_of_stimuli};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;

/// The share found in each draw, with mean, standard deviation and interval.
type Draws<'py> = (Bound<'py, PyArray1<f64>>, f64, f64, Option<(f64, f64)>);

/// The expectation of each item, the mean of these with its interval, and the results of the draws.
#[pyfunction]
pub(crate) fn retrieval<'py>(
    py: Python<'py>,
    direction: &str,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    options: &str,
    over: Bootstrap,
    averaged: Option<Averaged>,
) -> PyResult<(Scored<'py>, Summary, Draws<'py>)> {
    let is_forward = match direction {
        "forward" => true,
        "backward" => false,
        _ => {
            let expected = "expected \"forward\" (brain to image) or \"backward\"";
            return Err(Failure::Usage(format!("direction is {direction:?}; {expected}")).into());
        }
    };
    let options: RetrievalOptions = options::read(options)?;
    match (&reference, &reconstruction) {
        (Floats::Single(image), Floats::Single(brain)) => {
            let sides = [Matrix::of(image)?, Matrix::of(brain)?];
            retrieved(py, is_forward, sides, &options, over, averaged)
        }
        _ => {
            let sides = [reference.doubles()?, reconstruction.doubles()?];
            retrieved(py, is_forward, sides, &options, over, averaged)
        }
    }
}

fn retrieved<'py, T: FeatureValue + Element>(
    py: Python<'py>,
    is_forward: bool,
    [image, brain]: [Matrix<'_, T>; 2],
    options: &RetrievalOptions,
    over: Bootstrap,
    averaged: Option<Averaged>,
) -> PyResult<(Scored<'py>, Summary, Draws<'py>)> {
    if averaged.is_none() {
        check_pairs("embeddings", image.n_rows, brain.n_rows)?;
    }
    let n_items = image.n_rows;
    let shown = averaged.map(|averaged| ShownImages::of(&averaged, n_items));
    let (image, brain) = (image.rows(), brain.rows());
    let over = bootstrap(over)?;
    let (outcomes, mean, shares, draws) = work::run(py, None, move |_| {
        let found = match &shown {
            None => retrieve(&brain.iter().copied().zip(image.iter().copied()).collect::<Vec<_>>(), options),
            Some(shown) => {
                let of = |&place: &usize| image[place].iter().map(|&value| value.into()).collect();
                let images: Vec<Vec<f64>> = shown.images.iter().map(of).collect();
                let images: Vec<&[f64]> = images.iter().map(Vec::as_slice).collect();
                retrieve_means(&HeldRows::new(&brain)?, &images, &shown.subsets, options)
            }
        };
        let found = found.map_err(|e| Failure::of_all("retrieval", e))?;
        let of_direction = if is_forward { found.forward } else { found.backward };
        let expected: Vec<Outcome> = of_direction.expected.into_iter().map(Ok).collect();
        // As for the command, the interval is over the items that took part.
        let (pseudo, stimuli) = (&of_direction.pseudo_values, &found.stimuli);
        let mut mean = estimate_of_stimuli(IdentificationScores::of(&expected, pseudo), stimuli, (0.0, 1.0), &over)?;
        mean.n_undefined = found.left_out.len();
        let draws = summarise_repeats(&of_direction.repeats, over.level)
            .ok_or_else(|| Failure::Usage("repeats is 0; expected at least 1".to_owned()))?;
        let expected = match &shown {
            None => expected,
            Some(shown) => return Ok((shown.of_all(n_items, expected), mean, of_direction.repeats, draws)),
        };
        let mut outcomes: Vec<Outcome> = vec![Err(Undefined::NoPairs); n_items];
        for (item, outcome) in found.items.into_iter().zip(expected) {
            outcomes[item] = outcome;
        }
        for (item, reason) in found.left_out {
            outcomes[item] = Err(reason);
        }
        Ok((outcomes, mean, of_direction.repeats, draws))
    })?;
    let shares = PyArray1::from_vec(py, shares);
    let draws = (shares, draws.mean, draws.sd, draws.interval);
    Ok((scored(py, &outcomes), summary(&mean), draws))
}
