//! The choices that a request makes for a metric.

use neurogauge::ScoreRequest;
use neurogauge::core::observation::ObservationKind;
use neurogauge::metrics::decoding::cap_sim::References;
use neurogauge::metrics::decoding::identification::{Copies, IdentificationDirection};
use neurogauge::metrics::{CaptionWords, Compute, EmbeddingFunction, Metric, PixelOptions, Proportions, WordFunction};
use neurogauge::models::preprocess::{Arithmetic, ResizeStep};
use neurogauge::models::{ImagePreset, Preprocessing};
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
        Compute::Pixels(_) | Compute::Perceptual { .. } => of_pixels(&request.options.pixels),
        Compute::Features { models, .. } | Compute::Frames { models, .. } | Compute::Identification { models, .. } => {
            models
                .first()
                .map_or_else(Vec::new, |layer| of_model(layer.split('.').next().unwrap_or(layer), request))
        }
        _ if compute.function::<EmbeddingFunction>().is_some() => vec![choice(
            "references",
            match request.options.references {
                References::Mean => "mean",
                References::Max => "best",
                References::First => "first",
            },
        )],
        _ if words == Some(CaptionWords::Rouge) => vec![choice("stemming", on_off(request.options.rouge_stemming))],
        _ => Vec::new(),
    };
    if metric.spec.id == "ssim" {
        let flavour = request.options.pixels.ssim;
        found.push(choice("SSIM", format!("{flavour:?}").to_lowercase()));
    }
    if let Compute::Identification { .. } = metric.compute {
        let identification = &request.options.identification;
        found.push(choice(
            "distractors",
            match identification.direction {
                IdentificationDirection::Reconstruction => "stimuli",
                IdentificationDirection::Stimulus => "reconstructions",
            },
        ));
        let subtracts = identification.subtract_own;
        found.push(choice("one too few", if subtracts { "yes" } else { "no" }));
        found.push(choice(
            "copies",
            match request.options.identification_copies {
                Copies::LeaveOut => "left out",
                Copies::Keep => "kept",
            },
        ));
    }
    found
}

/// The input of a metric in a multiverse: images or captions.
pub(crate) fn kind_of(metric: &Metric) -> ObservationKind {
    let compute = &metric.compute;
    let reads_captions =
        compute.function::<EmbeddingFunction>().is_some() || compute.function::<WordFunction>().is_some();
    // Models make features from images.
    compute.kind().filter(|_| reads_captions).unwrap_or(ObservationKind::Images)
}

fn of_pixels(options: &PixelOptions) -> Vec<Choice> {
    let px = |size: Option<usize>, none: &str| size.map_or_else(|| none.to_owned(), |px| format!("{px} px"));
    let is_resized = options.size_px.is_some();
    let mut found =
        vec![choice("first", px(options.first_size_px, "none")), choice("size", px(options.size_px, "own"))];
    if is_resized {
        let proportions = match options.proportions {
            Proportions::Kept => "kept",
            Proportions::Squashed => "squashed",
        };
        let antialias = options.antialias || options.arithmetic == Arithmetic::EightBit;
        found.push(choice("proportions", proportions));
        found.push(choice("filter", options.filter.to_string()));
        found.push(choice("antialias", on_off(antialias)));
        found.push(choice("numbers", numbers(options.arithmetic)));
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
