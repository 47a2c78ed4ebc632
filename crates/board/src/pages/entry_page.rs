//! An entry, that is a system of a subject: its values, its lowest and highest pairs, and the commands that repeat it.

use super::cells::{interval, number, printed, rank, value};
use super::page;
use super::pairs_csv::captions_of;
use super::system_page::card;
use crate::board::{Board, MetricColumn};
use crate::entry::Entry;
use neurogauge::Reopened;
use neurogauge::core::hostile_text::for_html as escape;
use std::fmt::Write;

/// How many of the lowest and of the highest pairs of a metric are shown.
const SHOWN: usize = 3;

pub(super) fn of(board: &Board, place: usize, inputs: &Reopened) -> String {
    let entry = &board.entries[place];
    let (system, subject) = (&entry.card.system, &entry.card.subject);
    let address = board.entry_address(place);
    let mut body = format!(
        "<p><a href=\"../system/{}.html\">{}</a>, {}, {}{}</p>\n{}",
        board.addresses.systems[system],
        escape(system),
        escape(subject),
        escape(entry.protocol_id()),
        entry.same_by.map_or(String::new(), |by| format!(" ({})", by.label())),
        card(entry)
    );
    let tables = board.tables.iter();
    let rows = tables.filter_map(|table| {
        let row = table.entries.iter().position(|&other| other == place)?;
        Some(table.columns.iter().map(move |column| (row, column)))
    });
    let rows: Vec<(usize, &MetricColumn)> = rows.flatten().collect();
    body += "<div class=\"wide\"><table><thead><tr><th>metric</th><th>value</th><th>interval</th><th>rank</th><th>pairs</th>\
             <th>printed</th></tr></thead>\n<tbody>\n";
    let with_cells = rows.iter().filter_map(|(row, column)| Some((column.spec, column.cells[*row].as_ref()?)));
    // Writing to a string cannot fail.
    for (spec, cell) in with_cells.clone() {
        let _ = writeln!(
            body,
            "<tr><td><a href=\"../metric/{}.html\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            board.addresses.metrics[spec.id],
            escape(spec.label),
            value(&spec, cell).0,
            interval(&spec, cell),
            rank(cell),
            cell.estimate.n,
            printed(&spec, cell)
        );
    }
    let every = match board.n_left_out() {
        None => format!("Every pair: <a href=\"../data/{address}.csv.gz\">{address}.csv.gz</a>"),
        Some(n_scores) => format!(
            "The entries of this board have {n_scores} scores, so tables of every pair are left out; they are in the entry's \
             <code>scores.parquet</code>, and <code>pairs = true</code> in <code>board.toml</code> puts them here."
        ),
    };
    let _ = writeln!(body, "</tbody></table></div>\n<h2>Pairs</h2>\n<p>{every}</p>");
    for (spec, _) in with_cells {
        body += &pairs(board, entry, &spec, inputs);
    }
    body += &commands(entry);
    body += "<h2>Inputs</h2>\n<div class=\"wide\"><table><thead><tr><th>input</th><th>items</th><th class=\"text\">SHA-256</th></tr></thead>\n<tbody>\n";
    for input in &entry.run.record.provenance.inputs {
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"text\"><code>{}</code></td></tr>",
            escape(&input.role),
            input.items.len(),
            escape(&input.sha256)
        );
    }
    body += "</tbody></table></div>\n";
    page(board, &format!("{system}, {subject}"), "../", &body)
}

/// The lowest and highest pairs of a metric, with their captions where the run had some.
fn pairs(board: &Board, entry: &Entry, spec: &neurogauge::core::MetricSpec, inputs: &Reopened) -> String {
    let scores = &entry.run.scores;
    let outcomes = scores.column(spec.id).unwrap_or_default().iter();
    let valued = outcomes.zip(&scores.pairs).filter_map(|(outcome, pair)| Some((*outcome.as_ref().ok()?, pair)));
    let mut valued: Vec<(f64, &String)> = valued.collect();
    valued.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_lowest = SHOWN.min(valued.len().div_ceil(2));
    let n_highest = SHOWN.min(valued.len() - n_lowest);
    let (lowest, others) = valued.split_at(n_lowest);
    let highest = &others[others.len() - n_highest..];
    let mut text = format!("<h3 id=\"{}\">{}</h3>\n", board.addresses.metrics[spec.id], escape(spec.label));
    if inputs.captions.is_none() {
        let listed = |pairs: &[(f64, &String)]| {
            let pairs = pairs.iter().map(|(value, pair)| format!("{} ({})", escape(pair), number(spec, *value)));
            pairs.collect::<Vec<String>>().join(", ")
        };
        return text + &format!("<p>Lowest: {}. Highest: {}.</p>\n", listed(lowest), listed(highest));
    }
    text += "<div class=\"wide\"><table><thead><tr><th>pair</th><th>value</th><th class=\"text\">decoded</th>\
             <th class=\"text\">first reference</th></tr></thead>\n<tbody>\n";
    for (value, pair) in lowest.iter().chain(highest) {
        let (decoded, reference) = captions_of(inputs, pair);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
            escape(pair),
            number(spec, *value),
            escape(decoded),
            escape(reference)
        );
    }
    text + "</tbody></table></div>\n"
}

/// The commands that compute the entry again.
fn commands(entry: &Entry) -> String {
    let folder = entry.folder.file_name().unwrap_or_default().to_string_lossy();
    let metrics: Vec<&str> = entry.run.scores.columns.iter().map(|(id, _)| id.as_str()).collect();
    let inputs = entry.run.record.request.inputs.iter();
    let inputs = inputs.map(|(input, path)| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        match input.flag().as_str() {
            // The images of both sides need no option.
            "--gt" | "--recon" => name.into_owned(),
            flag => format!("{flag} {name}"),
        }
    });
    let inputs: Vec<String> = inputs.collect();
    let score = format!("neurogauge score {} --metrics {} --out again", inputs.join(" "), metrics.join(","));
    format!(
        "<h2>Compute it again</h2>\n<p>From the folder of the entry, with all its options, and compared with it; from <code>run.json</code> \
         alone; and in full where all options are the default:</p>\n\
         <pre>neurogauge board verify {0}\nneurogauge score --from-run {0} --out again\n{1}</pre>\n",
        escape(&folder),
        escape(&score)
    )
}
