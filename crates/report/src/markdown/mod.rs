//! Pipe tables.

mod escape;
mod pipe_table;

use crate::marks::{Mark, SHOWN, marks};
use crate::number::{fixed, interval};
use crate::wording::{
    self, counts_cell, counts_heading, dagger_note, has_stand_in, heading, rank_cell, reasons, shared_counts,
    without_interval,
};
use crate::{Row, Table};
pub(crate) use escape::escape;
pub(crate) use pipe_table::{Align, push};

/// One system: metrics as lines under their groups. Several: systems as lines, metrics in the order
/// of their groups, the best in bold and the second underlined where tests show them.
pub(crate) fn render(table: &Table) -> String {
    let mut out = format!("### {}\n\n", escape(&table.title));
    match table.rows.as_slice() {
        [row] => push_one_system(&mut out, table, row),
        _ => push_many_systems(&mut out, table),
    }
    if has_stand_in(table) {
        out.push_str(&format!("\n{}\n", dagger_note()));
    }
    for note in &table.notes {
        out.push_str(&format!("\n{}\n", escape(note)));
    }
    out
}

fn push_one_system(out: &mut String, table: &Table, row: &Row) {
    out.push_str(&format!("System: {}\n\n", escape(&row.name())));
    let mut header = vec![
        ("Metric".to_owned(), Align::Left),
        ("mean".to_owned(), Align::Right),
        (wording::interval(table.level), Align::Left),
        ("n".to_owned(), Align::Right),
        ("undefined".to_owned(), Align::Right),
    ];
    let chance = table.has_chance().then(|| ("chance".to_owned(), Align::Right));
    header.extend(chance);
    let mut rows = Vec::new();
    for (group, members) in table.groups() {
        let mut headline = vec![String::new(); header.len()];
        headline[0] = format!("**{}**", escape(group.label()));
        rows.push(headline);
        for column in members {
            let spec = &table.columns[column];
            let estimate = &row.estimates[column];
            let ends = estimate.interval.map(|ends| interval(ends, spec.decimals));
            let mut cells = vec![
                escape(&heading(spec)),
                match &estimate.value {
                    Ok(mean) => fixed(*mean, spec.decimals),
                    Err(reason) => format!("undefined: {}", escape(&reason.to_string())),
                },
                ends.unwrap_or_default(),
                estimate.n.to_string(),
                estimate.n_undefined.to_string(),
            ];
            cells.extend(table.has_chance().then(|| wording::chance(spec)));
            rows.push(cells);
        }
    }
    push(out, &header, &rows);
    push_without_interval(out, table);
}

fn push_without_interval(out: &mut String, table: &Table) {
    for reason in without_interval(table) {
        out.push_str(&format!("\nno interval, {}\n", escape(&reason)));
    }
}

fn push_many_systems(out: &mut String, table: &Table) {
    out.push_str(&format!("{}\n\n", wording::mean_over_pairs(table)));
    let marks: Vec<Vec<Mark>> = (0..table.columns.len()).map(|column| marks(table, column)).collect();
    let chance = |column: usize| wording::chance(&table.columns[column]);
    let chance = table.has_chance().then_some(&chance as &dyn Fn(usize) -> String);
    push_cells(out, table, chance, |row, column| {
        let decimals = table.columns[column].decimals;
        let estimate = &table.rows[row].estimates[column];
        let Ok(mean) = estimate.value else {
            return "undefined".to_owned();
        };
        let mean = fixed(mean, decimals);
        let marked = match marks[column][row] {
            Mark::Plain => mean,
            Mark::Best => format!("**{mean}**"),
            Mark::Second => format!("<u>{mean}</u>"),
        };
        match estimate.interval {
            Some(ends) => format!("{marked} {}", interval(ends, decimals)),
            None => marked,
        }
    });
    if marks.iter().flatten().any(|mark| *mark != Mark::Plain) {
        out.push_str(&format!("\nBold: best, underlined: second, {SHOWN}\n"));
    }
    for reason in reasons(table) {
        out.push_str(&format!("\nundefined: {}\n", escape(&reason)));
    }
    push_without_interval(out, table);
    if shared_counts(table).is_none() {
        out.push_str(&format!("\n{}\n\n", counts_heading(table)));
        push_cells(out, table, None, |row, column| counts_cell(table, row, column));
    }
    if let Some(table) = &table.ranked() {
        let level = wording::interval(table.level);
        out.push_str(&format!("\nrank, 1 is best [{level}]\n\n"));
        push_cells(out, table, None, |row, column| rank_cell(table, row, column));
    }
}

/// Systems as lines, metrics as columns; `cell` is given the row and the column. `chance` makes the cells of a last
/// line.
fn push_cells(
    out: &mut String,
    table: &Table,
    chance: Option<&dyn Fn(usize) -> String>,
    cell: impl Fn(usize, usize) -> String,
) {
    let order: Vec<usize> = table.groups().into_iter().flat_map(|(_, members)| members).collect();
    let metrics = order.iter().map(|&column| heading(&table.columns[column]));
    let header: Vec<(String, Align)> = [("System".to_owned(), Align::Left)]
        .into_iter()
        .chain(metrics.map(|name| (escape(&name), Align::Left)))
        .collect();
    let mut rows: Vec<Vec<String>> = (0..table.rows.len())
        .map(|row| {
            let system = escape(&table.rows[row].name());
            let cells = order.iter().map(|&column| cell(row, column));
            [system].into_iter().chain(cells).collect()
        })
        .collect();
    rows.extend(chance.map(|chance| {
        let cells = order.iter().map(|&column| chance(column));
        ["chance".to_owned()].into_iter().chain(cells).collect()
    }));
    push(out, &header, &rows);
}
