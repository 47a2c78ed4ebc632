//! Highlights the best of a column in a [`TextTable`].

use crate::number::fixed;
use crate::{Cell, TextTable};
use neurogauge_core::Direction;

impl TextTable {
    /// Sets off the best number of a column: bold in Markdown and LaTeX, as it is elsewhere.
    ///
    /// Numbers are compared as printed, so every number that prints like the best is highlighted with it. With fewer than
    /// two numbers there is no comparison, and nothing is highlighted.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_report::{Cell, TextTable};
    /// let row = |name: &str, value| vec![Cell::Text(name.into()), Cell::Number(value, 1)];
    /// let mut text_table = TextTable {
    ///     title: "Two".into(),
    ///     headings: vec!["metric".into(), "r".into()],
    ///     rows: vec![row("a", 0.12), row("b", 0.31)],
    ///     notes: vec![],
    /// };
    /// text_table.mark_best(1, Direction::Higher);
    /// assert!(text_table.markdown().contains("| **0.3** |"));
    /// assert_eq!(text_table.csv(), "metric,r\na,0.12\nb,0.31\n");
    /// ```
    pub fn mark_best(&mut self, column: usize, direction: Direction) {
        let printed: Vec<Option<(f64, String)>> = self.column(column).map(printed).collect();
        let numbers = printed.iter().flatten();
        let best = numbers.clone().reduce(|best, other| {
            if direction.better(other.0, best.0) {
                other
            } else {
                best
            }
        });
        let Some((_, best)) = best.filter(|_| numbers.clone().count() >= 2) else {
            return;
        };
        for (row, own) in self.rows.iter_mut().zip(&printed) {
            let is_best = own.as_ref().is_some_and(|(_, own)| own == best);
            if let (true, Some(cell)) = (is_best, row.get_mut(column)) {
                *cell = Cell::Best(Box::new(cell.clone()));
            }
        }
    }
}

/// The number of a cell and how it is printed.
fn printed(cell: &Cell) -> Option<(f64, String)> {
    match cell {
        Cell::Number(value, decimals) | Cell::Estimate(value, _, decimals) => {
            Some((*value, fixed(*value, *decimals)))
        }
        Cell::Best(cell) | Cell::Doubtful(cell) => printed(cell),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_table(cells: Vec<Cell>) -> TextTable {
        TextTable {
            title: "T".into(),
            headings: vec!["value".into()],
            rows: cells.into_iter().map(|cell| vec![cell]).collect(),
            notes: vec![],
        }
    }

    #[test]
    fn what_prints_alike_is_marked_alike_and_lower_may_be_better() {
        let mut lower = text_table(vec![
            Cell::Number(0.3, 1),
            Cell::Estimate(0.11, (0.0, 0.2), 1),
            Cell::Missing,
            Cell::Number(0.1, 1),
        ]);
        lower.mark_best(0, Direction::Lower);
        let is_best = |row: &Vec<Cell>| matches!(row[0], Cell::Best(_));
        let marked: Vec<bool> = lower.rows.iter().map(is_best).collect();
        assert_eq!(marked, [false, true, false, true]);
        assert!(
            lower
                .latex(crate::LatexStyle::DEFAULT)
                .contains("\\textbf{0.1} {\\scriptsize [0.0, 0.2]}")
        );
    }

    #[test]
    fn one_number_is_no_comparison() {
        let mut alone = text_table(vec![Cell::Number(0.3, 1), Cell::Missing]);
        let before = alone.clone();
        alone.mark_best(0, Direction::Higher);
        assert_eq!(alone, before);
        alone.mark_best(7, Direction::Higher);
        assert_eq!(alone, before);
    }
}
