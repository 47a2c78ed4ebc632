//! What a metric needs, in words.

use crate::caption_words::no_dictionary;
use crate::lpips;
use crate::observations::Located;
use crate::option_names::{
    CAPTIONER_MODEL, DETECTOR_MODEL, GT, LPIPS_HEADS_FILE, OBSERVATIONS, PARSER_T5, POOL, RECON, VLM_URL,
};
use crate::scene_graph_tools::GraphTools;
use neurogauge_core::{Input, ObservationKind, Side};
use neurogauge_metrics::{CaptionWords, Compute, Metric};
use neurogauge_models::{LocalImageModel, model_of_family};

/// The inputs that a metric needs and that are missing.
pub(super) fn needs(metric: &Metric, located: &Located, graph_tools: &GraphTools) -> String {
    match (&metric.compute, &graph_tools.lacking) {
        (Compute::SceneGraphs(_), Some(lacking)) if located.has(ObservationKind::SceneGraphs) => lacking.clone(),
        (
            Compute::CaptionWords {
                words: CaptionWords::Nltk,
                ..
            },
            _,
        ) if graph_tools.dictionary.is_none() => match located.has(ObservationKind::Captions) {
            true => no_dictionary(),
            false => format!("{}, and {}", no_dictionary(), ways_to(metric)),
        },
        _ => ways_to(metric),
    }
}

/// All ways to supply a metric's inputs: files, or models.
pub fn ways_to(metric: &Metric) -> String {
    let files = files_of(metric);
    let of_images = |how| format!("{files}, or images of both sides ({how}");
    match metric.compute {
        Compute::SceneGraphs(_) => {
            format!("{files}, or captions of both sides and {PARSER_T5}")
        }
        Compute::CaptionsOfImages { .. } => {
            format!("{files}, and images of both sides ({GT}, {RECON}); without captions, {CAPTIONER_MODEL}")
        }
        Compute::Captions(_) | Compute::CaptionWords { .. } => {
            of_images(&format!("{GT}, {RECON}) and {CAPTIONER_MODEL}"))
        }
        Compute::Detections(_) => of_images(&format!("{GT}, {RECON}) and {DETECTOR_MODEL}")),
        Compute::VqaScores(_) => {
            format!("{files}, or images of both sides ({GT}, {RECON}), captions of both sides and {VLM_URL}")
        }
        Compute::Perceptual { model } => format!("{files}{}", lpips::where_heads_are(model)),
        _ => {
            let model = metric.compute.features().first().and_then(|name| name.split_once('.'));
            match model {
                Some((model, _)) if LocalImageModel::knows(model_of_family(model)) => {
                    if metric.compute.needs_pool() {
                        format!("{files}, or images of both sides and of others ({GT}, {RECON}, {POOL})")
                    } else {
                        of_images(&format!("{GT}, {RECON})"))
                    }
                }
                Some((model, _)) if metric.spec.id.contains(':') => {
                    format!("{files}; {}", LocalImageModel::unknown(model))
                }
                _ => files,
            }
        }
    }
}

pub(crate) fn given_captions() -> String {
    let kind = ObservationKind::Captions;
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, kind).flag());
    format!("{OBSERVATIONS}, or {gt} and {recon}")
}

/// The files that a metric can be computed from.
pub(crate) fn files_of(metric: &Metric) -> String {
    let Some(kind) = metric.compute.kind() else {
        let Compute::Scores { from, .. } = metric.compute else {
            return String::new();
        };
        return from.join(" and ");
    };
    if kind == ObservationKind::VqaScores {
        let flag = Input::VQA_SCORES.flag();
        let names = kind.file_names().join(" or ");
        return format!("{} of the pairs ({names} in recon/ of {OBSERVATIONS}, or {flag})", kind.noun());
    }
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, kind).flag());
    let names = kind.file_names().join(" or ");
    let inside = match kind {
        ObservationKind::Images => {
            let network = match metric.compute {
                Compute::Perceptual { .. } => {
                    format!(", the weights of its network and its linear heads ({LPIPS_HEADS_FILE})")
                }
                _ => String::new(),
            };
            return format!("images of both sides ({gt}, {recon}){network}");
        }
        ObservationKind::Features => {
            let models = metric.compute.features().join(".npy or ");
            let pool = match metric.compute.needs_pool() {
                true => format!(", and the same of other images in {POOL}"),
                false => String::new(),
            };
            return format!(
                "{models}.npy in the features folders of both sides ({OBSERVATIONS}, or {gt} and {recon}){pool}"
            );
        }
        ObservationKind::CategoryNames | ObservationKind::ImageTexts | ObservationKind::SceneGraphs => {
            format!("{names} in {OBSERVATIONS}")
        }
        ObservationKind::Masks => format!("{OBSERVATIONS}, with gt/masks and recon/masks"),
        _ => OBSERVATIONS.to_string(),
    };
    let noun = match kind {
        ObservationKind::CategoryNames => "names of categories",
        other => other.noun(),
    };
    format!("{noun} of both sides ({inside}, or {gt} and {recon})")
}
