//! Models that make masks of boxes and points.

use super::{Architecture, ModelEntry, ModelFile, Source};

const SAM2_1: Source = Source::Web("https://dl.fbaipublicfiles.com/segment_anything_2/092824");
const SAM2: Source = Source::Web("https://dl.fbaipublicfiles.com/segment_anything_2/072824");

const SAM2_1_HIERA_LARGE: ModelEntry = ModelEntry {
    id: "sam2.1_hiera_large",
    architecture: Architecture::Sam2,
    source: SAM2_1,
    revision: "092824",
    files: &[ModelFile::pinned(
        "sam2.1_hiera_large.pt",
        898_083_611,
        "2647878d5dfa5098f2f8649825738a9345572bae2d4350a2468587ece47dd318",
    )],
    licence: "Apache-2.0",
    terms: None,
    citation: "Ravi et al. (2024), SAM 2: Segment Anything in Images and Videos, arXiv:2408.00714",
    purpose: "masks of BASIC-L, as Grounded SAM 2 makes them",
};

const SAM2_HIERA_LARGE: ModelEntry = ModelEntry {
    id: "sam2_hiera_large",
    source: SAM2,
    revision: "072824",
    files: &[ModelFile::pinned(
        "sam2_hiera_large.pt",
        897_952_466,
        "7442e4e9b732a508f80e141e7c2913437a3610ee0c77381a66658c3a445df87b",
    )],
    purpose: "masks by the version before 2.1",
    ..SAM2_1_HIERA_LARGE
};

pub(super) const MODELS: &[ModelEntry] = &[
    SAM2_1_HIERA_LARGE,
    ModelEntry {
        id: "sam2.1_hiera_base_plus",
        files: &[ModelFile::pinned(
            "sam2.1_hiera_base_plus.pt",
            323_606_802,
            "a2345aede8715ab1d5d31b4a509fb160c5a4af1970f199d9054ccfb746c004c5",
        )],
        purpose: "masks by the second largest network",
        ..SAM2_1_HIERA_LARGE
    },
    ModelEntry {
        id: "sam2.1_hiera_small",
        files: &[ModelFile::pinned(
            "sam2.1_hiera_small.pt",
            184_416_285,
            "6d1aa6f30de5c92224f8172114de081d104bbd23dd9dc5c58996f0cad5dc4d38",
        )],
        purpose: "masks by a smaller network",
        ..SAM2_1_HIERA_LARGE
    },
    ModelEntry {
        id: "sam2.1_hiera_tiny",
        files: &[ModelFile::pinned(
            "sam2.1_hiera_tiny.pt",
            156_008_466,
            "7402e0d864fa82708a20fbd15bc84245c2f26dff0eb43a4b5b93452deb34be69",
        )],
        purpose: "masks by the smallest network",
        ..SAM2_1_HIERA_LARGE
    },
    SAM2_HIERA_LARGE,
    ModelEntry {
        id: "sam2_hiera_base_plus",
        files: &[ModelFile::of_hash(
            "sam2_hiera_base_plus.pt",
            "d0bb7f236400a49669ffdd1be617959a8b1d1065081789d7bbff88eded3a8071",
        )
        .of_values(80_868_914, 4)],
        ..SAM2_HIERA_LARGE
    },
    ModelEntry {
        id: "sam2_hiera_small",
        files: &[ModelFile::of_hash(
            "sam2_hiera_small.pt",
            "95949964d4e548409021d47b22712d5f1abf2564cc0c3c765ba599a24ac7dce3",
        )
        .of_values(46_071_285, 4)],
        ..SAM2_HIERA_LARGE
    },
    ModelEntry {
        id: "sam2_hiera_tiny",
        files: &[ModelFile::of_hash(
            "sam2_hiera_tiny.pt",
            "65b50056e05bcb13694174f51bb6da89c894b57b75ccdf0ba6352c597c5d1125",
        )
        .of_values(38_969_330, 4)],
        ..SAM2_HIERA_LARGE
    },
];
