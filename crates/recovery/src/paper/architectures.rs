//! Subspaces and shapes of curves, by architecture and state (Figures 11 A, D and 12 C, D).

use super::{PaperReport, Quartiles};
use crate::aligned::{Aligned, Kind, bar, cell, shape_distance};
use itertools::Itertools;
use neurogauge::align::UnitScore;
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{Bars, Intervals, Point, Scatter, ScatterPanel};
use neurogauge::report::{Cell, Table};
use neurogauge::{Drawn, Error};
use serde::Serialize;

/// All models with an architecture and state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArchitectureShape {
    /// The architecture, or the model's name if it has none.
    pub architecture: String,
    /// `pretrained` or `untrained`.
    pub state: &'static str,
    /// Selected rank of the source's subspace.
    pub selected_rank: UnitEstimate,
    pub effective_rank: UnitEstimate,
    /// ShapeDist; undefined without other subjects.
    pub shape_distance: UnitEstimate,
}

/// One for each architecture and state, in the order of the configuration.
pub(super) fn shapes(aligned: &Aligned) -> Result<Vec<ArchitectureShape>, Error> {
    let name_of = |entry: &UnitScore| {
        let model = aligned.model_of(entry)?;
        Some(model.architecture.clone().unwrap_or(model.name.clone()))
    };
    let groups = aligned.entries.iter().filter_map(|entry| Some((name_of(entry)?, aligned.kind_of(entry))));
    let found = groups.unique().map(|(architecture, kind)| {
        let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| {
            let own = aligned.of_kind(kind).filter(|entry| name_of(entry).as_ref() == Some(&architecture));
            aligned.mean_of(own, value)
        };
        Ok(ArchitectureShape {
            state: kind.label(),
            selected_rank: of(&|entry| Some(entry.selected_rank))?,
            effective_rank: of(&|entry| entry.effective_rank)?,
            shape_distance: of(&shape_distance)?,
            architecture,
        })
    });
    found.collect()
}

pub(super) fn table(shapes: &[ArchitectureShape]) -> Option<Table> {
    Table::of("Subspaces and shapes by architecture", shapes)
        .column_of_groups("architecture", |found| found.architecture.clone())
        .column("state", |found| Cell::text(found.state))
        .column("selected rank", |found| cell(&found.selected_rank))
        .column("effective rank", |found| cell(&found.effective_rank))
        .column("ShapeDist", |found| cell(&found.shape_distance))
        .noted(vec![
            "Means over entries (a model and a target unit). Ranks are of the source's subspace; a lower ShapeDist is nearer to the \
             curve of other subjects"
                .to_owned(),
        ])
        .filled()
}

/// Score against selected rank (Figure 11 A); `None` without models.
pub(super) fn score_by_rank(aligned: &Aligned) -> Option<Scatter> {
    let both = |entry: &UnitScore| Some((entry.selected_rank, aligned.score(entry)?));
    let groups = Kind::MODELS.map(|kind| (kind, aligned.of_kind(kind).filter_map(both).collect_vec()));
    let groups = groups.into_iter().filter(|(_, own)| !own.is_empty()).collect_vec();
    let points = groups.iter().enumerate();
    let points = points.flat_map(|(group, (_, own))| own.iter().map(move |&(x, y)| Point::of_group(group, x, y)));
    (!groups.is_empty()).then(|| Scatter {
        title: "Score and rank of the subspace".to_owned(),
        x_label: "selected rank of the source's subspace".to_owned(),
        y_label: match aligned.has_brains() {
            true => "BrainRefScore".to_owned(),
            false => format!("ProfileMean({})", aligned.settings().main_length()),
        },
        panels: vec![ScatterPanel::of("", points.collect())],
        groups: groups.iter().map(|(kind, _)| kind.label().to_owned()).collect(),
        caption: "Each point is an entry of a model (a source and a target unit); ranks are means over folds."
            .to_owned(),
    })
}

/// Bars of one quantity by architecture and state; `None` without a value.
fn bars(report: &PaperReport, [title, y_label, means]: [&str; 3], of: fn(&ArchitectureShape) -> UnitEstimate) -> Drawn {
    let shapes = || report.record.architectures.iter().filter(|found| of(found).mean.is_some());
    let groups = shapes().map(|found| &found.architecture).unique().collect_vec();
    let is_there = |state: &&str| shapes().any(|found| found.state == *state);
    let series = Kind::MODELS.into_iter().map(Kind::label).filter(is_there).collect_vec();
    let of_group = |group: &String, state: &str| {
        bar(shapes().find(|own| own.architecture == *group && own.state == state).map(of))
    };
    let figure = Bars {
        title: title.to_owned(),
        y_label: y_label.to_owned(),
        bars: (groups.iter()).map(|group| series.iter().map(|state| of_group(group, state)).collect()).collect(),
        groups: groups.into_iter().cloned().collect(),
        series: series.into_iter().map(str::to_owned).collect(),
        caption: format!("{means}; means over entries, {}.", report.aligned.interval_caption()),
    };
    (!figure.groups.is_empty()).then(|| figure.draw())
}

/// Effective rank by architecture and state (Figure 11 D).
pub(super) fn rank_by_architecture(report: &PaperReport) -> Drawn {
    let means = "Entropy effective rank of the source's predictive strengths";
    bars(report, ["Effective rank by architecture", "effective rank", means], |found| found.effective_rank)
}

/// ShapeDist by architecture and state (Figure 12 D).
pub(super) fn shape_by_architecture(report: &PaperReport) -> Drawn {
    let means = "0 for the shape of other subjects' curve";
    bars(report, ["Distance of shape by architecture", "ShapeDist", means], |found| found.shape_distance)
}

/// ShapeDist of all entries by kind of model (Figure 12 C); `None` without other subjects.
pub(super) fn shape_distances(report: &PaperReport) -> Drawn {
    let found = &report.record.shape_distances;
    let caption = "Entries of models: the curve of a source beside the median of other subjects, each divided by its mean. Dots: \
                   medians with quartiles.";
    let panel = Quartiles::panel("ShapeDist", found, &report.aligned, shape_distance);
    let figure = Intervals::of("Distance of shape", Quartiles::rows(found), vec![panel], caption);
    (!found.is_empty()).then(|| figure.draw())
}
