//! Converts the options that decide the numbers of metrics.

use crate::args::{BasicArgs, ImageModelsArg, MaskArgs, MetricArgs, ScoreOrder, Weights};
use crate::number::{Confidence, Count, OwnOr};
use crate::predefined::set;
use neurogauge::formats::word_list;
use neurogauge::metrics::decoding::identification::Draws;
use neurogauge::{Error, ScoreRequest};

pub(crate) fn apply_metric_args(request: &mut ScoreRequest, args: &MetricArgs) -> Result<(), Error> {
    request.apply_presets(&args.preset)?;
    let are_all = args.metrics.is_empty() || args.metrics.iter().any(|id| id == "all");
    request.metrics = (!are_all).then(|| args.metrics.clone());
    if let Some(labels) = &args.labels {
        request.labels.clone_from(labels);
    }
    request.box_units = args.box_units;
    set(&mut request.box_scale_px, args.box_scale);
    request.image_size_px = args.image_size.map(Into::into);
    if let Some(encoder) = &args.text_encoder {
        request.text_encoder.clone_from(encoder);
    }
    request.text_instruction.clone_from(&args.text_instruction);

    let seed = request.bootstrap.seed;
    let options = &mut request.options;
    set(&mut options.identification_copies, args.identification_copies);
    let identification = &mut options.identification;
    set(&mut identification.direction, args.identification_direction);
    set(&mut identification.ties, args.identification_ties);
    set(&mut identification.subtract_own, args.identification_subtract_own);
    set(&mut identification.n_way, args.n_way);
    set(&mut identification.top_k, args.top_k);
    let draws = (args.draws).map(|Count(trials)| Draws::Seeded { trials, seed });
    set(&mut identification.draws, draws);
    set(&mut options.n_way_accuracy.draws, draws);
    set(&mut options.n_way_accuracy.right_classes, args.right_classes);
    set(&mut options.n_way_accuracy.top_k, args.class_top_k);
    set(&mut options.objects.variant, args.object_variant);
    options.objects.min_area_px2 = args.min_box_area.map(Into::into);
    options.objects.stop_at_first_below = args.score_order.map(|order| matches!(order, ScoreOrder::AsListed));
    set(&mut options.vlm_names, args.vlm_names);
    set(&mut options.references, args.references);
    set(&mut options.rouge_stemming, args.rouge_stemming);
    if let Some(OwnOr(size_px)) = args.pixel_size {
        options.pixels.size_px = size_px;
    }
    if let Some(Count(size_px)) = args.first_size {
        options.pixels.first_size_px = Some(size_px);
    }
    set(&mut options.pixels.proportions, args.proportions);
    set(&mut options.pixels.filter, args.filter);
    set(&mut options.pixels.arithmetic, args.pixel_arithmetic);
    set(&mut options.pixels.ssim, args.ssim);
    if let Some(antialias) = args.antialias {
        options.pixels.antialias = antialias.into();
        request.perception.antialias = Some(antialias.into());
    }
    request.perception.seed = args.seed_images.or(request.perception.seed);
    request.perception.stand_in = args.image_models == Some(ImageModelsArg::Placeholder);
    set(&mut options.near_miss.threshold, args.snm_threshold);
    set(&mut options.near_miss.categories, args.snm_categories);
    set(&mut options.near_miss.recon_categories, args.snm_recon_categories);
    set(&mut options.detail_miss.f1_above, args.sdm_f1_above);
    set(&mut options.detail_miss.gap_above, args.sdm_gap_above);
    Ok(())
}

pub(crate) fn apply_basic_args(request: &mut ScoreRequest, args: &BasicArgs) -> Result<(), Error> {
    set(&mut request.phrase_encoder, args.phrase_encoder.clone());
    let options = &mut request.options.basic_h;
    options.containment = args.basic_containment;
    options.assignment = args.basic_assignment;
    options.negative_cosines = args.basic_negative_cosines;
    options.epsilon = args.basic_epsilon.map(Into::into);
    options.weights = args.basic_weights.map(|Weights(weights)| weights);
    set(&mut options.soft, args.basic_soft);
    set(&mut options.synonyms, args.basic_synonyms);
    set(&mut options.normalise.lemmas, args.basic_lemmas);
    set(&mut options.normalise.drop_of, args.basic_drop_of);
    set(&mut options.normalise.noun_filter, args.basic_noun_filter);
    if let Some(path) = &args.basic_stop_words {
        options.normalise.stop_words = word_list::read(path)?;
    }
    Ok(())
}

pub(crate) fn apply_mask_args(request: &mut ScoreRequest, args: &MaskArgs) {
    let masks = &mut request.options.basic_l;
    set(&mut masks.categories, args.mask_categories);
    set(&mut masks.matching, args.mask_matching);
    set(&mut masks.instances, args.mask_instances);
    set(&mut masks.background, args.mask_background);
    set(&mut masks.empty, args.mask_empty);
    set(&mut masks.resize, args.mask_resize);
    set(&mut masks.min_score, args.mask_score);
    if !args.mask_ap_thresholds.is_empty() {
        let thresholds = args.mask_ap_thresholds.iter();
        masks.iou_thresholds = thresholds.map(|&Confidence(iou)| iou).collect();
    }
}
