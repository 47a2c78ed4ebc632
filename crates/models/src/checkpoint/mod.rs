//! Reads checkpoints. Every tensor of a file must be used or explicitly allowed to be left over.

mod checkpoint_formats;
pub(crate) mod config_json;
pub(crate) mod layers;
pub(crate) mod lora;
pub(crate) mod model_files;
pub mod registry;
mod sources;
#[cfg(test)]
mod tests;
pub(crate) mod text_tokenizer;
pub mod torch_random;
pub(crate) mod transformer;
pub(crate) mod weight_memory;
pub mod weights;

pub(crate) use checkpoint_formats::{CheckpointFormat, CheckpointFormats, Origin, Setting};

use crate::{Arithmetic, ModelError, WeightPrecision};
use candle_core::Tensor;
use lora::LowRank;
use neurogauge_core::option_words::option;
use neurogauge_core::synthetic;
use neurogauge_formats::element::ElementType;
use neurogauge_formats::state_dict::StateTensor;
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::{Products, may_be_halved};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The tensors of a checkpoint, handed out by name to the architecture that is being built.
///
/// Nothing is guessed: a tensor that is absent or of another shape is an error, and so is a tensor that nobody asked
/// for, since it means that the checkpoint belongs to another model.
pub(crate) struct Checkpoint {
    path: PathBuf,
    architecture: &'static str,
    source: TensorSource,
    /// The format of the file, if it is not the architecture's own.
    format: Option<&'static CheckpointFormat>,
    /// Other formats that this file could be in.
    formats: Option<&'static CheckpointFormats>,
    /// The device and precision of the tensors.
    placement: Placement,
    /// The precision that numbers are rounded to.
    precision: WeightPrecision,
    /// Names and shapes of the tensors that have been handed out.
    taken: Vec<(String, Vec<usize>)>,
}

/// Where the numbers come from.
enum TensorSource {
    /// The tensors that have not been handed out yet.
    Stored(BTreeMap<String, Stored>),
    /// Any tensor exists: its values depend on its name, its shape and the seed.
    Synthetic {
        seed: u64,
        /// Name suffixes, with factors that such tensors are multiplied by.
        damped: Vec<(String, f32)>,
    },
}

struct Stored {
    /// The tensor's name in the file.
    published_name: String,
    shape: Vec<usize>,
    numbers: Numbers,
}

enum Numbers {
    InFile(StateTensor),
    InMemory(Vec<f32>),
    /// Values that depend on the published name and the seed.
    Synthetic {
        seed: u64,
        damped: Rc<[(String, f32)]>,
    },
    /// The weights of a map, and what an adapter adds to them.
    Adapted(Box<Numbers>, LowRank),
}

impl Checkpoint {
    /// Rounds and places the tensors according to `arithmetic`.
    pub(crate) fn computed(self, Arithmetic { precision, device }: Arithmetic) -> Result<Self, ModelError> {
        Ok(Checkpoint {
            placement: device.placement()?,
            ..self.rounded(precision)
        })
    }

    /// Lets all threads share the rows of a layer on the CPU, for a network that sees one large image at a time.
    pub(crate) fn sharing_rows(mut self) -> Self {
        self.share_rows();
        self
    }

    /// Likewise for tensors that are taken from here on.
    pub(crate) fn share_rows(&mut self) {
        self.placement = self.placement.sharing_rows();
    }

    /// Rounds the tensors' numbers to `precision`.
    pub(crate) fn rounded(self, precision: WeightPrecision) -> Self {
        Checkpoint { precision, ..self }
    }

    /// Where tensors are handed out.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// How affine maps multiply their weights.
    fn products(&self) -> Products {
        match self.precision {
            WeightPrecision::Bf16Products => Products::Bf16,
            WeightPrecision::F32 | WeightPrecision::Bf16 | WeightPrecision::F16 => Products::F32,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn architecture(&self) -> &'static str {
        self.architecture
    }

    /// The tensor `name` in f32 (or the device's type). It must have this shape.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
        let values = self.take_values(name, shape)?;
        let tensor = self.placement.tensor(values, shape);
        tensor.map_err(ModelError::engine(self.architecture, "reading a tensor"))
    }

    /// The values of the tensor `name`. It must have this shape.
    pub(crate) fn take_values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let mut values = self.values(name, shape)?;
        let precision = self.precision;
        precision.round(&mut values).map_err(|value| {
            let wider = if precision == WeightPrecision::F16 {
                " or bf16"
            } else {
                ""
            };
            self.fault(format_args!(
                "tensor {name} of {} holds {value}, which {precision} cannot hold; take {}{wider}",
                self.architecture,
                option("weight-precision", "f32")
            ))
        })?;
        self.taken.push((name.to_owned(), shape.to_vec()));
        Ok(values)
    }

    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        match self.origin(name, shape) {
            Origin::Named(published) => self.stored_values(name, &published, shape),
            Origin::Shaped(published, shape) => self.stored_values(name, &published, &shape),
            Origin::Unfolded(published) => {
                let values = self.stored_values(name, &published, shape)?;
                Ok(refolded(&values, shape.last().copied().unwrap_or(1)))
            }
            Origin::Stacked(parts) => {
                let mut part_shape = shape.to_vec();
                if let Some(rows) = part_shape.first_mut() {
                    *rows /= parts.len();
                }
                let mut values = Vec::with_capacity(shape.iter().product());
                for part in &parts {
                    values.extend(self.stored_values(name, part, &part_shape)?);
                }
                Ok(values)
            }
        }
    }

    /// The numbers of the file's tensor `published`, which are all or part of the numbers of `name`.
    fn stored_values(&mut self, name: &str, published: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let tensors = match &mut self.source {
            TensorSource::Stored(tensors) => tensors,
            TensorSource::Synthetic { seed, damped } => {
                return Ok(synthetic_values(published, shape, *seed, damped));
            }
        };
        let Some(stored) = tensors.remove(published) else {
            return Err(ModelError::other(format_args!(
                "{} lacks the tensor {published} of shape {shape:?} that {} needs{}",
                self.path.display(),
                self.architecture,
                self.read_by(Some(name))
            )));
        };
        if stored.shape != shape {
            return Err(self.fault(format_args!(
                "tensor {} has shape {:?}, and {} with this configuration needs {shape:?}",
                stored.published_name, stored.shape, self.architecture
            )));
        }
        self.read(stored.numbers, stored.published_name, shape)
    }

    /// Reads the numbers of the tensor that the file calls `tensor`.
    fn read(&self, numbers: Numbers, tensor: String, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        match numbers {
            Numbers::InMemory(values) => Ok(values),
            Numbers::Synthetic { seed, damped } => Ok(synthetic_values(&tensor, shape, seed, &damped)),
            Numbers::InFile(stored) if stored.element_type().is_float() => {
                stored.read_f32().map_err(|source| ModelError::unreadable(self.architecture, source))
            }
            Numbers::InFile(stored) => Err(self.fault(format_args!(
                "tensor {tensor} of {} holds {}, expected F32, F16, BF16 or F64",
                self.architecture,
                stored.element_type()
            ))),
            Numbers::Adapted(numbers, added) => {
                let mut values = self.read(*numbers, tensor, shape)?;
                added.add_to(&mut values).map_err(|source| ModelError::unreadable(self.architecture, source))?;
                Ok(values)
            }
        }
    }

    /// The shape of a tensor in the file that has not been taken yet; it helps to recognise formats. `None` for a
    /// synthetic checkpoint, which does not know its tensors in advance.
    pub(crate) fn shape_of(&self, name: &str) -> Option<&[usize]> {
        match &self.source {
            TensorSource::Stored(tensors) => tensors.get(name).map(|stored| stored.shape.as_slice()),
            TensorSource::Synthetic { .. } => None,
        }
    }

    /// The error for two tensors of the file that should be equal but are not.
    pub(crate) fn contradiction(&self, first: &str, second: &str) -> ModelError {
        self.fault(format_args!(
            "the tensors {first} and {second} differ, and {} has one tensor in both places; export the checkpoint again with both the \
             same, or with {first} alone",
            self.architecture
        ))
    }

    fn fault(&self, words: impl Display) -> ModelError {
        ModelError::malformed(&self.path, words)
    }

    /// Upper bound of the main memory, in bytes, that the remaining tensors will need in a model; 0 for a synthetic
    /// checkpoint, which does not know its tensors in advance.
    pub(crate) fn bytes_left(&self) -> u64 {
        let TensorSource::Stored(tensors) = &self.source else {
            return 0;
        };
        let bytes = |stored: &Stored| {
            let n_values: usize = stored.shape.iter().product();
            n_values as u64 * self.bytes_each(stored)
        };
        tensors.values().map(bytes).sum()
    }

    /// Upper bound of the main memory for one value of this tensor, in bytes.
    fn bytes_each(&self, stored: &Stored) -> u64 {
        let is_rounded = matches!(self.precision, WeightPrecision::Bf16 | WeightPrecision::F16);
        let fits_16_bits = match &stored.numbers {
            Numbers::InFile(tensor) => {
                is_rounded || matches!(tensor.element_type(), ElementType::F16 | ElementType::Bf16)
            }
            Numbers::InMemory(_) | Numbers::Synthetic { .. } | Numbers::Adapted(..) => is_rounded,
        };
        match self.placement.bytes_in_main_memory() {
            4 if fits_16_bits && may_be_halved() => 2,
            bytes => bytes,
        }
    }

    /// Names and shapes of the tensors taken so far, in order. With a synthetic checkpoint these are all tensors of the
    /// architecture.
    pub(crate) fn taken(&self) -> &[(String, Vec<usize>)] {
        &self.taken
    }

    /// Fails unless every tensor has been taken, except those for which `ignorable` is true.
    pub(crate) fn finish(self, ignorable: impl Fn(&str) -> bool) -> Result<(), ModelError> {
        let TensorSource::Stored(tensors) = &self.source else {
            return Ok(());
        };
        match tensors.iter().find(|(name, _)| !ignorable(name)) {
            None => Ok(()),
            Some((_, stored)) => Err(self.fault(format_args!(
                "tensor {} of shape {:?} has no place in {} with this configuration; is it the checkpoint of another model?{}",
                stored.published_name,
                stored.shape,
                self.architecture,
                self.read_by(None)
            ))),
        }
    }
}

/// Reorders rows of `length` values: from channel by channel with the four positions of a square row by row, to
/// position by position, column by column.
fn refolded(values: &[f32], length: usize) -> Vec<f32> {
    let n_channels = length / 4;
    let mut out = vec![0.0; values.len()];
    let rows = values.chunks_exact(length.max(1));
    for (row, out) in rows.zip(out.chunks_exact_mut(length.max(1))) {
        for (index, out) in out.iter_mut().enumerate().take(4 * n_channels) {
            let (place, channel) = (index / n_channels, index % n_channels);
            let (row_of_place, column) = (place % 2, place / 2);
            *out = row[4 * channel + 2 * row_of_place + column];
        }
    }
    out
}

/// The values of a synthetic checkpoint's tensor, multiplied by the factors of the suffixes that its name has.
fn synthetic_values(name: &str, shape: &[usize], seed: u64, damped: &[(String, f32)]) -> Vec<f32> {
    let mut values = synthetic::parameter(name, shape, seed);
    for (_, factor) in damped.iter().filter(|(ending, _)| name.ends_with(ending)) {
        for value in &mut values {
            *value *= factor;
        }
    }
    values
}
