//! ResNet-50 trained against attacks within an L2 distance of 3, as its authors publish it: without any hash, in the
//! layout of their library `robustness` (`module.model.*`, beside statistics and the attacker).

use super::{Architecture, ModelEntry, ModelFile, Source};

pub(super) const MODELS: &[ModelEntry] = &[ModelEntry {
    id: "robust_resnet50",
    architecture: Architecture::ResNet50,
    source: Source::Hub("madrylab/robust-imagenet-models"),
    revision: "main",
    files: &[ModelFile::without_hash("resnet50_l2_eps3.ckpt").of_values(25_610_164, 4)],
    licence: "NOASSERTION",
    terms: Some(
        "ask its authors for the licence before you pass it on; the weights were trained on ImageNet, whose terms are \
                 for non-commercial research",
    ),
    citation: "Salman et al. (2020), Do Adversarially Robust ImageNet Models Transfer Better?, NeurIPS",
    purpose: "source of alignment profiles: stages 1 to 4",
}];
