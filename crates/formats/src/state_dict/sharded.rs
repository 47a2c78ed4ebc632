//! Checkpoints in several files: an index (`model.safetensors.index.json`) maps each tensor to its file.

use super::{StateTensor, single};
use crate::{FormatError, Problem, json};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};

/// The part of the index that is used.
#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

/// Could a file with these first bytes be an index? The length at the start of a safetensors file may look like a brace
/// too, but contains zeros.
pub(super) fn begins(start: &[u8]) -> bool {
    start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') && !start.contains(&0)
}

/// The files that the index at `path` names, each with the names of its tensors.
pub(super) fn shards(path: &Path) -> Result<BTreeMap<PathBuf, BTreeSet<String>>, FormatError> {
    let form = "the index of a checkpoint, {\"weight_map\": {\"tensor\": \"file\"}}";
    let bytes = json::read_bytes(path, form)?;
    let content: serde_json::Map<String, serde_json::Value> = json::parse(path, &bytes, form)?;
    if !content.contains_key("weight_map") {
        return Err(Problem::content("JSON without a weight_map", super::EXPECTED).at(path));
    }
    let index: Index = json::parse(path, &bytes, form)?;
    let mut shards: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for (tensor, file) in index.weight_map {
        let mut parts = Path::new(&file).components();
        let (Some(Component::Normal(name)), None) = (parts.next(), parts.next()) else {
            let reason = format!("{file:?} is not the name of a file; expected one beside the index");
            return Err(Problem::invalid(format!("weight_map[{tensor:?}]"), reason).at(path));
        };
        shards.entry(path.with_file_name(name)).or_default().insert(tensor);
    }
    if shards.is_empty() {
        return Err(Problem::invalid("weight_map", "is empty; expected the file of each tensor").at(path));
    }
    Ok(shards)
}

/// The tensors of all files that the index at `path` names. As in transformers, all tensors of a file are used, even if
/// the index does not name them; the named ones must exist.
pub(super) fn tensors(path: &Path) -> Result<Vec<StateTensor>, FormatError> {
    let shards = shards(path)?;
    let n_shards = shards.len();
    let index = path.file_name().unwrap_or_default().to_string_lossy();
    let mut tensors = Vec::new();
    for (shard, names) in shards {
        if !shard.exists() {
            return Err(Problem::not_found(format!(
                "{} tensors of a checkpoint in {n_shards} files, which {index} names; fetch it from \
                     where the index was published, and put it beside it",
                names.len()
            ))
            .at(shard));
        }
        let (_, found) = single(&shard)?;
        let there: HashSet<&str> = found.iter().map(|tensor| tensor.name.as_str()).collect();
        if let Some(absent) = names.iter().find(|name| !there.contains(name.as_str())) {
            let reason =
                format!("{} has no tensor of this name; index and files are of different checkpoints", shard.display());
            return Err(Problem::invalid(format!("weight_map[{absent:?}]"), reason).at(path));
        }
        tensors.extend(found);
    }
    Ok(tensors)
}
