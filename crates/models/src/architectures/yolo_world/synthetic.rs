//! A YOLO-World with synthetic weights.

use super::ARCHITECTURE;
use super::detector::Model;
use crate::checkpoint::Checkpoint;
use crate::{Arithmetic, ModelError};
use candle_core::Tensor;
use neurogauge_core::Image;
use neurogauge_kernels::blocks::pass_of;

/// A network with the weights of the synthetic checkpoint 0, for timing (`bench/detector.py`). The names are read once.
/// Its outputs mean nothing.
pub struct SyntheticYoloWorld {
    model: Model,
    names: Tensor,
}

impl SyntheticYoloWorld {
    /// Builds the network from a file with tensors of these names and shapes. Object names are given as token ids,
    /// including the start and end tokens.
    ///
    /// # Errors
    /// Tensors that are not a YOLO-World's; a token that the text tower does not know.
    pub fn new(
        tensors: Vec<(String, Vec<usize>)>,
        names: &[Vec<u32>],
        arithmetic: Arithmetic,
    ) -> Result<Self, ModelError> {
        let path = "synthetic.safetensors".into();
        let checkpoint = Checkpoint::synthetic_file(path, tensors, 0, &[], ARCHITECTURE)?;
        let model = Model::from_file(checkpoint.computed(arithmetic)?)?;
        let names = model.names(names)?;
        Ok(SyntheticYoloWorld { model, names })
    }

    /// The logits of all positions and names, and the distances of all positions to the four sides of their boxes, for
    /// an image whose sides are multiples of 32.
    ///
    /// # Errors
    /// An image whose sides are not multiples of 32.
    pub fn places(&self, image: &Image<f32>) -> Result<(Vec<f32>, Vec<[f32; 4]>), ModelError> {
        let places = || self.model.places(image, &self.names, &mut |_, _| Ok(()));
        let places = pass_of(1, places)?;
        Ok((places.logits, places.distances))
    }
}
