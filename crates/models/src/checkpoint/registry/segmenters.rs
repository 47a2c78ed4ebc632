//! Models that make masks of boxes and points.

use super::{Architecture, ModelEntry, ModelFile, Source};

const SAM2_1: Source = Source::Web {
    folder: "https://dl.fbaipublicfiles.com/segment_anything_2/092824",
};
const SAM2: Source = Source::Web {
    folder: "https://dl.fbaipublicfiles.com/segment_anything_2/072824",
};

pub(super) const SAM2_1_HIERA_LARGE: ModelEntry = ModelEntry {
    id: "sam2.1_hiera_large",
    architecture: Architecture::Sam2,
    source: SAM2_1,
    revision: "092824",
    files: &[ModelFile::without_hash("sam2.1_hiera_large.pt")],
    licence: "Apache-2.0",
    terms: None,
    citation: "Ravi et al. (2024), SAM 2: Segment Anything in Images and Videos, arXiv:2408.00714",
    purpose: "masks of BASIC-L, as Grounded SAM 2 makes them",
};

pub(super) const SAM2_1_HIERA_BASE_PLUS: ModelEntry = ModelEntry {
    id: "sam2.1_hiera_base_plus",
    files: &[ModelFile::without_hash("sam2.1_hiera_base_plus.pt")],
    purpose: "masks by the second largest network",
    ..SAM2_1_HIERA_LARGE
};

pub(super) const SAM2_1_HIERA_SMALL: ModelEntry = ModelEntry {
    id: "sam2.1_hiera_small",
    files: &[ModelFile::without_hash("sam2.1_hiera_small.pt")],
    purpose: "masks by a smaller network",
    ..SAM2_1_HIERA_LARGE
};

pub(super) const SAM2_1_HIERA_TINY: ModelEntry = ModelEntry {
    id: "sam2.1_hiera_tiny",
    files: &[ModelFile::without_hash("sam2.1_hiera_tiny.pt")],
    purpose: "masks by the smallest network",
    ..SAM2_1_HIERA_LARGE
};

pub(super) const SAM2_HIERA_LARGE: ModelEntry = ModelEntry {
    id: "sam2_hiera_large",
    source: SAM2,
    revision: "072824",
    files: &[ModelFile::without_hash("sam2_hiera_large.pt")],
    purpose: "masks by the version before 2.1",
    ..SAM2_1_HIERA_LARGE
};

pub(super) const SAM2_HIERA_BASE_PLUS: ModelEntry = ModelEntry {
    id: "sam2_hiera_base_plus",
    files: &[ModelFile::without_hash("sam2_hiera_base_plus.pt")],
    ..SAM2_HIERA_LARGE
};

pub(super) const SAM2_HIERA_SMALL: ModelEntry = ModelEntry {
    id: "sam2_hiera_small",
    files: &[ModelFile::without_hash("sam2_hiera_small.pt")],
    ..SAM2_HIERA_LARGE
};

pub(super) const SAM2_HIERA_TINY: ModelEntry = ModelEntry {
    id: "sam2_hiera_tiny",
    files: &[ModelFile::without_hash("sam2_hiera_tiny.pt")],
    ..SAM2_HIERA_LARGE
};
