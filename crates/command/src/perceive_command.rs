//! `neurogauge perceive`.

use crate::args::*;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::core::option_words::option;
use neurogauge::core::{LabelList, ObservationKind};
use neurogauge::formats::folder_lock::FolderLock;
use neurogauge::models::{ImagePreset, ParserOptions};
use neurogauge::observers::kind_of;
use neurogauge::{
    CaptionerChoice, DetectorChoice, Error, GraphParser, ModelLayers, ParserChoice, PerceiveRequest, PerceivedLayout,
    RunSettings, ScoreRequest, StepResult, VlmChoice, perceive,
};
use std::fmt::Write;

/// The lowest score of boxes that SEED's code draws.
pub(crate) const VIS_SCORE: f64 = 0.3;

/// The conventions that decide what models observe.
const CONVENTIONS: &[&str] = &[
    "values",
    "alpha",
    "box_units",
    "antialias",
    "odd_frames",
    "caption_beams",
    "caption_tokens",
    "prompt_names",
    "max_detections",
    "parser_beams",
    "parser_tokens",
    "mask_detector",
    "box_threshold",
    "text_threshold",
    "unlabelled_boxes",
    "mask_nms",
    "vlm_tokens",
    "vlm_temperature",
    "vlm_seed",
];

#[derive(Debug, Args)]
#[command(mut_arg("set", only(CONVENTIONS)))]
pub(crate) struct PerceiveArgs {
    /// Images: a folder, an .npy stack (N,H,W,3) or a .pt tensor file
    #[arg(long, value_name = "PATH", required_unless_present = "captions", help_heading = "Inputs")]
    pub(crate) images: Option<PathBuf>,
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
        conflicts_with = "categories",
        help_heading = "Inputs"
    )]
    pub(crate) boxes: Option<PathBuf>,
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
    /// Without LAYER: the model's last. POOLING over positions: mean, mean-without-class-token or class-token; without
    /// it or with none, all of them. MODEL may be MODEL-untrained-SEED (random weights as PyTorch makes them);
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
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) set: SetArgs,
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
    #[arg(long, value_parser = choice::<OnFailure>(), value_name = "WHAT", help_heading = "Output", defaults_to = word_of(&OnFailure::default()))]
    pub(crate) on_failure: Option<OnFailure>,
    /// Where captions.json, scene_graphs.json, detections/, masks/, features/<model>.<layer>.npy and features/ids.json
    /// go; what is there and still holds is kept, so a call that was interrupted goes on
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: PathBuf,
}

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    report(&request(args)?, &run_settings(args))
}

pub(crate) fn run_settings(args: &PerceiveArgs) -> RunSettings {
    RunSettings {
        on_failure: args.on_failure,
        vlm_servers: vlm_servers(&args.vlm, None),
        ..args.models.weights.settings(args.out.clone())
    }
}

/// Observes and prints the paths of the observations, then fails if items failed.
pub(crate) fn report(request: &PerceiveRequest, settings: &RunSettings) -> Result<(), Error> {
    let lock = FolderLock::exclusive(&settings.out)?;
    if let Some(warning) = lock.warning() {
        output::warning(warning);
    }
    let perceived = perceive(request, settings, &Bars::default())?;
    let mut paths = String::new();
    for made in &perceived {
        output::message(&announcement(made));
        for path in &made.paths {
            // Writing to a string cannot fail.
            let _ = writeln!(paths, "{}", path.display());
        }
    }
    output::document(&paths)?;
    perceived.iter().try_for_each(StepResult::check)
}

pub(crate) fn request(args: &PerceiveArgs) -> Result<PerceiveRequest, Error> {
    let kinds = Kinds::of(&args.with)?;
    refuse_idle_options(args, &kinds)?;
    let decided = decided(args, &kinds)?;
    let asks_captions = |choice: &VlmChoice| choice.asks.contains(&ObservationKind::Captions);
    let writes_captions = kinds.captioner.is_some() || decided.vlm.iter().any(asks_captions);
    let parser = parser_choice(kinds.parser.clone(), writes_captions, (args, &decided))?;
    let first = kinds.features.first().map(|with| &with.model);
    let models = [first, kinds.captioner.as_ref(), kinds.detector.as_ref()];
    if let Some(model) = &args.segmenter.masks
        && args.images.is_none()
    {
        return Err(Error::Usage(format!(
            "--masks {model}: it looks at images, and there are none; give them with --images"
        )));
    }
    for model in models.into_iter().flatten() {
        check_images(args, model)?;
    }
    let server = args.vlm.vlm.first().map(|server| &server.url);
    if let (Some(model), None) = (server.or(args.vlm.vlm_model.as_ref()), &args.images) {
        return Err(Error::Usage(format!(
            "--vlm {model}: it looks at images, and there are none; give them with --images"
        )));
    }
    Ok(PerceiveRequest {
        images: args.images.clone(),
        reading: decided.reading,
        captions: args.captions.clone(),
        features: kinds.features,
        preset: args.preset.unwrap_or(ImagePreset::Published),
        antialias: decided.perception.antialias,
        odd_frames: decided.perception.odd_frames,
        captioner: decided.captioner,
        detector: decided.detector,
        segmenter: decided.segmenter,
        categories: args.categories.clone(),
        boxes: args.boxes.clone(),
        box_units: decided.box_units,
        labels: args.labels.clone().unwrap_or_default(),
        vis_min_score: args.vis.then(|| args.vis_score.map_or(VIS_SCORE, f64::from)),
        parser,
        layout: match args.layout {
            None => PerceivedLayout::Own,
            Some(Layout::Official) => PerceivedLayout::Official,
        },
        vlm: decided.vlm,
        models: args.models.choices(),
    })
}

/// The conventions, in a request with the models that are asked for.
fn decided(args: &PerceiveArgs, kinds: &Kinds) -> Result<ScoreRequest, Error> {
    const OF_DETECTORS: [&str; 5] =
        ["mask_detector", "box_threshold", "text_threshold", "unlabelled_boxes", "mask_nms"];
    if args.boxes.is_some()
        && let Some(setting) = args.set.set.iter().find(|setting| OF_DETECTORS.contains(&setting.id))
    {
        return Err(Error::Usage(format!(
            "{}: it says how a detector looks for boxes, and --boxes gives them; leave one of them out",
            option(setting.id, &setting.value)
        )));
    }
    if args.boxes.is_none() && args.set.is_set("box_units") {
        return Err(Error::Usage(format!("{} is about --boxes, and there are none", option("box-units", ""))));
    }
    let mut request = ScoreRequest {
        captioner: kinds.captioner.clone().map(CaptionerChoice::of),
        detector: kinds.detector.clone().map(DetectorChoice::of),
        segmenter: args.segmenter.choice(),
        vlm: vlm_choices(&args.vlm, None)?,
        graph_parser: match kinds.parser {
            Some(_) => GraphParser::T5(ParserOptions::default()),
            None => GraphParser::File,
        },
        ..ScoreRequest::with_all_models()
    };
    request.set(&args.set.set)?;
    set_of_servers(&args.vlm, &mut request.vlm);
    Ok(request)
}

/// The models of `--with`, grouped by the kind of their results.
struct Kinds {
    captioner: Option<String>,
    detector: Option<String>,
    parser: Option<String>,
    features: Vec<ModelLayers>,
}

impl Kinds {
    fn of(with: &[ModelLayers]) -> Result<Self, Error> {
        // The only model of a kind, if there is one; `writes` is the file that two of them would both write.
        let the_one = |kind, name: &str, writes: &str| {
            let mut found = with.iter().filter(|with| kind_of(&with.model) == Some(kind));
            match (found.next(), found.next()) {
                (None, _) => Ok(None),
                (Some(one), None) if one.layers.is_empty() => Ok(Some(one.model.clone())),
                (Some(one), None) => Err(Error::Usage(format!(
                    "--with {model}: {name} has no layers to ask for; write {model} alone",
                    model = one.model
                ))),
                (Some(first), Some(second)) => Err(Error::Usage(format!(
                    "--with {},{}: both write {writes}; call once for each, with an --out of its own",
                    first.model, second.model
                ))),
            }
        };
        let of_masks = |with: &&ModelLayers| kind_of(&with.model) == Some(ObservationKind::Masks);
        if let Some(with) = with.iter().find(of_masks) {
            let model = &with.model;
            return Err(Error::Usage(format!(
                "--with {model}: a segmenter makes masks of boxes; ask for it with --masks {model}, and say what the images hold \
                 with --categories, or where with --boxes"
            )));
        }
        // An unknown model counts as an image model, whose error names it.
        let of_features = |with: &&ModelLayers| matches!(kind_of(&with.model), None | Some(ObservationKind::Features));
        Ok(Kinds {
            captioner: the_one(ObservationKind::Captions, "a captioner", "captions.json")?,
            detector: the_one(ObservationKind::Detections, "a detector", "detections/")?,
            parser: the_one(ObservationKind::SceneGraphs, "a parser", "scene_graphs.json")?,
            features: with.iter().filter(of_features).cloned().collect(),
        })
    }
}

/// Fails if options are given for models that are not requested.
fn refuse_idle_options(args: &PerceiveArgs, kinds: &Kinds) -> Result<(), Error> {
    let (has_captioner, has_detector) = (kinds.captioner.is_some(), kinds.detector.is_some());
    let of_detector = (args.labels.is_some() && args.boxes.is_none()) || args.vis;
    let fault = if of_detector && !has_detector {
        "--labels and --vis say what a detector looks for and what is drawn, and --with names none"
    } else if args.layout.is_some() && !has_captioner && !has_detector {
        "--layout says how captions and detections are written, and --with names neither a captioner nor a detector"
    } else {
        return Ok(());
    };
    Err(Error::Usage(fault.into()))
}

/// Fails if a model has no images to observe.
fn check_images(args: &PerceiveArgs, model: &str) -> Result<(), Error> {
    match args.images {
        Some(_) => Ok(()),
        None => Err(Error::Usage(format!(
            "--with {model}: it looks at images, and there are none; give them with --images"
        ))),
    }
}

/// The parser and its captions, if requested.
fn parser_choice(
    parser: Option<String>,
    writes_captions: bool,
    (args, decided): (&PerceiveArgs, &ScoreRequest),
) -> Result<Option<ParserChoice>, Error> {
    let model = match (parser, &args.captions) {
        (None, None) => return Ok(None),
        (None, Some(captions)) => {
            return Err(Error::Usage(format!(
                "--captions {}: only a parser reads captions; add it, --with factual_t5",
                captions.display()
            )));
        }
        (Some(parser), None) if !writes_captions => {
            return Err(Error::Usage(format!(
                "--with {parser}: a parser reads captions; give them with --captions FILE, or name a captioner too \
                 (--with git_large_coco,{parser})"
            )));
        }
        (Some(parser), Some(captions)) if writes_captions => {
            return Err(Error::Usage(format!(
                "--captions {}: {parser} would read these captions and those of the captioner of this call; leave one of them out",
                captions.display()
            )));
        }
        (Some(parser), _) => parser,
    };
    Ok(Some(ParserChoice {
        model,
        options: decided.graph_parser.options().unwrap_or_default(),
        punkt: args.punkt.clone(),
        wordnet: args.wordnet.clone(),
    }))
}

/// What was made, for how many images, and how many of them the model had to observe.
fn announcement(made: &StepResult) -> String {
    let StepResult {
        name, n_images, n_seen, ..
    } = made;
    let n_known = n_images - made.outcome.failed.len();
    let (done, means_nothing) = match made.kind {
        ObservationKind::Captions => (
            format!("{n_known} of {n_images} images described, {n_seen} of them seen by the model now"),
            "its captions mean nothing",
        ),
        ObservationKind::Detections => (
            format!("objects looked for in {n_known} of {n_images} images, {n_seen} of them seen by the model now"),
            "what it finds means nothing",
        ),
        ObservationKind::Masks => (
            format!(
                "masks of {n_known} of {n_images} images, {n_seen} of them seen by the models now; {} of {} masks have no label",
                made.n_unlabelled, made.n_masks
            ),
            "its masks mean nothing",
        ),
        ObservationKind::SceneGraphs => {
            let rules = match made.sentence_rules.as_deref() {
                Some("punkt") => "Punkt's parameters",
                _ => "our own rules (Punkt's parameters: --punkt DIR)",
            };
            let dropped = match made.n_malformed {
                0 => String::new(),
                n => format!("; {n} facts that it wrote are not of three parts and were dropped"),
            };
            let read =
                format!("scene graphs of {n_known} of {n_images} images, {n_seen} captions read by the model now");
            (format!("{read}; sentences by {rules}{dropped}"), "its graphs mean nothing")
        }
        ObservationKind::Categories | ObservationKind::CategoryNames | ObservationKind::ImageTexts => (
            format!("what {n_known} of {n_images} images hold, {n_seen} of them seen by the model now"),
            "what it says means nothing",
        ),
        _ => (format!("{n_images} images, {n_seen} of them seen by the model now"), "its numbers mean nothing"),
    };
    let stand_in = match made.model.stand_in {
        true => format!(" (a placeholder: {means_nothing})"),
        false => String::new(),
    };
    format!("{name}: {done}{stand_in}")
}
