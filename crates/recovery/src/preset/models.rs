//! The models of the paper, in the order of its Table 5.

/// Stages of a residual network.
const STAGES: &[&str] = &["layer1", "layer2", "layer3", "layer4"];
/// Stages of CLIP's residual network.
const CLIP_STAGES: &[&str] = &["visual.layer1", "visual.layer2", "visual.layer3", "visual.layer4"];
/// Blocks of convolutions, from an early one to the last.
const VGG_TAPS: &[&str] = &["features.4", "features.9", "features.16", "features.23", "features.30"];
/// Stages of ConvNeXt and of Swin.
const FEATURE_STAGES: &[&str] = &["features.1", "features.3", "features.5", "features.7"];
const TORCHVISION_BLOCKS: &[&str] = &[
    "encoder.layers.encoder_layer_0",
    "encoder.layers.encoder_layer_3",
    "encoder.layers.encoder_layer_7",
    "encoder.layers.encoder_layer_11",
];
const CLIP_BLOCKS: &[&str] = &[
    "visual.transformer.resblocks.0",
    "visual.transformer.resblocks.3",
    "visual.transformer.resblocks.7",
    "visual.transformer.resblocks.11",
];
/// Also used for encoders with 24 and 27 blocks, since the paper uses only the first half.
const TIMM_BLOCKS: &[&str] = &["blocks.0", "blocks.3", "blocks.7", "blocks.11"];
const TIMM_BLOCKS_OF_24: &[&str] = &["blocks.0", "blocks.7", "blocks.15", "blocks.23"];

const BLOCKS_IN_WORDS: &str = "transformer blocks 0, 3, 7, and 11";
const STAGES_IN_WORDS: &str = "residual stages 1, 2, 3, and 4";
const SUPERVISED_V1: &str = "ImageNet-1K supervised weights, version V1";
const WEBLI: &str = "WebLI pretrained weights";

/// The seeds of random weights over which aggregate figures average; the first is that of cases and pairs.
pub(crate) const SEEDS: [u64; 4] = [42, 0, 1, 2];

/// A row of the paper's Table 5 under *Pretrained / trained sources*, and the untrained models of its architecture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperModel {
    pub id: &'static str,
    /// The weights, in the paper's words.
    pub weights: &'static str,
    /// The concatenated layers, by their names here.
    pub layers: &'static [&'static str],
    /// The layers in the paper's words.
    pub layer_names: &'static str,
    /// Seeds of the untrained models of this architecture.
    pub seeds: &'static [u64],
    /// Multiplications and additions for one image, in 10^9 pairs.
    pub giga_operations: f64,
}

const fn model(
    id: &'static str,
    weights: &'static str,
    (layers, layer_names): (&'static [&'static str], &'static str),
    seeds: &'static [u64],
    giga_operations: f64,
) -> PaperModel {
    PaperModel {
        id,
        weights,
        layers,
        layer_names,
        seeds,
        giga_operations,
    }
}

const FEATURE_STAGES_1_TO_7: (&[&str], &str) = (FEATURE_STAGES, "network stages 1, 3, 5, and 7");
const FIRST_12: (&[&str], &str) = (TIMM_BLOCKS, BLOCKS_IN_WORDS);
const RESIDUAL: (&[&str], &str) = (STAGES, STAGES_IN_WORDS);
const VGG: (&[&str], &str) = (VGG_TAPS, "VGG convolutional feature taps 4, 9, 16, 23, and 30");
const CLIP_RESIDUAL: (&[&str], &str) = (CLIP_STAGES, "CLIP ResNet visual stages 1, 2, 3, and 4");

pub const MODELS: &[PaperModel] = &[
    model("resnet18", SUPERVISED_V1, RESIDUAL, &SEEDS, 1.8),
    model("resnet50", "ImageNet-1K supervised weights, version V2", RESIDUAL, &SEEDS, 4.1),
    model("dino_resnet50", "DINO self-supervised ResNet-50 checkpoint", RESIDUAL, &[], 4.1),
    model("clip_rn50", "OpenAI CLIP RN50 checkpoint", CLIP_RESIDUAL, &[], 6.1),
    model("robust_resnet50", "ImageNet L2-robust checkpoint, epsilon 3.0", RESIDUAL, &[], 4.1),
    model("vgg16", SUPERVISED_V1, VGG, &SEEDS, 15.5),
    model("convnext_tiny", SUPERVISED_V1, FEATURE_STAGES_1_TO_7, &[42], 4.5),
    model("vit_b_16", SUPERVISED_V1, (TORCHVISION_BLOCKS, BLOCKS_IN_WORDS), &SEEDS, 17.6),
    model("clip_vit_b_16", "OpenAI CLIP ViT-B/16 checkpoint", (CLIP_BLOCKS, BLOCKS_IN_WORDS), &[], 17.6),
    model("dinov3_vit_b_16", "DINOv3 public pretrained weights", FIRST_12, &[], 17.8),
    model("swin_t", SUPERVISED_V1, FEATURE_STAGES_1_TO_7, &[42], 4.5),
    model("siglip2_vit_so400m_14", WEBLI, FIRST_12, &[], 110.0),
    model("siglip2_vit_so400m_16", WEBLI, FIRST_12, &[], 110.0),
    model("siglip2_vit_so400m_16_gap", WEBLI, FIRST_12, &[], 106.0),
    model("siglip2_vit_b_16", WEBLI, FIRST_12, &[], 17.7),
    model(
        "dfn_clip_vit_l_14",
        "DFN-2B pretrained weights",
        (TIMM_BLOCKS_OF_24, "transformer blocks 0, 7, 15, and 23"),
        &[],
        81.0,
    ),
    model("mobileclip2_vit_b", "DFN-DR2B pretrained weights", FIRST_12, &[], 18.4),
    model("pe_core_vit_b_16", "public pretrained weights", FIRST_12, &[], 17.7),
    model("pe_core_vit_l_14_336", "public pretrained weights", FIRST_12, &[], 175.0),
];

/// Networks for which the paper has several objectives (Figure 10 C, D and E), and the ids of their models.
const FAMILIES: [(&str, &[&str]); 2] = [
    ("ResNet-50", &["resnet50", "dino_resnet50", "clip_rn50", "robust_resnet50"]),
    ("ViT-B/16", &["vit_b_16", "clip_vit_b_16", "dinov3_vit_b_16"]),
];

/// The family of a trained model, if it contains another one.
pub(crate) fn family_of(id: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|(_, ids)| ids.contains(&id)).map(|(name, _)| *name)
}

/// Does Figure 10 have its layers: those of the families, and of the main text with one seed of the untrained?
pub(crate) fn is_of_layers(id: &str, model: &PaperModel) -> bool {
    let is_paired = id.strip_prefix(model.id) == Some(&format!("-untrained-{}", SEEDS[0]));
    family_of(id).is_some() || (is_of_main_text(model) && (id == model.id || is_paired))
}

/// Is it a model of the main text, with four untrained models?
pub(crate) fn is_of_main_text(model: &PaperModel) -> bool {
    model.seeds.len() > 1
}
