//! `neurogauge perceive`.

use super::*;
use neurogauge::ModelLayers;
use neurogauge::core::LabelList;

/// The lowest score that SEED's code draws.
pub(crate) const VIS_SCORE: f64 = 0.3;

#[derive(Debug, Args)]
pub(crate) struct PerceiveArgs {
    /// Images: a folder, an .npy stack (N,H,W,3) or a .pt tensor file
    #[arg(long, value_name = "PATH", required_unless_present = "captions", help_heading = "Inputs")]
    pub(crate) images: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,
    /// Captions that a parser (--with factual_t5) makes scene graphs of: JSON {"stem": "text"} or {"stem":
    /// ["text", ...]}, or SEED's .npy
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) captions: Option<PathBuf>,
    /// What each image holds, for --masks: a folder with <stem>.json for each image, such as {"foreground_objects":
    /// [{"object": "dog", "parts": ["head"]}], "background_elements": [{"element": "sky"}]}, or one JSON file of such
    /// entries by stem, {"<stem>": {...}}
    #[arg(long, value_name = "PATH", requires = "masks", help_heading = "Inputs")]
    pub(crate) categories: Option<PathBuf>,
    /// Boxes of your own, whose masks --masks makes instead of a detector's: a folder with <stem>.json for each image,
    /// as mmdetection writes them ({"labels": [0], "scores": [0.9], "bboxes": [[x0, y0, x1, y1]]}, px), or one JSON
    /// file of boxes by category, as shares of the image. --labels says what the numbers of labels mean
    #[arg(
        long,
        value_name = "PATH",
        requires = "masks",
        conflicts_with_all = ["categories", "mask_detector", "box_threshold", "text_threshold", "unlabelled_boxes", "mask_nms"],
        help_heading = "Inputs"
    )]
    pub(crate) boxes: Option<PathBuf>,
    /// Unit of --boxes in a folder: pixels, or shares of the image [default: pixels; boxes that cannot be pixels are
    /// refused]
    #[arg(long, value_parser = choice::<BoxUnits>(), value_name = "UNITS", requires = "boxes", help_heading = "Inputs")]
    pub(crate) box_units: Option<BoxUnits>,
    /// Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which captions are
    /// split into sentences [default: rules of our own]
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub(crate) punkt: Option<PathBuf>,
    /// Folder of WordNet 3.0: scene graphs are written with objects and attributes in base forms and without
    /// attributes that hold " of" [default: as the parser wrote them; `neurogauge score` does it anyway]
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub(crate) wordnet: Option<PathBuf>,
    /// Models and layers, comma-separated, e.g. alexnet:features.4,vit_b_16. A captioner (git_large_coco,
    /// git_base_coco, blip2_opt_2_7b, placeholder-captioner) writes captions.json, a detector
    /// (mm_grounding_dino_swin_l, mm_grounding_dino_swin_t, grounding_dino_tiny, grounding_dino_base, yolo_world_v2_l,
    /// ..., placeholder-detector) detections/<stem>.json; a parser (factual_t5) writes scene_graphs.json of --captions.
    /// Without LAYER: the model's last. POOLING over positions: none (all of them), mean, mean-without-class-token or
    /// class-token [default: none]. MODEL may be MODEL-untrained-SEED (random weights as PyTorch makes them);
    /// `placeholder` needs no weights, and its numbers mean nothing
    #[arg(
        long,
        value_name = "MODEL[:LAYER[:POOLING]],...",
        required_unless_present_any = ["masks", "vlm", "vlm_model"],
        value_delimiter = ',',
        help_heading = "Models"
    )]
    pub(crate) with: Vec<ModelLayers>,
    /// How images are prepared: as each model's authors publish it, or as in the NSD metrics
    #[arg(long, value_parser = choice::<ImagePreset>(), help_heading = "Models", defaults_to = word_of(&ImagePreset::Published))]
    pub(crate) preset: Option<ImagePreset>,
    /// Smooth before shrinking [default: the preset's; published always does]
    #[arg(long, value_enum, help_heading = "Models")]
    pub(crate) antialias: Option<Switch>,
    /// What becomes of the last frame where a clip has an odd number and a model sees two at a time (VideoMAE):
    /// `error`, or `drop-last`
    #[arg(long, value_parser = choice::<OddFrames>(), value_name = "WHAT", help_heading = "Models", defaults_to = word_of(&OddFrames::default()))]
    pub(crate) odd_frames: Option<OddFrames>,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) device: DeviceArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) captioner: CaptionerArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) parser: ParserArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) detections: DetectorArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) segmenter: SegmenterArgs,
    #[command(flatten, next_help_heading = "Models behind a server")]
    pub(crate) vlm: VlmArgs,
    /// Categories that a detector is asked for: coco_gender (SEED's 82), coco (80), god (Generic Object Decoding's 51)
    /// or a file of names
    #[arg(long, value_name = "LIST", help_heading = "Models", defaults_to = LabelList::coco_gender().id())]
    pub(crate) labels: Option<String>,
    /// Write captions and detections as SEED's code does: captions.npy, preds/<stem>.json
    #[arg(long, value_enum, value_name = "LAYOUT", help_heading = "Output")]
    pub(crate) layout: Option<Layout>,
    /// Also draw what a detector found: boxes and labels over each image (vis/<stem>.png)
    #[arg(long, help_heading = "Output")]
    pub(crate) vis: bool,
    /// Score from which objects are drawn
    #[arg(
        long, value_name = "SCORE", allow_negative_numbers = true, requires = "vis",
        help_heading = "Output", defaults_to = VIS_SCORE
    )]
    pub(crate) vis_score: Option<Confidence>,
    /// What to do if a model fails on an image or caption: `skip` names it and goes on with the others, `stop` ends the
    /// command
    #[arg(long, value_parser = choice::<OnFailure>(), value_name = "WHAT", help_heading = "Output", defaults_to = word_of(&OnFailure::Skip))]
    pub(crate) on_failure: Option<OnFailure>,
    /// Where captions.json, scene_graphs.json, detections/, masks/, features/<model>.<layer>.npy and features/ids.json
    /// go; what is there and still holds is kept, so a call that was interrupted goes on
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: PathBuf,
}
