//! One system: metrics as lines, under the heading of their group.

use crate::layout::{GAP, left, push_line, right, widest, width};
use crate::number::{fixed, interval};
use crate::wording::{self, heading, one_line, without_interval};
use crate::{Row, Table};
use neurogauge_core::Estimate;

const INDENT: &str = "  ";

pub(super) fn render(out: &mut String, table: &Table, row: &Row) {
    let groups = table.groups();
    let lines: Vec<Line> =
        (0..table.columns.len()).map(|column| Line::new(table, column, &row.estimates[column])).collect();
    let widths = Widths::new(table, &lines);

    push_line(out, &format!("System: {}", one_line(&row.name())));
    out.push('\n');
    let mut header = vec!["n", "undefined"];
    header.extend(table.has_chance().then_some("chance"));
    widths.push_cells(out, "Metric", &widths.mean_and_interval("mean", &wording::interval(table.level)), &header);
    for (group, members) in groups {
        push_line(out, group.label());
        for line in members.into_iter().map(|column| &lines[column]) {
            let estimate = match &line.estimate {
                Shown::Value(mean, interval) => widths.mean_and_interval(mean, interval),
                Shown::Undefined(reason) => left(reason, widths.estimate()),
            };
            let label = format!("{INDENT}{}", line.label);
            let counts = [&line.n, &line.n_undefined].map(String::as_str);
            let chance = table.has_chance().then_some(line.chance.as_str());
            let cells: Vec<&str> = counts.into_iter().chain(chance).collect();
            widths.push_cells(out, &label, &estimate, &cells);
        }
    }
    for (place, reason) in without_interval(table).iter().enumerate() {
        if place == 0 {
            out.push('\n');
        }
        push_line(out, &format!("no interval, {reason}"));
    }
}

struct Line {
    label: String,
    estimate: Shown,
    n: String,
    n_undefined: String,
    chance: String,
}

enum Shown {
    /// Mean and interval.
    Value(String, String),
    /// The reason, across the columns of both.
    Undefined(String),
}

impl Line {
    fn new(table: &Table, column: usize, estimate: &Estimate) -> Self {
        let spec = &table.columns[column];
        let shown = match &estimate.value {
            Ok(mean) => Shown::Value(
                fixed(*mean, spec.decimals),
                estimate.interval.map_or_else(|| "-".to_owned(), |ends| interval(ends, spec.decimals)),
            ),
            Err(reason) => Shown::Undefined(one_line(&format!("undefined: {reason}"))),
        };
        Line {
            label: heading(spec),
            estimate: shown,
            n: estimate.n.to_string(),
            n_undefined: estimate.n_undefined.to_string(),
            chance: wording::chance(spec),
        }
    }
}

struct Widths {
    label: usize,
    mean: usize,
    interval: usize,
    n: usize,
    n_undefined: usize,
    chance: usize,
}

impl Widths {
    fn new(table: &Table, lines: &[Line]) -> Self {
        let mut widths = Widths {
            label: width("Metric"),
            mean: width("mean"),
            interval: width(&wording::interval(table.level)),
            n: widest(lines.iter().map(|line| line.n.as_str())),
            n_undefined: width("undefined"),
            chance: width("chance"),
        };
        for line in lines {
            widths.label = widths.label.max(width(INDENT) + width(&line.label));
            widths.n_undefined = widths.n_undefined.max(width(&line.n_undefined));
            widths.chance = widths.chance.max(width(&line.chance));
            if let Shown::Value(mean, interval) = &line.estimate {
                widths.mean = widths.mean.max(width(mean));
                widths.interval = widths.interval.max(width(interval));
            }
        }
        // A reason spans both columns; the second is widened for it.
        for line in lines {
            if let Shown::Undefined(reason) = &line.estimate {
                let lacking = width(reason).saturating_sub(widths.estimate());
                widths.interval += lacking;
            }
        }
        widths
    }

    fn estimate(&self) -> usize {
        self.mean + width(GAP) + self.interval
    }

    fn mean_and_interval(&self, mean: &str, interval: &str) -> String {
        format!("{}{GAP}{}", right(mean, self.mean), left(interval, self.interval))
    }

    /// `further` are n, undefined and, where the table has it, chance.
    fn push_cells(&self, out: &mut String, label: &str, estimate: &str, further: &[&str]) {
        let mut cells = vec![left(label, self.label), estimate.to_owned()];
        let widths = [self.n, self.n_undefined, self.chance];
        cells.extend(further.iter().zip(widths).map(|(cell, width)| right(cell, width)));
        push_line(out, &cells.join(GAP));
    }
}
