//! The conventions of a multiverse.

use crate::choices::kind_of;
use neurogauge::core::Side;
use neurogauge::core::observation::ObservationKind;
use neurogauge::metrics::decoding::cap_sim::References;
use neurogauge::metrics::decoding::identification::IdentificationDirection;
use neurogauge::metrics::decoding::ssim_flavours::SsimFlavour;
use neurogauge::metrics::{Compute, Metric, find};
use neurogauge::models::ImagePreset;
use neurogauge::{Error, Input, RELEASED, ScoreRequest, file_name};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The conventions that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Those of every released evaluation, and none.
    #[default]
    Presets,
    /// Every combination of the values of single options.
    Options,
}

/// A way to decide everything, and the metrics that are computed in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Convention {
    pub(crate) name: String,
    pub(crate) request: ScoreRequest,
    pub(crate) metrics: Vec<&'static str>,
}

impl Convention {
    /// The run of each of these systems: its folder below that of the results, and its request.
    pub(crate) fn runs(&self, systems: &[(String, PathBuf)]) -> Vec<(String, ScoreRequest)> {
        let reads = self.metrics.first().and_then(|id| find(id));
        let input = Input::Of(Side::Recon, reads.map_or(ObservationKind::Images, kind_of));
        let run = |(name, recon): &(String, PathBuf)| {
            let place = format!("runs/{}/{}", file_name(&self.name), file_name(name));
            let mut asked = self.request.clone();
            asked.inputs.set(input, Some(recon.clone()));
            let ids = self.metrics.iter();
            asked.metrics = Some(ids.map(|id| (*id).to_owned()).collect());
            (place, asked)
        };
        systems.iter().map(run).collect()
    }
}

/// Sizes at which pixels are compared, px.
const SIZES_PX: [usize; 3] = [256, 425, 512];

/// The conventions of these metrics, from a request without any.
pub(crate) fn conventions(
    over: Over,
    base: &ScoreRequest,
    metrics: &[&'static Metric],
) -> Result<Vec<Convention>, Error> {
    let mut found = match over {
        Over::Presets => of_presets(base, metrics)?,
        Over::Options => of_options(base, metrics),
    };
    // Requests that decide the same are one convention, and scored once.
    let mut distinct: Vec<Convention> = Vec::new();
    found.retain(|convention| !convention.metrics.is_empty());
    for convention in found {
        let is_same =
            |known: &&mut Convention| known.request == convention.request && known.metrics == convention.metrics;
        match distinct.iter_mut().find(is_same) {
            Some(known) => known.name += &format!(", {}", convention.name),
            None => distinct.push(convention),
        }
    }
    Ok(distinct)
}

fn of_presets(base: &ScoreRequest, metrics: &[&'static Metric]) -> Result<Vec<Convention>, Error> {
    if let Some(metric) = metrics.iter().find(|metric| kind_of(metric) != ObservationKind::Images) {
        return Err(Error::Usage(format!(
            "--metrics {}: no preset decides how captions are compared; expected --over options",
            metric.spec.id
        )));
    }
    let ids = |of: &[&str]| {
        metrics.iter().filter(|metric| of.contains(&metric.spec.id)).map(|metric| metric.spec.id).collect()
    };
    let mut found = vec![Convention {
        name: "no preset".to_owned(),
        request: base.clone(),
        metrics: metrics.iter().map(|metric| metric.spec.id).collect(),
    }];
    for code in RELEASED.iter().filter(|code| code.is_of_images()) {
        let mut request = base.clone();
        request.apply_presets(code.preset.as_slice())?;
        found.push(Convention {
            name: code.name.to_owned(),
            request,
            metrics: ids(code.metrics),
        });
    }
    Ok(found)
}

fn of_options(base: &ScoreRequest, metrics: &[&'static Metric]) -> Vec<Convention> {
    let of_pixels = |metric: &&&Metric| matches!(metric.compute, Compute::Pixels(_));
    let of_identification = |metric: &&&Metric| matches!(metric.compute, Compute::Identification { .. });
    let of_models = |metric: &&&Metric| of_identification(metric) || matches!(metric.compute, Compute::Features { .. });
    let ids = |is_meant: &dyn Fn(&&&'static Metric) -> bool| -> Vec<&'static str> {
        metrics.iter().filter(is_meant).map(|metric| metric.spec.id).collect()
    };
    let mut found = Vec::new();
    for first_size_px in [None, Some(256)] {
        for size_px in SIZES_PX {
            for antialias in [false, true] {
                for ssim in [SsimFlavour::Grey, SsimFlavour::Columns, SsimFlavour::Colour] {
                    let flavour = match ssim {
                        SsimFlavour::Grey => "",
                        SsimFlavour::Columns => ", columns",
                        SsimFlavour::Colour => ", colours",
                    };
                    let mut request = base.clone();
                    let pixels = &mut request.options.pixels;
                    pixels.first_size_px = first_size_px;
                    pixels.size_px = Some(size_px);
                    pixels.antialias = antialias;
                    pixels.ssim = ssim;
                    let is_ssim = |metric: &&&Metric| metric.spec.id == "ssim";
                    found.push(Convention {
                        name: format!(
                            "{}{size_px} px, {}{flavour}",
                            first_size_px.map_or_else(String::new, |px| format!("{px} px, then ")),
                            smoothed(antialias)
                        ),
                        request,
                        metrics: match ssim {
                            SsimFlavour::Grey => ids(&of_pixels),
                            _ => ids(&is_ssim),
                        },
                    });
                }
            }
        }
    }
    for preset in [ImagePreset::Nsd8Mindeye2, ImagePreset::Nsd8Native] {
        for antialias in [false, true] {
            for direction in [IdentificationDirection::Reconstruction, IdentificationDirection::Stimulus] {
                let mut request = base.clone();
                request.perception.preset = preset;
                request.perception.seed = None;
                request.perception.antialias = Some(antialias);
                request.options.identification.direction = direction;
                let (among, metrics) = match direction {
                    IdentificationDirection::Reconstruction => ("stimuli", ids(&of_models)),
                    IdentificationDirection::Stimulus => ("reconstructions", ids(&of_identification)),
                };
                found.push(Convention {
                    name: format!("{preset}, {}, among {among}", smoothed(antialias)),
                    request,
                    metrics,
                });
            }
        }
    }
    found.extend(of_captions(base, metrics));
    found
}

/// How several reference captions are combined, and whether words are stemmed.
fn of_captions(base: &ScoreRequest, metrics: &[&'static Metric]) -> Vec<Convention> {
    let ids = |is_of_embeddings: bool| -> Vec<&'static str> {
        let meant = metrics.iter().filter(|metric| match metric.compute {
            Compute::Captions(_) => is_of_embeddings,
            Compute::CaptionWords { .. } => !is_of_embeddings,
            _ => false,
        });
        meant.map(|metric| metric.spec.id).collect()
    };
    let convention = |name: &str, is_of_embeddings, decide: &dyn Fn(&mut ScoreRequest)| {
        let mut request = base.clone();
        decide(&mut request);
        Convention {
            name: name.to_owned(),
            request,
            metrics: ids(is_of_embeddings),
        }
    };
    let references = [
        ("mean of the references", References::Mean),
        ("best reference", References::Max),
        ("first reference", References::First),
    ];
    let references = references.map(|(name, how)| {
        convention(name, true, &|request| {
            request.options.references = how;
        })
    });
    let stemming = [("words as they are", false), ("stems of words", true)];
    let stemming = stemming.map(|(name, is_on)| {
        convention(name, false, &|request| {
            request.options.rouge_stemming = is_on;
        })
    });
    references.into_iter().chain(stemming).collect()
}

fn smoothed(antialias: bool) -> &'static str {
    match antialias {
        true => "smoothed",
        false => "not smoothed",
    }
}
