//! The choices that a request makes for a metric.

use neurogauge::core::observation::ObservationKind;
use neurogauge::metrics::{CaptionWords, Compute, EmbeddingFunction, Metric, WordFunction};
use neurogauge::models::preprocess::{Arithmetic, ResizeStep};
use neurogauge::models::{ImagePreset, Preprocessing};
use neurogauge::{ScoreRequest, find_convention};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The choice, such as `antialias`.
    pub factor: &'static str,
    pub option: String,
}

fn choice(factor: &'static str, option: impl Into<String>) -> Choice {
    let option = option.into();
    Choice { factor, option }
}

/// All choices that a request makes for a metric of images or captions; empty for other metrics. Requests with equal
/// choices give equal numbers.
pub(crate) fn choices(metric: &Metric, request: &ScoreRequest) -> Vec<Choice> {
    let compute = &metric.compute;
    let words = compute.function::<WordFunction>().map(|function| function.words);
    let mut found = match *compute {
        Compute::Pixels(_) | Compute::Perceptual { .. } => of_pixels(request),
        Compute::Features { models, .. } | Compute::Frames { models, .. } | Compute::Identification { models, .. } => {
            models
                .first()
                .map_or_else(Vec::new, |layer| of_model(layer.split('.').next().unwrap_or(layer), request))
        }
        _ if compute.function::<EmbeddingFunction>().is_some() => set(request, &["references"]),
        _ if words == Some(CaptionWords::Rouge) => set(request, &["rouge_stemming"]),
        _ => Vec::new(),
    };
    if metric.spec.id == "ssim" {
        found.extend(set(request, &["ssim"]));
    }
    if let Compute::Identification { .. } = metric.compute {
        const IDS: [&str; 3] = ["identification_direction", "identification_subtract_own", "identification_copies"];
        found.extend(set(request, &IDS));
    }
    found
}

/// The answers of a request to these conventions.
fn set(request: &ScoreRequest, ids: &[&str]) -> Vec<Choice> {
    let found = ids.iter().filter_map(|id| find_convention(id));
    found.filter_map(|convention| Some(choice(convention.id, convention.answer(request)?))).collect()
}

/// The input of a metric in a multiverse: images or captions.
pub(crate) fn kind_of(metric: &Metric) -> ObservationKind {
    let compute = &metric.compute;
    let reads_captions =
        compute.function::<EmbeddingFunction>().is_some() || compute.function::<WordFunction>().is_some();
    // Models make features from images.
    compute.kind().filter(|_| reads_captions).unwrap_or(ObservationKind::Images)
}

fn of_pixels(request: &ScoreRequest) -> Vec<Choice> {
    let pixels = &request.options.pixels;
    let mut found = set(request, &["first_size", "pixel_size"]);
    if pixels.size_px.is_some() {
        found.extend(set(request, &["proportions", "filter"]));
        // 8 bits are always smoothed.
        found.push(choice("antialias", on_off(pixels.antialias || pixels.arithmetic == Arithmetic::EightBit)));
        found.extend(set(request, &["pixel_arithmetic"]));
    }
    found
}

fn of_model(model: &str, request: &ScoreRequest) -> Vec<Choice> {
    let perception = &request.perception;
    let preset = perception.preset.for_model(model);
    match preset.preprocessing(model, perception.antialias) {
        Ok(steps) => of_steps(preset, &steps),
        Err(_) => vec![choice("images", preset.to_string())],
    }
}

fn of_steps(preset: ImagePreset, steps: &Preprocessing) -> Vec<Choice> {
    let size = |step: &ResizeStep| match step {
        ResizeStep::ShorterSide(px) => format!("{px} px"),
        ResizeStep::Squash(width, height) => format!("{width} x {height} px"),
    };
    let (first, last) = match steps.resize.as_slice() {
        [.., first, last] => (size(first), size(last)),
        [last] => ("none".to_owned(), size(last)),
        [] => ("none".to_owned(), preset.to_string()),
    };
    vec![
        choice("first", first),
        choice("size", last),
        choice("filter", steps.filter.to_string()),
        choice("antialias", on_off(steps.antialias)),
        choice("numbers", numbers(steps.arithmetic)),
        choice("crop", steps.centre_crop_px.map_or_else(|| "none".to_owned(), |px| format!("{px} px"))),
    ]
}

fn on_off(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

fn numbers(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Float => "floats",
        Arithmetic::EightBit => "8 bits",
    }
}
