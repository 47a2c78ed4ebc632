//! Categorisations of many images.

use super::{Answer, FORM, cleaned, named, read_categorisation};
use crate::json::UniqueEntries;
use crate::stem_listing::stem_listing;
use crate::{FormatError, Problem, content_hash, json};
use neurogauge_core::Categorisation;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The categorisations of one side: a folder of `<stem>.json` files, or one file
/// `{"<stem>": {"foreground_objects": ...}}`.
#[derive(Debug, Clone)]
pub struct CategorisationSource {
    path: PathBuf,
    files: Vec<PathBuf>,
    by_stem: BTreeMap<String, Categorisation>,
}

impl CategorisationSource {
    /// What such files hold, in a few words.
    pub const HOLDS: &str = "for each stem, objects with their parts, and background";

    /// # Errors
    /// The path is missing; the folder is empty; a file is faulty; a stem occurs twice.
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        let (files, by_stem) = if path.is_dir() {
            let listing = stem_listing(path, &["json"])?;
            if listing.is_empty() {
                return Err(Problem::EmptyFolder("categorisations (<stem>.json)").at(path));
            }
            let mut by_stem = BTreeMap::new();
            let mut files = Vec::new();
            for (stem, file) in listing {
                by_stem.insert(stem, read_categorisation(&file)?);
                files.push(file);
            }
            (files, by_stem)
        } else {
            let entries: UniqueEntries<Answer> = json::parse(path, cleaned(path)?.as_bytes(), FORM)?;
            let mut by_stem = BTreeMap::new();
            for (stem, answer) in entries.0 {
                let categorisation = named(path, &format!("{stem:?}: "), answer)?;
                by_stem.insert(stem, categorisation);
            }
            (vec![path.to_owned()], by_stem)
        };
        Ok(CategorisationSource {
            path: path.to_owned(),
            files,
            by_stem,
        })
    }

    /// Reads an observer's file, which is empty or missing if every image failed.
    pub fn open_observed(path: &Path) -> Result<Self, FormatError> {
        let entries = json::read::<BTreeMap<String, serde_json::Value>>(path);
        if path.exists() && !entries.is_ok_and(|entries| entries.is_empty()) {
            return Self::open(path);
        }
        Ok(CategorisationSource {
            path: path.to_owned(),
            files: vec![path.to_owned()],
            by_stem: BTreeMap::new(),
        })
    }

    /// The folder or file that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The categories of an image.
    pub fn find(&self, stem: &str) -> Option<&Categorisation> {
        self.by_stem.get(stem)
    }

    /// Name and SHA-256 of each file.
    pub fn content_hashes(&self) -> Result<Vec<(String, String)>, FormatError> {
        let hashed = |file: &PathBuf| {
            let stem = file.file_stem().unwrap_or_default();
            Ok((stem.to_string_lossy().into_owned(), content_hash::of_file(file)?))
        };
        self.files.iter().map(hashed).collect()
    }
}
