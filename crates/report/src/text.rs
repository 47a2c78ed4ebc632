//! Formats text for a terminal: columns aligned with spaces, no boxes, no colours.

use crate::columns::{GAP, TextColumn, left, push_columns, push_line, push_words, right, widest, width};
use crate::marks::Mark;
use crate::number::{fixed, interval};
use crate::reading::Reading;
use crate::wording::{self, heading, one_line};
use crate::{Row, Table};
use neurogauge_core::Group;

const INDENT: &str = "  ";

/// The text so far, and the terminal's width, to which words are wrapped.
pub(crate) struct Text {
    pub(crate) written: String,
    width: Option<usize>,
    has_heading: bool,
}

impl Text {
    pub(crate) fn of_width(width: Option<usize>) -> Self {
        Text {
            written: String::new(),
            width,
            has_heading: false,
        }
    }

    /// Puts as many columns side by side as the width allows, at least one. If there is one cell more than systems, the
    /// last is the chance level.
    fn push_blocks(&mut self, table: &Table, cells: impl Fn(usize) -> Vec<String>) {
        let columns = columns(table, cells);
        let mut systems: Vec<String> = table.rows.iter().map(|row| one_line(&row.name())).collect();
        systems.resize(columns.first().map_or(0, |column| column.cells.len()), "chance".to_owned());
        let system_width = widest(systems.iter().map(String::as_str).chain(["System"]));
        let mut rest = columns.as_slice();
        while !rest.is_empty() {
            let fits = |&n: &usize| {
                let taken: usize = rest[..n].iter().map(|column| width(GAP) + column.width).sum();
                self.width.is_none_or(|most| system_width + taken <= most)
            };
            let (block, others) = rest.split_at((1..=rest.len()).take_while(fits).last().unwrap_or(1));
            self.written.push('\n');
            push_block(&mut self.written, &systems, system_width, block);
            rest = others;
        }
    }
}

impl Reading for Text {
    const LEGEND: &'static str = "* best, + second";

    fn title(&mut self, title: &str) {
        self.sentence(title);
    }

    fn heading(&mut self, words: &str, name: &str) {
        if self.has_heading {
            self.gap();
        }
        self.has_heading = true;
        self.sentence(&format!("{words}{name}"));
    }

    fn grid(&mut self, headings: &[String], rows: &[Vec<String>], is_left: &[bool]) {
        let column = |place: usize| TextColumn {
            cells: [&headings[place]]
                .into_iter()
                .chain(rows.iter().map(|row| &row[place]))
                .map(|c| one_line(c))
                .collect(),
            is_words: is_left[place],
        };
        self.gap();
        push_columns(&mut self.written, &(0..headings.len()).map(column).collect::<Vec<TextColumn>>(), self.width);
    }

    fn metrics(&mut self, table: &Table, row: &Row) {
        let header = ["Metric", "mean", &wording::interval(table.level), "n", "undefined", "chance"].map(str::to_owned);
        let groups = table.groups();
        let order = groups.iter().flat_map(|(_, members)| members);
        // A reason spans the columns of mean and interval.
        let lines = order.map(|&column| {
            let (spec, estimate) = (&table.columns[column], &row.estimates[column]);
            let ends = estimate.interval.map_or_else(|| "-".to_owned(), |ends| interval(ends, spec.decimals));
            let [value, ends] = match &estimate.value {
                Ok(mean) => [fixed(*mean, spec.decimals), ends],
                Err(reason) => [one_line(&format!("undefined: {reason}")), String::new()],
            };
            let [n, n_undefined] = [estimate.n, estimate.n_undefined].map(|n| n.to_string());
            let cells = [format!("{INDENT}{}", heading(spec)), value, ends, n, n_undefined, wording::chance(spec)];
            (cells, estimate.value.is_err())
        });
        let lines: Vec<([String; 6], bool)> = [(header, false)].into_iter().chain(lines).collect();
        let mut widths: [usize; 6] = std::array::from_fn(|place| {
            let whole = lines.iter().filter(|(_, spans)| !(*spans && place == 1));
            widest(whole.map(|(cells, _)| cells[place].as_str()))
        });
        let longest = widest(lines.iter().filter(|(_, spans)| *spans).map(|(cells, _)| cells[1].as_str()));
        widths[2] = widths[2].max(longest.saturating_sub(widths[1] + width(GAP)));
        let n_shown = if table.has_chance() { 6 } else { 5 };
        let shown = |(cells, spans): &([String; 6], bool)| {
            let mut shown = vec![left(&cells[0], widths[0])];
            match spans {
                true => shown.push(left(&cells[1], widths[1] + width(GAP) + widths[2])),
                false => shown.extend([right(&cells[1], widths[1]), left(&cells[2], widths[2])]),
            }
            shown.extend((3..n_shown).map(|place| right(&cells[place], widths[place])));
            shown.join(GAP)
        };
        self.gap();
        let mut lines = lines.iter().map(shown);
        lines.by_ref().take(1).for_each(|header| push_line(&mut self.written, &header));
        for (group, members) in &groups {
            push_line(&mut self.written, group.label());
            lines.by_ref().take(members.len()).for_each(|line| push_line(&mut self.written, &line));
        }
    }

    fn means(&mut self, table: &Table, marks: &[Vec<Mark>]) {
        self.push_blocks(table, |column| means(table, column, &marks[column]));
    }

    fn cells(&mut self, table: &Table, cell: &dyn Fn(usize, usize) -> String) {
        self.push_blocks(table, |column| (0..table.rows.len()).map(|row| cell(row, column)).collect());
    }

    fn gap(&mut self) {
        self.written.push('\n');
    }

    fn sentence(&mut self, words: &str) {
        push_words(&mut self.written, &one_line(words), self.width);
    }
}

struct MetricColumn {
    group: Group,
    heading: String,
    cells: Vec<String>,
    width: usize,
}

/// The columns in the order of their groups, each with a cell for each system.
fn columns(table: &Table, cells: impl Fn(usize) -> Vec<String>) -> Vec<MetricColumn> {
    let order = table.groups().into_iter().flat_map(|(group, members)| members.into_iter().map(move |c| (group, c)));
    let column = |(group, column): (Group, usize)| {
        let (heading, cells) = (heading(&table.columns[column]), cells(column));
        // Wide enough for the name of its group, which is above the first column of a block.
        let texts = cells.iter().chain([&heading]).map(String::as_str);
        let width = widest(texts.chain([group.label()]));
        MetricColumn {
            group,
            heading,
            cells,
            width,
        }
    };
    order.map(column).collect()
}

/// `mean [low, high]`: means and intervals are each aligned right, the best and the second-best are marked, and the
/// chance level is below if any column has one.
fn means(table: &Table, column: usize, marks: &[Mark]) -> Vec<String> {
    let decimals = table.columns[column].decimals;
    let has_marks = marks.iter().any(|mark| *mark != Mark::Plain);
    let sign = |mark: &Mark| match mark {
        _ if !has_marks => "",
        Mark::Plain => " ",
        Mark::Best => "*",
        Mark::Second => "+",
    };
    let mut parts: Vec<Option<(String, String)>> = (table.rows.iter().zip(marks))
        .map(|(row, mark)| {
            let estimate = &row.estimates[column];
            let mean = fixed(*estimate.value.as_ref().ok()?, decimals) + sign(mark);
            Some((mean, estimate.interval.map(|ends| interval(ends, decimals)).unwrap_or_default()))
        })
        .collect();
    if table.has_chance() {
        parts.push(Some((wording::chance(&table.columns[column]) + sign(&Mark::Plain), String::new())));
    }
    let mean_width = widest(parts.iter().flatten().map(|(mean, _)| mean.as_str()));
    let interval_width = widest(parts.iter().flatten().map(|(_, ends)| ends.as_str()));
    let shown = |part: &Option<(String, String)>| match part {
        None => "undefined".to_owned(),
        Some((mean, ends)) => format!("{} {}", right(mean, mean_width), right(ends, interval_width)),
    };
    parts.iter().map(shown).collect()
}

fn push_block(out: &mut String, systems: &[String], system_width: usize, block: &[MetricColumn]) {
    let mut groups = left("", system_width);
    let mut headings = left("System", system_width);
    for group in block.chunk_by(|a, b| a.group == b.group) {
        let names: String =
            group.iter().map(|column| format!("{GAP}{}", left(&column.heading, column.width))).collect();
        groups.push_str(&left(&format!("{GAP}{}", group[0].group.label()), width(&names)));
        headings.push_str(&names);
    }
    push_line(out, &groups);
    push_line(out, &headings);
    for (place, system) in systems.iter().enumerate() {
        let cells = block.iter().map(|column| format!("{GAP}{}", left(&column.cells[place], column.width)));
        push_line(out, &(left(system, system_width) + &cells.collect::<String>()));
    }
}
