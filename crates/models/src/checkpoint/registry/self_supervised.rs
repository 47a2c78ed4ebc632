//! ResNet-50 trained without labels, as its authors publish it: without any hash.

use super::{Architecture, ModelEntry, ModelFile, Source};

/// Of a ResNet-50 without its classifier.
const N_VALUES: u64 = 25_610_152 - (2048 + 1) * 1000;

pub(super) const MODELS: &[ModelEntry] = &[
    ModelEntry {
        id: "swav_resnet50",
        architecture: Architecture::ResNet50,
        source: Source::Web("https://dl.fbaipublicfiles.com/deepcluster"),
        revision: "800ep",
        files: &[ModelFile::without_hash("swav_800ep_pretrain.pth.tar").of_values(N_VALUES, 4)],
        licence: "CC-BY-NC-4.0",
        terms: Some("commercial use is forbidden"),
        citation: "Caron et al. (2020), Unsupervised Learning of Visual Features by Contrasting Cluster \
               Assignments, NeurIPS",
        purpose: "avgpool for SwAV",
    },
    ModelEntry {
        id: "dino_resnet50",
        architecture: Architecture::ResNet50,
        source: Source::Web("https://dl.fbaipublicfiles.com/dino/dino_resnet50_pretrain"),
        revision: "pretrain",
        files: &[ModelFile::without_hash("dino_resnet50_pretrain.pth").of_values(N_VALUES, 4)],
        licence: "Apache-2.0",
        terms: None,
        citation: "Caron et al. (2021), Emerging Properties in Self-Supervised Vision Transformers, ICCV",
        purpose: "source of alignment profiles",
    },
];
