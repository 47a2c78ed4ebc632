//! The page of a system: its cards, and its values for each subject.

use super::cells::cell_of;
use super::{metric_link, page, wide};
use crate::board::{Board, BoardTable};
use crate::entry::Entry;
use itertools::Itertools;
use maud::{Markup, html};

pub(super) fn of(board: &Board, system: &str, places: &[usize]) -> String {
    // If the cards of all subjects are equal, the card is shown once.
    let mut cards: Vec<String> = places.iter().map(|&place| card(&board.entries[place]).into_string()).collect();
    cards.dedup();
    let body = html! {
        @if cards.len() == 1 { (card(&board.entries[places[0]])) }
        @for table in &board.tables {
            @for (row, &entry) in table.entries.iter().enumerate().filter(|(_, entry)| places.contains(entry)) {
                (values(board, table, row, entry))
            }
        }
    };
    page(board, system, "../", &body)
}

/// The values of an entry, which is row `row` of a table.
fn values(board: &Board, table: &BoardTable, row: usize, entry: usize) -> Markup {
    let with = || table.columns.iter().filter(|column| column.cells[row].is_some());
    let heads = html! {
        @for column in with() {
            th { (metric_link(board, &column.spec, "../")) " " (column.spec.direction.arrow()) }
        }
    };
    let cells = html! {
        tr {
            @for column in with() {
                (cell_of(&column.spec, column.cells[row].as_ref(), &board.cell_address(entry, column.spec.id, "../")))
            }
        }
    };
    html! {
        h2 { a href={ "../entry/" (board.entry_address(entry)) ".html" } { (table.subject) ": " (table.protocol) } }
        (wide(&heads, &cells))
    }
}

/// The content of an entry's card.
pub(super) fn card(entry: &Entry) -> Markup {
    let card = &entry.card;
    let lines = [
        ("authors", &card.authors),
        ("paper", &card.paper),
        ("code", &card.code),
        ("data", &card.data),
        ("licence", &card.licence),
        ("printed values", &card.printed_in),
    ];
    let given = lines.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?))).collect_vec();
    let printed = card.printed_only.iter().map(|(name, value)| format!("{name} {value}")).join(", ");
    html! {
        @if !given.is_empty() || !printed.is_empty() {
            dl {
                @for (name, text) in given {
                    dt { (name) }
                    dd {
                        @if text.starts_with("https://") { a href=(text) { (text) } } @else { (text) }
                    }
                }
                @if !printed.is_empty() { dt { "printed, not computed here" } dd { (printed) } }
            }
        }
    }
}
