//! Inputs and settings of the comparisons of a run.

use super::PartedItems;
use crate::Error;
use crate::clusters::ClusterRecord;
use crate::dataset::Dataset;
use crate::observers::text_embeddings::{Embeddings, embed};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::selected::Selection;
use crate::settings::RunSettings;
use neurogauge_core::ObservationKind;
use neurogauge_metrics::Compute;
use std::any::Any;
use std::collections::BTreeSet;

/// Inputs and settings that all computations of a run share.
pub(crate) struct Context<'a> {
    pub(crate) request: &'a ScoreRequest,
    pub(crate) selection: &'a Selection,
    pub(crate) settings: &'a RunSettings,
    pub(crate) dataset: &'a Dataset,
    /// The items, if the pairs are their parts.
    pub(crate) items: Option<&'a PartedItems>,
    /// The clusters of alike stimuli, if any are known.
    pub(crate) clusters: Option<&'a ClusterRecord>,
    pub(crate) folder: &'a RunFolder,
    pub(crate) progress: &'a dyn Progress,
}

impl Context<'_> {
    /// The embeddings of texts; without a cache, they are kept in the run's folder.
    pub(crate) fn embed(
        &self,
        texts: &BTreeSet<&str>,
        encoder: &str,
        instruction: Option<&str>,
    ) -> Result<Embeddings, Error> {
        let own = self.folder.caption_embeddings_dir();
        embed(texts, encoder, instruction, Some(&own), self.settings, self.progress)
    }

    /// The metrics of one kind of function, with their functions.
    pub(crate) fn metrics<F>(&self, function: impl Fn(&Compute) -> Option<F>) -> Vec<(&'static str, F)> {
        let metrics = self.selection.metrics.iter();
        metrics
            .filter(|selected| selected.source.is_compared())
            .filter_map(|selected| Some((selected.metric.spec.id, function(&selected.metric.compute)?)))
            .collect()
    }

    /// The metrics that compare items of a kind by this type of function.
    pub(crate) fn functions<F: Any + Copy>(&self, kind: ObservationKind) -> Vec<(&'static str, F)> {
        self.metrics(|compute| compute.function().filter(|_| compute.kind() == Some(kind)))
    }
}
