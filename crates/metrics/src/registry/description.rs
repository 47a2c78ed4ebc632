//! A metric in words and numbers, for the documentation, the command line and Python.

use super::{Compute, LISTS, Metric, definition::definition};
use neurogauge_core::{Direction, ObservationKind};
use serde::Serialize;

/// Conventions with their questions and defaults, written from `docs/pages/conventions`.
const CONVENTIONS: &str = include_str!("conventions.tsv");

/// A section of the documentation about a convention of metrics or of alignments, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConventionSection {
    pub id: &'static str,
    pub question: &'static str,
    /// The answer if nothing is set.
    pub default: &'static str,
}

/// All sections about conventions of metrics and of alignments, in the order of the documentation.
pub fn convention_sections() -> impl Iterator<Item = ConventionSection> {
    CONVENTIONS.lines().filter_map(|row| {
        let mut cells = row.split('\t');
        Some(ConventionSection {
            id: cells.next()?,
            question: cells.next()?,
            default: cells.next()?,
        })
    })
}

/// The section with this id.
///
/// ```
/// use neurogauge_metrics::convention;
/// let ssim = convention("ssim-flavour").unwrap();
/// assert_eq!(ssim.question, "Which of the many variants of SSIM is this?");
/// assert_eq!(convention("loudness"), None);
/// ```
pub fn convention(id: &str) -> Option<ConventionSection> {
    convention_sections().find(|section| section.id == id)
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricDescription {
    pub id: &'static str,
    /// The name in tables.
    pub label: &'static str,
    /// One sentence, without a full stop.
    pub about: &'static str,
    pub group: &'static str,
    pub direction: Direction,
    /// Smallest and largest possible value; `unbounded` if there is none.
    pub range: [String; 2],
    /// Expected value for unrelated images, if known.
    pub chance: Option<f64>,
    /// Ids of the conventions that affect its number.
    pub conventions: Vec<&'static str>,
    /// Is it computed only if its id is requested?
    pub on_request: bool,
    /// The kind of observations that it compares; `None` for composites.
    pub compares: Option<ObservationKind>,
    /// Feature matrices that it can be computed from, the preferred one first.
    pub features: &'static [&'static str],
    /// The metrics that it combines.
    pub parts: &'static [&'static str],
    /// The lists for `--metrics` that contain it.
    pub lists: Vec<&'static str>,
    /// The documentation of its function, as Markdown; `None` for metrics that a network computes.
    pub definition: Option<String>,
}

impl Metric {
    /// The metric's description.
    ///
    /// ```
    /// use neurogauge_metrics::find;
    /// let ssim = find("ssim").unwrap().description();
    /// assert_eq!((ssim.range[0].as_str(), ssim.lists[0]), ("-1", "nsd8"));
    /// ```
    pub fn description(&self) -> MetricDescription {
        let spec = &self.spec;
        let lists = LISTS.iter().filter(|(_, ids)| ids.contains(&spec.id));
        MetricDescription {
            id: spec.id,
            label: spec.label,
            about: spec.about,
            group: spec.group.label(),
            direction: spec.direction,
            range: [number(spec.range.0), number(spec.range.1)],
            chance: spec.chance,
            conventions: spec.conventions().collect(),
            on_request: spec.on_request,
            compares: self.compute.kind(),
            features: self.compute.features(),
            parts: match self.compute {
                Compute::Scores { from, .. } => from,
                _ => &[],
            },
            lists: lists.map(|(name, _)| *name).collect(),
            definition: definition(spec.id),
        }
    }
}

fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "unbounded".to_owned()
    }
}
