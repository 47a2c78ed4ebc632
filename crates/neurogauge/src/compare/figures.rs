//! Figures of systems side by side: masks by level, and BASIC-H against BASIC-L.

use super::SystemComparison;
use crate::figure_files::Figures;
use neurogauge_report::ReportError;
use neurogauge_report::figures::{Bar, Bars, Picture, Point, Scatter, ScatterPanel};
use neurogauge_stats::Comparison;

const LEVELS: [&str; 5] = ["salient", "binary", "semantic", "instance", "part"];
const BY_LEVEL: [(&str, &str, &str); 2] = [
    ("mask_iou_by_level", "_iou", "overlap (IoU)"),
    ("mask_ap_by_level", "_ap", "average precision"),
];
const AGAINST: &str = "basic_h_against_basic_l";

/// Can a comparison have a figure of this name and ending?
pub(super) fn has_figure(stem: &str, ending: &str) -> bool {
    let is_name = stem == AGAINST || BY_LEVEL.iter().any(|(name, ..)| *name == stem);
    is_name && ["svg", "png"].contains(&ending)
}

impl SystemComparison {
    /// What the metrics allow: overlap and average precision of masks by level, and BASIC-H against BASIC-L.
    pub(super) fn drawn(&self) -> Figures {
        let mut figures = Figures::default();
        for (name, ending, label) in BY_LEVEL {
            if let Some(drawn) = self.by_level(ending, label) {
                figures.add(name, drawn);
            }
        }
        if let Some(drawn) = self.against() {
            figures.add(AGAINST, drawn);
        }
        if figures.pictures.is_empty() && figures.warnings.is_empty() {
            figures.not_drawn(
                "of systems",
                "the runs share neither metrics of masks nor both BASIC-H and BASIC-L",
            );
        }
        figures
    }

    fn find(&self, id: &str) -> Option<&Comparison> {
        let found = self
            .metrics
            .iter()
            .find(|(metric, _)| metric.spec.id == id)?;
        Some(&found.1)
    }

    /// A group of bars for each level that all runs have.
    fn by_level(&self, ending: &str, label: &str) -> Option<Result<Picture, ReportError>> {
        let of_level = |level: &&str| {
            let comparison = self.find(&format!("{level}{ending}"))?;
            let bars = comparison.systems.iter().map(|standing| Bar {
                value: standing.estimate.value.as_ref().ok().copied(),
                interval: standing.estimate.interval,
                rank: None,
            });
            Some(((*level).to_owned(), bars.collect()))
        };
        let (groups, bars): (Vec<String>, Vec<Vec<Bar>>) =
            LEVELS.iter().filter_map(of_level).unzip();
        if groups.is_empty() {
            return None;
        }
        let figure = Bars {
            title: format!("Masks by level: {label}"),
            y_label: label.to_owned(),
            groups,
            series: self.systems.clone(),
            bars,
            caption: format!(
                "Means over the pairs in which every system has a value, with {}% bootstrap intervals. Hatched: no value.",
                100.0 * self.table.level
            ),
        };
        Some(figure.draw())
    }

    /// A point for each system.
    fn against(&self) -> Option<Result<Picture, ReportError>> {
        let (low, high) = (self.find("basic_l")?, self.find("basic_h")?);
        let of = |comparison: &Comparison, place: usize| {
            comparison.systems[place]
                .estimate
                .value
                .as_ref()
                .ok()
                .copied()
        };
        let place = |place: usize| Some((of(low, place)?, of(high, place)?));
        let (mut points, mut without) = (Vec::new(), Vec::new());
        for (number, system) in self.systems.iter().enumerate() {
            match place(number) {
                Some((x, y)) => points.push(Point {
                    x,
                    y,
                    label: system.clone(),
                    group: 0,
                }),
                None => without.push(system.as_str()),
            }
        }
        let mut caption =
            "Means over the pairs in which every system has a value. Upwards more of what the \
                           captions say is right, to the right more of what the masks show."
                .to_owned();
        if !without.is_empty() {
            caption += &format!(" Without a value of both: {}.", without.join(", "));
        }
        let figure = Scatter {
            title: "Meaning against structure".to_owned(),
            x_label: "BASIC-L".to_owned(),
            y_label: "BASIC-H".to_owned(),
            panels: vec![ScatterPanel {
                points,
                ..ScatterPanel::default()
            }],
            caption,
            ..Scatter::default()
        };
        Some(figure.draw())
    }
}
