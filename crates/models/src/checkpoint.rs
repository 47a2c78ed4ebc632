//! A safetensors file whose every tensor is accounted for.

use crate::ModelError;
use candle_core::safetensors::BufferedSafetensors;
use candle_core::{DType, Device, Tensor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The tensors of a checkpoint, handed out by name to the architecture that is being built.
///
/// Nothing is guessed: a tensor that is absent or of another shape is an error, and so is one that
/// nobody asked for, since it means that the checkpoint is of another model.
pub(crate) struct Checkpoint {
    path: PathBuf,
    architecture: &'static str,
    file: BufferedSafetensors,
    /// Shapes of the tensors that have not been handed out yet.
    remaining: BTreeMap<String, Vec<usize>>,
}

impl Checkpoint {
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
            file,
            remaining,
        })
    }

    /// The tensor called `name`, as f32. It must have this shape.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
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
        let engine = |error: candle_core::Error| ModelError::Engine {
            architecture: self.architecture,
            operation: "reading a tensor",
            reason: error.to_string(),
        };
        let tensor = self.file.load(name, &Device::Cpu).map_err(engine)?;
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
