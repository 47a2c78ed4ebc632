//! Systems by metrics: the data that tables and figures of systems are made of.

use crate::ReportError;
use neurogauge_core::{Direction, Estimate, Group, MetricSpec};
use serde::Serialize;
use std::collections::HashMap;

/// What a table needs to know about a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricColumn {
    /// Stable id of the metric.
    #[serde(rename = "metric")]
    pub id: String,
    pub label: String,
    pub direction: Direction,
    pub group: Group,
    /// Number of decimals in tables for reading.
    pub decimals: usize,
    /// Do its numbers depend on a placeholder model?
    pub stand_in: bool,
    /// The result of guessing, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

impl MetricColumn {
    /// The column of a metric from the registry.
    pub fn from_spec(spec: &MetricSpec, stand_in: bool) -> Self {
        MetricColumn {
            id: spec.id.to_owned(),
            label: spec.label.to_owned(),
            direction: spec.direction,
            group: spec.group,
            decimals: spec.decimals,
            stand_in,
            chance: spec.chance,
        }
    }
}

/// A rank among the systems of a table; 1 is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankEstimate {
    /// The rank; tied systems share the mean of their ranks.
    pub rank: f64,
    /// The rank's interval, at the table's level.
    pub interval: (f64, f64),
}

/// Which subject of a system a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowSubject {
    One(String),
    /// Means over this many subjects.
    Mean(usize),
}

/// A system with one estimate for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemRow {
    pub system: String,
    /// The subject; `None` if subjects are not distinguished.
    pub subject: Option<RowSubject>,
    /// An estimate for each column.
    pub estimates: Vec<Estimate>,
    /// A rank for each column, `None` if the system has none; `None` as a whole if nothing was ranked.
    pub rank: Option<Vec<Option<RankEstimate>>>,
    /// For each column, why pairs have no value, empty if all have one; `None` if that was not counted.
    pub undefined: Option<Vec<String>>,
}

/// Systems by metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemTable {
    /// The title of the table, without a full stop.
    pub title: String,
    /// The metrics. Tables for reading put columns of one group side by side.
    pub columns: Vec<MetricColumn>,
    pub rows: Vec<SystemRow>,
    /// Level of all intervals, e.g. 0.95.
    pub level: f64,
    /// Sentences printed below the table.
    pub notes: Vec<String>,
    /// What means are over: `pairs`, or `items` that have several pairs.
    pub unit: &'static str,
}

impl SystemTable {
    /// Indices of the columns with the names of their groups, in the order of the field's tables; within a group in the
    /// given order.
    pub(crate) fn in_groups(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|&column| place(self.columns[column].group));
        order.into_iter().map(|column| (self.columns[column].group.label(), column))
    }

    /// Sorts the systems by their mean rank over all columns that do not depend on a placeholder model (over all
    /// columns, if all do). Ties keep their order, and so do systems without ranks, which come last.
    pub fn order_by_rank(&mut self) {
        let all_stand_in = self.columns.iter().all(|column| column.stand_in);
        let columns = &self.columns;
        let own_mean_rank = |row: &SystemRow| {
            let ranks = columns.iter().zip(row.rank.iter().flatten());
            let counted = ranks.filter(|(column, _)| all_stand_in || !column.stand_in);
            let ranks: Vec<f64> = counted.filter_map(|(_, rank)| Some((*rank)?.rank)).collect();
            match ranks.len() {
                0 => f64::INFINITY,
                n => ranks.iter().sum::<f64>() / n as f64,
            }
        };
        // Subjects stay with their system; only systems have ranks.
        let mut mean_ranks: HashMap<String, f64> = HashMap::new();
        for row in &self.rows {
            let rank = mean_ranks.entry(row.system.clone()).or_insert(f64::INFINITY);
            *rank = rank.min(own_mean_rank(row));
        }
        let mean_rank = |row: &SystemRow| mean_ranks[&row.system];
        self.rows.sort_by(|a, b| mean_rank(a).total_cmp(&mean_rank(b)));
    }

    /// Does any column have a chance level?
    pub(crate) fn has_chance(&self) -> bool {
        self.columns.iter().any(|column| column.chance.is_some())
    }

    /// Is a row about several subjects?
    pub(crate) fn has_subjects(&self) -> bool {
        self.rows.iter().any(|row| row.subject.is_some())
    }

    /// Checks that the parts are consistent.
    pub(crate) fn check(&self) -> Result<(), ReportError> {
        for (what, is_empty) in [("columns", self.columns.is_empty()), ("rows", self.rows.is_empty())] {
            if is_empty {
                let title = &self.title;
                return Err(ReportError::Parts(format!("the table {title:?} has no {what}; give it at least one")));
            }
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(ReportError::Parts(format!(
                "the interval level is {}; expected a number between 0 and 1, such as 0.95",
                self.level
            )));
        }
        self.rows.iter().try_for_each(|row| row.check(&self.columns))
    }
}

impl SystemRow {
    /// The name of the system and of its subject.
    pub fn name(&self) -> String {
        match &self.subject {
            None => self.system.clone(),
            Some(RowSubject::One(subject)) => format!("{}, subject {subject}", self.system),
            Some(RowSubject::Mean(n)) => format!("{}, mean of {n} subjects", self.system),
        }
    }

    fn check(&self, columns: &[MetricColumn]) -> Result<(), ReportError> {
        self.check_length("estimates", self.estimates.len(), columns)?;
        for (column, estimate) in columns.iter().zip(&self.estimates) {
            if let Ok(mean) = estimate.value {
                self.check_finite(column, "mean", &[mean])?;
            }
            if let Some((low, high)) = estimate.interval {
                self.check_finite(column, "interval", &[low, high])?;
            }
        }
        if let Some(undefined) = &self.undefined {
            self.check_length("reasons", undefined.len(), columns)?;
        }
        if let Some(ranks) = &self.rank {
            self.check_length("ranks", ranks.len(), columns)?;
            for (column, rank) in columns.iter().zip(ranks) {
                if let Some(RankEstimate { rank, interval }) = rank {
                    self.check_finite(column, "rank", &[*rank])?;
                    self.check_finite(column, "rank interval", &[interval.0, interval.1])?;
                }
            }
        }
        Ok(())
    }

    fn check_length(&self, what: &str, found: usize, columns: &[MetricColumn]) -> Result<(), ReportError> {
        if found == columns.len() {
            return Ok(());
        }
        Err(ReportError::Parts(format!(
            "system {:?} has {found} {what} for {} columns; give one for each column, in their order",
            self.name(),
            columns.len()
        )))
    }

    fn check_finite(&self, column: &MetricColumn, what: &str, values: &[f64]) -> Result<(), ReportError> {
        let Some(found) = values.iter().find(|value| !value.is_finite()) else {
            return Ok(());
        };
        Err(ReportError::Parts(format!(
            "the {what} of {:?} for system {:?} is {found}; a value that does not exist must be given as undefined, with \
             its reason",
            column.id,
            self.name()
        )))
    }
}

/// Position of a group in the field's tables.
fn place(group: Group) -> usize {
    match group {
        Group::LowLevel => 0,
        Group::HighLevel => 1,
        Group::PoolFree => 2,
        Group::CommonPool => 3,
        Group::Semantic => 4,
        Group::Structure => 5,
        Group::Failure => 6,
        Group::Own => 7,
    }
}
