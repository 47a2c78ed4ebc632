//! The package's folder: finds the checkpoints that belong to an adapter, and reads them with it.

use super::ARCHITECTURE;
use super::forms::{Branch, Form};
use super::model::{DreamSim, Looking, module};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::lora::{CONFIG, LoraAdapter};
use crate::{Arithmetic, ModelError};
use neurogauge_kernels::blocks::device::Placement;
use std::path::{Path, PathBuf};

impl Form {
    /// All files that belong to an adapter's matrices: its settings in the same folder, and each transformer's
    /// checkpoint in the parent folder.
    ///
    /// # Errors
    /// Missing files, by name.
    pub(crate) fn further_files(&self, adapter: &Path) -> Result<Vec<PathBuf>, ModelError> {
        let config = adapter.with_file_name(CONFIG);
        let folder = folder_of(adapter);
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        match config.is_file() {
            true => found.push(config),
            false => missing.push(config.display().to_string()),
        }
        for branch in self.branches {
            match branch.file(&folder) {
                Some(file) => found.push(file),
                None => missing.push(branch.files.join(" or ")),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        Err(ModelError::incomplete(&folder, self.id, &missing))
    }
}

impl Branch {
    fn file(&self, folder: &Path) -> Option<PathBuf> {
        let mut places = self.files.iter().map(|file| folder.join(file));
        places.find(|place| place.is_file())
    }
}

/// The parent of the adapter's folder.
fn folder_of(adapter: &Path) -> PathBuf {
    let folder = adapter.parent().unwrap_or(Path::new(""));
    // The parent of `lora` is the empty path, whose parent is `..`.
    match folder.parent() {
        Some(above) if !folder.as_os_str().is_empty() => above.to_owned(),
        _ => folder.join(".."),
    }
}

impl DreamSim {
    /// Reads the adapter and the transformers that it belongs to, and places their weights.
    ///
    /// # Errors
    /// Files that are missing, cut short or malformed; tensors that are absent, superfluous or of another shape; an
    /// adapter of another model, or one whose settings mean another computation.
    pub(crate) fn load(
        form: &Form,
        adapter: &Path,
        arithmetic: Arithmetic,
    ) -> Result<(DreamSim, Placement), ModelError> {
        let files = form.further_files(adapter)?;
        let mut lora = LoraAdapter::open(adapter, ARCHITECTURE)?;
        let mut placement = Placement::cpu();
        let mut branches = Vec::new();
        // The first file holds the adapter's settings.
        for (index, (branch, file)) in form.branches.iter().zip(&files[1..]).enumerate() {
            let checkpoint = Checkpoint::open(file, ARCHITECTURE, arithmetic)?;
            let mut checkpoint = checkpoint.adapted(&mut lora, &module(index))?;
            branches.push(Looking::build(branch, &mut checkpoint, "", 0)?);
            placement = checkpoint.placement().clone();
            checkpoint.finish(|_| false)?;
        }
        lora.finish()?;
        Ok((DreamSim::new(branches), placement))
    }
}
