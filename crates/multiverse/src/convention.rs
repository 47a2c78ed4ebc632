//! The conventions of a multiverse.

use crate::choices::kind_of;
use itertools::{Itertools, iproduct};
use neurogauge::core::Side;
use neurogauge::core::observation::ObservationKind;
use neurogauge::metrics::{Compute, Metric, find};
use neurogauge::models::ImagePreset;
use neurogauge::{Error, Input, RELEASED, ScoreRequest, Setting, conventions as table, file_name};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The presets of every released evaluation, and no preset.
    #[default]
    Presets,
    /// Every combination of the values of single conventions.
    Options,
}

/// A way to make all choices, and the metrics that are computed with it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Convention {
    pub(crate) name: String,
    pub(crate) request: ScoreRequest,
    pub(crate) metrics: Vec<&'static str>,
}

impl Convention {
    /// The run of each system: its folder, relative to that of the results, and its request.
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

/// The conventions of these metrics, starting from a request without any.
pub(crate) fn conventions(
    over: Over,
    base: &ScoreRequest,
    metrics: &[&'static Metric],
) -> Result<Vec<Convention>, Error> {
    let mut found = match over {
        Over::Presets => of_presets(base, metrics)?,
        Over::Options => of_options(base, metrics)?,
    };
    // Requests with equal choices are one convention, and are scored once.
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

/// Every combination of the values that the table of conventions varies, with the metrics that they are about.
fn of_options(base: &ScoreRequest, metrics: &[&'static Metric]) -> Result<Vec<Convention>, Error> {
    let mut found: Vec<Convention> = Vec::new();
    for metric in metrics {
        for (name, request) in combinations(base, metric)? {
            match found.iter_mut().find(|known| known.request == request) {
                Some(known) => {
                    known.metrics.push(metric.spec.id);
                    // The metric about which most is decided names all.
                    if name.len() > known.name.len() {
                        known.name = name;
                    }
                }
                None => found.push(Convention {
                    name,
                    request,
                    metrics: vec![metric.spec.id],
                }),
            }
        }
    }
    Ok(found)
}

/// The combinations for a metric, each called as `--set` sets it. Models see images in two ways.
fn combinations(base: &ScoreRequest, metric: &Metric) -> Result<Vec<(String, ScoreRequest)>, Error> {
    let is_of_models = matches!(metric.compute, Compute::Features { .. } | Compute::Identification { .. });
    let presets = match is_of_models {
        true => vec![Some(ImagePreset::Nsd8Mindeye2), Some(ImagePreset::Nsd8Native)],
        false => vec![None],
    };
    let is_about = |convention: &&neurogauge::Convention| {
        let is_named = metric.spec.conventions().any(|section| section == convention.section);
        !convention.varied.is_empty() && (is_named || is_of_models && convention.id == "antialias")
    };
    let varied: Vec<_> = match metric.compute {
        Compute::Perceptual { .. } => Vec::new(),
        _ => table().filter(is_about).collect(),
    };
    if varied.is_empty() {
        return Ok(Vec::new());
    }
    let values = varied.iter().map(|convention| {
        let setting = |value: &&str| Setting::new(convention.id, value).map_err(Error::Usage);
        convention.varied.iter().map(setting).collect::<Result<Vec<_>, Error>>()
    });
    let settings = values.collect::<Result<Vec<_>, Error>>()?.into_iter().multi_cartesian_product();
    let combined = iproduct!(presets, settings).map(|(preset, settings)| {
        let mut request = base.clone();
        if let Some(preset) = preset {
            (request.perception.preset, request.perception.seed) = (preset, None);
        }
        request.set(&settings)?;
        let settings = settings.iter().map(|setting| format!("{}={}", setting.id, setting.value));
        Ok((preset.map(|preset| preset.to_string()).into_iter().chain(settings).join(", "), request))
    });
    combined.collect()
}
