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
