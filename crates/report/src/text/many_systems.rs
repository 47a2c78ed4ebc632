//! Several systems: systems as lines, metrics as columns, in blocks that fit the terminal.

use crate::Table;
use crate::layout::{GAP, left, push_line, push_words, right, widest, width};
use crate::marks::{Mark, SHOWN, marks};
use crate::number::{fixed, interval};
use crate::wording::{
    self, counts_cell, counts_heading, heading, one_line, rank_cell, reasons, shared_counts, without_interval,
};
use neurogauge_core::Group;

pub(super) fn render(out: &mut String, table: &Table, max_width: Option<usize>) {
    push_words(out, &wording::mean_over_pairs(table), max_width);
    push_blocks(out, table, max_width, &columns(table, |column| means(table, column, &marks(table, column))));
    if (0..table.columns.len()).any(|column| is_marked(&marks(table, column))) {
        push_words(out, &format!("* best, + second, {SHOWN}"), max_width);
    }
    for reason in reasons(table) {
        push_words(out, &format!("undefined: {reason}"), max_width);
    }
    for reason in without_interval(table) {
        push_words(out, &format!("no interval, {reason}"), max_width);
    }
    if shared_counts(table).is_none() {
        out.push('\n');
        push_words(out, &counts_heading(table), max_width);
        push_blocks(
            out,
            table,
            max_width,
            &columns(table, |column| (0..table.rows.len()).map(|row| counts_cell(table, row, column)).collect()),
        );
    }
    if let Some(table) = &table.ranked() {
        out.push('\n');
        let level = wording::interval(table.level);
        push_words(out, &format!("rank, 1 is best [{level}]"), max_width);
        push_blocks(
            out,
            table,
            max_width,
            &columns(table, |column| (0..table.rows.len()).map(|row| rank_cell(table, row, column)).collect()),
        );
    }
}

struct TextColumn {
    group: Group,
    heading: String,
    cells: Vec<String>,
    width: usize,
}

/// The columns in the order of their groups, each with one cell for each system.
fn columns(table: &Table, cells: impl Fn(usize) -> Vec<String>) -> Vec<TextColumn> {
    let mut columns = Vec::with_capacity(table.columns.len());
    for (group, members) in table.groups() {
        for column in members {
            let heading = heading(&table.columns[column]);
            let cells = cells(column);
            // Wide enough for the name of its group, which is above the first of a block.
            let width = widest(cells.iter().chain([&heading]).map(String::as_str).chain([group.label()]));
            columns.push(TextColumn {
                group,
                heading,
                cells,
                width,
            });
        }
    }
    columns
}

fn is_marked(marks: &[Mark]) -> bool {
    marks.iter().any(|mark| *mark != Mark::Plain)
}

/// `mean [low, high]`, the means and the intervals each aligned at their right, the best and the second set off; below
/// them the chance level, if any column has one.
fn means(table: &Table, column: usize, marks: &[Mark]) -> Vec<String> {
    let decimals = table.columns[column].decimals;
    let sign = |mark: &Mark| match mark {
        _ if !is_marked(marks) => "",
        Mark::Plain => " ",
        Mark::Best => "*",
        Mark::Second => "+",
    };
    let mut parts: Vec<Option<(String, String)>> = (table.rows.iter().zip(marks))
        .map(|(row, mark)| {
            let estimate = &row.estimates[column];
            let mean = fixed(*estimate.value.as_ref().ok()?, decimals) + sign(mark);
            let ends = estimate.interval.map(|ends| interval(ends, decimals));
            Some((mean, ends.unwrap_or_default()))
        })
        .collect();
    if table.has_chance() {
        let chance = wording::chance(&table.columns[column]) + sign(&Mark::Plain);
        parts.push(Some((chance, String::new())));
    }
    let mean_width = widest(parts.iter().flatten().map(|(mean, _)| mean.as_str()));
    let interval_width = widest(parts.iter().flatten().map(|(_, ends)| ends.as_str()));
    parts
        .iter()
        .map(|part| match part {
            None => "undefined".to_owned(),
            Some((mean, ends)) => {
                format!("{} {}", right(mean, mean_width), right(ends, interval_width))
            }
        })
        .collect()
}

/// As many columns side by side as the width allows, at least one.
fn push_blocks(out: &mut String, table: &Table, max_width: Option<usize>, columns: &[TextColumn]) {
    let mut systems: Vec<String> = table.rows.iter().map(|row| one_line(&row.name())).collect();
    // One cell more than there are systems is the chance level.
    let n_cells = columns.first().map_or(0, |column| column.cells.len());
    systems.resize(n_cells, "chance".to_owned());
    let system_width = widest(systems.iter().map(String::as_str).chain(["System"]));
    let mut rest = columns;
    while !rest.is_empty() {
        let n_fitting = (1..=rest.len())
            .take_while(|&n| {
                let taken: usize = rest[..n].iter().map(|column| width(GAP) + column.width).sum();
                max_width.is_none_or(|max_width| system_width + taken <= max_width)
            })
            .last()
            .unwrap_or(1);
        let (block, others) = rest.split_at(n_fitting);
        out.push('\n');
        push_block(out, &systems, system_width, block);
        rest = others;
    }
}

fn push_block(out: &mut String, systems: &[String], system_width: usize, block: &[TextColumn]) {
    let mut groups = left("", system_width);
    let mut headings = left("System", system_width);
    for group in block.chunk_by(|a, b| a.group == b.group) {
        let mut names = String::new();
        for column in group {
            names.push_str(GAP);
            names.push_str(&left(&column.heading, column.width));
        }
        let label = format!("{GAP}{}", group[0].group.label());
        groups.push_str(&left(&label, width(&names)));
        headings.push_str(&names);
    }
    push_line(out, &groups);
    push_line(out, &headings);
    for (place, system) in systems.iter().enumerate() {
        let mut line = left(system, system_width);
        for column in block {
            line.push_str(GAP);
            line.push_str(&left(&column.cells[place], column.width));
        }
        push_line(out, &line);
    }
}
