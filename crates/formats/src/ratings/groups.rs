//! The group of each item.

use crate::delimited_text::DelimitedText;
use crate::{FormatError, Problem};
use std::collections::HashMap;

/// For each group column, the label of each of `items`.
pub(super) fn collect(
    text: &DelimitedText,
    item_columns: &[usize],
    group_columns: &[usize],
    items: &[String],
) -> Result<Vec<Vec<String>>, FormatError> {
    group_columns
        .iter()
        .map(|&column| {
            // Line and label, by item.
            let mut labels: HashMap<String, (usize, &str)> = HashMap::new();
            for record in &text.records {
                let label = record.cell(column);
                if label.is_empty() {
                    return Err(text.faulty_cell(record, column, "the name of a group"));
                }
                let item = item_columns.iter().map(|&at| record.cell(at)).collect::<Vec<_>>().join("/");
                let (line, first) = *labels.entry(item.clone()).or_insert((record.line, label));
                if first != label {
                    return Err(Problem::invalid(
                        format!("line {}", record.line),
                        format!(
                            "item {item:?} is in the group {label:?} of column {:?}, and on line \
                             {line} in {first:?}; an item belongs to one group. If several columns \
                             make up an item, name them all as the item column",
                            text.header[column]
                        ),
                    )
                    .at(&text.path));
                }
            }
            let label = |item: &String| labels.get(item).map(|(_, label)| (*label).to_owned());
            Ok(items.iter().filter_map(label).collect())
        })
        .collect()
}
