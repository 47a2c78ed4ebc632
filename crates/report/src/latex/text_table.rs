//! Tables of words and numbers.

use super::caption::NO_VALUE;
use super::escape::escape;
use super::{math_minus, push_row};
use crate::number::{fixed, interval};
use crate::wording::DOUBLE_DAGGER;
use crate::{Cell, TextTable};

impl TextTable {
    /// First line of a file with tables of [`latex`](Self::latex): the package that they need.
    pub const LATEX_NEEDS: &'static str = super::NEEDS;

    /// A `table` environment that needs `booktabs` only, its notes in the caption.
    ///
    /// ```
    /// use neurogauge_report::{Cell, TextTable};
    /// let text_table = TextTable {
    ///     title: "Agreement".into(),
    ///     headings: vec!["metric".into(), "τ-b".into()],
    ///     rows: vec![vec![Cell::Text("cap_sim".into()), Cell::Number(-0.12345, 3)]],
    ///     notes: vec![],
    /// };
    /// assert!(text_table.latex().contains("metric & $\\tau$-b \\\\\n\\midrule\ncap\\_sim & $-$0.123 \\\\\n"));
    /// ```
    pub fn latex(&self) -> String {
        let sentences: Vec<String> = [&self.title]
            .into_iter()
            .chain(&self.notes)
            .map(|sentence| escape(sentence.trim()))
            .map(|sentence| match sentence.ends_with(['.', '!', '?']) {
                true => sentence,
                false => format!("{sentence}."),
            })
            .collect();
        let columns = 0..self.headings.len();
        let aligns = columns.map(|column| if self.is_left(column) { 'l' } else { 'r' });
        let mut out = String::from("\\begin{table}[t]\n\\centering\n\\small\n");
        out.push_str(&format!("\\caption{{{}}}\n", sentences.join(" ")));
        let aligns: String = aligns.collect();
        out.push_str(&format!("\\begin{{tabular}}{{{aligns}}}\n\\toprule\n"));
        let headings: Vec<String> = self.headings.iter().map(|text| escape(text)).collect();
        push_cells(&mut out, &headings);
        out.push_str("\\midrule\n");
        for row in &self.rows {
            let cells = (0..self.headings.len()).map(|column| row.get(column));
            let cells = cells.map(|cell| written(cell.unwrap_or(&Cell::Missing)));
            push_cells(&mut out, &cells.collect::<Vec<String>>());
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
        out
    }
}

fn push_cells(out: &mut String, cells: &[String]) {
    if let [first, rest @ ..] = cells {
        push_row(out, first, rest.iter().cloned());
    }
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escape(text),
        Cell::Count(count) => count.to_string(),
        Cell::Number(value, decimals) => math_minus(&fixed(*value, *decimals)),
        Cell::Estimate(value, ends, decimals) => {
            let value = math_minus(&fixed(*value, *decimals));
            let ends = math_minus(&interval(*ends, *decimals));
            format!("{value} {{\\scriptsize {ends}}}")
        }
        Cell::PValue(p) if *p < 1e-4 => "$<$0.0001".to_owned(),
        Cell::PValue(p) => fixed(*p, 4),
        Cell::Best(cell) => match cell.as_ref() {
            // The interval stays as it is.
            Cell::Estimate(value, ends, decimals) => {
                let value = math_minus(&fixed(*value, *decimals));
                let ends = math_minus(&interval(*ends, *decimals));
                format!("\\textbf{{{value}}} {{\\scriptsize {ends}}}")
            }
            cell => format!("\\textbf{{{}}}", written(cell)),
        },
        Cell::Doubtful(cell) => format!("{}{}", written(cell), escape(DOUBLE_DAGGER)),
        Cell::Missing => NO_VALUE.to_owned(),
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
                vec![
                    Cell::Text("a_b".into()),
                    Cell::Estimate(-0.5, (-0.75, 0.25), 2),
                    Cell::PValue(1e-9),
                ],
                vec![Cell::Text("c".into())],
            ],
            notes: vec!["p & more".into()],
        };
        let latex = text_table.latex();
        assert!(latex.contains("\\caption{Differences in 95\\% of cases. p \\& more.}"));
        assert!(latex.contains("\\begin{tabular}{lrr}"));
        assert!(latex.contains(
            "a\\_b & $-$0.50 {\\scriptsize [$-$0.75, 0.25]} & $<$0.0001 \\\\\nc & -- & -- \\\\\n"
        ));
    }
}
