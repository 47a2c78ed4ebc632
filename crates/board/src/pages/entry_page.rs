//! The page of an entry, which is a system of a subject: its values, its lowest and highest pairs, and the commands
//! that repeat it.

use super::cells::{interval, number, printed, rank, value};
use super::pairs_csv::captions_of;
use super::system_page::card;
use super::{metric_link, page, system_link, wide};
use crate::board::Board;
use crate::entry::Entry;
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::Reopened;
use neurogauge::core::option_words::option;
use neurogauge::core::{Input, MetricSpec};

/// Number of lowest and of highest pairs of a metric that are shown.
const SHOWN: usize = 3;

pub(super) fn of(board: &Board, place: usize, inputs: &Reopened) -> String {
    let entry = &board.entries[place];
    let (system, subject) = (&entry.card.system, &entry.card.subject);
    let address = board.entry_address(place);
    let rows = board.tables.iter().filter_map(|table| {
        let row = table.entries.iter().position(|&other| other == place)?;
        Some(table.columns.iter().map(move |column| (row, column)))
    });
    let rows = rows.flatten().collect_vec();
    let cells = || rows.iter().filter_map(|(row, column)| Some((column.spec, column.cells[*row].as_ref()?)));
    let heads = html! {
        th { "metric" } th { "value" } th { "interval" } th { "rank" } th { "pairs" } th { "printed" }
    };
    let values = html! {
        @for (spec, cell) in cells() {
            tr {
                td { (metric_link(board, &spec, "../")) }
                td { (value(&spec, cell)) }
                td { (interval(&spec, cell)) }
                td { (rank(cell)) }
                td { (cell.estimate.n) }
                td { (printed(&spec, cell)) }
            }
        }
    };
    let input_heads = html! { th { "input" } th { "items" } th.text { "SHA-256" } };
    let input_rows = html! {
        @for input in &entry.run.record.provenance.inputs {
            tr { td { (input.role) } td { (input.items.len()) } td.text { code { (input.sha256) } } }
        }
    };
    let body = html! {
        p {
            (system_link(board, place, "../")) ", " (subject) ", " (entry.protocol_id())
            @if let Some(by) = entry.same_by { " (" (by.label()) ")" }
        }
        (card(entry))
        (wide(&heads, &values))
        h2 { "Pairs" }
        p {
            @match board.n_left_out() {
                None => { "Every pair: " a href={ "../data/" (address) ".csv.gz" } { (address) ".csv.gz" } }
                Some(n_scores) => {
                    "The entries of this board have " (n_scores) " scores, so tables of every pair are left out; they are in the entry's "
                    code { "scores.parquet" } ", and " code { "pairs = true" } " in " code { "board.toml" } " puts them here."
                }
            }
        }
        @for (spec, _) in cells() { (pairs(board, entry, &spec, inputs)) }
        (commands(entry))
        h2 { "Inputs" }
        (wide(&input_heads, &input_rows))
    };
    page(board, &format!("{system}, {subject}"), "../", &body)
}

/// The lowest and highest pairs of a metric, with their captions if the run had any.
fn pairs(board: &Board, entry: &Entry, spec: &MetricSpec, inputs: &Reopened) -> Markup {
    let scores = &entry.run.scores;
    let outcomes = scores.column(spec.id).unwrap_or_default().iter();
    let valued = outcomes.zip(&scores.pairs).filter_map(|(outcome, pair)| Some((*outcome.as_ref().ok()?, pair)));
    let mut valued: Vec<(f64, &String)> = valued.collect();
    valued.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_lowest = SHOWN.min(valued.len().div_ceil(2));
    let n_highest = SHOWN.min(valued.len() - n_lowest);
    let (lowest, others) = valued.split_at(n_lowest);
    let highest = &others[others.len() - n_highest..];
    let listed = |pairs: &[(f64, &String)]| {
        pairs.iter().map(|(value, pair)| format!("{pair} ({})", number(spec, *value))).join(", ")
    };
    let heads = html! { th { "pair" } th { "value" } th.text { "decoded" } th.text { "first reference" } };
    let rows = html! {
        @for (value, pair) in lowest.iter().chain(highest) {
            @let (decoded, reference) = captions_of(inputs, pair);
            tr { td { (pair) } td { (number(spec, *value)) } td.text { (decoded) } td.text { (reference) } }
        }
    };
    html! {
        h3 id=(board.addresses.metrics[spec.id]) { (spec.label) }
        @match inputs.captions {
            Some(_) => (wide(&heads, &rows)),
            None => p { "Lowest: " (listed(lowest)) ". Highest: " (listed(highest)) "." },
        }
    }
}

/// The commands that compute the entry again.
fn commands(entry: &Entry) -> Markup {
    let folder = entry.folder.file_name().unwrap_or_default().to_string_lossy();
    let metrics = entry.run.scores.columns.iter().map(|(id, _)| id).join(",");
    let inputs = entry.run.record.request.inputs.iter().map(|(input, path)| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        match input {
            // The images of both sides are positional arguments.
            Input::GT | Input::RECON => name.into_owned(),
            input => option(&input.to_string().replace('_', "-"), &name).to_string(),
        }
    });
    let inputs = inputs.collect_vec().join(" ");
    html! {
        h2 { "Compute it again" }
        p {
            "From the folder of the entry, with all its options, and compared with it; from " code { "run.json" }
            " alone; and in full where all options are the default:"
        }
        pre {
            "neurogauge board verify " (folder) "\n"
            "neurogauge score --from-run " (folder) " --out again\n"
            "neurogauge score " (inputs) " --metrics " (metrics) " --out again"
        }
    }
}
