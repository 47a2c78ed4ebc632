//! Pairs of the same and of different class (SEED, Sec. 5.3): whether a metric based on a classifier overestimates
//! pairs that the classifier assigns to one class.

use super::MetaRequest;
use super::items::{MetaItems, oriented};
use super::join::places;
use neurogauge::Error;
use neurogauge::core::{Estimate, Finding};
use neurogauge::formats::class_labels::{self, ClassLabels};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::{BootstrapOptions, group_contrast, z_scores};
use serde::Serialize;

/// Each metric compared with people, for pairs of the same and of different class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassAnalysis {
    /// Number of rated items with labels.
    pub n_labelled: usize,
    /// One entry for each metric, in their order.
    pub metrics: Vec<MetricClasses>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricClasses {
    pub metric: String,
    /// Number of items of the same class that have both scores.
    pub n_same: usize,
    /// Number of items of different class that have both scores.
    pub n_different: usize,
    #[serde(flatten)]
    pub figures: Option<ClassFigures>,
    /// The reason why there are none.
    pub undefined: Option<&'static str>,
}

/// Means of z-scores over the items that have both scores and labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFigures {
    /// Means of the metric, where higher is better.
    pub metric_score: ClassContrast,
    pub human_score: ClassContrast,
    /// Means of the metric minus the human score: positive if the metric overestimates the pairs.
    pub overestimate: ClassContrast,
}

/// A mean over pairs of the same class, a mean over pairs of different class, and their difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassContrast {
    /// The mean over pairs of the same class.
    pub same: ClassMean,
    /// The mean over pairs of different class.
    pub different: ClassMean,
    /// The mean of the same class minus that of different class.
    pub difference: ClassMean,
}

/// A mean with its bootstrap interval over items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClassMean {
    /// The mean; `None` without such a pair.
    pub value: Option<f64>,
    /// The interval; `None` with fewer than two pairs.
    pub interval: Option<(f64, f64)>,
}

impl From<Estimate> for ClassMean {
    fn from(estimate: Estimate) -> Self {
        ClassMean {
            value: estimate.value.ok(),
            interval: estimate.interval,
        }
    }
}

/// Reads a table of labels, or two matrices of logits.
pub(super) fn read(
    request: &MetaRequest,
    rated: &[String],
    items: &MetaItems,
    findings: &mut Vec<Finding>,
) -> Result<ClassLabels, Error> {
    let files = request.classes.as_slice();
    let labels = match files {
        [table] => class_labels::read(table)?,
        [gt, recon] => class_labels::of_logits(gt, recon)?,
        _ => {
            return Err(Error::Usage(format!(
                "{} files of classes; expected a table of labels, or two .npy matrices of logits \
                 (stimuli, reconstructions)",
                files.len()
            )));
        }
    };
    let labelled: Vec<String> = labels.keys().cloned().collect();
    let places = places(request, rated, (&files[0], "classes"), &labelled, findings)?;
    let of_items = places.into_iter().zip(labels.into_values());
    let labels: ClassLabels = of_items.filter_map(|(place, label)| Some((items.ids[place?].clone(), label))).collect();
    let n = labels.len();
    let subject = files[0].display().to_string();
    if n < items.ids.len() {
        let message = format!(
            "{} of {} rated items have no class label and are left out of the classes",
            items.ids.len() - n,
            items.ids.len()
        );
        findings.push(Finding::warning("items_not_labelled", subject, message));
    }
    Ok(labels)
}

pub(super) fn classes(
    labels: &ClassLabels,
    items: &MetaItems,
    bootstrap: &BootstrapOptions,
) -> Result<ClassAnalysis, Error> {
    let is_same: Vec<Option<bool>> = items.ids.iter().map(|id| labels.get(id).map(|[gt, recon]| gt == recon)).collect();
    let of_metric = |column| {
        let scores: Vec<Option<f64>> = oriented(column);
        let all = scores.iter().zip(&items.human).zip(&is_same);
        let (mut metric, mut human, mut same) = (Vec::new(), Vec::new(), Vec::new());
        for ((score, rating), is_same) in all {
            if let (Some(score), Some(rating), Some(is_same)) = (score, rating, is_same) {
                metric.push(*score);
                human.push(*rating);
                same.push(*is_same);
            }
        }
        let n_same = same.iter().filter(|&&is_same| is_same).count();
        let (figures, undefined) = match (z_scores(&metric), z_scores(&human)) {
            (Some(metric), Some(human)) => {
                let over = metric.iter().zip(&human).map(|(m, h)| m - h);
                let contrast = |values: &[f64]| -> Result<ClassContrast, Error> {
                    let found = group_contrast(values, &same, bootstrap)?;
                    Ok(ClassContrast {
                        same: found.first.into(),
                        different: found.second.into(),
                        difference: found.difference.into(),
                    })
                };
                let figures = ClassFigures {
                    overestimate: contrast(&over.collect::<Vec<f64>>())?,
                    metric_score: contrast(&metric)?,
                    human_score: contrast(&human)?,
                };
                (Some(figures), None)
            }
            _ if metric.len() < 2 => (None, Some("fewer than two items with labels and both scores")),
            (None, _) => (None, Some("constant metric")),
            (_, None) => (None, Some("all ratings tied")),
        };
        Ok(MetricClasses {
            metric: column.name.clone(),
            n_same,
            n_different: same.len() - n_same,
            figures,
            undefined,
        })
    };
    Ok(ClassAnalysis {
        n_labelled: is_same.iter().flatten().count(),
        metrics: items.metrics.iter().map(of_metric).collect::<Result<_, Error>>()?,
    })
}

pub(super) fn text_table(found: &ClassAnalysis, bootstrap: &BootstrapOptions) -> Table {
    let mut rows = Vec::new();
    let mut notes = vec![format!(
        "z-scores over the items with labels and both scores, higher is better; overestimate: metric \
         minus people. Bootstrap over items, {} resamples, seed {}.",
        bootstrap.resamples, bootstrap.seed.0
    )];
    for metric in &found.metrics {
        let Some(figures) = &metric.figures else {
            let reason = metric.undefined.unwrap_or_default();
            notes.push(format!("{}: {reason}", metric.metric));
            continue;
        };
        type MeanOf = fn(&ClassContrast) -> ClassMean;
        let lines: [(&str, usize, MeanOf); 3] = [
            ("same class", metric.n_same, |c| c.same),
            ("different class", metric.n_different, |c| c.different),
            ("same - different", metric.n_same + metric.n_different, |c| c.difference),
        ];
        rows.extend(lines.into_iter().map(|(pairs, n, part)| (&metric.metric, pairs, figures, part, n)));
    }
    let level = format!("[{}% interval]", bootstrap.level * 100.0);
    let estimate = |mean: ClassMean| Cell::estimate(mean.value, mean.interval);
    Table::of("Pairs of the same and of different class", rows)
        .column_of_groups("Metric", |row| row.0.clone())
        .column("Pairs", |row| Cell::text(row.1))
        .column(format!("metric, z {level}"), |row| estimate(row.3(&row.2.metric_score)))
        .column(format!("people, z {level}"), |row| estimate(row.3(&row.2.human_score)))
        .column(format!("overestimate {level}"), |row| estimate(row.3(&row.2.overestimate)))
        .column("n", |row| Cell::Count(row.4))
        .noted(notes)
}
