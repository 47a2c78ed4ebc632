//! A YOLO-World with synthetic weights.

use super::ARCHITECTURE;
use super::detector::Model;
use crate::checkpoint::Checkpoint;
use crate::{Arithmetic, ModelError};
use candle_core::Tensor;
use neurogauge_core::Image;
use neurogauge_kernels::blocks::pass_of;

/// A network with the weights of the synthetic checkpoint 0, for timing (`bench/detector.py`). It reads its names once.
/// Its outputs mean nothing.
pub struct SyntheticYoloWorld {
    model: Model,
    names: Tensor,
}

impl SyntheticYoloWorld {
    /// From a file that has tensors of these names and shapes, and names given as the ids of their tokens with those
    /// around them.
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

    /// The logits of all places and names, and the distances of all places to the four sides of their boxes, for an
    /// image whose sides are multiples of 32.
    ///
    /// # Errors
    /// An image of other sides.
    pub fn places(&self, image: &Image<f32>) -> Result<(Vec<f32>, Vec<[f32; 4]>), ModelError> {
        let places = || self.model.places(image, &self.names, &mut |_, _| Ok(()));
        let places = pass_of(1, places)?;
        Ok((places.logits, places.distances))
    }
}
