//! Compares captions with captions by their words.

use crate::arrays::{Floats, Matrix};
use crate::errors::{Failure, bug};
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::work;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::language::WordNet;
use neurogauge::language::ptb_caption_words;
use neurogauge::metrics;
use neurogauge::metrics::decoding::captioning::{BleuCounts, bleu_counts, clip_score, ref_clip_score};
use neurogauge::stats::estimate_statistic;
use neurogauge::{CaptionTools, Error, dictionary_of};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::path::PathBuf;

type Words = Vec<Vec<String>>;

fn words(references: &[Vec<String>], captions: &[String]) -> (Vec<Words>, Words) {
    let of = |text: &String| ptb_caption_words(text);
    let references = references.par_iter();
    (
        references.map(|texts| texts.iter().map(of).collect()).collect(),
        captions.par_iter().map(of).collect(),
    )
}

/// BLEU-1 to BLEU-4 of each caption, and of all captions together with intervals.
#[pyfunction]
pub(crate) fn bleu<'py>(
    py: Python<'py>,
    references: Vec<Vec<String>>,
    captions: Vec<String>,
    options: Bootstrap,
) -> PyResult<Vec<(Scored<'py>, Summary)>> {
    let found = work::run(py, None, move |_| {
        let over = bootstrap(options)?;
        let (references, captions) = words(&references, &captions);
        let images = captions.par_iter().zip(&references);
        let counts: Vec<Result<BleuCounts, Undefined>> = images.map(|(words, of)| bleu_counts(words, of)).collect();
        let of_n = |n: usize| {
            let corpus = |drawn: &[u32]| {
                let mut total = BleuCounts::default();
                for &image in drawn {
                    total += *counts[image as usize].as_ref().ok()?;
                }
                Some(total.scores()[n])
            };
            let outcome = |counts: &Result<BleuCounts, Undefined>| counts.clone().map(|counts| counts.scores()[n]);
            let outcomes: Vec<Outcome> = counts.iter().map(outcome).collect();
            let estimate = estimate_statistic(counts.len(), corpus, &over)?;
            Ok((outcomes, estimate))
        };
        (0..4).map(of_n).collect::<Result<Vec<_>, Failure>>()
    })?;
    Ok(found.iter().map(|(outcomes, estimate)| (scored(py, outcomes), summary(estimate))).collect())
}

/// A word-based metric for each caption. METEOR looks words up in WordNet's folder; if none is given, in the installed
/// one.
#[pyfunction]
pub(crate) fn caption_words<'py>(
    py: Python<'py>,
    metric: &str,
    references: Vec<Vec<String>>,
    captions: Vec<String>,
    stemming: bool,
    folders: (Option<PathBuf>, Option<PathBuf>),
) -> PyResult<Scored<'py>> {
    let metric = metrics::find(metric).ok_or_else(bug)?;
    let outcomes: Vec<Outcome> = work::run(py, None, move |_| {
        let (wordnet, punkt) = folders;
        let wordnet = dictionary_of(metric, wordnet.as_deref()).map_err(Failure::Usage)?.map(WordNet::open).transpose();
        let wordnet = wordnet.map_err(Error::from)?;
        let tools = CaptionTools::new(wordnet.as_ref(), stemming, punkt.as_deref())?;
        let pairs = references.iter().zip(&captions);
        let pairs = pairs.map(|(of, caption)| {
            let references: Vec<&str> = of.iter().map(String::as_str).collect();
            (references, caption.as_str())
        });
        Ok(tools.scores(metric, &pairs.collect::<Vec<_>>()))
    })?;
    Ok(scored(py, &outcomes))
}

/// CLIP-S for each pair, or RefCLIP-S if there are embeddings of reference captions.
#[pyfunction]
pub(crate) fn clip_s<'py>(
    py: Python<'py>,
    images: Floats<'py>,
    captions: Floats<'py>,
    references: Option<Vec<Floats<'py>>>,
) -> PyResult<Scored<'py>> {
    let (images, captions) = (images.doubles()?, captions.doubles()?);
    let (images, captions) = (images.rows(), captions.rows());
    let references = references.iter().flatten().map(Floats::doubles);
    let references = references.collect::<Result<Vec<_>, _>>()?;
    let references: Vec<Vec<&[f64]>> = references.iter().map(Matrix::rows).collect();
    let outcome = |pair: usize| match (images[pair], captions[pair], references.get(pair)) {
        (image, caption, Some(references)) => {
            ref_clip_score(image, caption, references).map_err(|source| Failure::of_pair(pair, "ref_clip_s", source))
        }
        (image, caption, None) => clip_score(image, caption).map_err(|source| Failure::of_pair(pair, "clip_s", source)),
    };
    let n_pairs = images.len().min(captions.len());
    let outcomes = work::each(py, None, ("comparing captions", n_pairs), outcome)?;
    Ok(scored(py, &outcomes))
}
