//! `table` environments that compile with `booktabs`, and with `siunitx` if the style uses it.

mod caption;
mod column;
mod escape;
mod grid;
mod page;
mod style;

pub use style::{LatexStyle, Spread};

use crate::SystemTable;
use crate::grid::Grid;
use grid::LatexGrid;

/// Any table, with its title and notes as caption.
pub(crate) fn written(title: &str, grid: &Grid, notes: &[String], style: LatexStyle) -> String {
    let set = LatexGrid::of(grid, style);
    let caption = caption::of_notes(title, notes, style, &set);
    let mut out = String::new();
    set.push(&mut out, &caption, &page::by_width(&set, &caption));
    out
}

/// Systems are rows and metrics are columns under the names of their groups, with each interval below its mean. If
/// systems were ranked, a second environment can have the ranks.
pub(crate) fn systems(title: &str, table: &SystemTable, style: LatexStyle, has_ranks: bool) -> String {
    let mut out = String::new();
    let mut push = |grid: Grid, caption: &dyn Fn(&LatexGrid) -> String| {
        out.push_str(if out.is_empty() { "" } else { "\n" });
        let n_systems = grid.rows.iter().filter(|row| !row.is_apart).count();
        let is_wide = grid.columns.len() > 1 + page::MOST_COLUMNS && n_systems <= page::MOST_SYSTEMS;
        let set = LatexGrid::of(&if is_wide { grid.transposed("Metric") } else { grid }, style);
        set.push(&mut out, &caption(&set), &page::by_count(&set, n_systems));
    };
    push(table.means(), &|set| caption::means(title, table, style.spread, set));
    if let Some(ranks) = table.ranks().filter(|_| has_ranks) {
        push(ranks, &|set| caption::ranks(title, table, style.spread, set));
    }
    out
}

/// Replaces a hyphen before a number by a minus sign.
fn math_minus(number: &str) -> String {
    number.replace('-', "$-$")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Table};

    #[test]
    fn estimates_p_values_and_gaps() {
        let rows = [
            vec![Cell::Text("a_b".into()), Cell::Estimate(-0.5, (-0.75, 0.25), 2), Cell::PValue(1e-9)],
            vec![Cell::Text("c".into())],
        ];
        let table = Table::of("Differences in 95% of cases", rows).columns(["pair", "difference", "p"], Vec::clone);
        let latex = table.noted(vec!["p & more".into()]).latex(LatexStyle::DEFAULT);
        assert!(latex.contains("\\caption{Differences in 95\\% of cases. p \\& more.}"));
        assert!(latex.contains("\\begin{tabular}{lrr}"));
        assert!(latex.contains("a\\_b & $-$0.50 {\\scriptsize [$-$0.75, 0.25]} & $<$0.0001 \\\\\nc & -- & -- \\\\\n"));
    }

    #[test]
    fn a_style_decides_what_stands_beside_estimates() {
        let doubtful = Cell::estimate(0.25, Some((-0.25, 0.5))).doubtful_if(true);
        let even = Cell::estimate(-0.5, Some((-0.75, -0.25))).decimals(2);
        let table = Table::of("Agreement", [doubtful, even]).column("r [95% interval]", Cell::clone).noted(vec![]);
        let style = |spread, siunitx| LatexStyle { spread, siunitx };
        let latex = table.latex(style(Spread::PlusMinus, false));
        for part in [
            "\\caption{Agreement. $\\pm$: distance from an estimate to the ends of its interval, up and down where they differ.}",
            "\nr $\\pm$ (95\\% interval) \\\\\n",
            "\n0.250 $^{+0.250}_{-0.500}$$^\\ddagger$ \\\\\n",
            "\n$-$0.50 {\\scriptsize $\\pm$\\,0.25} \\\\\n",
        ] {
            assert!(latex.contains(part), "{part}\n{latex}");
        }
        let latex = table.latex(style(Spread::None, false));
        assert!(latex.contains("\nr \\\\\n\\midrule\n0.250$^\\ddagger$ \\\\\n$-$0.50 \\\\\n"));
        let latex = table.latex(style(Spread::Intervals, true));
        for part in [
            "\\begin{tabular}{S[table-format=-1.3]@{\\,}l}",
            "\n\\multicolumn{2}{c}{r {[}95\\% interval{]}} \\\\\n",
            "\n0.250 & {\\scriptsize [$-$0.250, 0.500]}$^\\ddagger$ \\\\\n",
            "\n-0.50 & {\\scriptsize [$-$0.75, $-$0.25]} \\\\\n",
        ] {
            assert!(latex.contains(part), "{part}\n{latex}");
        }
    }
}
