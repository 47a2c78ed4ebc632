//! Figures that compare systems, drawn from their comparison table.

use super::picture::Picture;
use super::{Bar, Bars, Dot, Fit, IntervalPanel, Intervals, Level, Point, Scatter, ScatterPanel};
use crate::number::percentage;
use crate::wording::{DAGGER, PLACEHOLDER, has_stand_in, heading};
use crate::{MetricColumn, ReportError, SystemRow, SystemTable};
use itertools::Itertools;
use neurogauge_core::{Direction, Estimate};
use std::collections::HashMap;

/// Levels at which masks are compared.
const LEVELS: [&str; 5] = ["salient", "binary", "semantic", "instance", "part"];
/// Quantities that metrics give for each level: name of the figure, suffix of the metrics' ids, name of the axis.
const BY_LEVEL: [(&str, &str, &str); 2] =
    [("mask_iou_by_level", "_iou", "overlap (IoU)"), ("mask_ap_by_level", "_ap", "average precision")];
const AGAINST: &str = "basic_h_against_basic_l";
const FOREST: &str = "estimates";
const DIFFERENCES: &str = "differences";
const RANKS: &str = "ranks";
const STRIP: &str = "pairs";

#[derive(Debug, Clone, PartialEq)]
pub struct SystemDifference {
    pub column: String,
    /// The two systems: `a − b`.
    pub label: String,
    /// The difference, if it is defined.
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PairValues {
    pub column: String,
    pub system: String,
    /// A value for each pair that has one.
    pub values: Vec<f64>,
}

/// Figures of systems by metrics: estimates with intervals (a forest plot), differences, ranks, the values of single
/// pairs (a strip plot), and for the metrics of BASIC, masks by level and meaning against structure. At most 200
/// systems or differences are shown; the caption says if there are more.
#[derive(Debug, Clone)]
pub struct SystemFigures<'a> {
    pub table: &'a SystemTable,
    /// Those of each column that are shown, the same ones of all columns.
    pub differences: Vec<SystemDifference>,
    /// Number of differences of each column, shown or not.
    pub n_differences: usize,
    /// Values of single pairs, if known.
    pub pairs: Vec<PairValues>,
}

impl SystemFigures<'_> {
    /// Larger figures could not be read.
    pub const MOST_ROWS: usize = 200;

    /// Is there a figure of this name?
    pub fn has_name(name: &str) -> bool {
        let by_level = BY_LEVEL.map(|(name, ..)| name);
        [AGAINST, FOREST, DIFFERENCES, RANKS, STRIP].contains(&name) || by_level.contains(&name)
    }

    /// All figures for which there are data, with their names.
    pub fn draw(&self) -> Vec<(&'static str, Result<Picture, ReportError>)> {
        let mut figures = vec![(FOREST, self.forest().draw())];
        if self.differences.iter().any(|found| found.value.is_some()) {
            figures.push((DIFFERENCES, self.differences().draw()));
        }
        if self.table.rows.iter().any(|row| row.rank.is_some()) {
            figures.push((RANKS, self.ranks().draw()));
        }
        if self.pairs.iter().any(|pairs| !pairs.values.is_empty()) {
            figures.push((STRIP, self.strip().draw()));
        }
        for (name, ending, label) in BY_LEVEL {
            figures.extend(self.by_level(ending, label).map(|bars| (name, bars.draw())));
        }
        figures.extend(self.meaning_against_structure().map(|scatter| (AGAINST, scatter.draw())));
        figures
    }

    /// The systems that are shown.
    fn rows(&self) -> &[SystemRow] {
        &self.table.rows[..self.table.rows.len().min(Self::MOST_ROWS)]
    }

    fn systems(&self) -> Vec<String> {
        self.rows().iter().map(|row| row.name()).collect()
    }

    fn of_systems(&self, sentences: &str) -> String {
        self.caption(&(sentences.to_owned() + &left_out(self.table.rows.len(), "systems")))
    }

    /// Adds the explanation of the dagger to the sentences, if there is a dagger.
    fn caption(&self, sentences: &str) -> String {
        match has_stand_in(self.table) {
            true => format!("{sentences} {DAGGER} {PLACEHOLDER}."),
            false => sentences.to_owned(),
        }
    }

    fn level(&self) -> String {
        crate::wording::interval(self.table.level)
    }

    fn means(&self) -> String {
        format!("Means over the {} in which every system has a value, with {}s.", self.table.unit, self.level())
    }

    fn of_columns(&self, dots: impl Fn(usize, &MetricColumn) -> Vec<Dot>) -> Vec<IntervalPanel> {
        let columns = self.table.columns.iter().enumerate();
        columns.map(|(place, column)| IntervalPanel::of(heading(column), dots(place, column))).collect()
    }

    /// The systems' estimates of each column, and its chance level.
    fn estimates(&self) -> Vec<IntervalPanel> {
        let mut panels = self.of_columns(|place, _| {
            let estimates = self.rows().iter().map(|row| &row.estimates[place]).enumerate();
            estimates.filter_map(|(row, found)| Dot::estimate((row, 0), &found.value, found.interval)).collect()
        });
        for (panel, column) in panels.iter_mut().zip(&self.table.columns) {
            panel.levels.extend(column.chance.map(|chance| Level::at(chance, "chance")));
        }
        panels
    }

    fn forest(&self) -> Intervals {
        Intervals {
            title: self.table.title.clone(),
            rows: self.systems(),
            panels: self.estimates(),
            caption: self.of_systems(&self.means()),
            ..Intervals::default()
        }
    }

    fn strip(&self) -> Intervals {
        let mut panels = self.estimates();
        let systems = self.systems();
        let places: HashMap<&String, usize> = systems.iter().zip(0..).collect();
        for pairs in &self.pairs {
            let place = self.table.columns.iter().position(|column| column.id == pairs.column);
            if let (Some(place), Some(&row)) = (place, places.get(&pairs.system)) {
                let points = pairs.values.iter().map(|value| (row, *value));
                panels[place].points.extend(points);
            }
        }
        panels.retain(|panel| !panel.points.is_empty());
        Intervals {
            title: format!("Single {}", self.table.unit),
            rows: systems,
            panels,
            caption: self.of_systems(&format!(
                "Grey: {} each, spread upright to be seen. Coloured: their mean with its {}.",
                if self.table.unit == "items" {
                    "an item"
                } else {
                    "a pair"
                },
                self.level()
            )),
            ..Intervals::default()
        }
    }

    fn differences(&self) -> Intervals {
        let labels = self.differences.iter().map(|found| &found.label).unique().collect_vec();
        let places: HashMap<&String, usize> = labels.iter().copied().zip(0..).collect();
        let dots = |column: &MetricColumn| -> Vec<Dot> {
            let own = self.differences.iter().filter(|found| found.column == column.id);
            let own = own.map(|found| (places[&found.label], found));
            own.filter_map(|(row, found)| Dot::estimate((row, 0), found.value, found.interval)).collect()
        };
        let mut panels = self.of_columns(|_, column| dots(column));
        for panel in &mut panels {
            panel.levels.push(Level::at(0.0, "no difference"));
        }
        let is_lower = |column: &MetricColumn| column.direction == Direction::Lower;
        let lower = match self.table.columns.iter().any(is_lower) {
            true => " ↓: less is better, so the first of the two is better where the difference is below zero.",
            false => "",
        };
        Intervals {
            title: "Differences between systems".to_owned(),
            panels,
            caption: self.caption(&format!(
                "Over the {} in which every system has a value, with {}s.{lower}{}",
                self.table.unit,
                self.level(),
                left_out(self.n_differences, "differences")
            )),
            rows: labels.into_iter().cloned().collect(),
            ..Intervals::default()
        }
    }

    fn ranks(&self) -> Intervals {
        let dots = |column: usize| -> Vec<Dot> {
            let dots = self.rows().iter().enumerate().filter_map(|(row, system)| {
                let estimate = system.rank.as_ref()?[column]?;
                Dot::estimate((row, 0), estimate.rank, Some(estimate.interval))
            });
            dots.collect()
        };
        let whole = |panel| IntervalPanel {
            whole_numbers: true,
            ..panel
        };
        Intervals {
            title: "Ranks".to_owned(),
            rows: self.systems(),
            panels: self.of_columns(|place, _| dots(place)).into_iter().map(whole).collect(),
            caption: self.of_systems(&format!(
                "1 is best; equal systems share the mean of their ranks. Whiskers: the ranks that the paired tests leave possible (Holm's \
                 correction, {}%).",
                percentage(1.0 - self.table.level)
            )),
            ..Intervals::default()
        }
    }

    /// Every system's estimate in the column `id`.
    fn find(&self, id: &str) -> Option<Vec<&Estimate>> {
        let place = self.table.columns.iter().position(|column| column.id == id)?;
        Some(self.rows().iter().map(|row| &row.estimates[place]).collect())
    }

    /// A group of bars for each level that all runs have.
    fn by_level(&self, ending: &str, label: &str) -> Option<Bars> {
        let of_level = |level: &&str| {
            let found = self.find(&format!("{level}{ending}"))?.into_iter();
            let bars = found.map(|estimate| Bar::estimate(&estimate.value, estimate.interval));
            Some(((*level).to_owned(), bars.collect()))
        };
        let (groups, bars): (Vec<String>, Vec<Vec<Bar>>) = LEVELS.iter().filter_map(of_level).unzip();
        (!groups.is_empty()).then(|| Bars {
            title: format!("Masks by level: {label}"),
            y_label: label.to_owned(),
            groups,
            series: self.systems(),
            bars,
            caption: self.of_systems(&(self.means() + " Hatched: no value.")),
        })
    }

    /// A point for each system, which shows how much of the meaning (BASIC-H) and of the structure (BASIC-L) it has.
    /// `None` unless the table has a column of each.
    pub fn meaning_against_structure(&self) -> Option<Scatter> {
        let both = self.find("basic_l")?.into_iter().zip(self.find("basic_h")?);
        let (mut points, mut without) = (Vec::new(), Vec::new());
        for (label, (x, y)) in self.systems().into_iter().zip(both) {
            match (&x.value, &y.value) {
                (Ok(x), Ok(y)) => points.push(Point {
                    label,
                    ..Point::at(*x, *y)
                }),
                _ => without.push(label),
            }
        }
        let mut caption = format!(
            "Means over the {} in which every system has a value. Upwards more of what the captions say is right, to the right more \
             of what the masks show.",
            self.table.unit
        );
        if !without.is_empty() {
            caption += &format!(" Without a value of both: {}.", without.join(", "));
        }
        Some(Scatter {
            title: "Meaning against structure".to_owned(),
            x_label: "BASIC-L".to_owned(),
            y_label: "BASIC-H".to_owned(),
            panels: vec![ScatterPanel {
                points,
                fit: Fit::Nothing,
                ..ScatterPanel::default()
            }],
            caption: self.of_systems(&caption),
            ..Scatter::default()
        })
    }
}

/// A note if not all of `n` are shown.
fn left_out(n: usize, what: &str) -> String {
    let most = SystemFigures::MOST_ROWS;
    match n > most {
        true => format!(" The first {most} of {n} {what}; the tables have all."),
        false => String::new(),
    }
}
