//! Images of the worst cases of each metric.

use super::record::{DAGGER, DAGGER_NOTE};
use super::worst_cases::{MetricWorstCases, WorstCaseRequest, WorstCases};
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::FormatError;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::report::figures::{ContactSheet, SheetRow};
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

const RANKS: &str = "Rank 1 is best; equal scores share the mean of their ranks.";

#[derive(Debug)]
pub(super) struct ItemImages {
    sides: Vec<(&'static str, ImageSource)>,
    /// Assumptions made about the images.
    pub(super) findings: Vec<Finding>,
}

impl ItemImages {
    /// Opens the given folders or stacks; `None` if none was given.
    pub(super) fn open(request: &WorstCaseRequest) -> Result<Option<Self>, Error> {
        let given: [(&str, &Option<PathBuf>); 2] = [("stimulus", &request.gt), ("reconstruction", &request.recon)];
        let (mut sides, mut findings) = (Vec::new(), Vec::new());
        for (name, path) in given {
            if let Some(path) = path {
                let source = ImageSource::open(path)?;
                findings.extend(source.settle(request.reading, &format!("{name} images"))?);
                sides.push((name, source));
            }
        }
        Ok((!sides.is_empty()).then_some(ItemImages { sides, findings }))
    }

    /// A warning for each side that lacks the image of a worst case.
    pub(super) fn missing(&self, found: &WorstCases) -> Vec<Finding> {
        let cases = || found.metrics.iter().flat_map(|metric| &metric.cases);
        let sides = self.sides.iter().filter_map(|(_, source)| {
            let known: HashSet<&String> = source.stems().iter().collect();
            let items = cases().map(|case| &case.item);
            let lacking: BTreeSet<&String> = items.filter(|item| !known.contains(item)).collect();
            let first = lacking.first()?;
            let message = match lacking.len() {
                1 => format!("no image of a worst case ({first})"),
                n => format!("no images of {n} worst cases ({first}, ...)"),
            };
            let subject = source.path().display().to_string();
            Some(Finding::warning("images_missing", subject, message))
        });
        sides.collect()
    }

    /// The worst cases of a metric, one row for each.
    pub(super) fn sheet(&self, found: &MetricWorstCases) -> Result<ContactSheet, Error> {
        let mut rows = Vec::new();
        for case in &found.cases {
            let images = self.sides.iter().map(|(_, source)| source.shown(&case.item));
            let ranks = &case.ranks;
            rows.push(SheetRow {
                images: images.collect::<Result<_, FormatError>>()?,
                lines: vec![
                    match &case.group {
                        Some(group) => format!("{group}: {}", case.item),
                        None => case.item.clone(),
                    },
                    format!("{}: {:.4}, rank {}", found.metric, case.score, ranks.metric_rank),
                    format!("people: {:.3}, rank {}", case.human_score, ranks.human_rank),
                    found.misplaced(case),
                ],
            });
        }
        Ok(ContactSheet {
            title: format!("Worst cases of {}", found.metric),
            columns: self.sides.iter().map(|(name, _)| (*name).to_owned()).collect(),
            rows,
            caption: match found.metric.ends_with(DAGGER) {
                true => format!("{RANKS} {DAGGER_NOTE}"),
                false => RANKS.to_owned(),
            },
        })
    }
}
