//! The forward pass.

use super::decoder::{Decoder, Scene};
use super::enhancer::{EnhancerLayer, PlacesOfLayer};
use super::phrases::Phrases;
use super::places::Places;
use super::selection::QuerySelection;
use crate::architectures::bert::Bert;
use crate::architectures::swin::FeatureMaps;
use crate::observers::detection::RawDetections;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Convolution, GroupNorm, Linear, SinePositions, beside};

pub(super) struct Network {
    pub(super) backbone: FeatureMaps,
    /// One projection for each map of the backbone, then those that make additional maps: the first from the backbone's
    /// last map, each further one from the map before it.
    pub(super) projections: Vec<Projection>,
    /// Encodes rows and columns.
    pub(super) sines: SinePositions,
    /// A vector for each map, concatenated.
    pub(super) levels: Vec<f32>,
    pub(super) text: Bert,
    pub(super) text_projection: Linear,
    /// Encodes positions in a phrase.
    pub(super) text_sines: SinePositions,
    pub(super) enhancer: Vec<EnhancerLayer>,
    pub(super) selection: QuerySelection,
    /// The queries' initial vectors, shape (query, feature).
    pub(super) queries: Tensor,
    pub(super) decoder: Decoder,
}

/// Projects a map to the enhancer's width.
pub(super) struct Projection {
    pub(super) map: ProjectionMap,
    pub(super) norm: GroupNorm,
}

pub(super) enum ProjectionMap {
    /// Projects each position of a backbone map.
    Places(Linear),
    /// Halves the size of the map.
    Halving(Convolution),
}

impl Projection {
    fn forward(&self, map: &Tensor) -> Result<Tensor> {
        let map = match &self.map {
            ProjectionMap::Places(linear) => linear.forward(map)?,
            ProjectionMap::Halving(convolution) => convolution.forward(map)?,
        };
        self.norm.forward(&map)
    }
}

/// The encoded prompt, before it attends to an image.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    vectors: Tensor,
    positions: Tensor,
    phrases: Phrases,
}

/// A callback that gets the outputs of the network's parts, by name.
pub(super) type Seen<'a> = &'a mut dyn FnMut(&str, &Tensor) -> Result<()>;

impl Network {
    /// The text encoder's output for a prompt's tokens.
    pub(super) fn prompt(&self, ids: &[u32]) -> Result<Prompt> {
        let phrases = Phrases::new(ids);
        let vectors = self.text.vectors_at(ids, &phrases.positions, &phrases.sequences)?;
        let n_features = self.text_sines.n_features();
        let mut positions = vec![0.0; ids.len() * n_features];
        let rows = positions.chunks_exact_mut(n_features);
        for (out, &position) in rows.zip(&phrases.positions) {
            self.text_sines.encode(position as f32, out);
        }
        Ok(Prompt {
            vectors: self.text_projection.forward(&vectors)?,
            positions: beside(&self.queries, positions, (ids.len(), n_features))?,
            phrases,
        })
    }

    /// The maps of an image of shape (1, row, column, 3): their sizes, and the vectors of all maps, concatenated.
    pub(super) fn maps(&self, image: &Tensor, seen: Seen<'_>) -> Result<(Places, Tensor)> {
        let backbone = self.backbone.forward(image)?;
        for (index, map) in backbone.iter().enumerate() {
            seen(&format!("backbone.{index}"), map)?;
        }
        let mut maps: Vec<Tensor> = Vec::new();
        for (level, projection) in self.projections.iter().enumerate() {
            let map = match (backbone.get(level), maps.last()) {
                (Some(map), _) => projection.forward(map)?,
                (None, Some(map)) if level > backbone.len() => projection.forward(map)?,
                _ => match backbone.last() {
                    Some(map) => projection.forward(map)?,
                    None => candle_core::bail!("a backbone without maps"),
                },
            };
            maps.push(map);
        }
        let sizes = maps.iter().map(|map| Ok((map.dim(1)?, map.dim(2)?))).collect::<Result<Vec<_>>>()?;
        let rows = maps.iter().map(|map| map.flatten_to(2));
        let vectors = Tensor::cat(&rows.collect::<Result<Vec<_>>>()?, 0)?;
        Ok((Places { sizes }, vectors))
    }

    /// Detects the prompt in the positions of an image; there must be at least as many positions as queries.
    pub(super) fn detect(
        &self,
        places: &Places,
        vectors: Tensor,
        prompt: &Prompt,
        seen: Seen<'_>,
    ) -> Result<RawDetections> {
        let positions = places.positions(&self.sines, &self.levels, &self.queries)?;
        let references = places.references();
        let of_layer = PlacesOfLayer {
            positions: &positions,
            references: &references,
            sizes: &places.sizes,
        };
        let (mut vision, mut text) = (vectors, prompt.vectors.clone());
        seen("vision", &vision)?;
        seen("text", &text)?;
        for (index, layer) in self.enhancer.iter().enumerate() {
            (vision, text) = layer.forward(&vision, &text, &of_layer, &prompt.phrases, &prompt.positions)?;
            seen(&format!("vision.{index}"), &vision)?;
            seen(&format!("text.{index}"), &text)?;
        }
        let n_queries = self.queries.dim(0)?;
        let boxes = self.selection.boxes(&vision, &text, places, n_queries)?;
        let flat = boxes.as_flattened().to_vec();
        seen("proposals", &beside(&self.queries, flat, (boxes.len(), 4))?)?;
        let scene = Scene {
            vision: &vision,
            sizes: &places.sizes,
            text: &text,
        };
        let (logits, boxes) = self.decoder.forward(&self.queries, boxes, &scene, seen)?;
        Ok(RawDetections {
            logits,
            n_tokens: text.dim(0)?,
            boxes,
        })
    }
}
