//! Captions against captions, by their words.

use crate::arrays::Matrix;
use crate::errors::Failure;
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::work;
use neurogauge::core::stopping::stop_if_asked;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::language::ptb_caption_words;
use neurogauge::metrics::decoding::captioning::{
    BleuCounts, Cider, bleu_counts, clip_score, ref_clip_score, rouge_l,
};
use neurogauge::stats::estimate_statistic;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use rayon::prelude::*;

type Words = Vec<Vec<String>>;

fn words(references: &[Vec<String>], captions: &[String]) -> (Vec<Words>, Words) {
    let of = |text: &String| ptb_caption_words(text);
    let references = references.par_iter();
    (
        references
            .map(|texts| texts.iter().map(of).collect())
            .collect(),
        captions.par_iter().map(of).collect(),
    )
}

/// BLEU-1 to BLEU-4: of each caption, and of all together with their intervals.
#[pyfunction]
fn bleu<'py>(
    py: Python<'py>,
    references: Vec<Vec<String>>,
    captions: Vec<String>,
    options: Bootstrap,
) -> PyResult<Vec<(Scored<'py>, Summary)>> {
    let found = work::run(py, None, move |_| {
        let over = bootstrap(options)?;
        let (references, captions) = words(&references, &captions);
        let images = captions.par_iter().zip(&references);
        let counts: Vec<Result<BleuCounts, Undefined>> =
            images.map(|(words, of)| bleu_counts(words, of)).collect();
        let of_n = |n: usize| {
            let corpus = |drawn: &[u32]| {
                let mut total = BleuCounts::default();
                for &image in drawn {
                    total += *counts[image as usize].as_ref().ok()?;
                }
                Some(total.scores()[n])
            };
            let outcome = |counts: &Result<BleuCounts, Undefined>| {
                counts.clone().map(|counts| counts.scores()[n])
            };
            let outcomes: Vec<Outcome> = counts.iter().map(outcome).collect();
            let estimate = estimate_statistic(counts.len(), corpus, &over)?;
            Ok((outcomes, estimate))
        };
        (0..4).map(of_n).collect::<Result<Vec<_>, Failure>>()
    })?;
    let found = found.iter();
    Ok(found
        .map(|(outcomes, estimate)| (scored(py, outcomes), summary(estimate)))
        .collect())
}

/// ROUGE-L of each caption.
#[pyfunction]
fn rouge<'py>(
    py: Python<'py>,
    references: Vec<Vec<String>>,
    captions: Vec<String>,
) -> PyResult<Scored<'py>> {
    let outcomes: Vec<Outcome> = work::run(py, None, move |_| {
        let (references, captions) = words(&references, &captions);
        let images = captions.par_iter().zip(&references);
        let score = |(words, of): (&Vec<String>, &Words)| {
            stop_if_asked();
            rouge_l(words, of)
        };
        Ok(images.map(score).collect())
    })?;
    Ok(scored(py, &outcomes))
}

/// CIDEr of each caption; rare runs of words are rare among all these references.
#[pyfunction]
fn cider<'py>(
    py: Python<'py>,
    references: Vec<Vec<String>>,
    captions: Vec<String>,
) -> PyResult<Scored<'py>> {
    let outcomes: Vec<Outcome> = work::run(py, None, move |_| {
        let (references, captions) = words(&references, &captions);
        let cider = Cider::new(&references);
        let captions = captions.par_iter().enumerate();
        let score = |(image, words): (usize, &Vec<String>)| {
            stop_if_asked();
            cider.score(image, words)
        };
        Ok(captions.map(score).collect())
    })?;
    Ok(scored(py, &outcomes))
}

/// CLIP-S, or with embeddings of reference captions RefCLIP-S, of each pair.
#[pyfunction]
fn clip_s<'py>(
    py: Python<'py>,
    images: PyReadonlyArray2<'py, f32>,
    captions: PyReadonlyArray2<'py, f32>,
    references: Option<Vec<PyReadonlyArray2<'py, f32>>>,
) -> PyResult<Scored<'py>> {
    let images = Matrix::of(&images)?.rows();
    let captions = Matrix::of(&captions)?.rows();
    let references: Option<Vec<Vec<&[f32]>>> = match &references {
        Some(references) => {
            let rows = references.iter().map(|rows| Ok(Matrix::of(rows)?.rows()));
            Some(rows.collect::<Result<_, Failure>>()?)
        }
        None => None,
    };
    let outcomes: Vec<Outcome> = work::run(py, None, move |_| {
        let pairs = images.iter().zip(&captions).enumerate();
        pairs
            .map(|(pair, (image, caption))| match &references {
                Some(references) => ref_clip_score(image, caption, &references[pair])
                    .map_err(|source| Failure::of_pair(pair, "ref_clip_s", source)),
                None => clip_score(image, caption)
                    .map_err(|source| Failure::of_pair(pair, "clip_s", source)),
            })
            .collect()
    })?;
    Ok(scored(py, &outcomes))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(bleu, module)?)?;
    module.add_function(wrap_pyfunction!(rouge, module)?)?;
    module.add_function(wrap_pyfunction!(cider, module)?)?;
    module.add_function(wrap_pyfunction!(clip_s, module)?)
}
