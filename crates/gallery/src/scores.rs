//! Scores of pairs, from a system's run or from a pixel metric that is computed here.

use crate::systems::{System, Systems};
use neurogauge::Error;
use neurogauge::core::{Direction, Outcome, Side};
use neurogauge::metrics::{Compute, METRICS, Metric, PixelOptions, find};
use std::collections::HashMap;

/// A metric, and the scores of some pairs by system.
pub(crate) struct Scores {
    pub(crate) metric: &'static Metric,
    /// Names of the systems whose scores were computed here; the others have scores of their runs.
    pub(crate) computed: Vec<String>,
    /// For each system a score for each of the stems.
    pub(crate) of_systems: Vec<Vec<Option<f64>>>,
    /// For each system, whether its scores depend on a placeholder model, and mean nothing.
    pub(crate) placeholders: Vec<bool>,
}

impl Scores {
    pub(crate) fn of(id: &str, systems: &Systems, stems: &[String]) -> Result<Self, Error> {
        let metric = find(id).ok_or_else(|| {
            Error::Usage(format!(
                "{id:?} is not a metric; `neurogauge list metrics` lists all, and from images alone there are {}",
                of_pixels().join(", ")
            ))
        })?;
        let (mut computed, mut of_systems) = (Vec::new(), Vec::new());
        for system in &systems.systems {
            let of_run = system.run.as_ref().and_then(|run| {
                let column = run.scores.column(metric.spec.id)?;
                let scored: HashMap<&String, &Outcome> = run.scores.pairs.iter().zip(column).collect();
                let value = |stem: &String| scored.get(stem)?.as_ref().ok().copied();
                Some(stems.iter().map(value).collect())
            });
            of_systems.push(match of_run {
                Some(scores) => scores,
                None => {
                    computed.push(system.name.clone());
                    of_images(metric, system, systems, stems)?
                }
            });
        }
        let rests_on_placeholder = |system: &System| {
            let run = system.run.as_ref();
            let mut records = run.into_iter().flat_map(|run| &run.record.metrics);
            records.any(|record| record.id == metric.spec.id && record.stand_in)
        };
        Ok(Scores {
            metric,
            computed,
            of_systems,
            placeholders: systems.systems.iter().map(rests_on_placeholder).collect(),
        })
    }

    /// Is higher better?
    pub(crate) fn sign(&self) -> f64 {
        match self.metric.spec.direction {
            Direction::Lower => -1.0,
            Direction::Higher => 1.0,
        }
    }

    /// A sentence that says where the scores come from.
    pub(crate) fn note(&self, n_systems: usize) -> String {
        let label = self.metric.spec.label;
        match self.computed.len() {
            0 if self.placeholders.contains(&true) => format!(
                "{label}: the scores of the runs; † rests on a placeholder model, and the number means nothing."
            ),
            0 => format!("{label}: the scores of the runs."),
            n if n == n_systems => {
                format!("{label}: computed from the images, with the default resizing.")
            }
            _ => format!(
                "{label}: the scores of the runs; of {} computed from the images, with the default resizing.",
                self.computed.join(", ")
            ),
        }
    }
}

fn of_pixels() -> Vec<&'static str> {
    let metrics = METRICS.iter().filter(|metric| matches!(metric.compute, Compute::Pixels(_)));
    metrics.map(|metric| metric.spec.id).collect()
}

fn of_images(
    metric: &'static Metric,
    system: &System,
    systems: &Systems,
    stems: &[String],
) -> Result<Vec<Option<f64>>, Error> {
    let Compute::Pixels(compare) = metric.compute else {
        let (id, name) = (metric.spec.id, &system.name);
        return Err(Error::Usage(match system.run {
            Some(_) => {
                format!("the run of {name} has no scores of {id}; score it with that metric first")
            }
            None => format!(
                "{name} is given as images, which {id} is not computed from here; give the folder of its run, \
                 {name}=RUN, or a metric of pixels: {}",
                of_pixels().join(", ")
            ),
        }));
    };
    let options = PixelOptions::default();
    let outcome = |stem: &String| -> Result<Outcome, Error> {
        let [gt, recon] = systems.pair(system, stem)?;
        for (image, side) in [(&gt, Side::Gt), (&recon, Side::Recon)] {
            if let Err(reason) = image.check_finite(side) {
                return Ok(Err(reason));
            }
        }
        let resized = |image| options.apply(image).map_err(|error| Error::Usage(format!("{stem}: {error}")));
        compare(&resized(gt)?, &resized(recon)?, &options).map_err(|source| Error::Metric {
            pair: stem.clone(),
            metric: metric.spec.id,
            source,
        })
    };
    stems.iter().map(|stem| Ok(outcome(stem)?.ok())).collect()
}
