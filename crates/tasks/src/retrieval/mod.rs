//! `neurogauge score embeddings`: retrieval of images by embeddings decoded from the brain.
//!
//! [`retrieval()`] reads two files of embeddings and computes the result with [`retrieve`]. It returns a
//! [`RetrievalRecord`], which is a [`Report`].

mod record;
mod trials;

pub use record::{RetrievalEstimate, RetrievalRecord, RetrievalRequest};
pub use trials::AveragedRetrieval;

use neurogauge::core::pair::{Form, listed};
use neurogauge::core::{Estimate, FeatureValue, Features, Finding, Pair, counted};
use neurogauge::formats::embeddings::{self, Embeddings};
use neurogauge::formats::member::split_member;
use neurogauge::formats::{Problem, recipe};
use neurogauge::metrics::decoding::identification::Copies;
use neurogauge::metrics::decoding::retrieval::{Found, Retrieval, retrieve};
use neurogauge::report::{Format, Table};
use neurogauge::stats::u_statistic::{IdentificationScores, estimate_of_stimuli};
use neurogauge::stats::{Similarity, StatsError, summarise_repeats};
use neurogauge::{Error, InputRecord, Provenance, Report, ResultFiles};
use std::collections::HashMap;
use std::path::PathBuf;

/// Retrieves images by brain embeddings, and the reverse, in the precision of the files.
pub fn retrieval(request: &RetrievalRequest) -> Result<RetrievalRecord, Error> {
    let (brain, image) = (&request.brain, &request.image);
    match embeddings::is_double(brain)? || embeddings::is_double(image)? {
        true => retrieved(request, &embeddings::read_exactly(brain)?, &embeddings::read_exactly(image)?),
        false => retrieved(request, &embeddings::read(brain)?, &embeddings::read(image)?),
    }
}

fn retrieved<T: FeatureValue>(
    request: &RetrievalRequest,
    brain: &Embeddings<T>,
    image: &Embeddings<T>,
) -> Result<RetrievalRecord, Error> {
    let (pairs, told) = match &request.trials {
        Some(file) => trials::pairs(file, brain, image)?,
        None => pairs(request, brain, image)?,
    };
    let rows: Vec<(&[T], &[T])> =
        pairs.iter().map(|pair| (brain.rows.row(pair.recon), image.rows.row(pair.gt))).collect();
    name_rows_left_out(request, &pairs, &rows)?;
    let found = retrieve(&rows, &request.options).map_err(|source| Error::AllPairs {
        figure: "retrieval",
        source,
    })?;
    let seed = request.options.seed.0;
    let mut provenance = Provenance::new(record::SCHEMA, "retrieve", Some(seed));
    let inputs = &mut provenance.inputs;
    let mut findings = [told, findings(&found, &pairs, request.options.copies)].concat();
    for (role, read) in [("brain", brain), ("image", image)] {
        inputs.extend(InputRecord::of_embeddings(role, read)?);
        findings.extend(recipe::warning::<Features>(&read.file)?);
    }
    if let Some(file) = &request.trials {
        provenance.read("trials", &split_member(file).0)?;
    }
    Ok(RetrievalRecord {
        provenance,
        request: request.clone(),
        paired_by_ids: brain.ids.is_some(),
        n_items: found.items.len(),
        n_features: brain.rows.n_features(),
        chance: request.options.top_k as f64 / request.options.candidates as f64,
        findings,
        averaged: trials::averaged(request, &pairs, brain, image)?,
        forward: summed_up(&found.forward, &found.stimuli, request)?,
        backward: summed_up(&found.backward, &found.stimuli, request)?,
    })
}

/// Names the first row without a similarity if, because of such rows, too few items are left.
fn name_rows_left_out<T: FeatureValue>(
    request: &RetrievalRequest,
    pairs: &[Pair],
    rows: &[(&[T], &[T])],
) -> Result<(), Error> {
    let similarity = request.options.similarity;
    let lacks = |row: &[T]| {
        let alike = match similarity {
            Similarity::Cosine => Some(0.0),
            Similarity::Correlation => row.first().map(|&first| first.into()),
            Similarity::Euclidean => None,
        };
        alike.is_some_and(|one: f64| row.iter().all(|&value| value.into() == one))
    };
    let sides = pairs.iter().zip(rows).filter_map(|(pair, (brain, image))| match (lacks(brain), lacks(image)) {
        (true, _) => Some((&request.brain, pair.recon)),
        (false, true) => Some((&request.image, pair.gt)),
        (false, false) => None,
    });
    let lacking: Vec<(&PathBuf, usize)> = sides.collect();
    let n_left = pairs.len() - lacking.len();
    let enough = request.options.candidates <= n_left || request.options.candidates > pairs.len();
    let Some((path, row)) = lacking.first().filter(|_| !enough) else {
        return Ok(());
    };
    let (defect, measure) = match similarity {
        Similarity::Cosine => ("all zeros", "cosine"),
        Similarity::Correlation | Similarity::Euclidean => ("one value throughout", "correlation"),
    };
    let reason = format!(
        "{defect}, so it has no {measure}; without such rows {n_left} items are left, fewer than --candidates {}: repair the row, or \
         take fewer candidates",
        request.options.candidates
    );
    Err(Problem::invalid(format!("row {row} (counted from 0)"), reason).at(path).into())
}

/// The matching rows of both files, and what was found while they were paired; the image is the stimulus of a pair.
fn pairs<T>(
    request: &RetrievalRequest,
    brain: &Embeddings<T>,
    image: &Embeddings<T>,
) -> Result<(Vec<Pair>, Vec<Finding>), Error> {
    let shape = |read: &Embeddings<T>| (read.rows.ids().len(), read.rows.n_features());
    let (brain_shape, image_shape) = (shape(brain), shape(image));
    let by_ids = brain.ids.is_some() && image.ids.is_some();
    if brain.ids.is_some() != image.ids.is_some() {
        let (with, without) = if brain.ids.is_some() {
            (&request.brain, &request.image)
        } else {
            (&request.image, &request.brain)
        };
        return Err(Error::Usage(format!(
            "{} has an ids.json beside it and {} has none: rows pair up by ids or by position; add \
             the other ids.json, or move this one away",
            with.display(),
            without.display()
        )));
    }
    if brain_shape.1 != image_shape.1 || (!by_ids && brain_shape.0 != image_shape.0) {
        return Err(Error::Data(format!(
            "{} holds {} embeddings of {} values and {} holds {} of {}; both must have as many values, and as many rows \
             unless an ids.json beside each says which row is which",
            request.brain.display(),
            brain_shape.0,
            brain_shape.1,
            request.image.display(),
            image_shape.0,
            image_shape.1
        )));
    }
    let sides = ((image.rows.ids(), request.image.as_path()), (brain.rows.ids(), request.brain.as_path()));
    let (paired, findings) = request.pairs.pair(("embeddings", Form::of_rows(by_ids)), sides.0, sides.1)?;
    Ok((paired.pairs, findings))
}

fn findings(found: &Retrieval, pairs: &[Pair], copies: Copies) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut n_of = HashMap::new();
    for stimulus in &found.stimuli {
        *n_of.entry(*stimulus).or_insert(0_usize) += 1;
    }
    let repeated = || n_of.values().filter(|n| **n > 1);
    if repeated().count() > 0 {
        let (n_items, n_images) = (repeated().sum::<usize>(), repeated().count());
        let what = match copies {
            Copies::LeaveOut => "none is in the way of another item of its image",
            Copies::Keep => "items of one image are distractors of each other, too, and tie",
        };
        findings.push(Finding::warning(
            "repeated_stimuli",
            "retrieval",
            format!(
                "{n_items} items show {n_images} images, each several times (their image embeddings are equal): {what}; intervals of \
                 expectations take an image and all its items as one"
            ),
        ));
    }
    if found.left_out.is_empty() {
        return findings;
    }
    let shown = listed(found.left_out.iter().map(|(item, _)| pairs[*item].stem.as_str()));
    findings.push(Finding::warning(
        "left_out_of_retrieval",
        "retrieval",
        format!(
            "{} left out, since the embedding is similar to none (zero throughout, or for correlation constant): {shown}",
            counted(found.left_out.len(), "item")
        ),
    ));
    findings
}

fn summed_up(found: &Found, stimuli: &[usize], request: &RetrievalRequest) -> Result<RetrievalEstimate, Error> {
    let level = request.bootstrap.level;
    let repeats = summarise_repeats(&found.repeats, level).ok_or_else(StatsError::empty_sample)?;
    let expected = expectation(found, stimuli, request)?;
    Ok(RetrievalEstimate {
        mean: repeats.mean,
        sd: repeats.sd,
        interval: repeats.interval,
        repeats: found.repeats.clone(),
        expected: expected.value.ok(),
        expected_interval: expected.interval,
    })
}

/// The mean over items, with an interval for new images and new candidates.
fn expectation(found: &Found, stimuli: &[usize], request: &RetrievalRequest) -> Result<Estimate, StatsError> {
    let outcomes = found.outcomes();
    let scores = IdentificationScores::of(&outcomes, &found.pseudo_values);
    estimate_of_stimuli(scores, stimuli, (0.0, 1.0), &request.bootstrap)
}

impl Report for RetrievalRecord {
    const FILES: ResultFiles = ResultFiles::of("retrieval.json", "retrieval", &[Format::Markdown, Format::Csv]);
    type Record = Self;

    fn record(&self) -> &Self {
        self
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        format!("{} items retrieved in both directions", self.n_items)
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        let averaged = (!self.averaged.is_empty()).then(|| record::averaged(self));
        [record::reading(self)].into_iter().chain(averaged).collect()
    }

    fn full(&self) -> Option<Table> {
        Some(record::full(self))
    }
}
