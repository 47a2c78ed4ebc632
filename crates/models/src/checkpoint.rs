//! A checkpoint whose every tensor is accounted for.

use crate::ModelError;
use candle_core::safetensors::BufferedSafetensors;
use candle_core::{DType, Device, Tensor};
use neurogauge_core::synthetic;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The tensors of a checkpoint, handed out by name to the architecture that is being built.
///
/// Nothing is guessed: a tensor that is absent or of another shape is an error, and so is one that
/// nobody asked for, since it means that the checkpoint is of another model.
pub(crate) struct Checkpoint {
    path: PathBuf,
    architecture: &'static str,
    source: Source,
    /// Names and shapes of the tensors that were handed out.
    taken: Vec<(String, Vec<usize>)>,
    /// Shapes of the tensors that have not been handed out yet.
    remaining: BTreeMap<String, Vec<usize>>,
}

/// Where the numbers come from.
enum Source {
    Safetensors(BufferedSafetensors),
    /// Every tensor that is asked for exists: it is a function of its name, its shape and the seed.
    Synthetic {
        seed: u64,
        /// Endings of names, and what the values of such tensors are multiplied by.
        damped: Vec<(String, f32)>,
    },
}

impl Checkpoint {
    /// The checkpoint that has whatever tensor is asked for, with values that a twin in Python has too
    /// ([`synthetic::parameter`]).
    pub(crate) fn synthetic(
        seed: u64,
        damped: &[(String, f32)],
        architecture: &'static str,
    ) -> Self {
        Checkpoint {
            path: PathBuf::from(format!("synthetic checkpoint {seed}")),
            architecture,
            source: Source::Synthetic {
                seed,
                damped: damped.to_vec(),
            },
            taken: Vec::new(),
            remaining: BTreeMap::new(),
        }
    }

    /// Reads the header of a file that is already in memory.
    pub(crate) fn new(
        path: &Path,
        bytes: Vec<u8>,
        architecture: &'static str,
    ) -> Result<Self, ModelError> {
        let n_bytes = bytes.len();
        let file =
            BufferedSafetensors::new(bytes).map_err(|error| ModelError::CorruptCheckpoint {
                path: path.to_owned(),
                bytes: n_bytes,
                reason: error.to_string(),
            })?;
        let remaining = file
            .tensors()
            .into_iter()
            .map(|(name, view)| (name, view.shape().to_vec()))
            .collect();
        Ok(Checkpoint {
            path: path.to_owned(),
            architecture,
            source: Source::Safetensors(file),
            taken: Vec::new(),
            remaining,
        })
    }

    /// The architecture that is being built.
    pub(crate) fn architecture(&self) -> &'static str {
        self.architecture
    }

    /// The tensor called `name`, as f32. It must have this shape.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
        self.taken.push((name.to_owned(), shape.to_vec()));
        let engine = |error: candle_core::Error| ModelError::Engine {
            architecture: self.architecture,
            operation: "reading a tensor",
            reason: error.to_string(),
        };
        let file = match &self.source {
            Source::Safetensors(file) => file,
            Source::Synthetic { seed, damped } => {
                let mut values = synthetic::parameter(name, shape, *seed);
                for (_, factor) in damped.iter().filter(|(ending, _)| name.ends_with(ending)) {
                    for value in &mut values {
                        *value *= factor;
                    }
                }
                return Tensor::from_vec(values, shape, &Device::Cpu).map_err(engine);
            }
        };
        let Some(found) = self.remaining.remove(name) else {
            return Err(ModelError::MissingTensor {
                path: self.path.clone(),
                architecture: self.architecture,
                tensor: name.to_owned(),
                expected: shape.to_vec(),
            });
        };
        if found != shape {
            return Err(ModelError::TensorShape {
                path: self.path.clone(),
                architecture: self.architecture,
                tensor: name.to_owned(),
                found,
                expected: shape.to_vec(),
            });
        }
        let tensor = file.load(name, &Device::Cpu).map_err(engine)?;
        match tensor.dtype() {
            DType::F32 | DType::F16 | DType::BF16 | DType::F64 => {
                tensor.to_dtype(DType::F32).map_err(engine)
            }
            other => Err(ModelError::TensorType {
                path: self.path.clone(),
                architecture: self.architecture,
                tensor: name.to_owned(),
                found: format!("{other:?}"),
            }),
        }
    }

    /// The shape of a tensor that the file has and that has not been handed out yet, by which layouts are
    /// told apart. A synthetic checkpoint does not know what it will be asked for: nothing.
    pub(crate) fn shape_of(&self, name: &str) -> Option<&[usize]> {
        self.remaining.get(name).map(Vec::as_slice)
    }

    /// Names and shapes of the tensors that were asked for so far.
    pub(crate) fn taken(&self) -> &[(String, Vec<usize>)] {
        &self.taken
    }

    /// Ends the reading: every tensor must have been taken, save those that `ignorable` names.
    pub(crate) fn finish(self, ignorable: impl Fn(&str) -> bool) -> Result<(), ModelError> {
        match self
            .remaining
            .into_iter()
            .find(|(name, _)| !ignorable(name))
        {
            None => Ok(()),
            Some((tensor, found)) => Err(ModelError::UnexpectedTensor {
                path: self.path,
                architecture: self.architecture,
                tensor,
                found,
            }),
        }
    }
}
