//! The embedding of each text.

use super::cache::Cache;
use super::encoder::{check, identity, load};
use crate::Error;
use crate::dataset::hash_bytes;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_models::qwen3;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Texts embedded between two saves.
const TEXTS_PER_SAVE: usize = 4096;

/// One embedding for each distinct text.
#[derive(Debug)]
pub(crate) struct Embeddings {
    n_features: usize,
    row_of: HashMap<String, usize>,
    data: Vec<f32>,
}

impl Embeddings {
    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        let row = *self.row_of.get(text)?;
        Some(&self.data[row * self.n_features..(row + 1) * self.n_features])
    }
}

/// Embeds every text, keeping nothing on disk.
pub(crate) fn embed_in_memory(
    texts: &BTreeSet<&str>,
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Embeddings, Error> {
    if texts.is_empty() {
        check(encoder)?;
        return Ok(Embeddings {
            n_features: 0,
            row_of: HashMap::new(),
            data: Vec::new(),
        });
    }
    let model = load(encoder, settings, progress)?;
    let texts: Vec<&str> = texts.iter().copied().collect();
    progress.start("embedding captions", texts.len() as u64, 0);
    let data = model.encode(&texts, &|n| progress.advance(n as u64))?;
    progress.finish();
    Ok(Embeddings {
        n_features: model.n_features(),
        row_of: texts.iter().map(|&text| text.to_owned()).zip(0..).collect(),
        data,
    })
}

/// Embeds every text, behind the instruction if there is one, taking from the cache in `dir` what it already holds.
pub(crate) fn embed(
    texts: &BTreeSet<&str>,
    encoder: &str,
    instruction: Option<&str>,
    dir: &Path,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Embeddings, Error> {
    let model = identity(encoder, settings, progress)?;
    let mut cache = Cache::open(dir, &model)?;
    let read: Vec<Cow<'_, str>> = (texts.iter().copied())
        .map(|text| behind(instruction, text))
        .collect();
    let keys: Vec<String> = (read.iter().map(|text| hash_bytes(text.as_bytes()))).collect();
    let missing: Vec<(&Cow<'_, str>, &String)> = read
        .iter()
        .zip(&keys)
        .filter(|(_, key)| !cache.row_of.contains_key(*key))
        .collect();
    if !missing.is_empty() {
        let model = load(encoder, settings, progress)?;
        let done = texts.len() - missing.len();
        progress.start("embedding captions", texts.len() as u64, done as u64);
        for chunk in missing.chunks(TEXTS_PER_SAVE) {
            let batch: Vec<&str> = chunk.iter().map(|(text, _)| text.as_ref()).collect();
            let rows = model.encode(&batch, &|n| progress.advance(n as u64))?;
            cache.add(
                chunk.iter().map(|(_, key)| (*key).clone()),
                model.n_features(),
                &rows,
            )?;
        }
        progress.finish();
    }
    let row_of = texts
        .iter()
        .zip(&keys)
        .filter_map(|(text, key)| Some(((*text).to_owned(), *cache.row_of.get(key)?)))
        .collect();
    Ok(Embeddings {
        n_features: cache.n_features,
        row_of,
        data: cache.data,
    })
}

/// The text as the model reads it.
fn behind<'a>(instruction: Option<&str>, text: &'a str) -> Cow<'a, str> {
    match instruction {
        Some(instruction) => Cow::Owned(qwen3::instructed(instruction, text)),
        None => Cow::Borrowed(text),
    }
}
