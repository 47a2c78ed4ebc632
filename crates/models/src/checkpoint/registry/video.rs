//! Models of clips. None of their hashes is known here.

use super::{Architecture, ModelEntry, ModelFile, Source};

pub(super) const MODELS: &[ModelEntry] = &[ModelEntry {
    id: "videomae_vit_b_16",
    architecture: Architecture::VideoMae,
    source: Source::Hub("MCG-NJU/videomae-base-finetuned-kinetics"),
    revision: "main",
    files: &[ModelFile::without_hash("model.safetensors").of_values(86_534_800, 4)],
    licence: "CC-BY-NC-4.0",
    terms: Some("commercial use is forbidden"),
    citation: "Tong et al. (2022), VideoMAE: Masked Autoencoders are Data-Efficient Learners for Self-Supervised Video \
               Pre-Training, NeurIPS",
    purpose: "classes of clips for N-way accuracy",
}];
