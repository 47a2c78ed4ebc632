//! The first page: an answer, pictures, a figure and a table for each protocol and subject.

use super::cells::cell_of;
use super::pictures::Pictures;
use super::{means_figure, metric_link, metrics, page, system_link, wide};
use crate::board::{Board, BoardTable};
use crate::entry::Card;
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::core::counted;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn of(board: &Board, pictures: &Pictures) -> String {
    let body = html! {
        @if !board.config.about.is_empty() { p { (board.config.about) } }
        (filters(board))
        @for table in &board.tables { (section(board, table, pictures)) }
        p { small {
            "Means with 95% intervals for new stimuli; each leads to its pairs. Systems are in the order of their mean rank over the \
             metrics of a table. #: ranks. Systems that the paired tests do not \
             tell apart (5%, Holm's correction over all differences of the systems that have the same metrics) share ranks, so #1–2 means that either is possible. \
             “printed” is what the paper prints, with the difference of our value from it. ↑: higher is better."
        } }
    };
    page(board, &board.config.title, "", &body)
}

/// Menus for the script's filters; hidden without the script.
fn filters(board: &Board) -> Markup {
    let protocols: BTreeMap<&str, &str> = board.tables.iter().map(|table| (table.protocol, table.protocol)).collect();
    let subjects = board.tables.iter().map(|table| (table.subject.as_str(), table.subject.as_str()));
    let metrics: BTreeMap<&str, &str> = metrics(board).into_values().map(|spec| (spec.id, spec.label)).collect();
    html! {
        form #filters hidden {
            (choice("protocol", "test set", &protocols))
            (choice("subject", "subject", &subjects.collect()))
            (choice("metric", "metric", &metrics))
        }
    }
}

/// A menu of values with their names; empty if there is only one.
fn choice(name: &str, label: &str, of: &BTreeMap<&str, &str>) -> Markup {
    html! {
        @if of.len() > 1 {
            label {
                (label) " "
                select name=(name) {
                    option value="" { "all" }
                    @for (value, name) in of { option value=(value) { (name) } }
                }
            }
            " "
        }
    }
}

/// Says how many stimuli there are; if systems have different ones, how many every system has.
fn stimuli(board: &Board, table: &BoardTable) -> String {
    let mut all = (table.entries.iter()).map(|&entry| &board.entries[entry].run.scores.pairs);
    let Some(first) = all.next() else {
        return String::new();
    };
    let mut shared: BTreeSet<&String> = first.iter().collect();
    let mut are_all_shared = true;
    for pairs in all {
        let other: BTreeSet<&String> = pairs.iter().collect();
        are_all_shared &= other == shared;
        shared = shared.intersection(&other).copied().collect();
    }
    match are_all_shared {
        true => format!("{} stimuli", shared.len()),
        false => format!("{} stimuli that every system has", shared.len()),
    }
}

/// Which systems are shown to be better than all others, and by how many metrics.
fn answer(board: &Board, table: &BoardTable) -> Option<String> {
    let ranks = |row: usize| table.columns.iter().filter_map(move |column| column.cells[row].as_ref()?.ranks);
    let n = table
        .columns
        .iter()
        .filter(|column| column.cells.iter().flatten().any(|cell| cell.ranks.is_some()))
        .count();
    let wins = table
        .by_rank()
        .into_iter()
        .map(|row| (row, ranks(row).filter(|ranks| *ranks == (1.0, 1.0)).count()));
    let wins = wins.filter(|(_, won)| *won > 0).map(|(row, won)| {
        let system = &board.entries[table.entries[row]].card.system;
        format!("{system} is shown to be better than every other system by {won} of {}", counted(n, "metric"))
    });
    let wins = wins.collect::<Vec<String>>().join(", ");
    (n > 0).then(|| match wins.is_empty() {
        true => format!("By none of {} is a system shown to be better than every other.", counted(n, "metric")),
        false => format!("{wins}."),
    })
}

/// What a system is, for people.
fn about(card: &Card) -> String {
    let origin = || [&card.authors, &card.paper].into_iter().flatten().join(": ");
    card.about.clone().unwrap_or_else(origin)
}

fn section(board: &Board, table: &BoardTable, pictures: &Pictures) -> Markup {
    let card = |row: usize| &board.entries[table.entries[row]].card;
    let are_described = (0..table.entries.len()).any(|row| !about(card(row)).is_empty());
    let heads = html! {
        th data-n { "system" }
        @if are_described { th.text { "what it is" } }
        @for column in &table.columns {
            th data-n data-m=(column.spec.id) { (column.spec.label) " " (column.spec.direction.arrow()) }
        }
    };
    let rows = html! {
        @for (row, entry) in table.by_rank().into_iter().map(|row| (row, table.entries[row])) {
            tr {
                td { (system_link(board, entry, "")) }
                @if are_described { td.text { (about(card(row))) } }
                @for column in &table.columns {
                    (cell_of(&column.spec, column.cells[row].as_ref(), &board.cell_address(entry, column.spec.id, "")))
                }
            }
        }
    };
    html! {
        section data-subject=(table.subject) data-protocol=(table.protocol) {
            h2 { (table.subject) ": " (table.protocol) ", " (stimuli(board, table)) }
            @if let Some(answer) = answer(board, table) { p.answer { (answer) } }
            (pictures.of(board, table))
            (means_figure::of(board, table))
            (wide(&heads, &rows))
            p {
                "Metrics: "
                @for (place, column) in table.columns.iter().enumerate() {
                    @if place > 0 { ", " }
                    (metric_link(board, &column.spec, ""))
                }
            }
        }
    }
}
