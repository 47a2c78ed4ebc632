//! Opens checkpoints: from files, from memory, or synthetic ones.

use super::{Checkpoint, CheckpointFormat, Numbers, Stored, TensorSource};
use crate::{Arithmetic, ModelError, WeightPrecision};
use neurogauge_formats::Problem;
use neurogauge_formats::state_dict::{self, StateDict};
use neurogauge_kernels::blocks::device::Placement;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::rc::Rc;

impl Checkpoint {
    /// A checkpoint that has every requested tensor, with the same values as its twin in Python
    /// ([`synthetic::parameter`]).
    pub(crate) fn synthetic(seed: u64, damped: &[(String, f32)], architecture: &'static str) -> Self {
        Checkpoint {
            path: PathBuf::from(format!("synthetic checkpoint {seed}")),
            architecture,
            source: TensorSource::Synthetic {
                seed,
                damped: damped.to_vec(),
            },
            format: None,
            formats: None,
            placement: Placement::cpu(),
            precision: WeightPrecision::F32,
            taken: Vec::new(),
        }
    }

    /// Uses this format's names for the tensors.
    pub(crate) fn named_as_by(self, format: &'static CheckpointFormat) -> Self {
        Checkpoint {
            format: Some(format),
            ..self
        }
    }

    /// The checkpoint in a file of any format that [`state_dict::open`] knows.
    ///
    /// Only names and shapes are read. The numbers of a tensor are read when it is taken, so that loading a model needs
    /// little more memory than the loaded model; they are rounded and placed according to the arithmetic.
    pub(crate) fn open(
        path: &Path,
        architecture: &'static str,
        arithmetic: impl Into<Arithmetic>,
    ) -> Result<Self, ModelError> {
        Self::of_file(Self::file(path, architecture)?, architecture, arithmetic)
    }

    /// The descriptions of a file's tensors.
    pub(crate) fn file(path: &Path, architecture: &'static str) -> Result<StateDict, ModelError> {
        state_dict::open(path).map_err(|source| ModelError::unreadable(architecture, source))
    }

    /// Reads the checkpoint from an opened file.
    pub(crate) fn of_file(
        file: StateDict,
        architecture: &'static str,
        arithmetic: impl Into<Arithmetic>,
    ) -> Result<Self, ModelError> {
        let path = file.path().to_owned();
        let stored = file.into_tensors().into_iter().map(|tensor| Stored {
            published_name: tensor.name.clone(),
            shape: tensor.shape().iter().map(|&n| n as usize).collect(),
            numbers: Numbers::InFile(tensor),
        });
        Self::stored(path, architecture, stored)?.computed(arithmetic.into())
    }

    /// A checkpoint of tensors in memory: names, shapes, values.
    pub(crate) fn from_tensors(
        tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
        architecture: &'static str,
    ) -> Result<Self, ModelError> {
        let stored = tensors.into_iter().map(|(published_name, shape, values)| Stored {
            published_name,
            shape,
            numbers: Numbers::InMemory(values),
        });
        Self::stored(PathBuf::from("tensors in memory"), architecture, stored)
    }

    /// A checkpoint as if read from a file of this path with these tensors (names and shapes), with synthetic values.
    pub(crate) fn synthetic_file(
        path: PathBuf,
        tensors: Vec<(String, Vec<usize>)>,
        seed: u64,
        damped: &[(String, f32)],
        architecture: &'static str,
    ) -> Result<Self, ModelError> {
        let damped: Rc<[(String, f32)]> = damped.into();
        let stored = tensors.into_iter().map(|(published_name, shape)| Stored {
            published_name,
            shape,
            numbers: Numbers::Synthetic {
                seed,
                damped: damped.clone(),
            },
        });
        Self::stored(path, architecture, stored)
    }

    fn stored(
        path: PathBuf,
        architecture: &'static str,
        tensors: impl Iterator<Item = Stored>,
    ) -> Result<Self, ModelError> {
        let mut checkpoint = Checkpoint {
            path,
            architecture,
            source: TensorSource::Stored(BTreeMap::new()),
            format: None,
            formats: None,
            placement: Placement::cpu(),
            precision: WeightPrecision::F32,
            taken: Vec::new(),
        };
        for tensor in tensors {
            checkpoint.insert(tensor.published_name.clone(), tensor)?;
        }
        Ok(checkpoint)
    }

    /// Renames the published tensors with `rename`, which returns `None` to keep a name.
    ///
    /// To remove a prefix: `renamed(|name| name.strip_prefix("module.").map(str::to_owned))`.
    pub(crate) fn renamed(mut self, rename: impl Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        if let TensorSource::Stored(tensors) = &mut self.source {
            for (name, tensor) in std::mem::take(tensors) {
                let name = rename(&name).unwrap_or(name);
                self.insert(name, tensor)?;
            }
        }
        Ok(self)
    }

    fn insert(&mut self, name: String, tensor: Stored) -> Result<(), ModelError> {
        let TensorSource::Stored(tensors) = &mut self.source else {
            return Ok(());
        };
        match tensors.entry(name) {
            Entry::Vacant(place) => {
                place.insert(tensor);
                Ok(())
            }
            Entry::Occupied(place) => Err(ModelError::unreadable(
                self.architecture,
                Problem::new(format_args!("two tensors are called {:?}", place.key())).at(&self.path),
            )),
        }
    }
}
