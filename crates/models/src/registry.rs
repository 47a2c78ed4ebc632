//! The models that are known by name, to the byte.
//!
//! A model is its bytes: every file has a size and a SHA-256, both of the published revision, and a
//! file that differs is refused wherever it comes from. Nothing else could make `run.json` say which
//! model a number rests on.

use crate::ModelError;

/// A published model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelEntry {
    /// Name in the command line, in Rust, in Python and in run records.
    pub id: &'static str,
    /// Repository on the Hugging Face Hub.
    pub repository: &'static str,
    /// Commit of that repository.
    pub revision: &'static str,
    /// The files needed to run it; the weights come last.
    pub files: &'static [ModelFile],
    /// Licence of the weights, as an SPDX expression.
    pub licence: &'static str,
    /// What to cite.
    pub citation: &'static str,
    /// What it is used for here.
    pub purpose: &'static str,
}

/// One file of a published model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// Path inside the repository.
    pub path: &'static str,
    /// Size.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: &'static str,
}

impl ModelEntry {
    /// The file that holds the weights.
    pub fn weights(&self) -> &'static ModelFile {
        &self.files[self.files.len() - 1]
    }

    /// Size of all files together.
    pub fn total_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// Every model that is known by name.
pub const MODELS: &[ModelEntry] = &[ModelEntry {
    id: "all-MiniLM-L6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    files: &[
        ModelFile {
            path: "config.json",
            bytes: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        ModelFile {
            path: "sentence_bert_config.json",
            bytes: 53,
            sha256: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
        },
        ModelFile {
            path: "tokenizer.json",
            bytes: 466_247,
            sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        ModelFile {
            path: "model.safetensors",
            bytes: 90_868_376,
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
    licence: "Apache-2.0",
    citation: "Reimers and Gurevych (2019), Sentence-BERT: Sentence Embeddings using Siamese \
               BERT-Networks, EMNLP-IJCNLP; Wang et al. (2020), MiniLM: Deep Self-Attention \
               Distillation for Task-Agnostic Compression of Pre-Trained Transformers, NeurIPS",
    purpose: "text encoder of Cap-Sim: captions to 384 numbers",
}];

/// The model called `id`.
///
/// # Errors
/// [`ModelError::UnknownModel`] names the nearest known model and lists all of them.
///
/// ```
/// let entry = neurogauge_models::find("all-MiniLM-L6-v2")?;
/// assert_eq!(entry.weights().bytes, 90_868_376);
///
/// let error = neurogauge_models::find("all-minilm").unwrap_err().to_string();
/// assert!(error.contains("did you mean \"all-MiniLM-L6-v2\"?"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn find(id: &str) -> Result<&'static ModelEntry, ModelError> {
    MODELS.iter().find(|entry| entry.id == id).ok_or_else(|| {
        let nearest = nearest(id, MODELS.iter().map(|entry| entry.id));
        let known: Vec<&str> = MODELS.iter().map(|entry| entry.id).collect();
        ModelError::UnknownModel {
            id: id.to_owned(),
            nearest: nearest.to_owned(),
            known: known.join(", "),
        }
    })
}

/// The known name that is nearest to `name`; empty if none is known.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known
        .min_by_key(|known| edit_distance(name, known))
        .unwrap_or_default()
}

/// Levenshtein distance, ignoring ASCII case.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.to_ascii_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_insertions_deletions_and_substitutions() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("CLIP", "clip"), 0);
    }

    #[test]
    fn ids_are_unique_and_hashes_well_formed() {
        for (i, entry) in MODELS.iter().enumerate() {
            assert!(MODELS[..i].iter().all(|other| other.id != entry.id));
            assert!(entry.weights().path.ends_with(".safetensors"));
            for file in entry.files {
                assert_eq!(file.sha256.len(), 64, "{}", file.path);
                assert!(
                    file.sha256
                        .chars()
                        .all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase())
                );
            }
        }
    }
}
