//! Cells, headings and rules of a table as LaTeX.

use super::caption::NO_VALUE;
use super::column::{LatexCell, LatexColumn};
use super::escape::escape;
use super::math_minus;
use super::page::{Block, Pages};
use super::style::{LatexStyle, Spread};
use crate::Cell;
use crate::grid::{Align, Grid};
use crate::marks::{DOUBLE_DAGGER, Mark};
use crate::number::{fixed, rank};

/// The caption of a table's further pages.
const CONTINUED: &str = "The same, continued.";

pub(super) struct LatexGrid {
    pub(super) columns: Vec<LatexColumn>,
    pub(super) headings: Vec<String>,
    /// Of each column, empty without one.
    groups: Vec<&'static str>,
    pub(super) rows: Vec<LatexRow>,
}

pub(super) struct LatexRow {
    pub(super) cells: Vec<LatexCell>,
    below: Vec<String>,
    pub(super) group: &'static str,
    pub(super) is_apart: bool,
}

impl LatexGrid {
    pub(super) fn of(grid: &Grid, style: LatexStyle) -> Self {
        // Intervals of systems are below their numbers, so they need no width beside them.
        let is_below = |column: usize| style.spread == Spread::Intervals && grid.columns[column].align == Align::Left;
        let rows = grid.rows.iter().zip(grid.cells()).map(|(row, cells)| {
            let mut cells: Vec<LatexCell> = cells.map(|cell| LatexCell::of_cell(cell, style)).collect();
            let ends = |(column, cell): (usize, &mut LatexCell)| cell.spread.take_if(|_| is_below(column));
            let small = |ends: Option<String>| ends.map_or_else(String::new, |ends| format!("{{\\scriptsize {ends}}}"));
            let below = cells.iter_mut().enumerate().map(ends).map(small).collect();
            LatexRow {
                cells,
                below,
                group: row.group,
                is_apart: row.is_apart,
            }
        });
        let rows: Vec<LatexRow> = rows.collect();
        let column = |place: usize| {
            let align = match grid.columns[place].align {
                Align::ByContent if !grid.is_left(place) => 'r',
                Align::Left | Align::Right if place > 0 => 'c',
                _ => 'l',
            };
            LatexColumn::of(style, align, rows.iter().map(|row| &row.cells[place]))
        };
        LatexGrid {
            columns: (0..grid.columns.len()).map(column).collect(),
            headings: grid.columns.iter().map(|column| escape(&style.spread.heading(&column.heading))).collect(),
            groups: grid.columns.iter().map(|column| column.group).collect(),
            rows,
        }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &LatexCell> {
        self.rows.iter().flat_map(|row| &row.cells)
    }

    /// Are the numbers above and below any estimate different?
    pub(super) fn is_uneven(&self) -> bool {
        self.cells().any(LatexCell::is_uneven)
    }

    /// Writes a `table` environment for each page, with its blocks below each other, each a `tabular`.
    pub(super) fn push(&self, out: &mut String, caption: &str, divided: &Pages) {
        let between = divided.between.map(|points| format!("\\setlength{{\\tabcolsep}}{{{points}pt}}\n"));
        for (number, page) in divided.pages.iter().enumerate() {
            let (place, caption) = match number {
                0 => ("t", caption),
                _ => (divided.further, CONTINUED),
            };
            if number > 0 && divided.further == "tp" {
                // LaTeX holds back pages that only have floats until \clearpage.
                out.push_str("\\clearpage\n");
            }
            out.push_str(&format!("\\begin{{table}}[{place}]\n\\centering\n\\small\n"));
            out.push_str(between.as_deref().unwrap_or_default());
            out.push_str(&format!("\\caption{{{caption}}}\n"));
            for (place, block) in page.iter().enumerate() {
                out.push_str(if place > 0 { "\n\\medskip\n" } else { "" });
                self.push_block(out, block, &divided.broken);
            }
            out.push_str("\\end{table}\n");
        }
    }

    fn push_block(&self, out: &mut String, block: &Block, broken: &[Option<f64>]) {
        let columns = || block.columns.iter().map(|&c| &self.columns[c]);
        out.push_str(&format!(
            "\\begin{{tabular}}{{{}}}\n\\toprule\n",
            columns().map(LatexColumn::spec).collect::<String>()
        ));
        self.push_groups(out, &block.columns);
        push_row(out, block.columns.iter().map(|&c| self.columns[c].heading(&self.headings[c])));
        let mut above = "";
        let first = self.rows.get(block.rows.start);
        if first.is_none_or(|row| row.group.is_empty()) {
            out.push_str("\\midrule\n");
        }
        for row in block.rows.clone() {
            let LatexRow {
                below, group, is_apart, ..
            } = &self.rows[row];
            if *is_apart || *group != above {
                out.push_str("\\midrule\n");
            }
            if *group != above {
                let n_columns: usize = columns().map(LatexColumn::width).sum();
                push_row(out, [format!("\\multicolumn{{{n_columns}}}{{l}}{{\\emph{{{}}}}}", escape(group))]);
            }
            above = group;
            let is_continued = row > 0 && row == block.rows.start;
            let cells = block.columns.iter().map(|&c| {
                let cell = match is_continued {
                    true => named(&self.rows[..=row], c),
                    false => &self.rows[row].cells[c],
                };
                match broken.get(c).copied().flatten() {
                    Some(points) => self.columns[c].cell(&cell.broken(points)),
                    None => self.columns[c].cell(cell),
                }
            });
            push_row(out, cells);
            let below = || block.columns.iter().map(|&c| below[c].clone());
            if below().any(|ends| !ends.is_empty()) {
                push_row(out, below());
            }
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
    }

    /// Writes the names of the columns' groups, with a rule below each, if there are any.
    fn push_groups(&self, out: &mut String, columns: &[usize]) {
        let (mut spans, mut rules, mut first) = (Vec::new(), Vec::new(), 1);
        for members in columns.chunk_by(|&a, &b| self.groups[a] == self.groups[b]) {
            let width: usize = members.iter().map(|&c| self.columns[c].width()).sum();
            match self.groups[members[0]] {
                "" => spans.extend(vec![String::new(); width]),
                group => {
                    spans.push(format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(group)));
                    rules.push(format!("\\cmidrule(lr){{{first}-{}}}", first + width - 1));
                }
            }
            first += width;
        }
        if !rules.is_empty() {
            push_row(out, spans);
            out.push_str(&format!("{}\n", rules.join(" ")));
        }
    }
}

/// The last row's cell, or the name above it if its group is named only once.
fn named(rows: &[LatexRow], column: usize) -> &LatexCell {
    let is_empty = |row: &LatexRow| row.cells[column].latex().is_empty();
    let (last, above) = (&rows[rows.len() - 1], &rows[..rows.len() - 1]);
    match above.iter().rev().find(|row| !is_empty(row)).filter(|_| column == 0 && is_empty(last)) {
        Some(row) => &row.cells[column],
        None => &last.cells[column],
    }
}

fn push_row(out: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    out.push_str(&format!("{} \\\\\n", cells.join(" & ")));
}

impl LatexCell {
    fn of_cell(cell: &Cell, style: LatexStyle) -> Self {
        let estimate = |value: f64, ends: (f64, f64), printed: &dyn Fn(f64) -> String| LatexCell {
            spread: style.spread.beside(value, ends, printed),
            ..LatexCell::number(printed(value))
        };
        match cell {
            Cell::Text(text) | Cell::Wide(text) => LatexCell::words(escape(text)),
            Cell::Count(count) => LatexCell::number(count.to_string()),
            Cell::Number(value, decimals) => LatexCell::number(fixed(*value, *decimals)),
            Cell::Estimate(value, ends, decimals) => estimate(*value, *ends, &|number| fixed(number, *decimals)),
            Cell::Rank(found) => estimate(found.rank, found.interval, &rank),
            Cell::Interval(..) => LatexCell::words(math_minus(&cell.reading())),
            Cell::PValue(p) if *p < 1e-4 => LatexCell::words("$<$0.0001"),
            Cell::PValue(p) => LatexCell::number(fixed(*p, 4)),
            Cell::Marked(Mark::Doubtful, cell) => {
                let mut doubtful = LatexCell::of_cell(cell, style);
                doubtful.after.push_str(&escape(DOUBLE_DAGGER));
                doubtful
            }
            Cell::Marked(mark, cell) => LatexCell {
                mark: Some(*mark),
                ..LatexCell::of_cell(cell, style)
            },
            Cell::Undefined | Cell::Missing => LatexCell::words(NO_VALUE),
        }
    }
}
