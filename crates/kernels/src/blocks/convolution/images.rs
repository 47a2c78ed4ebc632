//! The convolution of images in main memory: an implicit matrix product.

use super::padded::Padded;
use super::{Convolution, Weights};
use crate::blocks::concatenation::Part;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::packed::{Epilogue, PackedMatrix, matrix_rows};
use crate::blocks::slices::{Output, room};
use candle_core::{Layout, bail};

impl Convolution {
    pub(super) fn convolve(&self, x: &[f32], layout: &Layout, residual: Option<&[f32]>) -> Output {
        let map = MapShape::of(layout, self.n_in)?;
        let output = self.output(&map)?;
        if residual.is_some_and(|residual| residual.len() != output.len()) {
            bail!("a residual of another shape than the output, {output:?}");
        }
        let mut out = room(output.len());
        self.convolve_images(x, &map, &output, residual, &mut out);
        Ok((out, output.dims().into()))
    }

    /// Convolves all images into the first channels of maps of shape `output`; `out` begins inside the first map.
    pub(super) fn convolve_images(
        &self,
        x: &[f32],
        map: &MapShape,
        output: &MapShape,
        residual: Option<&[f32]>,
        out: &mut [f32],
    ) {
        let epilogue = self.epilogue(residual);
        let groups = match &self.weights {
            Weights::Groups(groups) => groups.as_slice(),
            Weights::Winograd(winograd) => {
                let padding = self.window.padding;
                return winograd.convolve(x, map, padding, output, out, epilogue);
            }
            // These run in the engine.
            Weights::Tensors(_) => return,
        };
        if let ([matrix], true) = (groups, self.is_point()) {
            let n_rows = map.n_images * map.height * map.width;
            let rows = matrix_rows(x, self.n_in);
            matrix.multiply(n_rows, 1, rows, out, output.n_channels, epilogue);
            return;
        }
        let mut padded = Padded::new(&self.window, *map);
        for (index, image) in x.chunks_exact(map.image_len()).enumerate() {
            let width = padded.width;
            let image = padded.image(image);
            let start = index * output.image_len();
            let epilogue = Epilogue {
                residual: residual.map(|residual| &residual[start..]),
                ..epilogue
            };
            let out = &mut out[start..];
            self.convolve_image(groups, image, width, output, out, epilogue);
        }
    }

    /// Convolves an image that has its padding around it.
    fn convolve_image(
        &self,
        groups: &[PackedMatrix],
        image: &[f32],
        image_width: usize,
        output: &MapShape,
        out: &mut [f32],
        epilogue: Epilogue<'_>,
    ) {
        let Window {
            height, width, stride, ..
        } = self.window;
        let n_rows = output.height * output.width;
        let (n_out, between) = (self.bias.len(), output.n_channels);
        let place = |row: usize| (row / output.width * image_width + row % output.width) * stride * self.n_in;
        // Divisions would take as long as a narrow run's product.
        let places: Vec<usize> = (0..n_rows).map(place).collect();
        let line = image_width * self.n_in;
        if let [matrix] = groups {
            let run_length = width * self.n_in;
            let run = |row: usize, s: usize| &image[places[row] + s * line..][..run_length];
            matrix.multiply(n_rows, height, run, out, between, epilogue);
            return;
        }
        let (n_group_in, n_group_out) = (self.n_in / groups.len(), n_out / groups.len());
        for (group, matrix) in groups.iter().enumerate() {
            let run = |row: usize, s: usize| {
                let tap = s / width * line + s % width * self.n_in;
                &image[places[row] + tap + group * n_group_in..][..n_group_in]
            };
            let first = group * n_group_out;
            let epilogue = Epilogue {
                bias: &epilogue.bias[first..],
                residual: epilogue.residual.map(|residual| &residual[first..]),
                ..epilogue
            };
            matrix.multiply(n_rows, height * width, run, &mut out[first..], between, epilogue);
        }
    }
}
