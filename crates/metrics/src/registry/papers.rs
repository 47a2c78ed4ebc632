//! The papers that introduced the metrics.

use super::image_metrics;

/// A paper as text, `Authors (Year), Title, Venue`, and the ids of its metrics.
pub(super) type Paper = (&'static str, &'static str);

/// Papers of metrics that are not only metrics of two images.
const PAPERS: &[Paper] = &[
    (
        "Scotti et al. (2024), MindEye2: Shared-Subject Models Enable fMRI-To-Image With 1 Hour of Data, ICML",
        "pixcorr ssim alexnet2 alexnet5 inception clip effnet swav",
    ),
    (
        "Park et al. (2026), SEED: Towards More Accurate Semantic Evaluation for Visual Brain Decoding, ICLR",
        "effnet_official object_recall object_precision object_f1 object_f1_vlm cap_sim seed seed_vlm snm sdm",
    ),
    (
        "Fu et al. (2023), DreamSim: Learning New Dimensions of Human Visual Similarity using Synthetic Data, NeurIPS",
        "dreamsim dreamsim_dino dreamsim_clip dreamsim_open_clip",
    ),
    (
        "Papineni et al. (2002), BLEU: a Method for Automatic Evaluation of Machine Translation, ACL",
        "bleu_1 bleu_2 bleu_3 bleu_4",
    ),
    (
        "Xia et al. (2024), UMBRAE: Unified Multimodal Brain Decoding, ECCV",
        "grounding_accuracy grounding_iou",
    ),
    (
        "Lavie and Agarwal (2007), METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human Judgments, WMT",
        "meteor",
    ),
    (
        "Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, Text Summarization Branches Out",
        "rouge_1 rouge_2 rouge_l_f1 rouge_l",
    ),
    ("Vedantam et al. (2015), CIDEr: Consensus-based Image Description Evaluation, CVPR", "cider"),
    (
        "Hessel et al. (2021), CLIPScore: A Reference-free Evaluation Metric for Image Captioning, EMNLP",
        "clip_s ref_clip_s",
    ),
    (
        "Lin et al. (2024), Evaluating Text-to-Visual Generation with Image-to-Text Generation, ECCV",
        "vqa_score",
    ),
    (
        "Chen et al. (2023), Cinematic Mindscapes: High-quality Video Reconstruction from Brain Activity, NeurIPS",
        "video_n_way_accuracy_2 video_n_way_accuracy_50",
    ),
    (
        "Xia and Oztireli (2025), Multigranular Evaluation for Brain Visual Decoding, arXiv preprint",
        "basic_object_precision basic_object_recall basic_object_f1 basic_attribute_precision basic_attribute_recall \
         basic_attribute_f1 basic_relation_precision basic_relation_recall basic_relation_f1 basic_h salient_iou \
         binary_iou semantic_iou instance_iou part_iou salient_ap binary_ap semantic_ap instance_ap part_ap basic_l \
         basic mask_matching_ratio",
    ),
];

/// The papers to cite for a metric, each as `Authors (Year), Title, Venue`.
///
/// ```
/// use neurogauge_metrics::papers_of;
/// assert_eq!(papers_of("ssim").len(), 2);
/// assert!(papers_of("seed")[0].starts_with("Park et al. (2026), SEED"));
/// assert!(papers_of("psnr").is_empty());
/// ```
pub fn papers_of(metric: &str) -> Vec<&'static str> {
    all_papers()
        .filter(|(_, metrics)| metrics.split(' ').any(|id| id == metric))
        .map(|(paper, _)| *paper)
        .collect()
}

pub fn all_papers() -> impl Iterator<Item = &'static Paper> {
    image_metrics::PAPERS.iter().chain(PAPERS)
}
