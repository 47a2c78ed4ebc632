//! Tables of words and numbers.

use super::caption::{NO_VALUE, joined};
use super::column::{LatexCell, LatexColumn};
use super::escape::escape;
use super::page::pages;
use super::style::{LatexStyle, Spread};
use super::{CONTINUED, push_begin, push_environment, push_row};
use crate::number::fixed;
use crate::wording::DOUBLE_DAGGER;
use crate::{Cell, TextTable};

impl TextTable {
    /// A `table` environment with the notes in its caption. It needs `booktabs`, and `siunitx` if the style uses it.
    pub fn latex(&self, style: LatexStyle) -> String {
        let n_columns = self.headings.len();
        let rows: Vec<Vec<LatexCell>> = (self.cells()).map(|row| row.map(|cell| set(cell, style)).collect()).collect();
        let columns: Vec<LatexColumn> = (0..n_columns)
            .map(|column| {
                let align = if self.is_left(column) { 'l' } else { 'r' };
                LatexColumn::of(style, align, rows.iter().map(|cells| &cells[column]))
            })
            .collect();
        let headings: Vec<String> = (self.headings.iter()).map(|text| escape(&style.spread.heading(text))).collect();
        let caption = self.caption(style, &rows);
        let divided = pages(&headings, &rows, &columns, &caption);
        let mut out = String::new();
        for (number, page) in divided.pages.iter().enumerate() {
            let (place, caption) = match number {
                0 => ("t", caption.as_str()),
                _ => ("tp", CONTINUED),
            };
            if number > 0 {
                // LaTeX holds back pages that only have floats until \clearpage.
                out.push_str("\\clearpage\n");
            }
            push_environment(&mut out, place, divided.is_tight.then_some(3), caption, page, |out, block| {
                let of = |&c: &usize| (&headings[c], &columns[c]);
                push_begin(out, "", block.columns.iter().map(|&c| &columns[c]));
                push_all(out, block.columns.iter().map(of).map(|(text, column)| column.heading(text)));
                out.push_str("\\midrule\n");
                for row in block.rows.clone() {
                    let is_continued = row > 0 && row == block.rows.start;
                    let cells = block.columns.iter().map(|&c| {
                        let cell = if is_continued {
                            named(&rows[..=row], c)
                        } else {
                            &rows[row][c]
                        };
                        match divided.broken[c] {
                            Some(points) => columns[c].cell(&cell.broken(points)),
                            None => columns[c].cell(cell),
                        }
                    });
                    push_all(out, cells);
                }
                out.push_str("\\bottomrule\n\\end{tabular}\n");
            });
        }
        out
    }

    /// Title and notes as sentences, with the explanation of ± if it is used.
    fn caption(&self, style: LatexStyle, rows: &[Vec<LatexCell>]) -> String {
        let title = style.spread.heading(&self.title);
        let spreads = rows.iter().flatten();
        let has_spread = spreads.clone().any(|cell| cell.spread.is_some());
        let uneven = match spreads.clone().any(LatexCell::is_uneven) {
            true => ", up and down where they differ",
            false => "",
        };
        let pm = format!("±: distance from an estimate to the ends of its interval{uneven}");
        let pm = (style.spread == Spread::PlusMinus && has_spread).then_some(pm);
        let sentences = [&title].into_iter().chain(&self.notes).chain(&pm);
        joined(&sentences.map(|sentence| escape(sentence)).collect::<Vec<String>>())
    }
}

/// The last row's cell, or the name above it if its group is named only once.
fn named(rows: &[Vec<LatexCell>], column: usize) -> &LatexCell {
    let is_empty = |row: &Vec<LatexCell>| row[column].latex().is_empty();
    let (last, above) = (&rows[rows.len() - 1], &rows[..rows.len() - 1]);
    match above.iter().rev().find(|row| !is_empty(row)).filter(|_| column == 0 && is_empty(last)) {
        Some(row) => &row[column],
        None => &last[column],
    }
}

fn push_all(out: &mut String, mut cells: impl Iterator<Item = String>) {
    if let Some(first) = cells.next() {
        push_row(out, &first, cells);
    }
}

fn set(cell: &Cell, style: LatexStyle) -> LatexCell {
    match cell {
        Cell::Text(text) => LatexCell::words(escape(text)),
        Cell::Count(count) => LatexCell::number(count.to_string()),
        Cell::Number(value, decimals) => LatexCell::number(fixed(*value, *decimals)),
        Cell::Estimate(value, ends, decimals) => {
            let printed = |number| fixed(number, *decimals);
            LatexCell {
                spread: style.spread.beside(*value, *ends, printed),
                ..LatexCell::number(printed(*value))
            }
        }
        Cell::PValue(p) if *p < 1e-4 => LatexCell::words("$<$0.0001"),
        Cell::PValue(p) => LatexCell::number(fixed(*p, 4)),
        Cell::Doubtful(cell) => {
            let mut doubtful = set(cell, style);
            doubtful.after.push_str(&escape(DOUBLE_DAGGER));
            doubtful
        }
        Cell::Missing => LatexCell::words(NO_VALUE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_p_values_and_gaps() {
        let text_table = TextTable {
            title: "Differences in 95% of cases".into(),
            headings: vec!["pair".into(), "difference".into(), "p".into()],
            rows: vec![
                vec![Cell::Text("a_b".into()), Cell::Estimate(-0.5, (-0.75, 0.25), 2), Cell::PValue(1e-9)],
                vec![Cell::Text("c".into())],
            ],
            notes: vec!["p & more".into()],
        };
        let latex = text_table.latex(LatexStyle::DEFAULT);
        assert!(latex.contains("\\caption{Differences in 95\\% of cases. p \\& more.}"));
        assert!(latex.contains("\\begin{tabular}{lrr}"));
        assert!(latex.contains("a\\_b & $-$0.50 {\\scriptsize [$-$0.75, 0.25]} & $<$0.0001 \\\\\nc & -- & -- \\\\\n"));
    }

    #[test]
    fn a_style_decides_what_stands_beside_estimates() {
        let doubtful = Cell::estimate(0.25, Some((-0.25, 0.5))).doubtful_if(true);
        let even = Cell::estimate(-0.5, Some((-0.75, -0.25))).decimals(2);
        let text_table =
            TextTable::of("Agreement", [doubtful, even]).column("r [95% interval]", Cell::clone).noted(vec![]);
        let style = |spread, siunitx| LatexStyle { spread, siunitx };
        let latex = text_table.latex(style(Spread::PlusMinus, false));
        for part in [
            "\\caption{Agreement. $\\pm$: distance from an estimate to the ends of its interval, up and down where they differ.}",
            "\nr $\\pm$ (95\\% interval) \\\\\n",
            "\n0.250 $^{+0.250}_{-0.500}$$^\\ddagger$ \\\\\n",
            "\n$-$0.50 {\\scriptsize $\\pm$\\,0.25} \\\\\n",
        ] {
            assert!(latex.contains(part), "{part}\n{latex}");
        }
        let latex = text_table.latex(style(Spread::None, false));
        assert!(latex.contains("\nr \\\\\n\\midrule\n0.250$^\\ddagger$ \\\\\n$-$0.50 \\\\\n"));
        let latex = text_table.latex(style(Spread::Intervals, true));
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
