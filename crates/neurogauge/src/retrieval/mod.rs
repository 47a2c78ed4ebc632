//! `neurogauge retrieve`: can an image be found by what the brain says of it?
//!
//! [`retrieval()`] reads two files of embeddings and has
//! [`retrieve`] compute. A [`RetrievalRun`] holds what came of it and writes it.

mod record;
mod text_table;

pub use record::{RetrievalEstimate, RetrievalRecord, RetrievalRequest};

use crate::Error;
use crate::dataset::InputRecord;
use crate::run_record::RunRecord;
use neurogauge_core::pair::pair_by_stem;
use neurogauge_core::{Outcome, Pair, Warning};
use neurogauge_formats::atomic_file;
use neurogauge_formats::embeddings::{self, Embeddings};
use neurogauge_metrics::decoding::retrieval::{Found, Retrieval, retrieve};
use neurogauge_report::TextTable;
use neurogauge_stats::{StatsError, estimate, summarise_repeats};
use std::path::Path;

/// Items that a warning lists.
const SHOWN: usize = 5;

/// A finished retrieval.
#[derive(Debug)]
pub struct RetrievalRun {
    /// Everything, as `retrieval.json` keeps it.
    pub record: RetrievalRecord,
}

/// Retrieves images by brain embeddings and the other way round.
pub fn retrieval(request: &RetrievalRequest) -> Result<RetrievalRun, Error> {
    let (brain, image) = (
        embeddings::read(&request.brain)?,
        embeddings::read(&request.image)?,
    );
    let pairs = pairs(request, &brain, &image)?;
    let rows: Vec<(&[f32], &[f32])> = pairs
        .iter()
        .map(|pair| (brain.rows.row(pair.recon), image.rows.row(pair.gt)))
        .collect();
    let found = retrieve(&rows, &request.options).map_err(|source| Error::AllPairs {
        figure: "retrieval",
        source,
    })?;
    let mut inputs = Vec::new();
    for (role, read) in [("brain", &brain), ("image", &image)] {
        inputs.push(InputRecord::of_file(role.to_owned(), &read.file)?);
        if let Some(ids) = &read.ids {
            inputs.push(InputRecord::of_file(format!("{role}/ids"), ids)?);
        }
    }
    Ok(RetrievalRun {
        record: RetrievalRecord {
            schema: record::SCHEMA,
            versions: RunRecord::versions(),
            request: request.clone(),
            inputs,
            paired_by_ids: brain.ids.is_some(),
            n_items: found.items.len(),
            n_features: brain.rows.n_features(),
            chance: request.options.top_k as f64 / request.options.candidates as f64,
            warnings: warnings(&found, &pairs),
            forward: summed_up(&found.forward, request)?,
            backward: summed_up(&found.backward, request)?,
        },
    })
}

/// Which row of one goes with which of the other; images stand where pairs have the stimulus.
fn pairs(
    request: &RetrievalRequest,
    brain: &Embeddings,
    image: &Embeddings,
) -> Result<Vec<Pair>, Error> {
    let shape = |read: &Embeddings| (read.rows.ids().len(), read.rows.n_features());
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
        return Err(Error::EmbeddingShapes {
            brain: request.brain.clone(),
            brain_shape,
            image: request.image.clone(),
            image_shape,
        });
    }
    pair_by_stem(image.rows.ids(), brain.rows.ids()).map_err(|source| Error::Pairing {
        what: "embeddings",
        gt: request.image.clone(),
        recon: request.brain.clone(),
        source,
    })
}

fn warnings(found: &Retrieval, pairs: &[Pair]) -> Vec<Warning> {
    if found.left_out.is_empty() {
        return Vec::new();
    }
    let items = found.left_out.iter().take(SHOWN);
    let shown: Vec<&str> = items.map(|(item, _)| pairs[*item].stem.as_str()).collect();
    let more = if found.left_out.len() > SHOWN {
        ", ..."
    } else {
        ""
    };
    vec![Warning::new(
        "left_out_of_retrieval",
        "retrieval",
        format!(
            "{} items have an embedding that is similar to none (zero throughout, or for \
             correlation constant) and take no part: {}{more}",
            found.left_out.len(),
            shown.join(", ")
        ),
    )]
}

fn summed_up(found: &Found, request: &RetrievalRequest) -> Result<RetrievalEstimate, Error> {
    let level = request.bootstrap.level;
    let repeats = summarise_repeats(&found.repeats, level).ok_or(StatsError::EmptySample)?;
    let outcomes: Vec<Outcome> = found.expected.iter().map(|&value| Ok(value)).collect();
    let expected = estimate(&[&outcomes], &request.bootstrap)?;
    Ok(RetrievalEstimate {
        mean: repeats.mean,
        sd: repeats.sd,
        interval: repeats.interval,
        repeats: found.repeats.clone(),
        expected: expected.value.ok(),
        expected_interval: expected.interval,
    })
}

impl RetrievalRun {
    /// The table made for reading.
    pub fn text_table(&self) -> TextTable {
        text_table::reading(&self.record)
    }

    /// Every figure in full precision.
    pub fn csv(&self) -> String {
        text_table::full(&self.record).csv()
    }

    /// The content of `retrieval.json`.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.record).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Writes `retrieval.json`, `retrieval.md` and `retrieval.csv`.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let markdown = self.text_table().markdown();
        atomic_file::write(&folder.join("retrieval.md"), markdown.as_bytes())?;
        atomic_file::write(&folder.join("retrieval.csv"), self.csv().as_bytes())?;
        // Last, so that it is there only if the others are.
        atomic_file::write(&folder.join("retrieval.json"), self.json().as_bytes())?;
        Ok(())
    }
}
