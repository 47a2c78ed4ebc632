//! The models of the paper, in the order of its Table 5: a line of `models.tsv` for each.

use std::sync::LazyLock;

/// The seed of untrained models in the paper's cases and pairs.
pub(crate) const PAIRED_SEED: u64 = 42;

/// A row of the paper's Table 5 under *Pretrained / trained sources*, and the untrained models of its architecture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaperModel {
    pub(crate) id: &'static str,
    /// The weights, in the paper's words.
    pub(crate) weights: &'static str,
    /// The concatenated layers, by their names here. Of encoders with 24 and 27 blocks the paper mostly uses the first half.
    pub(crate) layers: Vec<&'static str>,
    /// The layers in the paper's words.
    pub(crate) layer_names: &'static str,
    /// Seeds of the untrained models of this architecture, over which aggregate figures average.
    pub(crate) seeds: Vec<u64>,
    /// The network, if the paper has several objectives of it (Figure 10 C, D and E).
    pub(crate) family: Option<&'static str>,
}

pub(crate) static MODELS: LazyLock<Vec<PaperModel>> =
    LazyLock::new(|| include_str!("models.tsv").lines().skip(1).filter_map(PaperModel::of).collect());

impl PaperModel {
    /// The model in a line. A test counts them.
    fn of(line: &'static str) -> Option<PaperModel> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, weights, layers, layer_names, seeds, family] = cells.try_into().ok()?;
        Some(PaperModel {
            id,
            weights,
            layers: layers.split(' ').collect(),
            layer_names,
            seeds: seeds.split_whitespace().map(|seed| seed.parse().ok()).collect::<Option<_>>()?,
            family: Some(family).filter(|family| !family.is_empty()),
        })
    }

    /// Is it a model of the main text, with four untrained models?
    pub(crate) fn is_of_main_text(&self) -> bool {
        self.seeds.len() > 1
    }

    /// Does Figure 10 have the layers of its model of this id: of families, and of the main text with one seed of the
    /// untrained?
    pub(crate) fn has_layers(&self, id: &str) -> bool {
        let is_trained = id == self.id;
        let is_paired = id.strip_prefix(self.id) == Some(&format!("-untrained-{PAIRED_SEED}"));
        is_trained && self.family.is_some() || self.is_of_main_text() && (is_trained || is_paired)
    }
}
