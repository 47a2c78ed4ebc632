//! The conventions of a multiverse.

use crate::choices::kind_of;
use itertools::iproduct;
use neurogauge::core::Side;
use neurogauge::core::observation::ObservationKind;
use neurogauge::metrics::decoding::cap_sim::References;
use neurogauge::metrics::decoding::identification::IdentificationDirection;
use neurogauge::metrics::decoding::ssim_flavours::SsimFlavour;
use neurogauge::metrics::{Compute, EmbeddingFunction, Metric, WordFunction, find};
use neurogauge::models::ImagePreset;
use neurogauge::{Error, Input, RELEASED, ScoreRequest, file_name};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The presets of every released evaluation, and no preset.
    #[default]
    Presets,
    /// Every combination of the values of single options.
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

/// Sizes at which pixels are compared, px.
const SIZES_PX: [usize; 3] = [256, 425, 512];

/// The conventions of these metrics, starting from a request without any.
pub(crate) fn conventions(
    over: Over,
    base: &ScoreRequest,
    metrics: &[&'static Metric],
) -> Result<Vec<Convention>, Error> {
    let mut found = match over {
        Over::Presets => of_presets(base, metrics)?,
        Over::Options => of_options(base, metrics),
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

/// Conventions from single options: each has a name, its choices, and the metrics that they affect.
fn of_options(base: &ScoreRequest, metrics: &[&'static Metric]) -> Vec<Convention> {
    let convention = |name: String, is_meant: &dyn Fn(&Metric) -> bool, decide: &dyn Fn(&mut ScoreRequest)| {
        let mut request = base.clone();
        decide(&mut request);
        let meant = metrics.iter().filter(|metric| is_meant(metric)).map(|metric| metric.spec.id);
        Convention {
            name,
            request,
            metrics: meant.collect(),
        }
    };
    let of_identification = |metric: &Metric| matches!(metric.compute, Compute::Identification { .. });
    let of_models = |metric: &Metric| of_identification(metric) || matches!(metric.compute, Compute::Features { .. });
    let mut found = Vec::new();
    let flavours = [(SsimFlavour::Grey, ""), (SsimFlavour::Columns, ", columns"), (SsimFlavour::Colour, ", colours")];
    for (first_size_px, size_px, antialias, (ssim, flavour)) in
        iproduct!([None, Some(256)], SIZES_PX, [false, true], flavours)
    {
        let first = first_size_px.map_or_else(String::new, |px| format!("{px} px, then "));
        let name = format!("{first}{size_px} px, {}{flavour}", smoothed(antialias));
        let is_meant = |metric: &Metric| match ssim {
            SsimFlavour::Grey => matches!(metric.compute, Compute::Pixels(_)),
            _ => metric.spec.id == "ssim",
        };
        found.push(convention(name, &is_meant, &|request| {
            let pixels = &mut request.options.pixels;
            (pixels.first_size_px, pixels.size_px) = (first_size_px, Some(size_px));
            (pixels.antialias, pixels.ssim) = (antialias, ssim);
        }));
    }
    let presets = [ImagePreset::Nsd8Mindeye2, ImagePreset::Nsd8Native];
    type Counts<'a> = &'a dyn Fn(&Metric) -> bool;
    let directions: [(_, _, Counts<'_>); 2] = [
        (IdentificationDirection::Reconstruction, "stimuli", &of_models),
        (IdentificationDirection::Stimulus, "reconstructions", &of_identification),
    ];
    for (preset, antialias, (direction, among, is_meant)) in iproduct!(presets, [false, true], directions) {
        let name = format!("{preset}, {}, among {among}", smoothed(antialias));
        found.push(convention(name, is_meant, &|request| {
            let perception = &mut request.perception;
            (perception.preset, perception.seed, perception.antialias) = (preset, None, Some(antialias));
            request.options.identification.direction = direction;
        }));
    }
    // How several reference captions are combined, and whether words are stemmed.
    for (name, how) in [
        ("mean of the references", References::Mean),
        ("best reference", References::Max),
        ("first reference", References::First),
    ] {
        let is_meant = |metric: &Metric| metric.compute.function::<EmbeddingFunction>().is_some();
        found.push(convention(name.to_owned(), &is_meant, &|request| request.options.references = how));
    }
    for (name, is_on) in [("words as they are", false), ("stems of words", true)] {
        let is_meant = |metric: &Metric| metric.compute.function::<WordFunction>().is_some();
        found.push(convention(name.to_owned(), &is_meant, &|request| request.options.rouge_stemming = is_on));
    }
    found
}

fn smoothed(antialias: bool) -> &'static str {
    match antialias {
        true => "smoothed",
        false => "not smoothed",
    }
}
