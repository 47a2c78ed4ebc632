//! Subspaces and shapes of curves by architecture and state (Figures 11 A, D and 12 C, D).

use super::Quartiles;
use crate::aligned::{Aligned, Kind, bar, cell, shape_distance};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{Bars, Fit, IntervalPanel, Intervals, Point, Scatter, ScatterPanel};
use neurogauge::report::{Cell, TextTable};
use serde::Serialize;

/// All models of an architecture and state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArchitectureShape {
    /// The architecture, or the model's name without one.
    pub architecture: String,
    /// `pretrained` or `untrained`.
    pub state: &'static str,
    /// Selected rank of the source's subspace.
    pub selected_rank: UnitEstimate,
    pub effective_rank: UnitEstimate,
    /// ShapeDist; undefined without other subjects.
    pub shape_distance: UnitEstimate,
}

/// In the order of the configuration.
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

/// ShapeDist of the entries of each kind of model; empty without other subjects.
pub(super) fn distances(aligned: &Aligned) -> Vec<(String, Quartiles)> {
    let kinds = [Kind::Pretrained, Kind::Untrained].into_iter();
    let of_kind = |kind: Kind| {
        let own = aligned.of_kind(kind).filter_map(shape_distance).collect_vec();
        Some((kind.label().to_owned(), Quartiles::of(&own)?))
    };
    kinds.filter_map(of_kind).collect()
}

pub(super) fn table(shapes: &[ArchitectureShape]) -> Option<TextTable> {
    TextTable::of("Subspaces and shapes by architecture", shapes)
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
    let of_kind = |kind: Kind| (kind, aligned.of_kind(kind).filter_map(both).collect_vec());
    let groups = [Kind::Pretrained, Kind::Untrained].map(of_kind);
    let groups = groups.into_iter().filter(|(_, own)| !own.is_empty()).collect_vec();
    let points = groups.iter().enumerate().flat_map(|(group, (_, own))| {
        own.iter().map(move |&(x, y)| Point {
            group,
            ..Point::at(x, y)
        })
    });
    let points = points.collect_vec();
    (!points.is_empty()).then(|| Scatter {
        title: "Score and rank of the subspace".to_owned(),
        x_label: "selected rank of the source's subspace".to_owned(),
        y_label: match aligned.has_brains() {
            true => "BrainRefScore".to_owned(),
            false => format!("ProfileMean({})", aligned.settings().main_length()),
        },
        groups: (groups.iter()).map(|(kind, _)| kind.label().to_owned()).collect(),
        panels: vec![ScatterPanel {
            points,
            fit: Fit::Nothing,
            ..ScatterPanel::default()
        }],
        caption: "Each point is an entry of a model (a source and a target unit); ranks are means over folds."
            .to_owned(),
    })
}

/// Bars by architecture and state of one quantity (Figures 11 D and 12 D); `None` without a value.
fn bars(
    shapes: &[ArchitectureShape],
    title: &str,
    y_label: &str,
    of: fn(&ArchitectureShape) -> UnitEstimate,
    caption: String,
) -> Option<Bars> {
    let shapes = || shapes.iter().filter(|found| of(found).mean.is_some());
    let groups = shapes().map(|found| &found.architecture).unique().collect_vec();
    let states = [Kind::Pretrained, Kind::Untrained].map(Kind::label);
    let is_there = |state: &&str| shapes().any(|found| found.state == *state);
    let series: Vec<&str> = states.into_iter().filter(is_there).collect();
    let of_group = |group: &String, state: &str| {
        bar(shapes().find(|own| own.architecture == *group && own.state == state).map(of))
    };
    (!groups.is_empty()).then(|| Bars {
        title: title.to_owned(),
        y_label: y_label.to_owned(),
        bars: (groups.iter()).map(|group| series.iter().map(|state| of_group(group, state)).collect()).collect(),
        groups: groups.into_iter().cloned().collect(),
        series: series.into_iter().map(str::to_owned).collect(),
        caption,
    })
}

/// Effective rank by architecture and state (Figure 11 D).
pub(super) fn rank_by_architecture(shapes: &[ArchitectureShape], aligned: &Aligned) -> Option<Bars> {
    bars(
        shapes,
        "Effective rank by architecture",
        "effective rank",
        |found| found.effective_rank,
        format!(
            "Entropy effective rank of the source's predictive strengths; means over entries, {}.",
            aligned.interval_caption()
        ),
    )
}

/// ShapeDist by architecture and state (Figure 12 D).
pub(super) fn shape_by_architecture(shapes: &[ArchitectureShape], aligned: &Aligned) -> Option<Bars> {
    bars(
        shapes,
        "Distance of shape by architecture",
        "ShapeDist",
        |found| found.shape_distance,
        format!("0 for the shape of other subjects' curve; means over entries, {}.", aligned.interval_caption()),
    )
}

/// ShapeDist of all entries by kind of model (Figure 12 C); `None` without other subjects.
pub(super) fn shape_distances(found: &[(String, Quartiles)], aligned: &Aligned) -> Option<Intervals> {
    let kinds = [Kind::Pretrained, Kind::Untrained];
    let points = found.iter().enumerate().flat_map(|(row, (label, _))| {
        let kind = kinds.into_iter().find(|kind| kind.label() == label);
        let own = kind.into_iter().flat_map(|kind| aligned.of_kind(kind)).filter_map(shape_distance);
        own.map(move |value| (row, value))
    });
    (!found.is_empty()).then(|| Intervals {
        title: "Distance of shape".to_owned(),
        rows: Quartiles::rows(found),
        panels: vec![IntervalPanel {
            points: points.collect(),
            ..IntervalPanel::of("ShapeDist", Quartiles::dots(found))
        }],
        caption: "Entries of models: the curve of a source beside the median of other subjects, each divided by its mean. Dots: medians \
                  with quartiles."
            .to_owned(),
        ..Intervals::default()
    })
}
