//! What presets decide about a metric.

use super::of_section;
use crate::selection::OF_SEED;
use crate::{ScorePreset, ScoreRequest};
use itertools::Itertools;
use neurogauge_core::words::{of_word, word_of, words};
use neurogauge_metrics::Metric;
use neurogauge_models::Preprocessing;
use neurogauge_models::preprocess::ResizeStep;

/// What each preset decides about a metric, in the words of the conventions that the metric names; first what is so
/// without a preset. Empty for a metric that no preset changes.
pub fn presets_of(metric: &Metric) -> Vec<(String, String)> {
    let of = |presets: &[ScorePreset]| {
        let mut request = ScoreRequest::default();
        // One preset is never refused.
        let _ = request.apply_presets(presets);
        decided(metric, &request)
    };
    let default = of(&[]);
    let presets = words::<ScorePreset>().into_iter().filter_map(|word| of_word::<ScorePreset>(&word).ok()).unique();
    let changed = |preset| of(&[preset]).into_iter().filter(|decision| !default.contains(decision)).join(", ");
    let changed = presets.map(|preset| (word_of(&preset), changed(preset))).filter(|(_, words)| !words.is_empty());
    let changed: Vec<_> = changed.collect();
    match changed.is_empty() {
        true => Vec::new(),
        false => [("no preset".to_owned(), default.join(", "))].into_iter().chain(changed).collect(),
    }
}

/// The answers of a request to a metric's conventions, and how images for its model are prepared.
fn decided(metric: &Metric, request: &ScoreRequest) -> Vec<String> {
    let sections = || metric.spec.conventions();
    let settings = sections().flat_map(of_section);
    let mut found: Vec<String> =
        settings.filter_map(|own| Some(format!("{} {}", own.id, own.answer(request)?))).collect();
    if sections().any(|id| id == "object-presets") {
        found.push(request.options.objects.preset.thresholds_in_words().to_owned());
    }
    if OF_SEED.contains(&metric.spec.id) {
        found.push(format!("EffNet's images as {}", request.perception.of_seed()));
    } else if let Some(features) = metric.compute.features().first() {
        let (layer, preset, _) = request.perception.prepared(features);
        let model = layer.split('.').next().unwrap_or_default();
        let steps = preset.for_model(model).preprocessing(model, request.perception.antialias);
        found.extend(steps.ok().map(|steps| of_steps(&steps)));
    }
    found
}

fn of_steps(steps: &Preprocessing) -> String {
    let sizes = steps.resize.iter().map(|step| match step {
        ResizeStep::ShorterSide(px) => format!("shorter side to {px} px"),
        ResizeStep::Squash(width, height) => format!("{width} x {height} px"),
    });
    let crop = steps.centre_crop_px.map(|px| format!(", centre {px} px")).unwrap_or_default();
    let antialias = if steps.antialias { "antialias" } else { "no antialias" };
    let filter = format!("{}, {antialias}, {}", word_of(&steps.filter), word_of(&steps.arithmetic));
    format!("images {}{crop}; {filter}", sizes.collect::<Vec<String>>().join(", then "))
}
