//! Options that affect the numbers of `neurogauge score`.

use super::*;
use neurogauge::core::option_values::OwnOr;
use neurogauge::metrics::decoding::identification::Draws;
use neurogauge::{DEFAULT_CAPTIONER, DEFAULT_DETECTOR, Error, ScoreRequest};

fn where_named(model: &str, noun: &str) -> String {
    format!("{model} for metrics named with --metrics, where there are images and no {noun}")
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
    /// Which side supplies the distractors: other stimuli (`reconstruction` is identified, MindEye2's code) or other
    /// reconstructions (`stimulus` is identified, the SEED paper)
    #[arg(long, value_parser = choice::<IdentificationDirection>(), defaults_to = word_of(&SCORE.options.identification.direction))]
    pub(crate) identification_direction: Option<IdentificationDirection>,
    /// How an exact tie counts in identification
    #[arg(long, value_parser = choice::<Ties>(), defaults_to = word_of(&SCORE.options.identification.ties))]
    pub(crate) identification_ties: Option<Ties>,
    /// Whether pairs of the same stimulus are distractors of each other in identification. Copies have the same image,
    /// or equal features where no metric reads images
    #[arg(long, value_parser = choice::<Copies>(), defaults_to = word_of(&SCORE.options.identification_copies))]
    #[serde(deserialize_with = "from_json::word")]
    pub(crate) identification_copies: Option<Copies>,
    /// Count one success too few in two-way identification, as MIRAGE's released code does
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.identification.subtract_own))]
    pub(crate) identification_subtract_own: Option<Switch>,
    /// Images to choose from in identification, the own one included
    #[arg(long, value_name = "N", defaults_to = SCORE.options.identification.n_way)]
    pub(crate) n_way: Option<Count<MAX_CANDIDATES>>,
    /// The own one must be among the K most similar
    #[arg(long, value_name = "K", defaults_to = SCORE.options.identification.top_k)]
    pub(crate) top_k: Option<Count<MAX_CANDIDATES>>,
    /// Draw distractors (in classification accuracy: classes) at random, so many times for each pair (seed: --seed)
    /// [default: the exact expectation over all draws]
    #[arg(long, value_name = "TRIALS")]
    pub(crate) draws: Option<Count<MAX_RESAMPLES>>,
    /// Classification accuracy: so many of the stimulus's most probable classes count as right
    #[arg(long, value_name = "N", defaults_to = SCORE.options.n_way_accuracy.right_classes)]
    pub(crate) right_classes: Option<Count<MAX_CANDIDATES>>,
    /// Classification accuracy: a right class must be among the K most probable
    #[arg(long, value_name = "K", defaults_to = SCORE.options.n_way_accuracy.top_k)]
    pub(crate) class_top_k: Option<Count<MAX_CANDIDATES>>,
    /// Whose protocol, comma-separated: of SEED, of images, of BASIC-H (`neurogauge list presets` lists all)
    ///
    /// One of each kind. SEED: official (its released code, Object F1 and EffNet's images), and for Object F1 paper
    /// (its text) or exact (the integral) [default: official]. Images on their way to pixel metrics and models:
    /// nsd8-mindeye2, nsd8-native, published, or that of a released evaluation (mindeye1, mindeye2, atm, mindbridge,
    /// neuropictor, brain-diffuser, mirage, mindvideo, neurons, cinebrain) [default: nsd8-mindeye2 for models except
    /// SEED's EffNet; pixels are resized to --pixel-size at once]. BASIC-H: basic (the paper's words) or capture (the code it builds on)
    /// [default: basic]
    #[arg(long, value_parser = choice::<ScorePreset>(), value_name = "PRESET,...", value_delimiter = ',')]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) preset: Vec<ScorePreset>,
    /// How images are prepared for the EffNet that SEED is made of [default: the preset's:
    /// nsd8-native, as SEED's released code does, unless a preset of images is asked for by itself]
    #[arg(long, value_parser = choice::<ImagePreset>(), value_name = "PRESET")]
    pub(crate) seed_images: Option<ImagePreset>,
    /// What Object F1 weighs besides existence (Table 4 of the SEED paper)
    #[arg(long, value_parser = choice::<Variant>(), defaults_to = word_of(&SCORE.options.objects.variant))]
    pub(crate) object_variant: Option<Variant>,
    /// Read detections in file order and stop at the first below the threshold, as SEED's code
    /// does, or read all [default: the preset's]
    #[arg(long, value_enum)]
    pub(crate) score_order: Option<ScoreOrder>,
    /// Smallest box that counts, px²
    #[arg(
        long, value_name = "PX2", allow_negative_numbers = true,
        defaults_to = format!("the preset's: {} for official, else 0", SCORE.options.objects.smallest_area_px2())
    )]
    pub(crate) min_box_area: Option<AtLeastZero>,
    /// Names behind the label indices: coco_gender (SEED's 82), coco (80), god (Generic Object
    /// Decoding's 51) or a file, which may say what their supercategories are and which are salient
    /// [default: the names in the files of detections; for --detector coco_gender]
    #[arg(long, value_name = "LIST")]
    pub(crate) labels: Option<String>,
    /// Unit of boxes in folders of detections: pixels, or shares of the image, which are multiplied by --box-scale
    /// [default: pixels; boxes that cannot be pixels are refused]
    #[arg(long, value_parser = choice::<BoxUnits>(), value_name = "UNITS")]
    pub(crate) box_units: Option<BoxUnits>,
    /// What boxes given as fractions are multiplied by
    #[arg(long, value_name = "WxH", defaults_to = format!("{}x{}", SCORE.box_scale_px.0, SCORE.box_scale_px.1))]
    pub(crate) box_scale: Option<Size>,
    /// Size of the images behind the detections, for the size and location variants
    #[arg(long, value_name = "WxH")]
    pub(crate) image_size: Option<Size>,
    /// How the similarities to several reference captions become one
    #[arg(long, value_parser = choice::<References>(), defaults_to = word_of(&SCORE.options.references))]
    pub(crate) references: Option<References>,
    /// Reduce words to their stems for ROUGE-1, ROUGE-2 and ROUGE-L (F1)
    #[arg(long, value_enum, defaults_to = on_off(SCORE.options.rouge_stemming))]
    pub(crate) rouge_stemming: Option<Switch>,
    /// Which names of a vision-language model are the same: also those that differ in case, spaces, underscores or a
    /// final full stop, or only equal ones
    #[arg(long, value_parser = choice::<VlmNames>(), defaults_to = word_of(&SCORE.options.vlm_names))]
    #[serde(deserialize_with = "from_json::word")]
    pub(crate) vlm_names: Option<VlmNames>,
    /// Shorter side at which pixels are compared, px, or `own`: images as they are
    #[arg(long, value_name = "PX|own", defaults_to = SCORE.options.pixels.size_px.unwrap_or_default())]
    pub(crate) pixel_size: Option<OwnOr<MAX_PX>>,
    /// Resize to this shorter side first, px (MindEye2's images went through 256)
    #[arg(long, value_name = "PX")]
    pub(crate) first_size: Option<Count<MAX_PX>>,
    /// Keep the proportions of images that are not square when pixels are compared, or squash them, so that images of
    /// different proportions can be compared
    #[arg(long, value_parser = choice::<Proportions>(), defaults_to = word_of(&SCORE.options.pixels.proportions))]
    pub(crate) proportions: Option<Proportions>,
    /// Interpolation
    #[arg(long, value_parser = choice::<Filter>(), defaults_to = word_of(&SCORE.options.pixels.filter))]
    pub(crate) filter: Option<Filter>,
    /// Smooth before shrinking, as torchvision does since 0.17 [default: the preset's: off for
    /// nsd8-mindeye2 and without a preset, on for nsd8-native]
    #[arg(long, value_enum)]
    pub(crate) antialias: Option<Switch>,
    /// Resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking; for pixels only
    #[arg(long, value_parser = choice::<Arithmetic>(), defaults_to = word_of(&SCORE.options.pixels.arithmetic))]
    pub(crate) pixel_arithmetic: Option<Arithmetic>,
    /// Which SSIM: of the grey images; with their columns taken as channels; or the mean over three colours under a
    /// uniform window
    #[arg(long, value_parser = choice::<SsimFlavour>(), defaults_to = word_of(&SCORE.options.pixels.ssim))]
    pub(crate) ssim: Option<SsimFlavour>,
    /// Model that embeds captions: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, or `placeholder` (no
    /// weights, numbers mean nothing)
    #[arg(long, value_name = "MODEL", defaults_to = &SCORE.text_encoder)]
    pub(crate) text_encoder: Option<String>,
    /// Instruction before the captions of both sides when they are embedded, such as "Retrieve semantically similar
    /// text"; only Qwen3-Embedding-0.6B reads one
    #[arg(long, value_name = "TEXT", defaults_to = "none")]
    pub(crate) text_instruction: Option<String>,
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
    /// Models behind feature metrics: each metric's own, or `placeholder` for all (no weights, numbers mean nothing)
    #[arg(long, value_enum, defaults_to = "own")]
    pub(crate) image_models: Option<ImageModelsArg>,
    /// Score from which a category counts for SNM
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = SCORE.options.near_miss.threshold)]
    pub(crate) snm_threshold: Option<Confidence>,
    /// Categories of SNM
    #[arg(long, value_parser = choice::<CategorySet>(), defaults_to = word_of(&SCORE.options.near_miss.categories))]
    pub(crate) snm_categories: Option<CategorySet>,
    /// Categories of the reconstruction that can make a near miss: the same set, or all
    #[arg(long, value_parser = choice::<ReconCategories>(), defaults_to = word_of(&SCORE.options.near_miss.recon_categories))]
    pub(crate) snm_recon_categories: Option<ReconCategories>,
    /// SDM counts pairs with Object F1 above this ...
    #[arg(long, value_name = "F1", allow_negative_numbers = true, defaults_to = SCORE.options.detail_miss.f1_above)]
    pub(crate) sdm_f1_above: Option<Finite>,
    /// ... and Object F1 - SEED above this
    #[arg(long, value_name = "GAP", allow_negative_numbers = true, defaults_to = SCORE.options.detail_miss.gap_above)]
    pub(crate) sdm_gap_above: Option<Finite>,
}

impl MetricArgs {
    /// Sets the options in a request.
    pub(crate) fn apply(&self, request: &mut ScoreRequest) -> Result<(), Error> {
        let are_all = self.metrics.is_empty() || self.metrics.iter().any(|id| id == "all");
        request.metrics = (!are_all).then(|| self.metrics.clone());
        request.apply_presets(&self.preset)?;
        if let Some(labels) = &self.labels {
            request.labels.clone_from(labels);
        }
        request.box_units = self.box_units;
        set(&mut request.box_scale_px, self.box_scale);
        request.image_size_px = self.image_size.map(Into::into);
        if let Some(encoder) = &self.text_encoder {
            request.text_encoder.clone_from(encoder);
        }
        request.text_instruction.clone_from(&self.text_instruction);

        let seed = request.bootstrap.seed;
        let options = &mut request.options;
        set(&mut options.identification_copies, self.identification_copies);
        let identification = &mut options.identification;
        set(&mut identification.direction, self.identification_direction);
        set(&mut identification.ties, self.identification_ties);
        set(&mut identification.subtract_own, self.identification_subtract_own);
        set(&mut identification.n_way, self.n_way);
        set(&mut identification.top_k, self.top_k);
        let draws = self.draws.map(|trials| Draws::Seeded {
            trials: trials.into(),
            seed,
        });
        set(&mut identification.draws, draws);
        set(&mut options.n_way_accuracy.draws, draws);
        set(&mut options.n_way_accuracy.right_classes, self.right_classes);
        set(&mut options.n_way_accuracy.top_k, self.class_top_k);
        set(&mut options.objects.variant, self.object_variant);
        options.objects.min_area_px2 = self.min_box_area.map(Into::into);
        options.objects.stop_at_first_below = self.score_order.map(|order| matches!(order, ScoreOrder::AsListed));
        set(&mut options.vlm_names, self.vlm_names);
        set(&mut options.references, self.references);
        set(&mut options.rouge_stemming, self.rouge_stemming);
        if let Some(OwnOr(size_px)) = self.pixel_size {
            options.pixels.size_px = size_px;
        }
        if let Some(size_px) = self.first_size {
            options.pixels.first_size_px = Some(size_px.into());
        }
        set(&mut options.pixels.proportions, self.proportions);
        set(&mut options.pixels.filter, self.filter);
        set(&mut options.pixels.arithmetic, self.pixel_arithmetic);
        set(&mut options.pixels.ssim, self.ssim);
        if let Some(antialias) = self.antialias {
            options.pixels.antialias = antialias.into();
            request.perception.antialias = Some(antialias.into());
        }
        request.perception.seed = self.seed_images.or(request.perception.seed);
        request.perception.stand_in = self.image_models == Some(ImageModelsArg::Placeholder);
        set(&mut options.near_miss.threshold, self.snm_threshold);
        set(&mut options.near_miss.categories, self.snm_categories);
        set(&mut options.near_miss.recon_categories, self.snm_recon_categories);
        set(&mut options.detail_miss.f1_above, self.sdm_f1_above);
        set(&mut options.detail_miss.gap_above, self.sdm_gap_above);
        Ok(())
    }
}
