//! Metrics of feature rows.

use super::families::{N_WAY_ACCURACY, VIDEO_N_WAY_ACCURACY};
use super::feature_comparisons::{
    ModelNames, classified, consistent, correlated, distant, dreamsim_of, identified, identified_in_pool,
};
use super::metric::Metric;
use crate::decoding::frame_consistency::{FramePairs, frame_consistency};
use neurogauge_core::{Group, Side};

const ALEXNET2: ModelNames = &["alexnet.features.4", "alexnet2"];
const ALEXNET5: ModelNames = &["alexnet.features.11", "alexnet5"];
const INCEPTION: ModelNames = &["inception_v3.avgpool", "inception"];
const CLIP: ModelNames = &["clip_vit_l_14.image_embeds", "clip"];
const EFFNET: ModelNames = &["efficientnet_b1.avgpool", "efficientnet_b1", "effnet"];
const EFFNET_OFFICIAL: ModelNames = &["efficientnet_b1.avgpool.official"];
const SWAV: ModelNames = &["swav_resnet50.avgpool", "swav_resnet50", "swav"];
const ACTIONS: ModelNames = &["videomae_vit_b_16.classifier"];
const DREAMSIM: ModelNames = &["dreamsim.embedding", "dreamsim"];
const DREAMSIM_DINO: ModelNames = &["dreamsim_dino_vit_b_16.embedding", "dreamsim_dino"];
const DREAMSIM_CLIP: ModelNames = &["dreamsim_clip_vit_b_32.embedding", "dreamsim_clip"];
const DREAMSIM_OPEN_CLIP: ModelNames = &["dreamsim_open_clip_vit_b_32.embedding", "dreamsim_open_clip"];
const CLASSES: ModelNames = &["vit_b_16.heads.head", "class_probabilities"];

pub(super) const METRICS: &[Metric] = &[
    identified(
        "alexnet2",
        "AlexNet(2)",
        Group::LowLevel,
        "Identification by AlexNet's features behind the second convolution",
        ALEXNET2,
    ),
    identified(
        "alexnet5",
        "AlexNet(5)",
        Group::LowLevel,
        "Identification by AlexNet's features behind the fifth convolution",
        ALEXNET5,
    ),
    identified(
        "inception",
        "Inception",
        Group::HighLevel,
        "Identification by Inception v3's pooled features",
        INCEPTION,
    ),
    identified("clip", "CLIP", Group::HighLevel, "Identification by CLIP ViT-L/14 image embeddings", CLIP),
    distant("effnet", "EffNet", "Correlation distance of EfficientNet-B1 features", EFFNET),
    distant(
        "effnet_official",
        "EffNet (SEED)",
        "Correlation distance of EfficientNet-B1 features of images prepared as SEED's released code does",
        EFFNET_OFFICIAL,
    )
    .conventions("effnet-direction features-precision seed-images model-weights model-layers model-arithmetic")
    .on_request(),
    distant("swav", "SwAV", "Correlation distance of SwAV ResNet-50 features", SWAV),
    dreamsim_of(
        "dreamsim",
        "DreamSim",
        "Distance of the embeddings of DINO, CLIP and OpenCLIP ViT-B/16 together, adapted to human judgements of similarity",
        DREAMSIM,
    ),
    dreamsim_of("dreamsim_dino", "DreamSim (DINO)", "DreamSim of DINO ViT-B/16 alone", DREAMSIM_DINO),
    dreamsim_of("dreamsim_clip", "DreamSim (CLIP)", "DreamSim of CLIP ViT-B/32 alone", DREAMSIM_CLIP),
    dreamsim_of(
        "dreamsim_open_clip",
        "DreamSim (OpenCLIP)",
        "DreamSim of OpenCLIP ViT-B/32 alone",
        DREAMSIM_OPEN_CLIP,
    ),
    correlated(
        "alexnet2_correlation",
        "AlexNet(2) r",
        "Correlation of AlexNet's features behind the second convolution",
        ALEXNET2,
    ),
    correlated(
        "alexnet5_correlation",
        "AlexNet(5) r",
        "Correlation of AlexNet's features behind the fifth convolution",
        ALEXNET5,
    ),
    correlated("inception_correlation", "Inception r", "Correlation of Inception v3's pooled features", INCEPTION),
    correlated("clip_correlation", "CLIP r", "Correlation of CLIP ViT-L/14 image embeddings", CLIP),
    identified_in_pool(
        "alexnet2_pool",
        "AlexNet(2) pool",
        "Identification among a common pool, AlexNet behind the second convolution",
        ALEXNET2,
    ),
    identified_in_pool(
        "alexnet5_pool",
        "AlexNet(5) pool",
        "Identification among a common pool, AlexNet behind the fifth convolution",
        ALEXNET5,
    ),
    identified_in_pool(
        "inception_pool",
        "Inception pool",
        "Identification among a common pool, Inception v3's pooled features",
        INCEPTION,
    ),
    identified_in_pool(
        "clip_pool",
        "CLIP pool",
        "Identification among a common pool, CLIP ViT-L/14 image embeddings",
        CLIP,
    ),
    classified(
        "n_way_accuracy_2",
        "2-way acc.",
        "Is one of the stimulus's three most probable classes the most probable of itself and one other in the reconstruction?",
        CLASSES,
        2,
        Some(N_WAY_ACCURACY),
    ),
    classified(
        "n_way_accuracy_10",
        "10-way acc.",
        "Is one of the stimulus's three most probable classes the most probable of itself and 9 others in the reconstruction?",
        CLASSES,
        10,
        Some(N_WAY_ACCURACY),
    ),
    classified(
        "n_way_accuracy_40",
        "40-way acc.",
        "Is one of the stimulus's three most probable classes the most probable of itself and 39 others in the reconstruction?",
        CLASSES,
        40,
        Some(N_WAY_ACCURACY),
    ),
    classified(
        "n_way_accuracy_50",
        "50-way acc.",
        "Is one of the stimulus's three most probable classes the most probable of itself and 49 others in the reconstruction?",
        CLASSES,
        50,
        Some(N_WAY_ACCURACY),
    ),
    classified(
        "video_n_way_accuracy_2",
        "2-way acc. (video)",
        "Is one of the stimulus clip's three most probable actions the most probable of itself and one other in the reconstruction?",
        ACTIONS,
        2,
        Some(VIDEO_N_WAY_ACCURACY),
    ),
    classified(
        "video_n_way_accuracy_50",
        "50-way acc. (video)",
        "Is one of the stimulus clip's three most probable actions the most probable of itself and 49 others in the reconstruction?",
        ACTIONS,
        50,
        Some(VIDEO_N_WAY_ACCURACY),
    ),
    consistent(
        "frame_consistency",
        "Frame consistency",
        "Cosine of the CLIP embeddings of adjacent frames of the reconstruction",
        CLIP,
        Side::Recon,
        |frames| frame_consistency(frames, FramePairs::Adjacent),
    ),
    consistent(
        "frame_consistency_all",
        "Frame consistency (all)",
        "Cosine of the CLIP embeddings of all pairs of frames of the reconstruction",
        CLIP,
        Side::Recon,
        |frames| frame_consistency(frames, FramePairs::All),
    ),
    consistent(
        "stimulus_frame_consistency",
        "Frame consistency (stimulus)",
        "The same as frame_consistency of the stimulus, to compare with",
        CLIP,
        Side::Gt,
        |frames| frame_consistency(frames, FramePairs::Adjacent),
    ),
    consistent(
        "stimulus_frame_consistency_all",
        "Frame consistency (all, stimulus)",
        "The same as frame_consistency_all of the stimulus, to compare with",
        CLIP,
        Side::Gt,
        |frames| frame_consistency(frames, FramePairs::All),
    ),
];
