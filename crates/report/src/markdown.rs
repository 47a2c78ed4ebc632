//! Pipe tables below headings.

use crate::columns::{left, right, widest};
use crate::marks::Mark;
use crate::number::{fixed, interval};
use crate::reading::Reading;
use crate::wording::{self, heading, one_line};
use crate::{Row, Table};

/// The Markdown so far.
#[derive(Default)]
pub(crate) struct Markdown(pub(crate) String);

impl Reading for Markdown {
    const LEGEND: &'static str = "Bold: best, underlined: second";

    fn title(&mut self, title: &str) {
        self.heading("### ", title);
    }

    fn heading(&mut self, words: &str, name: &str) {
        let gap = if self.0.is_empty() || self.0.ends_with("\n\n") {
            ""
        } else {
            "\n"
        };
        self.0.push_str(&format!("{gap}{words}{}\n\n", escape(name)));
    }

    fn grid(&mut self, headings: &[String], rows: &[Vec<String>], is_left: &[bool]) {
        let escaped = |cells: &[String]| -> Vec<String> { cells.iter().map(|cell| escape(cell)).collect() };
        let rows: Vec<Vec<String>> = rows.iter().map(|row| escaped(row)).collect();
        self.push_pipes(&escaped(headings), &rows, is_left);
    }

    fn metrics(&mut self, table: &Table, row: &Row) {
        let n_columns = if table.has_chance() { 6 } else { 5 };
        let header = ["Metric", "mean", &wording::interval(table.level), "n", "undefined", "chance"].map(str::to_owned);
        let mut rows = Vec::new();
        for (group, members) in table.groups() {
            let mut headline = vec![String::new(); n_columns];
            headline[0] = format!("**{}**", escape(group.label()));
            rows.push(headline);
            rows.extend(members.into_iter().map(|column| {
                let (spec, estimate) = (&table.columns[column], &row.estimates[column]);
                let cells = [
                    escape(&heading(spec)),
                    match &estimate.value {
                        Ok(mean) => fixed(*mean, spec.decimals),
                        Err(reason) => format!("undefined: {}", escape(&reason.to_string())),
                    },
                    estimate.interval.map(|ends| interval(ends, spec.decimals)).unwrap_or_default(),
                    estimate.n.to_string(),
                    estimate.n_undefined.to_string(),
                    wording::chance(spec),
                ];
                cells[..n_columns].to_vec()
            }));
        }
        self.push_pipes(&header[..n_columns], &rows, &[true, false, true, false, false, false]);
    }

    fn means(&mut self, table: &Table, marks: &[Vec<Mark>]) {
        self.push_systems(table, table.has_chance(), &|row, column| {
            let decimals = table.columns[column].decimals;
            let estimate = &table.rows[row].estimates[column];
            let Ok(mean) = estimate.value else {
                return "undefined".to_owned();
            };
            let mean = fixed(mean, decimals);
            let marked = match marks[column][row] {
                Mark::Plain => mean,
                Mark::Best => format!("**{mean}**"),
                Mark::Second => format!("<u>{mean}</u>"),
            };
            estimate.interval.map_or(marked.clone(), |ends| format!("{marked} {}", interval(ends, decimals)))
        });
    }

    fn cells(&mut self, table: &Table, cell: &dyn Fn(usize, usize) -> String) {
        self.push_systems(table, false, cell);
    }

    fn gap(&mut self) {}

    fn sentence(&mut self, words: &str) {
        self.0.push_str(&format!("\n{}\n", escape(words)));
    }
}

impl Markdown {
    /// Writes systems as rows and metrics as columns, with a last row of chance levels if it is wanted.
    fn push_systems(&mut self, table: &Table, has_chance: bool, cell: &dyn Fn(usize, usize) -> String) {
        let order: Vec<usize> = table.groups().into_iter().flat_map(|(_, members)| members).collect();
        let line = |name: String, cell: &dyn Fn(usize) -> String| -> Vec<String> {
            [name].into_iter().chain(order.iter().map(|&column| cell(column))).collect()
        };
        let header = line("System".to_owned(), &|column| escape(&heading(&table.columns[column])));
        let of_row = |(row, of): (usize, &Row)| line(escape(&of.name()), &|column| cell(row, column));
        let mut rows: Vec<Vec<String>> = table.rows.iter().enumerate().map(of_row).collect();
        let chance = || line("chance".to_owned(), &|column| wording::chance(&table.columns[column]));
        rows.extend(has_chance.then(chance));
        self.push_pipes(&header, &rows, &vec![true; header.len()]);
    }

    /// Writes a pipe table whose source is aligned too; cells must be escaped already.
    fn push_pipes(&mut self, headings: &[String], rows: &[Vec<String>], is_left: &[bool]) {
        /// Markdown needs three characters in the line below the headings.
        const MIN_WIDTH: usize = 3;
        let cells = |column: usize| [&headings[column]].into_iter().chain(rows.iter().map(move |row| &row[column]));
        let widths: Vec<usize> =
            (0..headings.len()).map(|column| widest(cells(column).map(String::as_str)).max(MIN_WIDTH)).collect();
        let placed = |cells: &[String]| -> Vec<String> {
            let place = |(column, cell): (usize, &String)| match is_left[column] {
                true => left(cell, widths[column]),
                false => right(cell, widths[column]),
            };
            cells.iter().enumerate().map(place).collect()
        };
        let rules = widths.iter().zip(is_left).map(|(&width, is_left)| match is_left {
            true => format!(":{}", "-".repeat(width - 1)),
            false => format!("{}:", "-".repeat(width - 1)),
        });
        let lines = [placed(headings), rules.collect()].into_iter().chain(rows.iter().map(|row| placed(row)));
        lines.for_each(|line| self.0.push_str(&format!("| {} |\n", line.join(" | "))));
    }
}

/// Puts the text on one line and escapes every character that could open markup or end a cell.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_opens_markup_or_ends_a_cell() {
        assert_eq!(escape("a_b|c*d`e[f](g)<h>&i\\j~k$l#m\nn"), r"a\_b\|c\*d\`e\[f\](g)&lt;h&gt;&amp;i\\j\~k\$l\#m n");
        assert_eq!(escape("PixCorr ↑ 2.5%"), "PixCorr ↑ 2.5%");
    }
}
