//! `table` environments that compile with `booktabs` and nothing else.

mod caption;
mod escape;
mod text_table;

use crate::Table;
use crate::marks::{Mark, marks};
use crate::number::{fixed, interval, rank};
use crate::wording::{chance, heading};
use caption::NO_VALUE;
use escape::escape;

const NEEDS: &str = "% Needs \\usepackage{booktabs}.";

/// Systems as lines, metrics as columns under the names of their groups, each interval below its
/// mean; where systems were ranked, a second environment holds the ranks.
pub(crate) fn render(table: &Table) -> String {
    let marks: Vec<Vec<Mark>> = (0..table.columns.len())
        .map(|column| marks(table, column))
        .collect();
    let has_marks = marks.iter().flatten().any(|&mark| mark != Mark::Plain);
    let mut out = format!("{NEEDS}\n");
    push_environment(
        &mut out,
        table,
        &caption::means(table, has_marks),
        |row, column| {
            let decimals = table.columns[column].decimals;
            let estimate = &table.rows[row].estimates[column];
            let Ok(mean) = estimate.value else {
                return Cell {
                    value: NO_VALUE.to_owned(),
                    ends: None,
                };
            };
            let mean = math_minus(&fixed(mean, decimals));
            let value = match marks[column][row] {
                Mark::Plain => mean,
                Mark::Best => format!("\\textbf{{{mean}}}"),
                Mark::Second => format!("\\underline{{{mean}}}"),
            };
            let ends = estimate.interval.map(|ends| interval(ends, decimals));
            Cell { value, ends }
        },
        table.has_chance(),
    );
    if table.is_ranked() {
        out.push('\n');
        let rank_cell = |row: usize, column: usize| {
            let ranks = table.rows[row].rank.as_ref();
            let Some(estimate) = ranks.and_then(|ranks| ranks[column]) else {
                return Cell {
                    value: NO_VALUE.to_owned(),
                    ends: None,
                };
            };
            let (low, high) = estimate.interval;
            Cell {
                value: rank(estimate.rank),
                ends: Some(format!("[{}, {}]", rank(low), rank(high))),
            }
        };
        push_environment(&mut out, table, &caption::ranks(table), rank_cell, false);
    }
    out
}

struct Cell {
    /// The number, as LaTeX.
    value: String,
    /// Its interval, as plain text.
    ends: Option<String>,
}

/// Columns that a page holds beside each other: metrics, or the systems of a table whose lines are the metrics.
const MOST_COLUMNS: usize = 8;
const MOST_SYSTEMS: usize = 6;
/// Lines of values, each with its intervals below, that a page holds.
const MOST_LINES: usize = 28;
/// Beyond as many columns they stand closer.
const LOOSE_COLUMNS: usize = 6;

/// `table` environments with the metrics as columns. Where there are more than a page holds, metrics become lines if there
/// are few systems, and else stand in several blocks below each other; what is too high for a page goes on in another
/// environment.
fn push_environment(
    out: &mut String,
    table: &Table,
    caption: &str,
    cell: impl Fn(usize, usize) -> Cell,
    has_chance: bool,
) {
    let columns: Vec<usize> = table
        .groups()
        .into_iter()
        .flat_map(|(_, members)| members)
        .collect();
    let n_rows = table.rows.len().max(1);
    let is_transposed = columns.len() > MOST_COLUMNS && n_rows <= MOST_SYSTEMS;
    let (most, blocks_per_page) = match is_transposed {
        true => (MOST_LINES, 1),
        false => (MOST_COLUMNS, (MOST_LINES / n_rows).max(1)),
    };
    // As many in each block as can be.
    let n_blocks = columns.len().div_ceil(most).max(1);
    let blocks: Vec<&[usize]> = columns
        .chunks(columns.len().div_ceil(n_blocks).max(1))
        .collect();
    let widest = blocks.iter().map(|block| block.len()).max();
    let is_loose = is_transposed || widest.is_none_or(|widest| widest <= LOOSE_COLUMNS);
    let between = if is_loose { 4 } else { 2 };
    for (page, blocks) in blocks.chunks(blocks_per_page).enumerate() {
        let caption = match page {
            0 => caption,
            _ => "The same, continued.",
        };
        out.push_str(&format!(
            "\\begin{{table}}[t]\n\\centering\n\\small\n\\setlength{{\\tabcolsep}}{{{between}pt}}\n\\caption{{{caption}}}\n"
        ));
        for (place, block) in blocks.iter().enumerate() {
            if place > 0 {
                out.push_str("\n\\medskip\n");
            }
            match is_transposed {
                true => push_transposed(out, table, block, &cell, has_chance),
                false => push_block(out, table, block, &cell, has_chance),
            }
        }
        out.push_str("\\end{table}\n");
    }
}

/// A `tabular` with a line for each system and these columns.
fn push_block(
    out: &mut String,
    table: &Table,
    columns: &[usize],
    cell: &impl Fn(usize, usize) -> Cell,
    has_chance: bool,
) {
    out.push_str(&format!(
        "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        "c".repeat(columns.len())
    ));
    push_head(out, table, columns);
    out.push_str("\\midrule\n");
    for (row, system) in table.rows.iter().map(|row| &row.system).enumerate() {
        let cells: Vec<Cell> = columns.iter().map(|&column| cell(row, column)).collect();
        push_cells(out, &escape(system), &cells, None);
    }
    if has_chance {
        let cells = columns
            .iter()
            .map(|&column| math_minus(&chance(&table.columns[column])));
        out.push_str("\\midrule\n");
        push_row(out, "chance", cells);
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
}

/// A `tabular` with a line for each metric, below the name of its group, and a column for each system.
fn push_transposed(
    out: &mut String,
    table: &Table,
    columns: &[usize],
    cell: &impl Fn(usize, usize) -> Cell,
    has_chance: bool,
) {
    let n_columns = table.rows.len() + usize::from(has_chance);
    out.push_str(&format!(
        "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        "c".repeat(n_columns)
    ));
    let systems = table.rows.iter().map(|row| escape(&row.system));
    push_row(
        out,
        "Metric",
        systems.chain(has_chance.then(|| "chance".to_owned())),
    );
    let of_group = |a: &usize, b: &usize| table.columns[*a].group == table.columns[*b].group;
    for members in columns.chunk_by(of_group) {
        let name = escape(table.columns[members[0]].group.label());
        out.push_str(&format!(
            "\\midrule\n\\multicolumn{{{}}}{{l}}{{\\emph{{{name}}}}} \\\\\n",
            n_columns + 1
        ));
        for &column in members {
            let cells: Vec<Cell> = (0..table.rows.len()).map(|row| cell(row, column)).collect();
            let last = has_chance.then(|| math_minus(&chance(&table.columns[column])));
            push_cells(out, &escape(&heading(&table.columns[column])), &cells, last);
        }
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
}

/// A line of values, perhaps with one more behind them, and where there are intervals a line of these below it.
fn push_cells(out: &mut String, first: &str, cells: &[Cell], last: Option<String>) {
    push_row(
        out,
        first,
        cells
            .iter()
            .map(|cell| cell.value.clone())
            .chain(last.clone()),
    );
    if cells.iter().any(|cell| cell.ends.is_some()) {
        let ends = cells.iter().map(|cell| match &cell.ends {
            Some(ends) => format!("{{\\scriptsize {}}}", math_minus(ends)),
            None => String::new(),
        });
        push_row(out, "", ends.chain(last.map(|_| String::new())));
    }
}

/// The names of the groups of these columns, a rule below each, and the names of the metrics.
fn push_head(out: &mut String, table: &Table, columns: &[usize]) {
    let mut spans = Vec::new();
    let mut rules = Vec::new();
    let mut first = 2;
    let of_group = |a: &usize, b: &usize| table.columns[*a].group == table.columns[*b].group;
    for members in columns.chunk_by(of_group) {
        let last = first + members.len() - 1;
        let name = escape(table.columns[members[0]].group.label());
        spans.push(format!("\\multicolumn{{{}}}{{c}}{{{name}}}", members.len()));
        rules.push(format!("\\cmidrule(lr){{{first}-{last}}}"));
        first = last + 1;
    }
    push_row(out, "", spans.into_iter());
    out.push_str(&rules.join(" "));
    out.push('\n');
    let names = columns
        .iter()
        .map(|&column| escape(&heading(&table.columns[column])));
    push_row(out, "System", names);
}

fn push_row(out: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    out.push_str(first);
    for cell in cells {
        out.push_str(" & ");
        out.push_str(&cell);
    }
    out.push_str(" \\\\\n");
}

/// A hyphen before a number, as the minus sign it stands for.
fn math_minus(number: &str) -> String {
    number.replace('-', "$-$")
}
