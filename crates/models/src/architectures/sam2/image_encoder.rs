//! Turns an image into the maps that the decoder reads.

use super::trunk::Trunk;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Linear, sum};

/// The trunk, and a neck that brings its maps to one width.
pub(super) struct ImageEncoder {
    pub(super) trunk: Trunk,
    /// One map to the neck's width for each stage, the largest stage first.
    pub(super) laterals: Vec<Linear>,
    /// Maps of the two largest stages; the results are added while masks are enlarged.
    pub(super) fine: [Linear; 2],
    /// Added to the map that prompts are compared with, since no earlier frame of a video exists.
    pub(super) no_memory: Tensor,
}

/// The embedding of an image, independent of prompts.
pub(super) struct Embedding {
    /// Positions as rows: shape (position, channel).
    pub(super) map: Tensor,
    /// Maps with 4 and 16 times as many positions. Each row belongs to a position of `map` and holds its 4 or 16
    /// positions: square within square, row by row.
    pub(super) fine: [Tensor; 2],
}

impl ImageEncoder {
    /// Encodes an image; `seen` gets the outputs of the parts.
    pub(super) fn forward(
        &self,
        image: &Tensor,
        seen: &mut dyn FnMut(&str, &Tensor) -> Result<()>,
    ) -> Result<Embedding> {
        let maps = self.trunk.forward(image, seen)?;
        let lateral = |stage: usize| self.laterals[stage].forward(&maps[stage]);
        let map = sum(&sum(&lateral(2)?, &doubled(&lateral(3)?)?)?, &self.no_memory)?;
        let largest = self.fine[0].forward(&lateral(0)?)?;
        let middle = self.fine[1].forward(&lateral(1)?)?;
        for (name, tensor) in [("feature.0", &largest), ("feature.1", &middle), ("embedding", &map)] {
            seen(name, tensor)?;
        }
        Ok(Embedding {
            map: map.flatten_to(2)?,
            fine: [squares(&middle)?, squares_of_squares(&largest)?],
        })
    }
}

/// Repeats every position as 2 x 2.
fn doubled(map: &Tensor) -> Result<Tensor> {
    let (_, height, width, n) = map.dims4()?;
    map.reshape((height, 1, width, 1, n))?
        .broadcast_as((height, 2, width, 2, n))?
        .contiguous()?
        .reshape((1, 2 * height, 2 * width, n))
}

/// Shape (square of 2 x 2 positions, position and channel).
fn squares(map: &Tensor) -> Result<Tensor> {
    let (_, height, width, n) = map.dims4()?;
    map.reshape((height / 2, 2, width / 2, 2, n))?
        .permute((0, 2, 1, 3, 4))?
        .contiguous()?
        .reshape(((), 4 * n))
}

/// Shape (square of 2 x 2 positions, position in it and channel); squares are ordered by the 4 x 4 squares that contain
/// them.
fn squares_of_squares(map: &Tensor) -> Result<Tensor> {
    let (_, height, width, n) = map.dims4()?;
    map.reshape(vec![height / 4, 2, 2, width / 4, 2, 2, n])?
        .permute(vec![0, 3, 1, 4, 2, 5, 6])?
        .contiguous()?
        .reshape(((), 4 * n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn numbered(side: usize) -> Result<Tensor> {
        let values: Vec<f32> = (0..side * side).map(|place| place as f32).collect();
        Tensor::from_vec(values, (1, side, side, 1), &Device::Cpu)
    }

    #[test]
    fn squares_stand_in_rows() -> Result<()> {
        let two = squares(&numbered(4)?)?.to_vec2::<f32>()?;
        assert_eq!(two[..2], [[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0]]);
        let four = squares_of_squares(&numbered(8)?)?.to_vec2::<f32>()?;
        assert_eq!(four[1], [2.0, 3.0, 10.0, 11.0]);
        assert_eq!(four[2], [16.0, 17.0, 24.0, 25.0]);
        assert_eq!(four[4], [4.0, 5.0, 12.0, 13.0]);
        Ok(())
    }

    #[test]
    fn places_are_repeated() -> Result<()> {
        let doubled = doubled(&numbered(2)?)?.flatten_all()?.to_vec1::<f32>()?;
        assert_eq!(doubled[..8], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(doubled[8], 2.0);
        Ok(())
    }
}
