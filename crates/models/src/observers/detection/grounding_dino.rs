//! Grounding DINO as a detector.

use super::{GroundingNetwork, PromptTokens, RawDetections};
use crate::{GroundingDino, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use std::ops::Range;

impl GroundingNetwork for GroundingDino {
    fn model(&self) -> &ModelIdentity {
        self.identity()
    }

    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        self.pieces(prompt)
    }

    fn look(&self, image: &Image<f32>, prompt: &PromptTokens) -> Result<RawDetections, ModelError> {
        self.detect(image, prompt)
    }
}
