//! The layers that a torchvision constructor makes, with the draws that each consumes.
//!
//! A constructor draws twice. While the layers are made, each draws torch's default weights, in the order of
//! construction. Then most constructors walk over the finished layers, in the order in which they were registered, and
//! draw the weights of some kinds again. First draws that the second ones overwrite are skipped here, and since they
//! only advance the stream, their order among themselves does not matter.

use super::{NamedTensor, TorchGenerator, TruncatedNormal};

/// How the second draw of a kind of layer sets the weights.
#[derive(Debug, Clone, Copy)]
pub(super) enum Redraw {
    /// `kaiming_normal_(mode="fan_out")` for rectified layers.
    KaimingNormalFanOut,
    Normal {
        std: f64,
    },
    TruncatedNormal {
        std: f64,
    },
    /// Uniform within 1 / √(output features) of zero.
    UniformByOutputs,
    Zeros,
}

/// How the second draw of a kind of layer sets the biases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bias {
    Absent,
    /// Keeps what torch drew when the layer was made.
    Default,
    Zeros,
}

/// Collects the tensors of one model.
pub(super) struct Initialiser {
    /// `None` if only names and shapes are wanted, so no values are drawn.
    generator: Option<TorchGenerator>,
    truncated_normal: TruncatedNormal,
    convolutions: Option<Redraw>,
    linears: Option<Redraw>,
    tensors: Vec<NamedTensor>,
    /// Tensors that are still empty, and the draws that will fill them.
    second_draws: Vec<(usize, Redraw)>,
}

impl Initialiser {
    pub(super) fn new(seed: u64, truncated_normal: TruncatedNormal) -> Self {
        Initialiser {
            generator: Some(TorchGenerator::manual_seed(seed)),
            truncated_normal,
            ..Self::of_shapes()
        }
    }

    /// Collects names and shapes without values.
    pub(super) fn of_shapes() -> Self {
        Initialiser {
            generator: None,
            truncated_normal: TruncatedNormal::default(),
            convolutions: None,
            linears: None,
            tensors: Vec::new(),
            second_draws: Vec::new(),
        }
    }

    /// From here on, the weights of convolutions are drawn again at the end.
    pub(super) fn redraw_convolutions(&mut self, redraw: Redraw) {
        self.convolutions = Some(redraw);
    }

    /// From here on, the weights of linear layers are drawn again at the end.
    pub(super) fn redraw_linears(&mut self, redraw: Redraw) {
        self.linears = Some(redraw);
    }

    /// `nn.Conv2d`; `shape` is outputs, inputs per group, height, width.
    pub(super) fn convolution(&mut self, name: &str, shape: [usize; 4], bias: Bias) {
        self.layer(name, &shape, bias, self.convolutions);
    }

    /// `nn.Linear`; `shape` is outputs, inputs.
    pub(super) fn linear(&mut self, name: &str, shape: [usize; 2], bias: Bias) {
        self.layer(name, &shape, bias, self.linears);
    }

    fn layer(&mut self, name: &str, shape: &[usize], bias: Bias, redraw: Option<Redraw>) {
        let n: usize = shape.iter().product();
        let fan_in = n / shape[0];
        let weights = match redraw {
            None => {
                // Kaiming's uniform bound for a leaky ReLU of slope √5, rounded as torch rounds it.
                let gain = (2.0 / (1.0 + 5.0_f64.sqrt().powi(2))).sqrt();
                let bound = 3.0_f64.sqrt() * (gain / (fan_in as f64).sqrt());
                self.uniform(n, bound)
            }
            Some(redraw) => {
                self.skip(|generator| generator.skip_uniform(n));
                self.second_draws.push((self.tensors.len(), redraw));
                Vec::new()
            }
        };
        self.push(format!("{name}.weight"), shape, weights);
        let bound = 1.0 / (fan_in as f64).sqrt();
        let biases = match bias {
            Bias::Absent => return,
            Bias::Default => self.uniform(shape[0], bound),
            Bias::Zeros => {
                self.skip(|generator| generator.skip_uniform(shape[0]));
                self.filled(shape[0], 0.0)
            }
        };
        self.push(format!("{name}.bias"), &shape[..1], biases);
    }

    /// `nn.BatchNorm2d`, its running statistics included.
    pub(super) fn batch_norm(&mut self, name: &str, n: usize) {
        self.layer_norm(name, n);
        self.constant(format!("{name}.running_mean"), &[n], 0.0);
        self.constant(format!("{name}.running_var"), &[n], 1.0);
    }

    /// `nn.LayerNorm`.
    pub(super) fn layer_norm(&mut self, name: &str, n: usize) {
        self.constant(format!("{name}.weight"), &[n], 1.0);
        self.constant(format!("{name}.bias"), &[n], 0.0);
    }

    /// A convolution without bias and the batch norm of its outputs.
    pub(super) fn convolution_norm(&mut self, convolution: &str, norm: &str, shape: [usize; 4]) {
        self.convolution(convolution, shape, Bias::Absent);
        self.batch_norm(norm, shape[0]);
    }

    /// `nn.MultiheadAttention`: the biases are zero.
    pub(super) fn attention(&mut self, name: &str, dim: usize) {
        self.linear(&format!("{name}.out_proj"), [dim, dim], Bias::Zeros);
        let shape = [3 * dim, dim];
        let weights = self.xavier_uniform(shape);
        self.push(format!("{name}.in_proj_weight"), &shape, weights);
        self.constant(format!("{name}.in_proj_bias"), &[3 * dim], 0.0);
    }

    /// The MLP of a transformer block, `{name}.0` and `{name}.3`: torchvision makes both layers, then
    /// draws either's weights (Xavier) and biases (normal, 1e-6).
    pub(super) fn perceptron(&mut self, name: &str, dim: usize, hidden: usize) {
        let layers = [("0", [hidden, dim]), ("3", [dim, hidden])];
        for (_, shape) in layers {
            self.skip(|generator| generator.skip_uniform(shape[0] * shape[1] + shape[0]));
        }
        for (position, shape) in layers {
            let (weights, biases) = if let Some(redraw) = self.linears {
                self.skip(|generator| generator.skip_uniform(shape[0] * shape[1]));
                self.skip(|generator| generator.skip_normal(shape[0]));
                self.second_draws.push((self.tensors.len(), redraw));
                (Vec::new(), self.filled(shape[0], 0.0))
            } else {
                let weights = self.xavier_uniform(shape);
                (weights, self.draw(|generator| generator.normal(shape[0], 0.0, 1e-6)))
            };
            self.push(format!("{name}.{position}.weight"), &shape, weights);
            self.push(format!("{name}.{position}.bias"), &shape[..1], biases);
        }
    }

    /// A free-standing parameter with normal values.
    pub(super) fn normal(&mut self, name: &str, shape: &[usize], std: f64) {
        let values = self.draw(|generator| generator.normal(shape.iter().product(), 0.0, std));
        self.push(name.to_owned(), shape, values);
    }

    /// A free-standing parameter with truncated normal values.
    pub(super) fn truncated_normal(&mut self, name: &str, shape: &[usize], std: f64) {
        let n = shape.iter().product();
        let method = self.truncated_normal;
        let values = self.draw(|generator| generator.truncated_normal(n, std, method));
        self.push(name.to_owned(), shape, values);
    }

    /// A parameter or buffer with a constant value, for which nothing is drawn.
    pub(super) fn constant(&mut self, name: String, shape: &[usize], value: f32) {
        let n = shape.iter().product();
        let values = self.filled(n, value);
        self.push(name, shape, values);
    }

    /// Makes the second draws, and returns the tensors.
    pub(super) fn finish(mut self) -> Vec<NamedTensor> {
        for (index, redraw) in std::mem::take(&mut self.second_draws) {
            let shape = &self.tensors[index].shape;
            let n: usize = shape.iter().product();
            let n_outputs = shape[0];
            let Some(generator) = &mut self.generator else {
                continue;
            };
            self.tensors[index].values = match redraw {
                Redraw::KaimingNormalFanOut => {
                    let fan_out = n / shape[1];
                    generator.normal(n, 0.0, 2.0_f64.sqrt() / (fan_out as f64).sqrt())
                }
                Redraw::Normal { std } => generator.normal(n, 0.0, std),
                Redraw::TruncatedNormal { std } => generator.truncated_normal(n, std, self.truncated_normal),
                Redraw::UniformByOutputs => {
                    let bound = 1.0 / (n_outputs as f64).sqrt();
                    generator.uniform(n, -bound, bound)
                }
                Redraw::Zeros => vec![0.0; n],
            };
        }
        self.tensors
    }

    fn xavier_uniform(&mut self, shape: [usize; 2]) -> Vec<f32> {
        let std = (2.0 / (shape[0] + shape[1]) as f64).sqrt();
        let bound = 3.0_f64.sqrt() * std;
        self.uniform(shape[0] * shape[1], bound)
    }

    fn uniform(&mut self, n: usize, bound: f64) -> Vec<f32> {
        self.draw(|generator| generator.uniform(n, -bound, bound))
    }

    fn draw(&mut self, draw: impl FnOnce(&mut TorchGenerator) -> Vec<f32>) -> Vec<f32> {
        self.generator.as_mut().map(draw).unwrap_or_default()
    }

    fn skip(&mut self, skip: impl FnOnce(&mut TorchGenerator)) {
        self.generator.as_mut().map(skip);
    }

    fn filled(&self, n: usize, value: f32) -> Vec<f32> {
        match self.generator {
            Some(_) => vec![value; n],
            None => Vec::new(),
        }
    }

    /// Names and shapes of the tensors.
    pub(super) fn into_shapes(self) -> Vec<(String, Vec<usize>)> {
        self.tensors.into_iter().map(|tensor| (tensor.name, tensor.shape)).collect()
    }

    fn push(&mut self, name: String, shape: &[usize], values: Vec<f32>) {
        self.tensors.push(NamedTensor {
            name,
            shape: shape.to_vec(),
            values,
        });
    }
}
