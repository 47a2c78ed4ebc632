//! `table` environments that compile with `booktabs`, and with `siunitx` if the style uses it.

mod caption;
mod column;
mod escape;
mod page;
mod style;
mod text_table;

pub use style::{LatexStyle, Spread};

use crate::Table;
use crate::marks::{Mark, marks};
use crate::number::{fixed, rank};
use crate::wording::{chance, heading};
use caption::NO_VALUE;
use column::{LatexCell, LatexColumn};
use escape::escape;

/// Systems are rows and metrics are columns under the names of their groups, with each interval below its mean. If
/// systems were ranked, a second environment has the ranks.
pub(crate) fn render(table: &Table, style: LatexStyle) -> String {
    let marks: Vec<Vec<Mark>> = (0..table.columns.len()).map(|column| marks(table, column)).collect();
    let mean_cell = |row: usize, column: usize| {
        let decimals = table.columns[column].decimals;
        let estimate = &table.rows[row].estimates[column];
        let Ok(mean) = estimate.value else {
            return LatexCell::words(NO_VALUE);
        };
        let printed = |number| fixed(number, decimals);
        let beside = |ends| style.spread.beside(mean, ends, printed);
        LatexCell {
            mark: marks[column][row],
            spread: estimate.interval.and_then(beside),
            ..LatexCell::number(printed(mean))
        }
    };
    let mut out = format!("{}\n", style.needs());
    let means = Cells {
        table,
        style,
        cell: &mean_cell,
        has_chance: table.has_chance(),
    };
    let has_marks = marks.iter().flatten().any(|&mark| mark != Mark::Plain);
    let is_uneven = means.all().any(|cell| cell.is_uneven());
    let beside = caption::beside(table.level, style.spread, is_uneven);
    means.push(&mut out, &caption::means(table, (style.spread, &beside), has_marks));
    if let Some(table) = &table.ranked() {
        out.push('\n');
        let rank_cell = |row: usize, column: usize| {
            let ranks = table.rows[row].rank.as_ref();
            match ranks.and_then(|ranks| ranks[column]) {
                None => LatexCell::words(NO_VALUE),
                Some(found) => LatexCell {
                    spread: style.spread.beside(found.rank, found.interval, rank),
                    ..LatexCell::number(rank(found.rank))
                },
            }
        };
        let ranks = Cells {
            table,
            cell: &rank_cell,
            has_chance: false,
            ..means
        };
        let is_uneven = ranks.all().any(|cell| cell.is_uneven());
        let beside = caption::beside(table.level, style.spread, is_uneven);
        ranks.push(&mut out, &caption::ranks(table, &beside));
    }
    out
}

/// Number of columns that fit on a page: metrics, or systems if the metrics are rows.
const MOST_COLUMNS: usize = 8;
const MOST_SYSTEMS: usize = 6;
/// Number of rows that fit on a page, each with intervals below its values.
const MOST_LINES: usize = 28;
/// With more columns than this, the space between them is smaller.
const LOOSE_COLUMNS: usize = 6;

/// Has the cell of each system (the first argument) and metric.
#[derive(Clone, Copy)]
struct Cells<'a> {
    table: &'a Table,
    style: LatexStyle,
    cell: &'a dyn Fn(usize, usize) -> LatexCell,
    has_chance: bool,
}

impl Cells<'_> {
    fn all(&self) -> impl Iterator<Item = LatexCell> {
        (0..self.table.rows.len()).flat_map(move |row| (0..self.table.columns.len()).map(move |c| (self.cell)(row, c)))
    }

    fn chance(&self, column: usize) -> LatexCell {
        match chance(&self.table.columns[column]) {
            unknown if unknown.is_empty() => LatexCell::words(unknown),
            known => LatexCell::number(known),
        }
    }

    /// Writes `table` environments with metrics as columns. If these do not fit on a page, metrics become rows if there
    /// are few systems; otherwise they are split into several blocks below each other. A table that is too high for a
    /// page continues in another environment.
    fn push(&self, out: &mut String, caption: &str) {
        let columns: Vec<usize> = self.table.groups().into_iter().flat_map(|(_, members)| members).collect();
        let n_rows = self.table.rows.len().max(1);
        let is_transposed = columns.len() > MOST_COLUMNS && n_rows <= MOST_SYSTEMS;
        let (most, blocks_per_page) = match is_transposed {
            true => (MOST_LINES, 1),
            false => (MOST_COLUMNS, (MOST_LINES / n_rows).max(1)),
        };
        // Makes all blocks about equally wide.
        let n_blocks = columns.len().div_ceil(most).max(1);
        let blocks: Vec<&[usize]> = columns.chunks(columns.len().div_ceil(n_blocks).max(1)).collect();
        let widest = blocks.iter().map(|block| block.len()).max();
        let is_loose = is_transposed || widest.is_none_or(|widest| widest <= LOOSE_COLUMNS);
        let between = if is_loose { 4 } else { 2 };
        for (page, blocks) in blocks.chunks(blocks_per_page).enumerate() {
            let caption = if page == 0 { caption } else { CONTINUED };
            push_environment(out, "t", Some(between), caption, blocks, |out, block| match is_transposed {
                true => self.push_transposed(out, block),
                false => self.push_block(out, block),
            });
        }
    }

    /// Writes a `tabular` with a row for each system and these metrics as columns.
    fn push_block(&self, out: &mut String, metrics: &[usize]) {
        let lines: Vec<(String, Vec<LatexCell>)> = (self.table.rows.iter().enumerate())
            .map(|(row, of)| (escape(&of.name()), self.cells(metrics, |&m| (row, m))))
            .collect();
        let chances: Option<Vec<LatexCell>> =
            self.has_chance.then(|| metrics.iter().map(|&metric| self.chance(metric)).collect());
        let columns: Vec<LatexColumn> = (0..metrics.len())
            .map(|place| {
                let cells = lines.iter().map(|(_, cells)| cells).chain(&chances);
                self.column(cells.map(|cells| &cells[place]))
            })
            .collect();
        push_begin(out, "l", &columns);
        self.push_head(out, metrics, &columns);
        out.push_str("\\midrule\n");
        for (system, cells) in &lines {
            self.push_cells(out, system, cells, &columns);
        }
        if let Some(chances) = chances {
            out.push_str("\\midrule\n");
            self.push_cells(out, "chance", &chances, &columns);
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
    }

    /// Writes a `tabular` with a row for each metric, below the name of its group, and a column for each system.
    fn push_transposed(&self, out: &mut String, metrics: &[usize]) {
        let systems: Vec<usize> = (0..self.table.rows.len()).collect();
        let lines: Vec<Vec<LatexCell>> = (metrics.iter())
            .map(|&metric| {
                let mut cells = self.cells(&systems, |&row| (row, metric));
                cells.extend(self.has_chance.then(|| self.chance(metric)));
                cells
            })
            .collect();
        let names = self.table.rows.iter().map(|row| escape(&row.name()));
        let names = names.chain(self.has_chance.then(|| "chance".to_owned()));
        let columns: Vec<LatexColumn> = (0..systems.len() + usize::from(self.has_chance))
            .map(|place| self.column(lines.iter().map(|cells| &cells[place])))
            .collect();
        push_begin(out, "l", &columns);
        let names = names.zip(&columns);
        push_row(out, "Metric", names.map(|(name, column)| column.heading(&name)));
        let n_columns = 1 + columns.iter().map(LatexColumn::width).sum::<usize>();
        let mut above = None;
        for (&metric, cells) in metrics.iter().zip(&lines) {
            let group = self.table.columns[metric].group;
            if above != Some(group) {
                let name = escape(group.label());
                out.push_str(&format!("\\midrule\n\\multicolumn{{{n_columns}}}{{l}}{{\\emph{{{name}}}}} \\\\\n"));
            }
            above = Some(group);
            let name = escape(&heading(&self.table.columns[metric]));
            self.push_cells(out, &name, cells, &columns);
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
    }

    fn cells(&self, of: &[usize], place: impl Fn(&usize) -> (usize, usize)) -> Vec<LatexCell> {
        of.iter().map(place).map(|(row, metric)| (self.cell)(row, metric)).collect()
    }

    /// Intervals are below their numbers, so they need no width beside them.
    fn column<'c>(&self, cells: impl Iterator<Item = &'c LatexCell>) -> LatexColumn {
        let cells: Vec<LatexCell> = cells.map(|cell| self.without_below(cell)).collect();
        LatexColumn::of(self.style, 'c', cells.iter())
    }

    fn without_below(&self, cell: &LatexCell) -> LatexCell {
        let mut cell = cell.clone();
        cell.spread = cell.spread.filter(|_| self.style.spread != Spread::Intervals);
        cell
    }

    /// Writes a row of values, and a row of intervals below it if there are any.
    fn push_cells(&self, out: &mut String, first: &str, cells: &[LatexCell], columns: &[LatexColumn]) {
        let both = || cells.iter().zip(columns);
        let values = both().map(|(cell, column)| column.cell(&self.without_below(cell)));
        push_row(out, first, values);
        let is_below = self.style.spread == Spread::Intervals;
        if is_below && cells.iter().any(|cell| cell.spread.is_some()) {
            let ends = cells.iter().map(|cell| match &cell.spread {
                Some(ends) => format!("{{\\scriptsize {ends}}}"),
                None => String::new(),
            });
            push_row(out, "", ends);
        }
    }

    /// Writes the names of the metrics' groups, with a rule below each, and the names of the metrics.
    fn push_head(&self, out: &mut String, metrics: &[usize], columns: &[LatexColumn]) {
        let mut spans = Vec::new();
        let mut rules = Vec::new();
        let mut first = 2;
        let of = |metric: usize| &self.table.columns[metric];
        let mut widths = columns.iter().map(LatexColumn::width);
        for members in metrics.chunk_by(|a, b| of(*a).group == of(*b).group) {
            let width: usize = widths.by_ref().take(members.len()).sum();
            let last = first + width - 1;
            let name = escape(of(members[0]).group.label());
            spans.push(format!("\\multicolumn{{{width}}}{{c}}{{{name}}}"));
            rules.push(format!("\\cmidrule(lr){{{first}-{last}}}"));
            first = last + 1;
        }
        push_row(out, "", spans.into_iter());
        out.push_str(&rules.join(" "));
        out.push('\n');
        let names = metrics.iter().map(|&metric| escape(&heading(of(metric))));
        let names = names.zip(columns);
        push_row(out, "System", names.map(|(name, column)| column.heading(&name)));
    }
}

/// The caption of a table's further pages.
const CONTINUED: &str = "The same, continued.";

/// Writes a `table` environment with these blocks below each other, each a `tabular`. The space between columns is
/// given in points if it differs from LaTeX's default.
fn push_environment<B>(
    out: &mut String,
    place: &str,
    between: Option<usize>,
    caption: &str,
    blocks: &[B],
    mut push: impl FnMut(&mut String, &B),
) {
    let between = between.map_or_else(String::new, |points| format!("\\setlength{{\\tabcolsep}}{{{points}pt}}\n"));
    out.push_str(&format!("\\begin{{table}}[{place}]\n\\centering\n\\small\n{between}\\caption{{{caption}}}\n"));
    for (place, block) in blocks.iter().enumerate() {
        if place > 0 {
            out.push_str("\n\\medskip\n");
        }
        push(out, block);
    }
    out.push_str("\\end{table}\n");
}

fn push_begin<'c>(out: &mut String, first: &str, columns: impl IntoIterator<Item = &'c LatexColumn>) {
    let columns: String = columns.into_iter().map(LatexColumn::spec).collect();
    out.push_str(&format!("\\begin{{tabular}}{{{first}{columns}}}\n\\toprule\n"));
}

fn push_row(out: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    out.push_str(first);
    for cell in cells {
        out.push_str(" & ");
        out.push_str(&cell);
    }
    out.push_str(" \\\\\n");
}

/// Replaces a hyphen before a number by a minus sign.
fn math_minus(number: &str) -> String {
    number.replace('-', "$-$")
}
