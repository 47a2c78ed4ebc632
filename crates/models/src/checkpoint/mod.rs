//! A checkpoint whose every tensor is accounted for.

#[cfg(test)]
mod tests;

use crate::ModelError;
use crate::device::Placement;
use candle_core::{Error as EngineError, Tensor};
use neurogauge_core::synthetic;
use neurogauge_formats::FormatError;
use neurogauge_formats::state_dict::{self, StateTensor};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The tensors of a checkpoint, handed out by name to the architecture that is being built.
///
/// Nothing is guessed: a tensor that is absent or of another shape is an error, and so is one that
/// nobody asked for, since it means that the checkpoint is of another model.
pub(crate) struct Checkpoint {
    path: PathBuf,
    architecture: &'static str,
    source: Source,
    /// Where tensors go.
    placement: Placement,
    /// Names and shapes of the tensors that have been handed out.
    taken: Vec<(String, Vec<usize>)>,
}

/// Where the numbers come from.
enum Source {
    /// The tensors that have not been handed out yet.
    Stored(BTreeMap<String, Stored>),
    /// Every tensor that is asked for exists: it is a function of its name, its shape and the seed.
    Synthetic {
        seed: u64,
        /// Endings of names, and what the values of such tensors are multiplied by.
        damped: Vec<(String, f32)>,
    },
}

struct Stored {
    /// Its name in the file.
    published_name: String,
    shape: Vec<usize>,
    numbers: Numbers,
}

enum Numbers {
    InFile(StateTensor),
    InMemory(Vec<f32>),
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
            placement: Placement::cpu(),
            taken: Vec::new(),
        }
    }

    /// The checkpoint in a file of any layout that [`state_dict::open`] knows.
    ///
    /// Only names and shapes are read. The numbers of a tensor are read when it is taken, so that a
    /// model needs little more memory while it is loaded than afterwards.
    pub(crate) fn open(path: &Path, architecture: &'static str) -> Result<Self, ModelError> {
        let file = state_dict::open(path).map_err(|source| unreadable(architecture, source))?;
        let stored = file.into_tensors().into_iter().map(|tensor| Stored {
            published_name: tensor.name.clone(),
            shape: tensor.shape().iter().map(|&n| n as usize).collect(),
            numbers: Numbers::InFile(tensor),
        });
        Self::stored(path.to_owned(), architecture, stored)
    }

    /// A checkpoint of tensors that were made here: names, shapes, values.
    pub(crate) fn from_tensors(
        tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
        architecture: &'static str,
    ) -> Result<Self, ModelError> {
        let stored = tensors
            .into_iter()
            .map(|(published_name, shape, values)| Stored {
                published_name,
                shape,
                numbers: Numbers::InMemory(values),
            });
        Self::stored(PathBuf::from("tensors in memory"), architecture, stored)
    }

    fn stored(
        path: PathBuf,
        architecture: &'static str,
        tensors: impl Iterator<Item = Stored>,
    ) -> Result<Self, ModelError> {
        let mut checkpoint = Checkpoint {
            path,
            architecture,
            source: Source::Stored(BTreeMap::new()),
            placement: Placement::cpu(),
            taken: Vec::new(),
        };
        for tensor in tensors {
            checkpoint.insert(tensor.published_name.clone(), tensor)?;
        }
        Ok(checkpoint)
    }

    /// The same tensors, handed out on a device.
    pub(crate) fn placed(self, placement: Placement) -> Self {
        Checkpoint { placement, ..self }
    }

    /// Where tensors are handed out.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The same tensors under the names that `rename` gives to published ones; `None` leaves a name
    /// as it is.
    ///
    /// A prefix is taken away by `renamed(|name| name.strip_prefix("module.").map(str::to_owned))`.
    pub(crate) fn renamed(
        mut self,
        rename: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        if let Source::Stored(tensors) = &mut self.source {
            for (name, tensor) in std::mem::take(tensors) {
                let name = rename(&name).unwrap_or(name);
                self.insert(name, tensor)?;
            }
        }
        Ok(self)
    }

    fn insert(&mut self, name: String, tensor: Stored) -> Result<(), ModelError> {
        let Source::Stored(tensors) = &mut self.source else {
            return Ok(());
        };
        match tensors.entry(name) {
            Entry::Vacant(place) => {
                place.insert(tensor);
                Ok(())
            }
            Entry::Occupied(place) => Err(unreadable(
                self.architecture,
                FormatError::Malformed {
                    path: self.path.clone(),
                    reason: format!("two tensors are called {:?}", place.key()),
                },
            )),
        }
    }

    /// The architecture that is being built.
    pub(crate) fn architecture(&self) -> &'static str {
        self.architecture
    }

    /// The tensor called `name`, as f32 (or what the device has). It must have this shape.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
        let values = self.take_values(name, shape)?;
        let tensor = self.placement.tensor(values, shape);
        tensor.map_err(|error: EngineError| ModelError::Engine {
            architecture: self.architecture,
            operation: "reading a tensor",
            reason: error.to_string(),
        })
    }

    /// The values of the tensor called `name`. It must have this shape.
    pub(crate) fn take_values(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<Vec<f32>, ModelError> {
        let values = self.values(name, shape)?;
        self.taken.push((name.to_owned(), shape.to_vec()));
        Ok(values)
    }

    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let tensors = match &mut self.source {
            Source::Synthetic { seed, damped } => {
                let mut values = synthetic::parameter(name, shape, *seed);
                for (_, factor) in damped.iter().filter(|(ending, _)| name.ends_with(ending)) {
                    for value in &mut values {
                        *value *= factor;
                    }
                }
                return Ok(values);
            }
            Source::Stored(tensors) => tensors,
        };
        let Some(stored) = tensors.remove(name) else {
            return Err(ModelError::MissingTensor {
                path: self.path.clone(),
                architecture: self.architecture,
                tensor: name.to_owned(),
                expected: shape.to_vec(),
            });
        };
        if stored.shape != shape {
            return Err(ModelError::TensorShape {
                path: self.path.clone(),
                architecture: self.architecture,
                tensor: stored.published_name,
                found: stored.shape,
                expected: shape.to_vec(),
            });
        }
        match stored.numbers {
            Numbers::InMemory(values) => Ok(values),
            Numbers::InFile(tensor) if tensor.element_type().is_float() => tensor
                .read_f32()
                .map_err(|source| unreadable(self.architecture, source)),
            Numbers::InFile(tensor) => Err(ModelError::TensorType {
                path: self.path.clone(),
                architecture: self.architecture,
                found: tensor.element_type().to_string(),
                tensor: stored.published_name,
            }),
        }
    }

    /// The shape of a tensor that the file has and that has not been taken yet, by which layouts are
    /// told apart. A synthetic checkpoint does not know what it will be asked for: nothing.
    pub(crate) fn shape_of(&self, name: &str) -> Option<&[usize]> {
        match &self.source {
            Source::Stored(tensors) => tensors.get(name).map(|stored| stored.shape.as_slice()),
            Source::Synthetic { .. } => None,
        }
    }

    /// Names and shapes of the tensors taken so far, in order: with a synthetic checkpoint, all that
    /// the architecture has.
    pub(crate) fn taken(&self) -> &[(String, Vec<usize>)] {
        &self.taken
    }

    /// Ends the reading: every tensor must have been taken, save those that `ignorable` names.
    pub(crate) fn finish(self, ignorable: impl Fn(&str) -> bool) -> Result<(), ModelError> {
        let Source::Stored(tensors) = self.source else {
            return Ok(());
        };
        match tensors.into_iter().find(|(name, _)| !ignorable(name)) {
            None => Ok(()),
            Some((_, stored)) => Err(ModelError::UnexpectedTensor {
                path: self.path,
                architecture: self.architecture,
                tensor: stored.published_name,
                found: stored.shape,
            }),
        }
    }
}

fn unreadable(architecture: &'static str, source: FormatError) -> ModelError {
    ModelError::UnreadableCheckpoint {
        architecture,
        source,
    }
}
