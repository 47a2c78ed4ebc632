//! The hash of all files of a checkpoint.

use super::verify::hash_file;
use crate::ModelError;
use neurogauge_formats::{FormatError, Problem, content_hash, state_dict};
use std::path::{Path, PathBuf};

/// The SHA-256 of the checkpoint at `path`: of the file itself, or, if it is an index of several files, of their list
/// of hashes as `sha256sum` writes it, the index first and the others by name.
pub(crate) fn hash_checkpoint(path: &Path) -> Result<String, ModelError> {
    hash_with(path, |file| Ok(hash_file(file)?.1))
}

/// The hash of a checkpoint and of other files that belong to the same model, as one list.
pub(crate) fn hash_checkpoints(path: &Path, further: &[PathBuf]) -> Result<String, ModelError> {
    let all = [files(path)?, further.to_vec()].concat();
    hash_list(&all, |file| Ok(hash_file(file)?.1))
}

/// Likewise, with another function to hash a file.
pub(super) fn hash_with(
    path: &Path,
    mut hash: impl FnMut(&Path) -> Result<String, ModelError>,
) -> Result<String, ModelError> {
    let files = files(path)?;
    if files.len() == 1 {
        return hash(path);
    }
    hash_list(&files, hash)
}

/// The SHA-256 of the list of these files and their hashes, as `sha256sum` writes it.
pub(super) fn hash_list(
    files: &[PathBuf],
    mut hash: impl FnMut(&Path) -> Result<String, ModelError>,
) -> Result<String, ModelError> {
    let mut list = String::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        list += &format!("{}  {name}\n", hash(file)?);
    }
    Ok(content_hash::of_bytes(list.as_bytes()))
}

fn files(path: &Path) -> Result<Vec<PathBuf>, ModelError> {
    state_dict::files(path).map_err(|FormatError { path, problem }| match problem {
        Problem::Io(_, source) => ModelError::io(path, "read", source),
        problem => ModelError::unreadable("the model", problem.at(path)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_checkpoint_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("b.safetensors"), "two").unwrap();
        std::fs::write(path("a.safetensors"), "one").unwrap();
        let index = r#"{"weight_map": {"x": "b.safetensors", "y": "a.safetensors"}}"#;
        std::fs::write(path("index.json"), index).unwrap();
        let own = |name: &str| hash_file(&path(name)).unwrap().1;
        assert_eq!(hash_checkpoint(&path("a.safetensors")).unwrap(), own("a.safetensors"));
        let list: String = ["index.json", "a.safetensors", "b.safetensors"]
            .map(|name| format!("{}  {name}\n", own(name)))
            .concat();
        let whole = hash_checkpoint(&path("index.json")).unwrap();
        assert_eq!(whole, content_hash::of_bytes(list.as_bytes()));
        let both = hash_checkpoints(&path("a.safetensors"), &[path("b.safetensors")]).unwrap();
        let list: String = ["a.safetensors", "b.safetensors"].map(|name| format!("{}  {name}\n", own(name))).concat();
        assert_eq!(both, content_hash::of_bytes(list.as_bytes()));
        std::fs::write(path("b.safetensors"), "tow").unwrap();
        assert_ne!(hash_checkpoint(&path("index.json")).unwrap(), whole);
        std::fs::remove_file(path("a.safetensors")).unwrap();
        let message = hash_checkpoint(&path("index.json")).unwrap_err().to_string();
        assert!(message.contains("a.safetensors"), "{message}");
    }
}
