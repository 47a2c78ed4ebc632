//! `neurogauge score`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Stimuli: a folder of images, an .npy stack (N,H,W,3) or a .pt tensor file
    #[arg(long, value_name = "PATH")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions, likewise; files pair up by stem
    #[arg(long, value_name = "PATH")]
    pub(crate) recon: Option<PathBuf>,
    /// Folder with gt/ and recon/ inside (detections/, captions.json, scene_graphs.json, vlm_categories.json,
    /// masks/, features/), or SEED's
    /// evaluations/<model>/
    #[arg(long, value_name = "DIR")]
    pub(crate) observations: Option<PathBuf>,
    /// Captions of the stimuli: JSON {"stem": "text"} or {"stem": ["text", ...]}, or SEED's .npy
    #[arg(long, value_name = "FILE")]
    pub(crate) gt_captions: Option<PathBuf>,
    /// Captions of the reconstructions
    #[arg(long, value_name = "FILE")]
    pub(crate) recon_captions: Option<PathBuf>,
    /// Detections in the stimuli: a folder of mmdetection JSON, or one JSON of boxes by category
    #[arg(long, value_name = "PATH")]
    pub(crate) gt_detections: Option<PathBuf>,
    /// Detections in the reconstructions
    #[arg(long, value_name = "PATH")]
    pub(crate) recon_detections: Option<PathBuf>,
    /// Categories that a vision-language model names in the stimuli: JSON {"stem": "dog, frisbee"} or
    /// {"stem": ["dog", ...]}
    #[arg(long, value_name = "FILE")]
    pub(crate) gt_vlm_categories: Option<PathBuf>,
    /// The same in the reconstructions
    #[arg(long, value_name = "FILE")]
    pub(crate) recon_vlm_categories: Option<PathBuf>,
    /// Masks of the stimuli: a folder of Grounded SAM 2's JSON or of PNG label maps with labels.json, or
    /// one JSON of COCO's instances
    #[arg(long, value_name = "PATH")]
    pub(crate) gt_masks: Option<PathBuf>,
    /// Masks of the reconstructions
    #[arg(long, value_name = "PATH")]
    pub(crate) recon_masks: Option<PathBuf>,
    /// Which names of the stimuli's masks are objects, parts and background (BASIC's categorisation): a
    /// folder of <stem>.json, or one JSON {"stem": {"foreground_objects": ..}}
    #[arg(long, value_name = "PATH")]
    pub(crate) gt_categories: Option<PathBuf>,
    /// The same of the reconstructions' masks
    #[arg(long, value_name = "PATH")]
    pub(crate) recon_categories: Option<PathBuf>,
    /// Folder of feature matrices of the stimuli: <model>.npy and ids.json
    #[arg(long, value_name = "DIR")]
    pub(crate) gt_features: Option<PathBuf>,
    /// Folder of feature matrices of the reconstructions
    #[arg(long, value_name = "DIR")]
    pub(crate) recon_features: Option<PathBuf>,
    /// Scene graphs of the stimuli's captions: JSON {"stem": {"objects": [..], "attributes": {..},
    /// "relations": [..]}}, or text (.txt)
    #[arg(long, value_name = "FILE")]
    pub(crate) gt_scene_graphs: Option<PathBuf>,
    /// Scene graphs of the reconstructions' captions
    #[arg(long, value_name = "FILE")]
    pub(crate) recon_scene_graphs: Option<PathBuf>,
    /// Folder of WordNet 3.0 [default: WNSEARCHDIR, else where packages install it]
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which captions are
    /// split into sentences before they are parsed or tagged [default: rules of our own]
    #[arg(long, value_name = "DIR")]
    pub(crate) punkt: Option<PathBuf>,
    /// Folder of a perceptron tagger's weights (taggers/averaged_perceptron_tagger_eng of nltk_data), for
    /// --basic-noun-filter
    #[arg(long, value_name = "DIR")]
    pub(crate) tagger: Option<PathBuf>,
    /// Other images (a folder, a stack), or a folder of their feature matrices: identification is
    /// repeated among them, which is the same task for every system. Images are looked at as those of
    /// the pairs are
    #[arg(long, value_name = "PATH")]
    pub(crate) pool: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) inputs: InputArgs,

    /// The run folder to write; an unfinished run there is resumed
    #[arg(long, value_name = "RUN", help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: OutputFormat,
    /// Also write the run in SEED's official layout, under RUN/evaluations/
    #[arg(long, value_enum, value_name = "LAYOUT", help_heading = "Output")]
    pub(crate) export_layout: Option<Layout>,
    /// Also draw the masks of these pairs over their images: what is right, missing and made up
    /// (RUN/figures/masks_<stem>.png)
    #[arg(
        long,
        value_name = "STEM,...",
        value_delimiter = ',',
        help_heading = "Output"
    )]
    pub(crate) overlay: Vec<String>,
    /// Repeat the run that this run.json records; its inputs must be unchanged
    #[arg(long, value_name = "RUN_JSON", help_heading = "Output",
        conflicts_with_all = ["MetricArgs", "CaptionerArgs", "DetectorArgs", "ParserArgs", "BasicArgs", "MaskArgs", "BootstrapArgs"])]
    pub(crate) from_run: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) metrics: MetricArgs,
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) captions: CaptionerArgs,
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) detections: DetectorArgs,
    #[command(flatten, next_help_heading = "BASIC-H")]
    pub(crate) basic: BasicArgs,
    #[command(flatten, next_help_heading = "BASIC-H")]
    pub(crate) parser: ParserArgs,
    #[command(flatten, next_help_heading = "BASIC-L")]
    pub(crate) masks: MaskArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) device: DeviceArgs,
    /// Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in
    /// its wheel); the network is told by the file. May be repeated
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) lpips_heads: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Layout {
    Official,
}
