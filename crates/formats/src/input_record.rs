//! Records of inputs: which files were read, with their hashes.

use crate::embeddings::Embeddings;
use crate::item_source::ItemSource;
use crate::{FormatError, content_hash};
use neurogauge_core::Progress;
use neurogauge_core::parallel;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

/// An input of a run with the SHA-256 of every item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// Side and kind, e.g. `gt/images`.
    pub role: String,
    pub path: String,
    /// The form of its bytes: `file`, `files`, or element type and layout of a stack of images.
    pub form: String,
    /// The program that decoded them, with its version, if another program did: `ffmpeg 7.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoder: Option<String>,
    /// SHA-256 over the form and all items (their stems and hashes, in order).
    pub sha256: String,
    /// (stem, SHA-256) of each item, in the order of the source.
    pub items: Vec<(String, String)>,
}

impl InputRecord {
    fn new(role: String, path: &Path, form: String, items: Vec<(String, String)>) -> Self {
        let mut listing = format!("{form}\n");
        for (stem, sha256) in &items {
            listing.push_str(&format!("{sha256}  {stem}\n"));
        }
        let sha256 = content_hash::of_bytes(listing.as_bytes());
        InputRecord {
            role,
            path: path.display().to_string(),
            form,
            decoder: None,
            sha256,
            items,
        }
    }

    /// The hash of each stem.
    pub fn hashes(&self) -> HashMap<&str, &str> {
        self.items.iter().map(|(stem, sha256)| (stem.as_str(), sha256.as_str())).collect()
    }

    /// A record of a single file.
    pub fn of_file(role: String, path: &Path) -> Result<Self, FormatError> {
        let items = vec![(String::new(), content_hash::of_file(path)?)];
        Ok(InputRecord::new(role, path, "file".to_owned(), items))
    }

    /// A record of embeddings, and of their ids if they have a file.
    pub fn of_embeddings<T>(role: &str, read: &Embeddings<T>) -> Result<Vec<Self>, FormatError> {
        let ids = read.ids.iter().map(|ids| (format!("{role}/ids"), ids));
        let files = [(role.to_owned(), &read.file)].into_iter().chain(ids);
        files.map(|(role, path)| InputRecord::of_file(role, path)).collect()
    }

    /// A record of files that are already hashed.
    pub fn of_hashes(role: String, path: &Path, items: Vec<(String, String)>) -> Self {
        InputRecord::new(role, path, "files".to_owned(), items)
    }

    /// A record of these files in a folder.
    pub fn of_files(role: String, folder: &Path, names: &[&str]) -> Result<Self, FormatError> {
        let items = names
            .iter()
            .map(|name| Ok(((*name).to_owned(), content_hash::of_file(&folder.join(name))?)))
            .collect::<Result<Vec<_>, FormatError>>()?;
        Ok(InputRecord::new(role, folder, "files".to_owned(), items))
    }

    /// A record of many items, which are hashed in parallel.
    pub fn of_items(
        role: impl Display,
        source: &impl ItemSource,
        progress: &dyn Progress,
    ) -> Result<Self, FormatError> {
        let (role, stems) = (role.to_string(), source.stems());
        progress.start(&format!("reading {role}"), stems.len() as u64, 0);
        let items = parallel::try_map(stems.len(), |index| {
            let sha256 = source.content_hash(index)?;
            progress.advance(1);
            Ok((stems[index].clone(), sha256))
        });
        progress.finish();
        Ok(InputRecord {
            decoder: source.decoder(),
            ..InputRecord::new(role, source.path(), source.form(), items?)
        })
    }
}
