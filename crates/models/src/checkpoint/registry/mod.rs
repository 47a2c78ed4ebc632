//! The models that are known by name and identified by their bytes.
//!
//! A file that differs from the published one is refused, regardless of its origin, so that `run.json` identifies the
//! model behind a number. [`PublishedHash`] records how much of a file's SHA-256 is published. If it is not the whole
//! hash, the file's hash is recorded beside it at its first use, and checked from then on.

mod architecture;
mod operations;
mod published_hash;

pub use crate::nearest::{did_you_mean, nearest};
pub use architecture::Architecture;
pub(crate) use architecture::{LIMIT, POOLING};
pub use operations::operations;
pub use published_hash::PublishedHash;

use crate::ModelError;
use neurogauge_core::{ModelIdentity, byte_size};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::iter::Sum;
use std::sync::LazyLock;
use toml::Table;

/// A published model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// Its name on the command line, in Rust, in Python and in run records.
    pub id: &'static str,
    /// The architecture that loads it.
    pub architecture: Architecture,
    /// Where it is published.
    pub source: Source,
    /// Commit of the repository, or the publisher's name for these weights.
    pub revision: &'static str,
    /// The files needed to run it; the weights come last.
    #[serde(deserialize_with = "as_long_as_the_program")]
    pub files: &'static [ModelFile],
    /// Licence under which it is published, as an SPDX expression.
    pub licence: &'static str,
    /// What the licence forbids or leaves open; printed when the files are downloaded.
    pub terms: Option<&'static str>,
    /// What to cite.
    pub citation: &'static str,
    pub purpose: &'static str,
}

/// Where a model's files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A repository on the Hugging Face Hub: `owner/name`.
    Hub(&'static str),
    /// The address of a folder on a web server, without a slash at the end.
    Web(&'static str),
    /// A zip archive that users unpack themselves.
    Archive {
        address: &'static str,
        /// A file that is not in the archive, and its address.
        #[serde(borrow)]
        beside: Option<(&'static str, &'static str)>,
    },
}

/// One file of a published model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Path inside the repository or the folder.
    pub path: &'static str,
    /// Size in bytes, if it is published.
    pub bytes: Option<u64>,
    /// Bytes of the weights in it, computed from the architecture if no size is published. 0 for settings and
    /// tokenizers, which take a few MB at most.
    #[serde(default)]
    pub computed_bytes: u64,
    /// The known part of its SHA-256.
    #[serde(default)]
    pub sha256: PublishedHash,
    /// The Hugging Face Hub repository that has the file (branch `main`), if it is not the model's own.
    pub repository: Option<&'static str>,
}

impl ModelFile {
    /// A file whose size and hash are known.
    pub const fn pinned(path: &'static str, bytes: u64, sha256: &'static str) -> ModelFile {
        ModelFile {
            bytes: Some(bytes),
            ..ModelFile::of_hash(path, sha256)
        }
    }

    /// A file whose size is not published; `sha256` has all digits of its hash or the first ones.
    pub const fn of_hash(path: &'static str, sha256: &'static str) -> ModelFile {
        ModelFile {
            path,
            bytes: None,
            computed_bytes: 0,
            sha256: PublishedHash(sha256),
            repository: None,
        }
    }
}

impl ModelEntry {
    /// The file with the weights, or the index of the files that have them.
    pub fn weights(&self) -> &'static ModelFile {
        &self.files[self.files.len() - 1]
    }

    /// Size of all files together.
    pub fn size(&self) -> DownloadSize {
        let of = |file: &ModelFile| DownloadSize {
            bytes: file.bytes.unwrap_or(file.computed_bytes),
            is_published: file.bytes.is_some(),
        };
        self.files.iter().map(of).sum()
    }

    /// The model's identity in run records, given the SHA-256 of its weights.
    pub fn identity(&self, sha256: String) -> ModelIdentity {
        ModelIdentity {
            id: self.id.to_owned(),
            revision: self.revision.to_owned(),
            sha256,
            stand_in: false,
        }
    }
}

/// A size in words: `548 MB` if it is published, `about 548 MB` if a part of it is computed.
///
/// ```
/// use neurogauge_models::find;
/// assert_eq!(find("alexnet")?.size().to_string(), "244 MB");
/// assert_eq!(find("git_large_coco")?.size().to_string(), "about 1.6 GB");
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadSize {
    pub bytes: u64,
    pub is_published: bool,
}

impl fmt::Display for DownloadSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = if self.is_published { "" } else { "about " };
        write!(f, "{about}{}", byte_size(self.bytes))
    }
}

impl Sum for DownloadSize {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        let none = DownloadSize {
            bytes: 0,
            is_published: true,
        };
        sizes.fold(none, |sum, size| DownloadSize {
            bytes: sum.bytes + size.bytes,
            is_published: sum.is_published && size.is_published,
        })
    }
}

/// Every model that is known by name.
pub static MODELS: LazyLock<Vec<ModelEntry>> = LazyLock::new(|| {
    // A test checks that the list can be read.
    read(include_str!("models.toml")).unwrap_or_default()
});

/// The models of a list, in its order. `like` names an earlier model, which has the fields that are not given.
fn read(list: &str) -> Result<Vec<ModelEntry>, Box<dyn std::error::Error>> {
    #[derive(Deserialize)]
    struct List {
        models: Vec<Table>,
    }
    let mut models: Vec<Table> = Vec::new();
    for mut own in toml::from_str::<List>(list)?.models {
        let mut whole = match own.remove("like") {
            Some(like) => {
                let earlier = models.iter().find(|model| model.get("id") == Some(&like));
                earlier.cloned().ok_or_else(|| format!("no earlier model is called {like:?}"))?
            }
            None => Table::new(),
        };
        whole.extend(own);
        models.push(whole);
    }
    // The entries borrow their texts, so these last as long as the program.
    let json: &'static str = serde_json::to_string(&models)?.leak();
    Ok(serde_json::from_str(json)?)
}

fn as_long_as_the_program<D: Deserializer<'static>>(files: D) -> Result<&'static [ModelFile], D::Error> {
    Ok(Vec::deserialize(files)?.leak())
}

/// The model `id`.
///
/// # Errors
/// [`ModelError::UnknownModel`] names the model that is most likely meant.
///
/// ```
/// let entry = neurogauge_models::find("all-MiniLM-L6-v2")?;
/// assert_eq!(entry.weights().bytes, Some(90_868_376));
///
/// let error = neurogauge_models::find("all-minilm").unwrap_err().to_string();
/// assert!(error.contains("did you mean \"all-MiniLM-L6-v2\"?"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn find(id: &str) -> Result<&'static ModelEntry, ModelError> {
    let found = MODELS.iter().find(|entry| entry.id == id);
    found.ok_or_else(|| ModelError::unknown_model(id, MODELS.iter().map(|entry| entry.id), ""))
}

/// The model `id` among those whose architecture is `eligible`, e.g. text encoders.
///
/// # Errors
/// [`ModelError::UnknownModel`] suggests the most similar one, or lists all of them.
///
/// ```
/// use neurogauge_models::registry::{Architecture, find_among};
/// let of_texts = Architecture::is_of_sentences;
/// assert!(find_among("all-MiniLM-L6-v2", of_texts).is_ok());
/// let error = find_among("alexnet", of_texts).unwrap_err().to_string();
/// assert!(error.ends_with("known models: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, clip_vit_b_32_text"));
/// ```
pub fn find_among(id: &str, eligible: impl Fn(Architecture) -> bool) -> Result<&'static ModelEntry, ModelError> {
    let known: Vec<&ModelEntry> = MODELS.iter().filter(|entry| eligible(entry.architecture)).collect();
    let found = known.iter().find(|entry| entry.id == id);
    found.copied().ok_or_else(|| {
        let ids: Vec<&str> = known.iter().map(|entry| entry.id).collect();
        ModelError::unknown_model(id, ids.iter().copied(), &ids.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goldens::typed_golden;
    use serde_json::Value;

    #[test]
    fn ids_are_unique_and_weights_come_last() {
        assert_eq!(read(include_str!("models.toml")).unwrap(), *MODELS);
        for (i, entry) in MODELS.iter().enumerate() {
            assert!(MODELS[..i].iter().all(|other| other.id != entry.id));
            let weights = entry.weights().path;
            assert!(
                [
                    ".safetensors",
                    ".safetensors.index.json",
                    ".pth",
                    ".ckpt",
                    ".pt",
                    ".pth.tar",
                    ".bin",
                    ".bin.index.json"
                ]
                .iter()
                .any(|extension| weights.ends_with(extension)),
                "{weights}"
            );
            // Both become names of folders.
            for name in [entry.id, entry.revision] {
                assert!(
                    !name.is_empty()
                        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                        && !name.starts_with('.'),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn hashes_are_well_formed_and_agree_with_the_names_and_addresses_that_publish_them() {
        for entry in MODELS.iter() {
            for file in entry.files {
                let PublishedHash(digits) = file.sha256;
                if digits.is_empty() {
                    continue;
                }
                assert!(matches!(digits.len(), 8 | 64), "{}", file.path);
                assert!(digits.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')));
                match entry.source {
                    Source::Web(folder) if folder.contains("download.pytorch.org") => {
                        assert!(file.path.ends_with(&format!("-{}.pth", &digits[..8])));
                    }
                    Source::Web(folder) if folder.contains("openaipublic") => {
                        assert!(folder.ends_with(digits), "{folder}");
                    }
                    Source::Web(_) => assert_eq!(digits.len(), 64, "{}", file.path),
                    Source::Hub(_) | Source::Archive { .. } => {}
                }
            }
        }
    }

    /// A branch changes, so a hash belongs to a commit.
    #[test]
    fn weights_of_a_repository_whose_hash_is_known_are_of_a_commit() {
        for entry in MODELS.iter() {
            let Source::Hub(_) = entry.source else {
                continue;
            };
            let files = entry.files.iter();
            let mut weights = files.filter(|file| file.path.ends_with(".safetensors"));
            if weights.any(|file| file.sha256.full().is_some()) {
                assert_eq!(entry.revision.len(), 40, "{}", entry.id);
                assert!(entry.revision.chars().all(|c| c.is_ascii_hexdigit()));
            }
        }
    }

    /// Numbers of values as reference implementations count them. `published` is of the whole network where the golden
    /// is of fewer blocks.
    #[test]
    fn computed_sizes_are_those_of_the_reference_networks() {
        for (id, golden) in [
            ("git_large_coco", "git_large_coco"),
            ("git_base_coco", "git_base_coco"),
            ("factual_t5", "t5_base"),
            ("efficientnet_b1", "efficientnet_b1"),
            ("convnext_tiny", "convnext_tiny"),
            ("robust_resnet50", "robustness_resnet50"),
            ("dfn_clip_vit_l_14", "clip_vit_l_14"),
            ("siglip2_vit_so400m_14", "timm_siglip2_vit_so400m_14"),
            ("siglip2_vit_so400m_16", "timm_siglip2_vit_so400m_16"),
            ("siglip2_vit_so400m_16_gap", "timm_siglip2_vit_so400m_16_gap"),
            ("siglip2_vit_b_16", "timm_siglip2_vit_b_16"),
            ("mobileclip2_vit_b", "timm_mobileclip2_vit_b"),
            ("pe_core_vit_b_16", "timm_pe_core_vit_b_16"),
            ("pe_core_vit_l_14_336", "timm_pe_core_vit_l_14_336"),
            ("dinov3_vit_b_16", "timm_dinov3_vit_b_16"),
            ("videomae_vit_b_16", "transformers_videomae_vit_b_16"),
        ] {
            let golden: Value = typed_golden(golden);
            let shapes = golden["tensors"].as_object().unwrap().values();
            let product = |shape: &Value| shape.as_array().unwrap().iter().filter_map(Value::as_u64).product::<u64>();
            let n_values = golden["published"]["parameters"].as_u64();
            let n_values = n_values.unwrap_or_else(|| shapes.map(product).sum());
            assert_eq!(find(id).unwrap().weights().computed_bytes, 4 * n_values, "{id}");
        }
        // Every model says what it takes.
        assert!(MODELS.iter().all(|entry| entry.size().bytes > 10_000_000));
    }

    /// Sizes from `_file_size` of torchvision 0.29.2, in MiB with three decimals.
    #[test]
    fn sizes_are_those_that_torchvision_states() {
        for (id, mebibytes) in [
            ("alexnet", 233.087),
            ("inception_v3", 103.903),
            ("resnet18", 44.661),
            ("resnet50", 97.79),
            ("resnet50_v1", 97.781),
            ("vgg16", 527.796),
            ("vit_b_16", 330.285),
            ("swin_t", 108.19),
        ] {
            let size = find(id).unwrap().size();
            assert!(size.is_published, "{id}");
            let bytes = size.bytes as f64;
            assert!((bytes / 1_048_576.0 - mebibytes).abs() < 6e-4, "{id}");
        }
    }
}
