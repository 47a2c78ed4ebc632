//! `neurogauge score`.

use crate::args::{
    BasicArgs, BootstrapArgs, CaptionerArgs, GraphParserArg, ImageModelsArg, InputArgs, MaskArgs,
    MetricArgs, PresetArg, ScoreArgs, ScoreOrder, Switch, WeightArgs,
};
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::formats::word_list;
use neurogauge::metrics::decoding::identification::Draws;
use neurogauge::models::{CaptionOptions, DeviceChoice, ImagePreset};
use neurogauge::report::render;
use neurogauge::stats::BootstrapOptions;
use neurogauge::{
    CaptionerChoice, Error, GraphParser, InputPaths, Progress, Run, RunSettings, ScoreRequest,
    repeat, score,
};
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(crate) fn run(args: &ScoreArgs) -> Result<(), Error> {
    let run = scored(args, &Bars::default())?;
    announce(&run);
    output::data(&render(&run.table, args.format.into(), output::width())?)?;
    run.record.check_captions()
}

/// The run that these arguments ask for.
pub(crate) fn scored(args: &ScoreArgs, progress: &dyn Progress) -> Result<Run, Error> {
    let settings = RunSettings {
        export_official: args.export_layout.is_some(),
        lpips_heads: args.lpips_heads.clone(),
        overlays: args.overlay.clone(),
        device: args.device.device,
        ..settings(args.out.clone(), &args.weights)
    };
    let inputs = inputs(&args.inputs);
    if let Some(run_json) = &args.from_run {
        return repeat(run_json, &inputs, &settings, progress);
    }
    let mut request = ScoreRequest {
        inputs,
        ..ScoreRequest::default()
    };
    request.bootstrap = bootstrap(&args.bootstrap);
    apply_metric_args(&mut request, &args.metrics)?;
    apply_caption_args(
        &mut request,
        args.metrics.captioner.as_ref(),
        &args.captions,
    )?;
    apply_basic_args(&mut request, &args.basic)?;
    apply_mask_args(&mut request, &args.masks);
    score(&request, &settings, progress)
}

pub(crate) fn settings(out: PathBuf, weights: &WeightArgs) -> RunSettings {
    RunSettings {
        out,
        weights: weights.weights.clone(),
        allow_download: !weights.offline,
        checkpoints: weights.checkpoint.clone(),
        device: DeviceChoice::Cpu,
        lpips_heads: Vec::new(),
        overlays: Vec::new(),
        export_official: false,
    }
}

/// How captions are written.
pub(crate) fn caption_options(args: &CaptionerArgs) -> CaptionOptions {
    let mut options = CaptionOptions::default();
    let beams = args.caption_beams.and_then(NonZeroUsize::new);
    set(&mut options.n_beams, beams);
    set(&mut options.max_new_tokens, args.caption_tokens);
    options
}

/// Says on stderr what became of the run.
pub(crate) fn announce(run: &Run) {
    let place = run.folder.root().display();
    output::message(&if run.resumed {
        format!("{place}: already finished with these inputs and options; nothing was computed")
    } else {
        format!("{place}: {} pairs scored", run.record.n_pairs)
    });
}

pub(crate) fn bootstrap(args: &BootstrapArgs) -> BootstrapOptions {
    let mut options = BootstrapOptions::default();
    options.resamples = args.resamples.unwrap_or(options.resamples);
    options.level = args.level.unwrap_or(options.level);
    options.seed.0 = args.seed.unwrap_or(options.seed.0);
    options
}

fn inputs(args: &InputArgs) -> InputPaths {
    InputPaths {
        gt: args.gt.clone(),
        recon: args.recon.clone(),
        observations: args.observations.clone(),
        gt_captions: args.gt_captions.clone(),
        recon_captions: args.recon_captions.clone(),
        gt_detections: args.gt_detections.clone(),
        recon_detections: args.recon_detections.clone(),
        gt_masks: args.gt_masks.clone(),
        recon_masks: args.recon_masks.clone(),
        gt_categories: args.gt_categories.clone(),
        recon_categories: args.recon_categories.clone(),
        gt_features: args.gt_features.clone(),
        recon_features: args.recon_features.clone(),
        pool: args.pool.clone(),
        gt_scene_graphs: args.gt_scene_graphs.clone(),
        recon_scene_graphs: args.recon_scene_graphs.clone(),
        wordnet: args.wordnet.clone(),
    }
}

fn apply_metric_args(request: &mut ScoreRequest, args: &MetricArgs) -> Result<(), Error> {
    apply_presets(request, &args.preset)?;
    request.metrics = args
        .metrics
        .clone()
        .filter(|ids| ids.iter().all(|id| id != "all"));
    if let Some(labels) = &args.labels {
        request.labels.clone_from(labels);
    }
    set(&mut request.box_scale_px, args.box_scale);
    request.image_size_px = args.image_size;
    if let Some(encoder) = &args.text_encoder {
        request.text_encoder.clone_from(encoder);
    }

    let seed = request.bootstrap.seed;
    let options = &mut request.options;
    let identification = &mut options.identification;
    set(&mut identification.direction, args.identification_direction);
    set(&mut identification.ties, args.identification_ties);
    set(&mut identification.n_way, args.n_way);
    set(&mut identification.top_k, args.top_k);
    set(
        &mut identification.draws,
        args.draws.map(|trials| Draws::Seeded { trials, seed }),
    );
    set(&mut options.objects.variant, args.object_variant);
    options.objects.min_area_px2 = args.min_box_area;
    options.objects.stop_at_first_below = args
        .score_order
        .map(|order| matches!(order, ScoreOrder::AsListed));
    set(&mut options.references, args.references);
    set(&mut options.pixels.size_px, args.pixel_size);
    if args.first_size.is_some() {
        options.pixels.first_size_px = args.first_size;
    }
    set(&mut options.pixels.filter, args.filter);
    if let Some(antialias) = args.antialias {
        options.pixels.antialias = antialias == Switch::On;
        request.perception.antialias = Some(antialias == Switch::On);
    }
    request.perception.stand_in = args.image_models == Some(ImageModelsArg::StandIn);
    set(&mut options.near_miss.threshold, args.snm_threshold);
    set(&mut options.near_miss.categories, args.snm_categories);
    set(
        &mut options.near_miss.recon_categories,
        args.snm_recon_categories,
    );
    set(&mut options.detail_miss.f1_above, args.sdm_f1_above);
    set(&mut options.detail_miss.gap_above, args.sdm_gap_above);
    Ok(())
}

fn apply_caption_args(
    request: &mut ScoreRequest,
    captioner: Option<&String>,
    args: &CaptionerArgs,
) -> Result<(), Error> {
    if captioner.is_none() && (args.caption_beams.is_some() || args.caption_tokens.is_some()) {
        return Err(Error::Usage(
            "--caption-beams and --caption-tokens say how --captioner writes, and there is none"
                .into(),
        ));
    }
    request.captioner = captioner.map(|model| CaptionerChoice {
        model: model.clone(),
        options: caption_options(args),
    });
    Ok(())
}

fn apply_mask_args(request: &mut ScoreRequest, args: &MaskArgs) {
    let masks = &mut request.options.basic_l;
    set(&mut masks.categories, args.mask_categories);
    set(&mut masks.matching, args.mask_matching);
    set(&mut masks.instances, args.mask_instances);
    set(&mut masks.background, args.mask_background);
    set(&mut masks.empty, args.mask_empty);
    set(&mut masks.resize, args.mask_resize);
    set(&mut masks.min_score, args.mask_score);
    if !args.mask_ap_thresholds.is_empty() {
        masks.iou_thresholds.clone_from(&args.mask_ap_thresholds);
    }
}

fn apply_basic_args(request: &mut ScoreRequest, args: &BasicArgs) -> Result<(), Error> {
    request.graph_parser = match args.parser {
        None | Some(GraphParserArg::File) => GraphParser::File,
        Some(GraphParserArg::T5) => {
            return Err(Error::Usage(
                "--parser t5: captions are not parsed by this version; parse them elsewhere and give the \
                 graphs as files: gt/scene_graphs.json and recon/scene_graphs.json in --observations, or \
                 --gt-scene-graphs and --recon-scene-graphs, each {\"stem\": {\"objects\": [\"boat\"], \
                 \"attributes\": {\"boat\": [\"large\"]}, \"relations\": [[\"boat\", \"dock at\", \
                 \"dock\"]]}}"
                    .into(),
            ));
        }
    };
    set(&mut request.phrase_encoder, args.phrase_encoder.clone());
    let options = &mut request.options.basic_h;
    options.containment = args.basic_containment.map(Into::into);
    options.assignment = args.basic_assignment.map(Into::into);
    options.negative_cosines = args.basic_negative_cosines.map(Into::into);
    options.epsilon = args.basic_epsilon;
    options.weights = args.basic_weights;
    set(&mut options.soft, args.basic_soft);
    let is_on = |switch: Switch| switch == Switch::On;
    set(&mut options.synonyms, args.basic_synonyms.map(is_on));
    set(&mut options.normalise.lemmas, args.basic_lemmas.map(is_on));
    set(
        &mut options.normalise.drop_of,
        args.basic_drop_of.map(is_on),
    );
    if let Some(path) = &args.basic_stop_words {
        options.normalise.stop_words = word_list::read(path)?;
    }
    Ok(())
}

/// Applies the presets; single options come after and win.
fn apply_presets(request: &mut ScoreRequest, presets: &[PresetArg]) -> Result<(), Error> {
    let of_objects: Vec<_> = presets
        .iter()
        .filter_map(|preset| preset.of_objects())
        .collect();
    let of_images: Vec<_> = presets
        .iter()
        .filter_map(|preset| preset.of_images())
        .collect();
    let of_basic: Vec<_> = presets
        .iter()
        .filter_map(|preset| preset.of_basic())
        .collect();
    if of_objects.len() > 1 || of_images.len() > 1 || of_basic.len() > 1 {
        return Err(Error::Usage(
            "--preset: one of official, paper, exact (Object F1), one of nsd8-mindeye2, \
             nsd8-native, published (images) and one of basic, capture (BASIC-H), \
             comma-separated, not two of a kind"
                .into(),
        ));
    }
    set(
        &mut request.options.objects.preset,
        of_objects.first().copied(),
    );
    set(
        &mut request.options.basic_h.preset,
        of_basic.first().copied(),
    );
    if let Some(preset) = of_images.first() {
        request.perception.preset = *preset;
        let pixels = &mut request.options.pixels;
        match preset {
            ImagePreset::Nsd8Mindeye2 => pixels.first_size_px = Some(256),
            ImagePreset::Nsd8Native => pixels.antialias = true,
            ImagePreset::Published => {}
        }
    }
    Ok(())
}

/// Replaces a default by what was given.
fn set<T>(target: &mut T, given: Option<impl Into<T>>) {
    if let Some(value) = given {
        *target = value.into();
    }
}
