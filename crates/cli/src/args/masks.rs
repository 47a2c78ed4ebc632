//! Options that decide the numbers of BASIC-L, and how masks are made.

use super::*;
use neurogauge::DEFAULT_MASK_DETECTOR;
use neurogauge::models::detection::GroundingOptions;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct MaskArgs {
    /// Whose categories --masks asks for in reconstructions: their own, or those of their stimuli
    #[arg(long, value_parser = choice::<MaskPrompts>(), defaults_to = word_of(&MaskPrompts::default()))]
    pub(crate) mask_prompts: Option<MaskPrompts>,
    /// Whose categories masks are compared by: those of both images (what only the reconstruction has costs), or the
    /// reference's alone
    #[arg(long, value_parser = choice::<CategoriesFrom>(), defaults_to = word_of(&SCORE.options.basic_l.categories))]
    pub(crate) mask_categories: Option<CategoriesFrom>,
    /// How objects of a name are paired: optimal assignment, or the largest overlap first
    #[arg(long, value_parser = choice::<InstanceMatching>(), defaults_to = word_of(&SCORE.options.basic_l.matching))]
    pub(crate) mask_matching: Option<InstanceMatching>,
    /// Whose masks the instance level compares: those of foreground objects, or all
    #[arg(long, value_parser = choice::<InstanceNames>(), defaults_to = word_of(&SCORE.options.basic_l.instances))]
    pub(crate) mask_instances: Option<InstanceNames>,
    /// Background of the binary level: the masks of background elements, or all that is not foreground
    #[arg(long, value_parser = choice::<BinaryBackground>(), defaults_to = word_of(&SCORE.options.basic_l.background))]
    pub(crate) mask_background: Option<BinaryBackground>,
    /// A level with masks of only one side: undefined, or worth 0
    #[arg(long, value_parser = choice::<EmptySide>(), defaults_to = word_of(&SCORE.options.basic_l.empty))]
    pub(crate) mask_empty: Option<EmptySide>,
    /// Masks of a reconstruction of another size: refused, or brought to the reference's by their nearest pixels
    #[arg(long, value_parser = choice::<MaskResize>(), defaults_to = word_of(&SCORE.options.basic_l.resize))]
    pub(crate) mask_resize: Option<MaskResize>,
    /// Score from which a mask counts
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = SCORE.options.basic_l.min_score)]
    pub(crate) mask_score: Option<Confidence>,
    /// Overlaps over which average precision is averaged [default: 0.50, 0.55, ..., 0.95]
    #[arg(long, value_name = "IOU,...", value_delimiter = ',')]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) mask_ap_thresholds: Vec<Confidence>,
}

/// How masks are made of images.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct SegmenterArgs {
    /// Model that makes masks of what the categories of each image name, instead of masks that are given:
    /// sam2.1_hiera_large (as Grounded SAM 2 does), sam2.1_hiera_base_plus, sam2.1_hiera_small, sam2.1_hiera_tiny, the
    /// same of sam2_, or `placeholder-segmenter` (no weights, numbers mean nothing). Masks are kept in
    /// NEUROGAUGE_CACHE, so the model runs on the stimuli once for all systems
    #[arg(long, value_name = "MODEL")]
    pub(crate) masks: Option<String>,
    /// Detector whose boxes become masks: grounding_dino_tiny, grounding_dino_base, mm_grounding_dino_swin_t,
    /// mm_grounding_dino_swin_l or `placeholder-detector`
    #[arg(long, value_name = "MODEL", defaults_to = DEFAULT_MASK_DETECTOR)]
    pub(crate) mask_detector: Option<String>,
    /// A box becomes a mask if a word of the prompt fits better than this
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = GroundingOptions::default().box_threshold)]
    pub(crate) box_threshold: Option<Confidence>,
    /// The words of the prompt that fit better than this are a mask's label
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = GroundingOptions::default().text_threshold)]
    pub(crate) text_threshold: Option<Confidence>,
    /// Boxes that no word labels: kept, as masks without a name, or dropped
    #[arg(long, value_enum, value_name = "WHAT", defaults_to = "keep")]
    pub(crate) unlabelled_boxes: Option<UnlabelledArg>,
    /// Leave out the worse of two boxes that overlap by more than this [default: both stay]
    #[arg(long, value_name = "IOU", allow_negative_numbers = true)]
    pub(crate) mask_nms: Option<Confidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnlabelledArg {
    Keep,
    Drop,
}

/// `neurogauge coco`.
#[derive(Debug, Args)]
pub(crate) struct CocoArgs {
    /// The truth: COCO's JSON of instances
    #[arg(long, value_name = "FILE")]
    pub(crate) instances: PathBuf,
    /// Detections: COCO's JSON of results, with masks
    #[arg(long, value_name = "FILE")]
    pub(crate) results: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}
