//! Which metrics a run computes, and what each is computed from.

use crate::Error;
use crate::locate::Located;
use neurogauge_formats::official_layout::{self, OfficialLayout};
use neurogauge_metrics::{Compute, METRICS, Metric, find};

/// Where the values of a metric come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Compared here.
    Computed,
    /// From the feature matrices of this model.
    Features(String),
    /// Per-pair values that SEED's layout already holds.
    Imported,
}

#[derive(Debug, Clone)]
pub(crate) struct Selected {
    pub(crate) metric: &'static Metric,
    pub(crate) origin: Origin,
}

pub(crate) struct Selection {
    /// In registry order, parts before composites.
    pub(crate) metrics: Vec<Selected>,
    /// Metrics left out because an input is missing.
    pub(crate) skipped: Vec<&'static str>,
}

impl Selection {
    /// One sentence on what was left out.
    pub(crate) fn skipped_note(&self) -> Option<String> {
        (!self.skipped.is_empty()).then(|| {
            format!(
                "left out: {}; --metrics NAME says what a metric needs",
                self.skipped.join(", ")
            )
        })
    }
}

/// The metrics asked for (and the parts of composites), or all that the inputs allow.
pub(crate) fn select(asked: Option<&[String]>, located: &Located) -> Result<Selection, Error> {
    let mut wanted: Vec<&'static str> = Vec::new();
    if let Some(ids) = asked {
        for id in ids {
            want(known(id)?, &mut wanted);
        }
    }
    let mut selection = Selection {
        metrics: Vec::new(),
        skipped: Vec::new(),
    };
    for metric in METRICS {
        let id = metric.spec.id;
        if asked.is_some() && !wanted.contains(&id) {
            continue;
        }
        match origin(metric, located, &selection.metrics) {
            Some(origin) => selection.metrics.push(Selected { metric, origin }),
            None if asked.is_some() => {
                return Err(Error::Usage(format!(
                    "{id} needs {}",
                    metric.compute.needs()
                )));
            }
            None => selection.skipped.push(id),
        }
    }
    if selection.metrics.is_empty() {
        return Err(Error::Usage(
            "nothing to score: give --gt and --recon (images), --observations, or captions, \
             detections or features of both sides"
                .into(),
        ));
    }
    Ok(selection)
}

fn known(id: &str) -> Result<&'static Metric, Error> {
    find(id).ok_or_else(|| {
        let ids: Vec<&str> = METRICS.iter().map(|metric| metric.spec.id).collect();
        Error::Usage(format!(
            "--metrics: no metric is called {id:?}; known: {}",
            ids.join(", ")
        ))
    })
}

fn want(metric: &'static Metric, wanted: &mut Vec<&'static str>) {
    if let Compute::Scores { from, .. } = metric.compute {
        for part in from.iter().filter_map(|part| find(part)) {
            want(part, wanted);
        }
    }
    if !wanted.contains(&metric.spec.id) {
        wanted.push(metric.spec.id);
    }
}

fn origin(metric: &Metric, located: &Located, before: &[Selected]) -> Option<Origin> {
    let official = located.official.as_ref().map(|(_, layout)| layout);
    let computed = match metric.compute {
        Compute::Pixels(_) => located.images.is_some(),
        Compute::Detections(_) => {
            located.detections.is_some()
                || official.is_some_and(|layout| {
                    layout.gt_detections.is_some() && layout.recon_detections.is_some()
                })
        }
        Compute::Captions(_) => {
            located.captions.is_some()
                || official.is_some_and(|layout| {
                    layout.gt_captions.is_some() && layout.recon_captions.is_some()
                })
        }
        Compute::Features { models, .. } => {
            let here = located
                .features
                .as_ref()
                .map(|(_, models)| models.as_slice());
            let found = models
                .iter()
                .find(|model| here.is_some_and(|here| here.iter().any(|m| m == *model)));
            if let Some(model) = found {
                return Some(Origin::Features((*model).to_owned()));
            }
            false
        }
        Compute::Scores { from, .. } => from
            .iter()
            .all(|part| before.iter().any(|s| s.metric.spec.id == *part)),
    };
    if computed {
        return Some(Origin::Computed);
    }
    official
        .and_then(|layout| recorded(layout, metric.spec.id))
        .map(|_| Origin::Imported)
}

/// The values that SEED's layout holds for a metric, and the file they are in.
pub(crate) fn recorded<'a>(
    layout: &'a OfficialLayout,
    metric: &str,
) -> Option<(&'static str, &'a [(String, f64)])> {
    let (file, values) = match metric {
        "object_f1" => (official_layout::OBJECT_F1, &layout.object_f1),
        "effnet" => (official_layout::EFFNET, &layout.effnet_distance),
        "cap_sim" => (official_layout::CAP_SIM, &layout.cap_sim),
        _ => return None,
    };
    Some((file, values.as_deref()?))
}
