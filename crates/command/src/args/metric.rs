//! Which metrics `neurogauge score` computes, and the models behind them.

use super::*;
use neurogauge::{DEFAULT_CAPTIONER, DEFAULT_DETECTOR, Error, ScoreRequest};

fn where_named(model: &str, noun: &str) -> String {
    format!("{model} for metrics named with --metrics, where there are images and no {noun}")
}

/// The presets of each kind if none is given.
fn default_presets() -> String {
    let image_preset = word_of(&SCORE.perception.preset);
    format!(
        "{} and {}; {image_preset} for models except SEED's EffNet, while pixels are resized to --set pixel_size at once",
        word_of(&SCORE.options.objects.preset),
        word_of(&SCORE.options.basic_h.preset)
    )
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct MetricArgs {
    /// Comma-separated ids (`neurogauge list metrics` lists them), `nsd8` (the field's eight, as MindEye2 has them), or `all`
    /// [default: all that the inputs allow]
    ///
    /// `nsd8_correlation` adds correlations by the features of `nsd8` (rows "r"). Other lists are `basic` (BASIC-H, BASIC-L and their mean; with their parts: `basic_h_all`, `basic_l_all`) and
    /// `n_way` (classification accuracy). `MODEL:LAYER` is identification by any image model's features
    /// (`siglip2:embedding`); with `:correlation`, `:distance` or `:pool` behind it they are compared in these ways
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = trimmed)]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) metrics: Vec<String>,
    /// Whose protocol, comma-separated: of SEED, of images, of BASIC-H (`neurogauge list presets` lists all)
    ///
    /// One of each kind. SEED: official (its released code, Object F1 and EffNet's images), and for Object F1 paper
    /// (its text) or exact (the integral). Images on their way to pixel metrics and models: nsd8-mindeye2, nsd8-native,
    /// published, or that of a released evaluation (mindeye1, mindeye2, atm, mindbridge, neuropictor, brain-diffuser,
    /// mirage, mindvideo, neurons, cinebrain). BASIC-H: basic (the paper's words) or capture (the code it builds on)
    #[arg(
        long, value_parser = choice::<ScorePreset>(), value_name = "PRESET,...", value_delimiter = ',',
        hide_possible_values = true,
        defaults_to = default_presets()
    )]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) preset: Vec<ScorePreset>,
    /// Names behind the label indices: coco_gender (SEED's 82), coco (80), god (Generic Object
    /// Decoding's 51) or a file, which may say what their supercategories are and which are salient
    /// [default: the names in the files of detections; for --detector coco_gender]
    #[arg(long, value_name = "LIST")]
    pub(crate) labels: Option<String>,
    /// Model that describes the images of both sides for caption metrics, such as git_large_coco
    ///
    /// It replaces captions that are given: git_large_coco (as SEED does), git_base_coco, blip2_opt_2_7b (16 GB, or 8
    /// with --weight-precision bf16), or `placeholder-captioner` (no weights, numbers mean nothing); or the address of
    /// a server (see --vlm). Captions are kept in NEUROGAUGE_CACHE, so the stimuli are described once for all systems
    #[arg(long, value_name = "MODEL", defaults_to = where_named(DEFAULT_CAPTIONER, "captions"))]
    pub(crate) captioner: Option<String>,
    /// Model that looks for objects in the images of both sides for metrics of detections, such as
    /// mm_grounding_dino_swin_l
    ///
    /// It replaces detections that are given: mm_grounding_dino_swin_l (as SEED does), mm_grounding_dino_swin_t,
    /// grounding_dino_tiny, grounding_dino_base, yolo_world_v2_s, _m, _l, _x, or `placeholder-detector` (no weights,
    /// numbers mean nothing). It looks for the --labels. Detections are kept in NEUROGAUGE_CACHE, so the model runs on
    /// the stimuli once for all systems
    #[arg(long, value_name = "MODEL", defaults_to = where_named(DEFAULT_DETECTOR, "detections"))]
    pub(crate) detector: Option<String>,
}

impl MetricArgs {
    /// Sets the options in a request.
    pub(crate) fn apply(&self, request: &mut ScoreRequest) -> Result<(), Error> {
        let are_all = self.metrics.is_empty() || self.metrics.iter().any(|id| id == "all");
        request.metrics = (!are_all).then(|| self.metrics.clone());
        request.apply_presets(&self.preset)?;
        set(&mut request.labels, self.labels.clone());
        Ok(())
    }
}
