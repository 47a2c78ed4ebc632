//! The files of the site.

mod cells;
mod entry_page;
mod index;
mod means_figure;
mod metric_page;
mod pairs_csv;
mod pictures;
mod system_page;

use crate::board::Board;
use maud::{DOCTYPE, Markup, html};
use neurogauge::Error;
use neurogauge::core::{Finding, MetricSpec};
use pictures::Pictures;
use std::collections::BTreeMap;

const STYLE: &str = include_str!("../../page/dist/board.css");
const SCRIPT: &str = include_str!("../../page/dist/board.js");

/// A file of the site: its name and its content.
pub(crate) type SiteFile = (String, Vec<u8>);

/// Calls `write` with each file of the site, and returns what it lacks.
pub(crate) fn write_all(
    board: &Board,
    mut write: impl FnMut(SiteFile) -> Result<(), Error>,
) -> Result<Vec<Finding>, Error> {
    write(("site.css".to_owned(), STYLE.into()))?;
    write(("site.js".to_owned(), SCRIPT.into()))?;
    let mut pictures = Pictures::default();
    let mut systems: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, entry) in board.entries.iter().enumerate() {
        systems.entry(&entry.card.system).or_default().push(place);
        let inputs = entry.run.reopen();
        pictures.add(board, place, &inputs, &mut write)?;
        let page = entry_page::of(board, place, &inputs);
        write((format!("entry/{}.html", board.entry_address(place)), page.into()))?;
        if board.n_left_out().is_none() {
            let pairs = pairs_csv::of(entry, &inputs);
            write((format!("data/{}.csv.gz", board.entry_address(place)), pairs))?;
        }
    }
    write(("index.html".to_owned(), index::of(board, &pictures).into()))?;
    for (system, places) in systems {
        let page = system_page::of(board, system, &places);
        write((format!("system/{}.html", board.addresses.systems[system]), page.into()))?;
    }
    for (id, spec) in metrics(board) {
        write((format!("metric/{id}.html"), metric_page::of(board, &spec).into()))?;
    }
    Ok(pictures.findings)
}

fn metrics(board: &Board) -> BTreeMap<String, MetricSpec> {
    let columns = board.tables.iter().flat_map(|table| &table.columns);
    columns.map(|column| (board.addresses.metrics[column.spec.id].clone(), column.spec)).collect()
}

/// A page; `up` leads from it to the folder of the site.
fn page(board: &Board, heading: &str, up: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width";
            title { (heading) }
            link rel="stylesheet" href={ (up) "site.css" };
            @if !up.is_empty() {
                nav { a href={ (up) "index.html" } { (board.config.title) } }
            }
            main { h1 { (heading) } (body) }
            script src={ (up) "site.js" } {}
        }
    };
    page.into_string()
}

/// A table that scrolls by itself if it is wider than the page.
fn wide(heads: &Markup, rows: &Markup) -> Markup {
    html! {
        div.wide { table { thead { tr { (heads) } } tbody { (rows) } } }
    }
}

fn system_link(board: &Board, place: usize, up: &str) -> Markup {
    let system = &board.entries[place].card.system;
    html! { a href={ (up) "system/" (board.addresses.systems[system]) ".html" } { (system) } }
}

fn metric_link(board: &Board, spec: &MetricSpec, up: &str) -> Markup {
    html! { a href={ (up) "metric/" (board.addresses.metrics[spec.id]) ".html" } { (spec.label) } }
}
