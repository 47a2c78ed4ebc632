//! 1 x 1 convolutions over the concatenated channels of several maps.

use super::{Convolution, Weights};
use crate::blocks::slices::room;
use candle_core::{CpuStorage, Result, Storage, Tensor};

impl Convolution {
    /// The output for the concatenation of these maps' channels. If the layer can read the maps directly, they are not
    /// concatenated.
    pub fn forward_beside(&self, maps: &[Tensor]) -> Result<Tensor> {
        match self.points_beside(maps)? {
            Some(output) => Ok(output),
            None => self.forward(&Tensor::cat(maps, 3)?),
        }
    }

    /// The same without a copy of the maps. `None` if the layer is not a packed 1 x 1 convolution in one group, or if
    /// the maps do not fit each other or the layer, or are not laid out position by position.
    pub fn points_beside(&self, maps: &[Tensor]) -> Result<Option<Tensor>> {
        let Weights::Groups(groups) = &self.weights else {
            return Ok(None);
        };
        let ([matrix], true) = (groups.as_slice(), self.is_point()) else {
            return Ok(None);
        };
        let stored: Vec<_> = maps.iter().map(Tensor::storage_and_layout).collect();
        let mut places = Vec::with_capacity(maps.len());
        for (map, (storage, layout)) in maps.iter().zip(&stored) {
            let (n_images, height, width, n_channels) = map.dims4()?;
            let Storage::Cpu(CpuStorage::F32(values)) = &**storage else {
                return Ok(None);
            };
            let &[of_image, of_row, between, 1] = layout.stride() else {
                return Ok(None);
            };
            if of_row != width * between || n_images > 1 && of_image != height * of_row {
                return Ok(None);
            }
            places.push((&values[layout.start_offset()..], between, n_channels));
        }
        let shapes = || maps.iter().map(|map| &map.dims()[..3]);
        let widths = places.iter().map(|&(_, _, width)| width);
        let run_length = widths.clone().fold(0, greatest_common_divisor);
        let fit = shapes().all(|shape| Some(shape) == shapes().next());
        if !fit || widths.sum::<usize>() != self.n_in || !matrix.reads_runs_of(run_length) {
            return Ok(None);
        }
        let runs: Vec<(&[f32], usize)> = places
            .iter()
            .flat_map(|&(values, between, width)| {
                (0..width).step_by(run_length).map(move |start| (&values[start..], between))
            })
            .collect();
        let run = |row: usize, s: usize| {
            let (values, between) = runs[s];
            &values[row * between..][..run_length]
        };
        let (n_images, height, width, _) = maps[0].dims4()?;
        let (n_rows, n_out) = (n_images * height * width, self.n_out);
        let mut out = room(n_rows * n_out);
        matrix.multiply(n_rows, runs.len(), run, &mut out, n_out, self.epilogue(None));
        let shape = (n_images, height, width, n_out);
        Tensor::from_vec(out, shape, maps[0].device()).map(Some)
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
