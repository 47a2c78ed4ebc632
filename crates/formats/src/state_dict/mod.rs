//! The named tensors of a model's checkpoint, in any published layout.
//!
//! | layout | what writes it |
//! |---|---|
//! | zip | `torch.save` since 1.6 |
//! | legacy | `torch.save` before, in which many published files still are |
//! | TorchScript | `torch.jit.save`: names are the paths of attributes, as in the module's `state_dict()` |
//! | safetensors | the library of that name |
//! | sharded | transformers, for large models: an index and the files that it names, each in any layout above |
//!
//! The content decides the layout, not the file's name. Nothing in a file is executed.

mod nesting;
mod safetensors;
mod sharded;
mod torch_script;

use crate::element::ElementType;
use crate::positioned_file::PositionedFile;
use crate::stored_array::StoredArray;
use crate::torch_file::{archive, legacy};
use crate::{FormatError, Problem};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The layout of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// torch's zip archive.
    Zip,
    /// torch's format from before 1.6.
    Legacy,
    /// A TorchScript archive.
    TorchScript,
    Safetensors,
    /// Several files and their index.
    Sharded,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::Zip => "zip",
            Layout::Legacy => "legacy",
            Layout::TorchScript => "torchscript",
            Layout::Safetensors => "safetensors",
            Layout::Sharded => "sharded",
        })
    }
}

/// The tensors of a checkpoint, in the order of the file; their numbers stay in it until requested.
#[derive(Debug, Clone)]
pub struct StateDict {
    path: PathBuf,
    layout: Layout,
    tensors: Vec<StateTensor>,
}

/// A named tensor of a checkpoint.
#[derive(Debug, Clone)]
pub struct StateTensor {
    /// Its published name.
    pub name: String,
    /// Shape, element type, and the numbers by position.
    pub array: StoredArray,
}

impl StateTensor {
    /// Sizes of its axes; empty for a single value.
    pub fn shape(&self) -> &[u64] {
        self.array.shape()
    }

    pub fn element_type(&self) -> ElementType {
        self.array.element_type()
    }

    /// All values in C order, regardless of the strides, converted to `f32`.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        self.array.read_f32_at(0, self.array.len())
    }
}

impl StateDict {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    pub fn tensors(&self) -> &[StateTensor] {
        &self.tensors
    }

    /// The tensors, without the layout.
    pub fn into_tensors(self) -> Vec<StateTensor> {
        self.tensors
    }

    pub fn get(&self, name: &str) -> Option<&StateTensor> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }
}

/// The possible forms of a checkpoint, for messages.
const EXPECTED: &str = "a checkpoint: written by torch.save, torch.jit.save or safetensors, or the index of \
                        such files (model.safetensors.index.json, with a weight_map)";

/// Opens a checkpoint: reads the description of its tensors, but not their numbers. For a checkpoint in several files,
/// `path` is the index, and the other files are in the same folder.
///
/// In a training checkpoint, the weights are the dict under `state_dict`, otherwise under `model`, otherwise under
/// `teacher`. Single values next to the tensors (an epoch, a name) are ignored. Names are unchanged, including a prefix
/// `module.`. The integers, texts and lists among a TorchScript module's attributes are left out; a tensor that is a
/// plain attribute is listed, although `state_dict()` would not list it.
///
/// # Errors
/// The file contains something else, or was cut short; errors of [`crate::pickle::load`] for a forbidden name or a
/// malformed pickle; a tensor repeats its numbers; an entry is compressed; the file is malformed; a file named in an
/// index is missing, or lacks a tensor that the index expects there.
///
/// Reference: torch 2.15.0 and safetensors, equal to the bit.
pub fn open(path: &Path) -> Result<StateDict, FormatError> {
    let (layout, tensors) = if sharded::begins(&start(path)?.1) {
        (Layout::Sharded, sharded::tensors(path)?)
    } else {
        single(path)?
    };
    let mut names = HashSet::new();
    match tensors.iter().find(|tensor| !names.insert(&tensor.name)) {
        Some(twice) => Err(Problem::new(format_args!("two tensors are called {:?}", twice.name)).at(path)),
        None => Ok(StateDict {
            path: path.to_owned(),
            layout,
            tensors,
        }),
    }
}

/// The files of the checkpoint at `path`: the file itself and, if it is an index, the files that it names, sorted by
/// name. Does not check that they exist.
///
/// # Errors
/// A file cannot be read; the index is invalid.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut files = vec![path.to_owned()];
    if sharded::begins(&start(path)?.1) {
        files.extend(sharded::shards(path)?.into_keys());
    }
    Ok(files)
}

/// An opened file, and its first bytes.
fn start(path: &Path) -> Result<(Arc<PositionedFile>, Vec<u8>), FormatError> {
    let file = Arc::new(PositionedFile::open(path)?);
    let start = file.read(0, file.len().min(legacy::START_BYTES), "the start")?;
    Ok((file, start))
}

/// The layout and the tensors of a checkpoint in one file.
fn single(path: &Path) -> Result<(Layout, Vec<StateTensor>), FormatError> {
    let (file, start) = start(path)?;
    if archive::begins(&start) {
        let contents = archive::open(file)?;
        let (content, storages) = (&contents.content, &contents.storages);
        return Ok(if contents.is_torchscript {
            (Layout::TorchScript, torch_script::tensors(content, storages)?)
        } else {
            (Layout::Zip, nesting::tensors(content, storages)?)
        });
    }
    if legacy::begins(&start) {
        let (content, storages) = legacy::open(file)?;
        return Ok((Layout::Legacy, nesting::tensors(&content, &storages)?));
    }
    if safetensors::begins(&start) {
        return Ok((Layout::Safetensors, safetensors::tensors(&file)?));
    }
    Err(Problem::content(describe(&start).to_owned(), EXPECTED).at(path))
}

fn describe(start: &[u8]) -> &'static str {
    match start {
        [] => "nothing",
        [0x80, ..] => "a pickle that torch did not write",
        [b'<', ..] => "a web page",
        [b'v', b'e', b'r', b's', b'i', b'o', b'n', b' ', ..] => "a pointer to a file in Git's large file storage",
        _ => "something else",
    }
}
