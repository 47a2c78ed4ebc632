//! The data of a comparison's figures.

use super::SystemComparison;
use crate::figure_files::{self, Figures};
use neurogauge_report::RowSubject;
use neurogauge_report::figures::{PairValues, SystemDifference, SystemFigures};

/// Can a comparison have a figure with this stem and ending?
pub(super) fn has_figure(stem: &str, ending: &str) -> bool {
    SystemFigures::has_name(stem) && figure_files::is_drawn(ending)
}

impl SystemComparison {
    /// Estimates, differences, ranks and single pairs of all metrics, and the figures that exist only for some metrics.
    pub(super) fn drawn(&self) -> Figures {
        let n_differences = self.systems.len() * (self.systems.len() - 1) / 2;
        let shown = self.differences().of_each().flat_map(|of_metric| of_metric.take(SystemFigures::MOST_ROWS));
        let differences = shown.map(|found| SystemDifference {
            column: found.metric.to_owned(),
            label: format!("{} − {}", found.minuend, found.subtrahend),
            value: found.difference,
            interval: found.interval,
        });
        let drawn = SystemFigures {
            table: &self.table,
            differences: differences.collect(),
            n_differences,
            pairs: self.pair_values(),
        };
        let mut figures = Figures::default();
        for (name, drawn) in drawn.draw() {
            figures.add(name, drawn);
        }
        figures
    }

    /// The values of each metric and system over the shared pairs.
    fn pair_values(&self) -> Vec<PairValues> {
        // Systems are named as in the rows of the table.
        let mut names = self.systems.clone();
        for row in &self.table.rows {
            if let (Some(RowSubject::Mean(_)), Some(place)) =
                (&row.subject, self.systems.iter().position(|system| *system == row.system))
            {
                names[place] = row.name();
            }
        }
        let of_metric = |(id, scores): &(&'static str, Vec<Vec<f64>>)| {
            let both = names.iter().zip(scores);
            let values = both.map(|(system, values)| PairValues {
                column: (*id).to_owned(),
                system: system.clone(),
                values: values.clone(),
            });
            values.collect::<Vec<_>>()
        };
        self.pairs.iter().flat_map(of_metric).collect()
    }
}
