//! Maps that several layers write side by side.

use crate::blocks::maps::MapShape;
use crate::blocks::slices::{values, values_mut};
use crate::blocks::tensors::is_packed;
use candle_core::{CpuStorage, DType, Device, InplaceOp2, Layout, Result, Tensor, bail};

/// A layer that can write its channels into a wider map.
pub(crate) trait Part {
    /// The number of input channels it needs, if not any number.
    fn n_in(&self) -> Option<usize>;

    /// Its output alone.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;

    /// The shape of its output.
    fn output(&self, map: &MapShape) -> Result<MapShape>;

    /// Writes its output to the channels from `first` on of the map `out`, whose shape is `whole`.
    fn write(&self, x: &[f32], map: &MapShape, whole: &MapShape, first: usize, out: &mut [f32]);
}

/// The outputs of several layers, concatenated over channels: each writes to its place, nothing is
/// copied (elsewhere than in main memory they are, at the end).
pub(crate) struct Concatenation {
    n_channels: usize,
    n_filled: usize,
    map: Option<Tensor>,
    /// In place of the map, the parts by themselves.
    parts: Vec<Tensor>,
}

impl Concatenation {
    /// Of outputs that have this many channels together.
    pub(crate) fn new(n_channels: usize) -> Self {
        Concatenation {
            n_channels,
            n_filled: 0,
            map: None,
            parts: Vec::new(),
        }
    }

    /// Appends the output of a layer for the maps `x`.
    pub(crate) fn push(&mut self, part: &impl Part, x: &Tensor) -> Result<()> {
        let n_in = part.n_in().map_or_else(|| x.dim(3), Ok)?;
        let output = part.output(&MapShape::of(x.layout(), n_in)?)?;
        let whole = MapShape {
            n_channels: self.n_channels,
            ..output
        };
        let first = self.n_filled;
        self.n_filled += output.n_channels;
        if self.n_filled > self.n_channels {
            bail!(
                "{} channels where {} were announced",
                self.n_filled,
                self.n_channels
            );
        }
        if !is_packed(x) {
            self.parts.push(part.forward(x)?);
            return Ok(());
        }
        let map = match self.map.take() {
            None => Tensor::zeros(whole.dims(), DType::F32, &Device::Cpu)?,
            Some(map) if map.dims4()? == whole.dims() => map,
            Some(map) => bail!("maps of {:?} beside maps of {output:?}", map.shape()),
        };
        map.inplace_op2(x, &Place { part, first })?;
        self.map = Some(map);
        Ok(())
    }

    /// The whole, when all is there.
    pub(crate) fn finish(self) -> Result<Tensor> {
        match self.map {
            Some(map) if self.n_filled == self.n_channels => Ok(map),
            None if self.n_filled == self.n_channels => Tensor::cat(&self.parts, 3),
            _ => bail!(
                "{} channels where {} were announced",
                self.n_filled,
                self.n_channels
            ),
        }
    }
}

/// A layer and its first channel.
struct Place<'a, P> {
    part: &'a P,
    first: usize,
}

impl<P: Part> InplaceOp2 for Place<'_, P> {
    fn name(&self) -> &'static str {
        "concatenation"
    }

    fn cpu_fwd(
        &self,
        out: &mut CpuStorage,
        out_layout: &Layout,
        x: &CpuStorage,
        layout: &Layout,
    ) -> Result<()> {
        let of = |layout: &Layout| MapShape::of(layout, *layout.dims().last().unwrap_or(&0));
        let (map, whole) = (of(layout)?, of(out_layout)?);
        let (x, out) = (values(x, layout)?, values_mut(out, out_layout)?);
        self.part.write(x, &map, &whole, self.first, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Activation, Convolution, Pool, Window, max_pool};
    use neurogauge_core::synthetic::Synthetic;

    fn synthetic(name: &str, shape: &[usize]) -> Tensor {
        let n: usize = shape.iter().product();
        let source = Synthetic::new(name, 0);
        let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) - 0.5).collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    fn convolution(n_out: usize, size: usize, n_groups: usize) -> Convolution {
        let weight = synthetic("weight", &[n_out, 4 / n_groups, size, size]);
        let bias = synthetic("bias", &[n_out]);
        let layer = Convolution::new(&weight, &bias, 1, (size / 2, size / 2), n_groups);
        layer.unwrap().then(Activation::Relu)
    }

    #[test]
    fn the_parts_are_the_layers_outputs() {
        let x = synthetic("x", &[2, 5, 6, 4]);
        let layers = [
            convolution(40, 1, 1),
            convolution(7, 3, 1),
            convolution(6, 3, 2),
        ];
        let window = Window::square(3, 1, 1);
        let mut whole = Concatenation::new(40 + 7 + 6 + 4);
        let mut parts = Vec::new();
        for layer in &layers {
            whole.push(layer, &x).unwrap();
            parts.push(layer.forward(&x).unwrap());
        }
        whole.push(&Pool::Max(window), &x).unwrap();
        parts.push(max_pool(&x, window).unwrap());
        let flat = |x: Tensor| x.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(
            flat(whole.finish().unwrap()),
            flat(Tensor::cat(&parts, 3).unwrap())
        );
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let x = synthetic("x", &[1, 5, 6, 4]);
        let mut whole = Concatenation::new(50);
        whole.push(&convolution(40, 1, 1), &x).unwrap();
        let refused = |error: candle_core::Error| error.to_string();
        let error = whole.push(&Pool::Max(Window::square(3, 2, 0)), &x);
        assert!(refused(error.unwrap_err()).contains("beside maps of"));
        let mut whole = Concatenation::new(50);
        whole.push(&convolution(40, 1, 1), &x).unwrap();
        let error = whole.push(&convolution(40, 1, 1), &x);
        assert!(refused(error.unwrap_err()).contains("80 channels where 50 were announced"));
        let mut whole = Concatenation::new(50);
        whole.push(&convolution(40, 1, 1), &x).unwrap();
        assert!(refused(whole.finish().unwrap_err()).contains("40 channels where 50"));
    }
}
