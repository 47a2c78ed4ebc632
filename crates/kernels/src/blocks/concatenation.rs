//! Maps whose channels several layers write.

use crate::blocks::maps::MapShape;
use crate::blocks::slices::{values, values_mut};
use crate::blocks::tensors::is_packed;
use candle_core::{CpuStorage, DType, Device, InplaceOp2, Layout, Result, Tensor, bail};

/// A layer that can write its channels into a wider map.
pub trait Part {
    /// The number of input channels that the layer needs; `None` if any number will do.
    fn n_in(&self) -> Option<usize>;

    /// Its output alone.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;

    fn output(&self, map: &MapShape) -> Result<MapShape>;

    /// Writes the output into the channels from `first` on of the map `out`, whose shape is `whole`.
    fn write(&self, x: &[f32], map: &MapShape, whole: &MapShape, first: usize, out: &mut [f32]);
}

/// The outputs of several layers, concatenated over channels. In main memory each layer writes directly into its
/// channels; on other devices the outputs are copied at the end.
pub struct Concatenation {
    n_channels: usize,
    n_filled: usize,
    map: Option<Tensor>,
    /// The separate outputs, on other devices.
    parts: Vec<Tensor>,
}

impl Concatenation {
    /// For outputs with `n_channels` in total.
    pub fn new(n_channels: usize) -> Self {
        Concatenation {
            n_channels,
            n_filled: 0,
            map: None,
            parts: Vec::new(),
        }
    }

    /// Appends the output of a layer for the maps `x`.
    pub fn push(&mut self, part: &impl Part, x: &Tensor) -> Result<()> {
        let n_in = part.n_in().map_or_else(|| x.dim(3), Ok)?;
        let output = part.output(&MapShape::of(x.layout(), n_in)?)?;
        let whole = MapShape {
            n_channels: self.n_channels,
            ..output
        };
        let first = self.n_filled;
        self.n_filled += output.n_channels;
        if self.n_filled > self.n_channels {
            bail!("{} channels where {} were announced", self.n_filled, self.n_channels);
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
        map.inplace_op2(x, &PlacedPart { part, first })?;
        self.map = Some(map);
        Ok(())
    }

    /// Returns the concatenation, which must be complete.
    pub fn finish(self) -> Result<Tensor> {
        match self.map {
            Some(map) if self.n_filled == self.n_channels => Ok(map),
            None if self.n_filled == self.n_channels => Tensor::cat(&self.parts, 3),
            _ => bail!("{} channels where {} were announced", self.n_filled, self.n_channels),
        }
    }
}

/// A layer and its first channel.
struct PlacedPart<'a, P> {
    part: &'a P,
    first: usize,
}

impl<P: Part> InplaceOp2 for PlacedPart<'_, P> {
    fn name(&self) -> &'static str {
        "concatenation"
    }

    fn cpu_fwd(&self, out: &mut CpuStorage, out_layout: &Layout, x: &CpuStorage, layout: &Layout) -> Result<()> {
        let of = |layout: &Layout| MapShape::of(layout, *layout.dims().last().unwrap_or(&0));
        let (map, whole) = (of(layout)?, of(out_layout)?);
        let (x, out) = (values(x, layout)?, values_mut(out, out_layout)?);
        self.part.write(x, &map, &whole, self.first, out);
        Ok(())
    }
}
