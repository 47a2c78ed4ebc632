//! The request, and `retrieval.json`: the results, everything needed to repeat them, and their tables.

use super::AveragedRetrieval;
use crate::pairs::PairsRequest;
use neurogauge::core::Finding;
use neurogauge::formats::recipe;
use neurogauge::metrics::decoding::identification::Ties;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::report::{Cell, Table, dagger_note, marked};
use neurogauge::stats::{BootstrapOptions, MeanInterval, Similarity};
use neurogauge::{Provenance, other_images};
use serde::Serialize;
use std::path::PathBuf;

/// Increased when the layout of `retrieval.json` changes.
pub(super) const SCHEMA: u32 = 1;

/// Two files of embeddings, and how one is searched by the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RetrievalRequest {
    pub brain: PathBuf,
    pub image: PathBuf,
    #[serde(flatten)]
    pub pairs: PairsRequest,
    /// The image of each row of `brain`, if its rows are trials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<PathBuf>,
    /// Numbers of trials of an image that are averaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub averaged: Vec<usize>,
    pub options: RetrievalOptions,
    /// The interval of the expectation, and the level of both intervals.
    pub bootstrap: BootstrapOptions,
}

/// The content of `retrieval.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetrievalRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: RetrievalRequest,
    /// Were rows paired by ids, rather than by position?
    pub paired_by_ids: bool,
    pub n_items: usize,
    pub n_features: usize,
    pub chance: f64,
    pub findings: Vec<Finding>,
    /// Brain to image.
    pub forward: RetrievalEstimate,
    /// Image to brain.
    pub backward: RetrievalEstimate,
    /// Retrieval by averages of trials, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub averaged: Vec<AveragedRetrieval>,
}

/// A summary of retrieval in one direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetrievalEstimate {
    /// Mean share found over the draws of candidates.
    pub mean: f64,
    pub sd: f64,
    /// Normal interval of the mean over draws.
    pub interval: Option<(f64, f64)>,
    pub repeats: Vec<f64>,
    /// The limit for many draws.
    pub expected: Option<f64>,
    /// Its interval for new items and new candidates (convention `identification-intervals`).
    pub expected_interval: Option<(f64, f64)>,
}

/// Chance may be below a hundredth.
const CHANCE_DECIMALS: usize = 4;

fn directions(record: &RetrievalRecord) -> [(&'static str, &RetrievalEstimate); 2] {
    [("forward", &record.forward), ("backward", &record.backward)]
}

pub(super) fn reading(record: &RetrievalRecord) -> Table {
    let options = &record.request.options;
    let level = record.request.bootstrap.level * 100.0;
    let similarity = match options.similarity {
        Similarity::Cosine => "cosine similarity",
        Similarity::Correlation => "Pearson's correlation",
        Similarity::Euclidean => "Euclidean distance",
    };
    let ties = match options.ties {
        Ties::Lose => "ties lose",
        Ties::Half => "ties count half",
        Ties::Win => "ties count as found",
    };
    let paired = if record.request.trials.is_some() {
        "with images as the list of trials says"
    } else if record.paired_by_ids {
        "by the ids in ids.json"
    } else {
        "by position: row i of one file belongs to row i of the other"
    };
    let mut notes = vec![
        format!(
            "{} draws of {} candidates out of {} items, seed {}; {similarity} of embeddings of {} \
             values; {ties}. Rows paired {paired}.",
            options.repeats, options.candidates, record.n_items, options.seed.0, record.n_features
        ),
        format!(
            "The interval over draws says what more draws would change; the expectation is over all draws, and its interval is for new \
             items and new candidates ({}).",
            match record.request.bootstrap.interval {
                MeanInterval::Studentized => "jackknife over items in both roles, beta distributions".to_owned(),
                other => format!("jackknife over items in both roles, {}", other.label()),
            }
        ),
    ];
    let is_stand_in = recipe::is_marked(&record.findings);
    notes.extend(is_stand_in.then(dagger_note));
    notes.extend(record.findings.iter().filter(|found| found.is_shown()).map(Finding::below_table));
    let title = format!("Retrieval among {} candidates, top {}", options.candidates, options.top_k);
    let arrow = |name: &str| match name {
        "forward" => "forward (brain to image)",
        _ => "backward (image to brain)",
    };
    Table::of(title, directions(record))
        .column("Direction", |(name, _)| Cell::text(marked(arrow(name), is_stand_in)))
        .column(format!("found [{level}% over draws]"), |(_, found)| Cell::estimate(found.mean, found.interval))
        .column("SD of draws", |(_, found)| Cell::number(found.sd))
        .column(format!("expected [{level}% over items]"), |(_, found)| {
            Cell::estimate(found.expected, found.expected_interval)
        })
        .column("chance", |_| Cell::Number(record.chance, CHANCE_DECIMALS))
        .noted(notes)
}

/// Retrieval by averages of trials, in the order requested.
pub(super) fn averaged(record: &RetrievalRecord) -> Table {
    let level = record.request.bootstrap.level * 100.0;
    let of = |name: &str| format!("{name} [{level}% over images]");
    let mut notes = vec![
        "Decoded embeddings of so many trials of an image are averaged, then the mean looks for the image: over random subsets of the \
         trials of each image that has as many, and all draws of candidates. Intervals: new images and new candidates, these trials."
            .to_owned(),
    ];
    notes.extend(other_images(record.averaged.iter().map(|point| point.n_images)));
    Table::of("Retrieval by averaged trials", &record.averaged)
        .column("trials", |point| Cell::Count(point.n_trials))
        .column(of("forward"), |point| Cell::estimate(point.forward, point.forward_interval))
        .column(of("backward"), |point| Cell::estimate(point.backward, point.backward_interval))
        .column("images", |point| Cell::Count(point.n_images))
        .column("chance", |_| Cell::Number(record.chance, CHANCE_DECIMALS))
        .noted(notes)
}

/// The results in full precision, with intervals in separate columns.
pub(super) fn full(record: &RetrievalRecord) -> Table {
    let options = &record.request.options;
    Table::of("Retrieval", directions(record))
        .column("direction", |(name, _)| Cell::text(*name))
        .column("mean", |(_, found)| Cell::number(found.mean))
        .ends(["low", "high"], |(_, found)| found.interval)
        .column("sd", |(_, found)| Cell::number(found.sd))
        .column("expected", |(_, found)| Cell::number(found.expected))
        .ends(["expected_low", "expected_high"], |(_, found)| found.expected_interval)
        .column("chance", |_| Cell::number(record.chance))
        .column("n_items", |_| Cell::Count(record.n_items))
        .column("candidates", |_| Cell::Count(options.candidates))
        .column("repeats", |_| Cell::Count(options.repeats))
        .column("stand_in", |_| Cell::text(recipe::is_marked(&record.findings).to_string()))
        .noted(Vec::new())
}
