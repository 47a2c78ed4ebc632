//! `scores.csv`: one row per pair, one column per metric, for spreadsheets and R.

use neurogauge_core::ScoreTable;
use neurogauge_core::hostile_text::csv_cell;

/// The outcomes of a run as CSV (RFC 4180, lines end with `\n`): a column `pair`, then one column for each metric in
/// the order of the table. Numbers are the shortest decimals that read back to the same value; missing values are
/// empty.
///
/// If some metrics depend on placeholder models, a last column `stand_in` has their ids, separated by spaces: their
/// numbers mean nothing.
///
/// Stems that a spreadsheet would read as formulas get a leading apostrophe ([`csv_cell`]).
///
/// The reason for a missing value is only in `scores.parquet`.
///
/// ```
/// use neurogauge_core::{ScoreTable, Side, Undefined};
/// let mut table = ScoreTable::new(vec!["a,b".to_owned(), "c".to_owned()]);
/// table.columns.push(("ssim".to_owned(), vec![Ok(0.25), Err(Undefined::Constant(Side::Gt))]));
/// table.columns.push(("psnr".to_owned(), vec![Ok(12.0), Ok(1e-9)]));
/// let text = neurogauge_formats::scores_csv::written(&table, &[]);
/// assert_eq!(text, "pair,ssim,psnr\n\"a,b\",0.25,12.0\nc,,1e-9\n");
/// let text = neurogauge_formats::scores_csv::written(&table, &["psnr"]);
/// assert_eq!(text, "pair,ssim,psnr,stand_in\n\"a,b\",0.25,12.0,psnr\nc,,1e-9,psnr\n");
/// ```
pub fn written(table: &ScoreTable, placeholders: &[&str]) -> String {
    let ids = table.columns.iter().map(|(id, _)| csv_cell(id));
    let mark = |words: &str| (!placeholders.is_empty()).then(|| csv_cell(words));
    let mut text = line(["pair".to_owned()].into_iter().chain(ids).chain(mark("stand_in")));
    for (place, pair) in table.pairs.iter().enumerate() {
        let fields = table.columns.iter().map(|(_, column)| column.get(place)).map(|outcome| match outcome {
            Some(Ok(value)) => format!("{value:?}"),
            _ => String::new(),
        });
        let fields = [csv_cell(pair)].into_iter().chain(fields);
        text += &line(fields.chain(mark(&placeholders.join(" "))));
    }
    text
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<String>>().join(",") + "\n"
}
