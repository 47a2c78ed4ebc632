//! Which metrics a run computes, and what each is computed from.

use crate::Error;
use crate::locate::Located;
use neurogauge_formats::official_layout::{self, OfficialLayout};
use neurogauge_metrics::{Compute, LISTS, METRICS, Metric, find, list};

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
    for name in asked.into_iter().flatten() {
        match list(name) {
            Some(ids) => ids
                .iter()
                .filter_map(|id| find(id))
                .for_each(|metric| want(metric, &mut wanted)),
            None => want(known(name)?, &mut wanted),
        }
    }
    let beside = companions(|metric| wanted.contains(&metric.spec.id));
    let all_companions = companions(|_| true);
    let mut selection = Selection {
        metrics: Vec::new(),
        skipped: Vec::new(),
    };
    for metric in METRICS {
        let id = metric.spec.id;
        let is_wanted = wanted.contains(&id);
        if asked.is_some() && !is_wanted && !beside.contains(&id) {
            continue;
        }
        match origin(metric, located, &selection.metrics) {
            Some(origin) => selection.metrics.push(Selected { metric, origin }),
            None if is_wanted => {
                return Err(Error::Usage(format!(
                    "{id} needs {}",
                    metric.compute.needs()
                )));
            }
            // A note on the metric they stand beside says enough.
            None if all_companions.contains(&id) => {}
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
    refuse_idle_pool(&selection, located)?;
    Ok(selection)
}

/// The metrics that stand beside those that `of` picks.
fn companions(of: impl Fn(&Metric) -> bool) -> Vec<&'static str> {
    let picked = METRICS.iter().filter(|metric| of(metric));
    let beside = picked.map(|metric| match metric.compute {
        Compute::Identification { beside, .. } => beside,
        _ => &[],
    });
    beside.flatten().copied().collect()
}

/// An error if there is a pool that nothing is told from.
fn refuse_idle_pool(selection: &Selection, located: &Located) -> Result<(), Error> {
    let mut selected = selection.metrics.iter();
    let is_used = selected.any(|selected| selected.metric.compute.needs_pool());
    match &located.pool {
        Some((folder, models)) if !is_used => Err(Error::Usage(format!(
            "--pool {}: nothing is told from it; it has the features {}, and identification needs \
             a file of the same name there and in the features folders of both sides, such as \
             clip.npy",
            folder.display(),
            if models.is_empty() {
                "of no model".to_owned()
            } else {
                models.join(", ")
            }
        ))),
        _ => Ok(()),
    }
}

fn known(id: &str) -> Result<&'static Metric, Error> {
    find(id).ok_or_else(|| {
        let lists = LISTS.iter().map(|(name, _)| *name);
        let ids = METRICS.iter().map(|metric| metric.spec.id);
        let ids: Vec<&str> = ids.chain(lists).collect();
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
        Compute::Features { models, .. } | Compute::Identification { models, .. } => {
            let of_pairs = located.features.as_ref().map(|(_, models)| models);
            let of_pool = located.pool.as_ref().map(|(_, models)| models);
            let has = |held: Option<&Vec<String>>, model: &str| {
                held.is_some_and(|held| held.iter().any(|name| name == model))
            };
            let found = models.iter().find(|model| {
                has(of_pairs, model) && (!metric.compute.needs_pool() || has(of_pool, model))
            });
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
