//! A system: whose it is, and its values for each subject.

use super::cells::cell_of;
use super::page;
use crate::board::Board;
use crate::entry::Entry;
use neurogauge::core::hostile_text::for_html as escape;
use std::fmt::Write;

pub(super) fn of(board: &Board, system: &str, places: &[usize]) -> String {
    let mut body = String::new();
    // What cards of all subjects say alike is shown once.
    let cards: Vec<String> = places.iter().map(|&place| card(&board.entries[place])).collect();
    if let Some((first, others)) = cards.split_first()
        && others.iter().all(|other| other == first)
    {
        body += first;
    }
    for table in &board.tables {
        for (row, &entry) in table.entries.iter().enumerate() {
            if !places.contains(&entry) {
                continue;
            }
            let address = board.entry_address(entry);
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "<h2><a href=\"../entry/{address}.html\">{}: {}</a></h2>\n<div class=\"wide\"><table><thead><tr>",
                escape(&table.subject),
                escape(table.protocol)
            );
            let with = || table.columns.iter().filter(move |column| column.cells[row].is_some());
            for column in with() {
                let _ = write!(
                    body,
                    "<th><a href=\"../metric/{}.html\">{}</a> {}</th>",
                    board.addresses.metrics[column.spec.id],
                    escape(column.spec.label),
                    column.spec.direction.arrow()
                );
            }
            body += "</tr></thead>\n<tbody><tr>";
            for column in with() {
                let link = board.cell_address(entry, column.spec.id, "../");
                body += &cell_of(&column.spec, column.cells[row].as_ref(), &link);
            }
            body += "</tr></tbody></table></div>\n";
        }
    }
    page(board, system, "../", &body)
}

/// What the card of an entry says.
pub(super) fn card(entry: &Entry) -> String {
    let card = &entry.card;
    let lines = [
        ("authors", &card.authors),
        ("paper", &card.paper),
        ("code", &card.code),
        ("data", &card.data),
        ("licence", &card.licence),
        ("printed values", &card.printed_in),
    ];
    let given = lines.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
    let mut lines: Vec<String> = given
        .map(|(name, text)| {
            let shown = match text.starts_with("https://") {
                true => format!("<a href=\"{0}\">{0}</a>", escape(text)),
                false => escape(text),
            };
            format!("<dt>{name}</dt><dd>{shown}</dd>")
        })
        .collect();
    if !card.printed_only.is_empty() {
        let values = card.printed_only.iter().map(|(name, value)| format!("{} {value}", escape(name)));
        let values = values.collect::<Vec<String>>().join(", ");
        lines.push(format!("<dt>printed, not computed here</dt><dd>{values}</dd>"));
    }
    match lines.is_empty() {
        true => String::new(),
        false => format!("<dl>{}</dl>\n", lines.concat()),
    }
}
