//! Cap-Sim, the embeddings that it compares, and VQAScore.

use crate::arrays::{Floats, Matrix, check_pairs};
use crate::errors::Failure;
use crate::outcomes::{Scored, scored};
use crate::{options, work};
use neurogauge::core::{Side, Undefined};
use neurogauge::metrics::decoding::cap_sim::{References, cap_sim as similarity};
use neurogauge::metrics::decoding::vqa_score::vqa_score as score_of;
use neurogauge::models::vlm::{Beginning, YesNo};
use neurogauge::{RunSettings, embed_texts};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Cap-Sim for each pair, from embeddings of the reference captions and of the decoded caption.
#[pyfunction]
pub(crate) fn cap_sim<'py>(
    py: Python<'py>,
    references: Vec<Floats<'py>>,
    captions: Floats<'py>,
    how: &str,
) -> PyResult<Scored<'py>> {
    let how: References = options::word("references", how)?;
    let captions = captions.doubles()?;
    check_pairs("captions", references.len(), captions.n_rows)?;
    let references = references.iter().map(Floats::doubles);
    let references = references.collect::<Result<Vec<_>, _>>()?;
    let captions = captions.rows();
    let references: Vec<Vec<&[f64]>> = references.iter().map(Matrix::rows).collect();
    let outcome = |pair: usize| match references[pair].as_slice() {
        [] => Ok(Err(Undefined::NoCaption(Side::Gt))),
        references => {
            similarity(references, captions[pair], how).map_err(|source| Failure::of_pair(pair, "cap_sim", source))
        }
    };
    let outcomes = work::each(py, None, ("comparing captions", captions.len()), outcome)?;
    Ok(scored(py, &outcomes))
}

/// Sentence embeddings, (n texts, n features).
#[pyfunction]
pub(crate) fn embed<'py>(
    py: Python<'py>,
    texts: Vec<String>,
    encoder: &str,
    weights: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let settings = RunSettings {
        weights,
        allow_download: true,
        ..RunSettings::default()
    };
    let n_texts = texts.len();
    let (n_features, values) = work::run(py, progress, |work| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(embed_texts(&texts, encoder, &settings, work)?)
    })?;
    numpy::PyArray1::from_vec(py, values).reshape([n_texts, n_features])
}

/// The score of each pair, from the likeliest beginnings of its answer.
#[pyfunction]
pub(crate) fn vqa_score(py: Python<'_>, beginnings: Vec<Vec<(String, f64)>>) -> Scored<'_> {
    let listed = |of_pair: Vec<(String, f64)>| of_pair.into_iter().map(|(token, logprob)| Beginning { token, logprob });
    let outcomes = beginnings.into_iter().map(|of_pair| {
        let read = YesNo::among(&listed(of_pair).collect::<Vec<_>>());
        score_of(read.ok().map(|said| said.yes))
    });
    scored(py, &outcomes.collect::<Vec<_>>())
}
