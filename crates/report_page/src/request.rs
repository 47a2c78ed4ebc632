//! What is asked for.

use std::path::PathBuf;

/// Which results a page shows, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageRequest {
    /// Folders of finished runs, one or more.
    pub runs: Vec<PathBuf>,
    /// Folders of results of `meta`.
    pub meta: Vec<PathBuf>,
    /// Folders of results of `align`.
    pub align: Vec<PathBuf>,
    /// The heading; `None` for the names of the runs.
    pub title: Option<String>,
    /// Where the file goes, which decides what linked images are called.
    pub out: PathBuf,
    /// Whether images are shown.
    pub images: ImagePlacement,
    /// Longer side of the thumbnails in pixels; `None` for the largest that keep the file small.
    pub thumbnail_px: Option<usize>,
    /// Are images blurred beyond recognition?
    pub blurred: bool,
}

/// Where the images are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImagePlacement {
    /// In the file.
    #[default]
    Within,
    /// In a folder beside the file.
    Beside,
    /// Nowhere.
    Nowhere,
}
