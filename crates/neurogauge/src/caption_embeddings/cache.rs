//! Embeddings on disk, so that no text is embedded twice.

use crate::Error;
use neurogauge_core::ModelIdentity;
use neurogauge_formats::{json, npy};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// `<model>.npy` with one row per text, and `<model>.keys.json` with the hash of each text.
pub(super) struct Cache<'a> {
    dir: &'a Path,
    model: &'a ModelIdentity,
    pub(super) n_features: usize,
    pub(super) row_of: HashMap<String, usize>,
    keys: Vec<String>,
    pub(super) data: Vec<f32>,
}

#[derive(Serialize, Deserialize)]
struct CacheKeys {
    model: ModelIdentity,
    /// SHA-256 of the text of each row.
    text_sha256: Vec<String>,
}

impl<'a> Cache<'a> {
    pub(super) fn open(dir: &'a Path, model: &'a ModelIdentity) -> Result<Cache<'a>, Error> {
        let mut cache = Cache {
            dir,
            model,
            n_features: 0,
            row_of: HashMap::new(),
            keys: Vec::new(),
            data: Vec::new(),
        };
        let keys_path = cache.path("keys.json");
        if !keys_path.exists() {
            return Ok(cache);
        }
        let recorded: CacheKeys = json::read(&keys_path)?;
        if recorded.model != *model {
            return Ok(cache);
        }
        let (shape, data) = npy::read_f32(&cache.path("npy"))?;
        // The matrix is written before its keys, so after a crash it may only have rows too many.
        if let [rows, n_features] = shape[..]
            && rows as usize >= recorded.text_sha256.len()
        {
            cache.n_features = n_features as usize;
            cache.keys = recorded.text_sha256;
            cache.data = data;
            cache.data.truncate(cache.keys.len() * cache.n_features);
            cache.row_of = cache.keys.iter().cloned().zip(0..).collect();
        }
        Ok(cache)
    }

    fn path(&self, extension: &str) -> PathBuf {
        self.dir.join(format!("{}.{extension}", self.model.id))
    }

    pub(super) fn add(
        &mut self,
        keys: impl Iterator<Item = String>,
        n_features: usize,
        rows: &[f32],
    ) -> Result<(), Error> {
        self.n_features = n_features;
        for key in keys {
            self.row_of.insert(key.clone(), self.keys.len());
            self.keys.push(key);
        }
        self.data.extend_from_slice(rows);
        let shape = [self.keys.len() as u64, n_features as u64];
        npy::write_f32(&self.path("npy"), &shape, &self.data)?;
        let recorded = CacheKeys {
            model: self.model.clone(),
            text_sha256: self.keys.clone(),
        };
        json::write(&self.path("keys.json"), &recorded)?;
        Ok(())
    }
}
