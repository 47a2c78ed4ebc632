//! Collects the outputs of the requested layers during a forward pass.

use super::Pooling;
use crate::ModelError;
use candle_core::Tensor;
use neurogauge_kernels::blocks::slices::release;
use neurogauge_kernels::blocks::transposed;

/// A layer whose output can be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layer {
    /// The reference library's name for it.
    pub(crate) name: String,
    pub(crate) kind: LayerKind,
}

/// The output of a part of a network: its name, values and shape.
pub(crate) type PartOutput = (String, Vec<f32>, Vec<usize>);

/// The dimensions of a layer's output, here and in the reference library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LayerKind {
    /// (image, row, column, channel) here; (image, channel, row, column) in the library.
    Map,
    /// (image, row, column, channel) in both.
    MapChannelsLast,
    /// (image, token, feature): a class token, this many registers, then patches.
    TokensWithClass { n_registers: usize },
    /// (image, token, feature): all tokens are patches.
    Tokens,
    /// (image, feature)
    Vector,
}

impl Layer {
    pub(crate) fn new(name: impl Into<String>, kind: LayerKind) -> Layer {
        Layer {
            name: name.into(),
            kind,
        }
    }

    /// One row of values for each image of the layer's output, in the reference library's order.
    pub(crate) fn rows(
        &self,
        architecture: &'static str,
        output: &Tensor,
        pooling: Pooling,
    ) -> Result<Tensor, ModelError> {
        let cannot = |has| Err(ModelError::no_pooling(architecture, &self.name, has, pooling));
        let tokens = || output.flatten(1, output.rank() - 2);
        let rows = match (pooling, self.kind) {
            (Pooling::None, LayerKind::Map) => {
                output.flatten(1, 2).and_then(|places| transposed(&places)?.flatten_from(1))
            }
            (Pooling::None, _) => output.flatten_from(1),
            (_, LayerKind::Vector) => return cannot("is one vector for each image"),
            (Pooling::Mean, _) => tokens().and_then(|tokens| mean(&tokens, 0)),
            (Pooling::MeanWithoutClassToken, LayerKind::TokensWithClass { n_registers }) => {
                mean(output, 1 + n_registers)
            }
            (Pooling::MeanWithoutClassToken, LayerKind::Tokens) => mean(output, 0),
            (Pooling::ClassToken, LayerKind::TokensWithClass { .. }) => {
                output.narrow(1, 0, 1).and_then(|token| token.squeeze(1))
            }
            (Pooling::MeanWithoutClassToken | Pooling::ClassToken, _) => {
                return cannot("has no class token");
            }
        };
        rows.map_err(ModelError::engine(architecture, "reading a layer"))
    }
}

/// The mean over the tokens from index `first` on.
fn mean(tokens: &Tensor, first: usize) -> candle_core::Result<Tensor> {
    let n_tokens = tokens.dim(1)?;
    tokens.narrow(1, first, n_tokens - first)?.mean(1)
}

/// Why a forward pass ends early.
pub(crate) enum Halt {
    /// All requested outputs have been collected.
    Complete,
    Engine(candle_core::Error),
}

impl From<candle_core::Error> for Halt {
    fn from(error: candle_core::Error) -> Self {
        Halt::Engine(error)
    }
}

/// The result of a step of a forward pass.
pub(crate) type Pass<T> = Result<T, Halt>;

/// Collects the outputs of the requested layers.
pub(crate) struct LayerOutputs<'a> {
    wanted: &'a [&'a Layer],
    outputs: Vec<Option<Tensor>>,
}

impl<'a> LayerOutputs<'a> {
    pub(crate) fn new(wanted: &'a [&'a Layer]) -> Self {
        LayerOutputs {
            wanted,
            outputs: vec![None; wanted.len()],
        }
    }

    /// Keeps the output of a layer if it was requested.
    ///
    /// # Errors
    /// [`Halt::Complete`] when all requested outputs are there, which ends the pass.
    pub(crate) fn offer(&mut self, name: &str, output: &Tensor) -> Pass<()> {
        for (layer, kept) in self.wanted.iter().zip(&mut self.outputs) {
            if layer.name == name {
                *kept = Some(output.clone());
            }
        }
        if self.outputs.iter().all(Option::is_some) {
            return Err(Halt::Complete);
        }
        Ok(())
    }

    /// Reuses the memory of a map that the pass needs no longer, unless it is kept.
    pub(crate) fn release(&self, map: &Tensor) -> Pass<()> {
        let is_kept = self.outputs.iter().flatten().any(|kept| kept.id() == map.id());
        if !is_kept {
            release(map)?;
        }
        Ok(())
    }

    /// The outputs in the order of the requests; `None` for a layer that the pass did not reach.
    pub(crate) fn into_outputs(self) -> Vec<Option<Tensor>> {
        self.outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn rows(kind: LayerKind, shape: &[usize], pooling: Pooling) -> Result<Vec<f32>, ModelError> {
        let n: usize = shape.iter().product();
        let values: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let output = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
        Ok(Layer::new("layer", kind).rows("Toy", &output, pooling)?.flatten_all().unwrap().to_vec1().unwrap())
    }

    #[test]
    fn maps_come_in_the_order_of_the_reference() {
        let shape = [1, 2, 1, 2];
        let kinds = [LayerKind::Map, LayerKind::MapChannelsLast];
        let none = kinds.map(|kind| rows(kind, &shape, Pooling::None).unwrap());
        assert_eq!(none, [[0.0, 2.0, 1.0, 3.0], [0.0, 1.0, 2.0, 3.0]]);
        let mean = kinds.map(|kind| rows(kind, &shape, Pooling::Mean).unwrap());
        assert_eq!(mean, [[1.0, 2.0], [1.0, 2.0]]);
    }

    #[test]
    fn the_class_token_is_in_or_out_or_alone() {
        let with_class = |n_registers| LayerKind::TokensWithClass { n_registers };
        let pooled = |kind, pooling| rows(kind, &[1, 3, 2], pooling).unwrap();
        assert_eq!(pooled(with_class(0), Pooling::Mean), [2.0, 3.0]);
        let patches = Pooling::MeanWithoutClassToken;
        assert_eq!(pooled(with_class(0), patches), [3.0, 4.0]);
        assert_eq!(pooled(with_class(1), patches), [4.0, 5.0]);
        assert_eq!(pooled(LayerKind::Tokens, patches), [2.0, 3.0]);
        assert_eq!(pooled(with_class(1), Pooling::ClassToken), [0.0, 1.0]);
    }

    #[test]
    fn what_a_layer_does_not_have_is_said() {
        let message = |kind, shape: &[usize], pooling| rows(kind, shape, pooling).unwrap_err().to_string();
        let map = message(LayerKind::Map, &[1, 1, 1, 1], Pooling::ClassToken);
        assert_eq!(
            map,
            "Toy: layer layer has no class token, so the pooling class-token does not apply; choose another"
        );
        let vector = message(LayerKind::Vector, &[1, 1], Pooling::Mean);
        assert!(vector.contains("one vector for each image"), "{vector}");
    }
}
