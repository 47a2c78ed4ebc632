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

fn push_environment(
    out: &mut String,
    table: &Table,
    caption: &str,
    cell: impl Fn(usize, usize) -> Cell,
    has_chance: bool,
) {
    let n_columns = table.columns.len();
    out.push_str("\\begin{table}[t]\n\\centering\n\\small\n\\setlength{\\tabcolsep}{4pt}\n");
    out.push_str(&format!("\\caption{{{caption}}}\n"));
    out.push_str(&format!(
        "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        "c".repeat(n_columns)
    ));
    push_head(out, table);
    out.push_str("\\midrule\n");
    let groups = table.groups();
    for (row, system) in table.rows.iter().map(|row| &row.system).enumerate() {
        let members = groups.iter().flat_map(|(_, members)| members);
        let cells: Vec<Cell> = members.map(|&column| cell(row, column)).collect();
        push_row(
            out,
            &escape(system),
            cells.iter().map(|cell| cell.value.clone()),
        );
        if cells.iter().any(|cell| cell.ends.is_some()) {
            push_row(
                out,
                "",
                cells.iter().map(|cell| match &cell.ends {
                    Some(ends) => format!("{{\\scriptsize {}}}", math_minus(ends)),
                    None => String::new(),
                }),
            );
        }
    }
    if has_chance {
        let members = groups.iter().flat_map(|(_, members)| members);
        let cells = members.map(|&column| math_minus(&chance(&table.columns[column])));
        out.push_str("\\midrule\n");
        push_row(out, "chance", cells);
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

/// The names of the groups, a rule below each, and the names of the metrics.
fn push_head(out: &mut String, table: &Table) {
    let mut spans = Vec::new();
    let mut rules = Vec::new();
    let mut first = 2;
    for (group, members) in table.groups() {
        let last = first + members.len() - 1;
        let name = escape(group.label());
        spans.push(format!("\\multicolumn{{{}}}{{c}}{{{name}}}", members.len()));
        rules.push(format!("\\cmidrule(lr){{{first}-{last}}}"));
        first = last + 1;
    }
    push_row(out, "", spans.into_iter());
    out.push_str(&rules.join(" "));
    out.push('\n');
    let groups = table.groups();
    let members = groups.iter().flat_map(|(_, members)| members);
    let names = members.map(|&column| escape(&heading(&table.columns[column])));
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
