//! Columns of answers about items that only their order tells apart.

use crate::FormatError;
use crate::delimited_text::DelimitedText;
use neurogauge_core::option_words::option;
use neurogauge_core::{counted, first_names};
use std::path::Path;

/// Letters of a title in a message.
const SHOWN: usize = 50;

/// Gives each column of a title that several have the name `title [item]`, as in a grid of Google Forms: the first one
/// is about the first item, and so on. pandas counts columns of one title (`title.1`).
pub(super) fn named(
    mut text: DelimitedText,
    items: &[String],
    list: Option<&Path>,
) -> Result<DelimitedText, FormatError> {
    let titles: Vec<String> = (0..text.header.len()).map(|at| title(&text.header, at, items).to_owned()).collect();
    let columns_of = |title: &String| -> Vec<usize> { (0..titles.len()).filter(|at| titles[*at] == *title).collect() };
    for (at, title) in titles.iter().enumerate() {
        let columns = columns_of(title);
        if title.is_empty() || columns.len() < 2 || columns[0] < at {
            continue;
        }
        if items.is_empty() {
            // Two columns of one name are more often a slip than two answers.
            if columns.len() > 2 {
                return Err(text.column_error(format!(
                    "{} are called {:?}, so none says which item it is about; name the items in the order of these columns, one \
                     on each line: {}",
                    counted(columns.len(), "column"),
                    shortened(title),
                    option("items", "FILE")
                )));
            }
            continue;
        }
        if columns.len() != items.len() {
            return Err(text.column_error(format!(
                "{} are called {:?}, and {} names {} ({}); expected one for each column, in their order",
                counted(columns.len(), "column"),
                shortened(title),
                list.unwrap_or(Path::new("")).display(),
                counted(items.len(), "item"),
                first_names(items)
            )));
        }
        for (column, item) in columns.into_iter().zip(items) {
            text.header[column] = format!("{title} [{item}]");
        }
    }
    text.refuse_repeated_columns()?;
    Ok(text)
}

/// The title of a column without the number that pandas adds to the second and later ones.
fn title<'a>(header: &'a [String], at: usize, items: &[String]) -> &'a str {
    let name = header[at].as_str();
    match name.rsplit_once('.') {
        Some((title, number))
            if !items.is_empty()
                && number.parse::<usize>().is_ok_and(|number| number > 0 && number < items.len())
                && header[..at].iter().any(|earlier| earlier == title) =>
        {
            title
        }
        _ => name,
    }
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &title[..end]),
        None => title.to_owned(),
    }
}
