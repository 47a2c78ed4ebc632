//! The first page: a table and a figure of ranks for each protocol and subject.

use super::cells::cell_of;
use super::{metrics, page, ranks_figure};
use crate::board::{Board, BoardTable};
use neurogauge::core::hostile_text::for_html as escape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub(super) fn of(board: &Board) -> String {
    let mut body = String::new();
    if !board.config.about.is_empty() {
        body = format!("<p>{}</p>\n", escape(&board.config.about));
    }
    body += &filters(board);
    for table in &board.tables {
        body += &section(board, table);
    }
    body += "<p><small>Means with 95% intervals for new stimuli; each leads to its pairs. #: ranks. Systems that the paired tests do not \
             tell apart (5%, Holm's correction over all differences of the systems that have the same metrics) share ranks, so #1–2 means that either is possible. \
             “printed” is what the paper prints, with the difference of our value from it. ↑: higher is better.</small></p>\n";
    page(board, &board.config.title, "", &body)
}

/// What the script filters by; hidden without it.
fn filters(board: &Board) -> String {
    let protocols: BTreeSet<&str> = board.tables.iter().map(|t| t.protocol).collect();
    let subjects: BTreeSet<&str> = board.tables.iter().map(|t| t.subject.as_str()).collect();
    let metrics: BTreeMap<&str, &str> = metrics(board).into_values().map(|spec| (spec.id, spec.label)).collect();
    let mut form = "<form id=\"filters\" hidden>".to_owned();
    form += &choice("protocol", "test set", protocols.iter().map(|name| (*name, *name)));
    form += &choice("subject", "subject", subjects.iter().map(|name| (*name, *name)));
    form += &choice("metric", "metric", metrics.into_iter());
    form + "</form>\n"
}

/// A list to choose from: value and name of each; nothing where there is one.
fn choice<'a>(name: &str, label: &str, of: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let options: Vec<String> = of
        .map(|(value, name)| {
            let (value, name) = (escape(value), escape(name));
            format!("<option value=\"{value}\">{name}</option>")
        })
        .collect();
    if options.len() < 2 {
        return String::new();
    }
    format!(
        "<label>{label} <select name=\"{name}\"><option value=\"\">all</option>{}</select></label> ",
        options.concat()
    )
}

/// The number of stimuli; where the systems have different ones, of those that every system has.
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

fn section(board: &Board, table: &BoardTable) -> String {
    let (subject, protocol) = (escape(&table.subject), escape(table.protocol));
    let mut text = format!(
        "<section data-subject=\"{subject}\" data-protocol=\"{protocol}\">\n<h2>{subject}: {protocol}, {}</h2>\n\
         <div class=\"wide\"><table>\n<thead><tr><th data-n>system</th>",
        stimuli(board, table)
    );
    // Writing to a string cannot fail.
    for column in &table.columns {
        let spec = &column.spec;
        let _ = write!(
            text,
            "<th data-n data-m=\"{}\">{} {}</th>",
            escape(spec.id),
            escape(spec.label),
            spec.direction.arrow()
        );
    }
    text += "</tr></thead>\n<tbody>\n";
    for (row, &entry) in table.entries.iter().enumerate() {
        let system = &board.entries[entry].card.system;
        let _ = write!(
            text,
            "<tr><td><a href=\"system/{}.html\">{}</a></td>",
            board.addresses.systems[system],
            escape(system)
        );
        for column in &table.columns {
            let link = board.cell_address(entry, column.spec.id, "");
            text += &cell_of(&column.spec, column.cells[row].as_ref(), &link);
        }
        text += "</tr>\n";
    }
    text += "</tbody></table></div>\n<p>Metrics: ";
    let links = table.columns.iter().map(|column| {
        let (id, label) = (&board.addresses.metrics[column.spec.id], escape(column.spec.label));
        format!("<a href=\"metric/{id}.html\">{label}</a>")
    });
    text += &links.collect::<Vec<String>>().join(", ");
    text + "</p>\n" + &ranks_figure::of(board, table) + "</section>\n"
}
