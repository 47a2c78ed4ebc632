//! Puts text into columns for a terminal, side by side as far as its width allows.

use unicode_width::UnicodeWidthStr;

/// A column: its heading and a cell for each row.
pub(crate) struct TextColumn {
    /// Stands above the headings of neighbours that share it; empty without one.
    pub(crate) group: &'static str,
    /// The heading, then the cells.
    pub(crate) cells: Vec<String>,
    pub(crate) is_left: bool,
    /// Words, which may be wrapped.
    pub(crate) is_words: bool,
}

/// Words are not wrapped to fewer terminal columns than this.
const NARROWEST: usize = 24;
/// Indents continuation lines in the first column.
const INDENT: &str = "  ";

/// Appends the columns. If they do not fit side by side, long words are wrapped. Columns that still do not fit follow
/// below, with the first column repeated. `groups` has the name above the group of each row.
pub(crate) fn push_columns(out: &mut String, columns: &[TextColumn], groups: &[&str], max_width: Option<usize>) {
    let (widths, blocks) = placed(columns, max_width);
    let n_rows = columns.first().map_or(0, |column| column.cells.len());
    let in_lines = columns.iter().zip(&widths).enumerate();
    let in_lines = in_lines.map(|(place, (column, &most))| {
        let of_cell = |cell: &String| match width(cell) <= most {
            true => vec![cell.clone()],
            false => lines(cell, most, indent(place)),
        };
        column.cells.iter().map(of_cell).collect()
    });
    let in_lines: Vec<Vec<Vec<String>>> = in_lines.collect();
    let widest_line = |cells: &Vec<Vec<String>>| widest(cells.iter().flatten().map(String::as_str));
    let widths: Vec<usize> = in_lines
        .iter()
        .zip(columns)
        .map(|(cells, column)| widest_line(cells).max(width(column.group)))
        .collect();
    let lines_of = |column: usize, row: usize| in_lines[column][row].as_slice();
    for (place, block) in blocks.iter().enumerate() {
        if place > 0 {
            out.push('\n');
        }
        push_groups(out, columns, block, &widths);
        for row in 0..n_rows {
            let group = |row: usize| row.checked_sub(1).map_or("", |row| groups[row]);
            if row > 0 && group(row) != group(row - 1) {
                push_line(out, group(row));
            }
            let n_lines = block.iter().map(|&column| lines_of(column, row).len()).max();
            for line in 0..n_lines.unwrap_or(0) {
                let cells = block.iter().map(|&column| {
                    let words = lines_of(column, row).get(line).map_or("", String::as_str);
                    match columns[column].is_left {
                        true => left(words, widths[column]),
                        false => right(words, widths[column]),
                    }
                });
                push_line(out, &cells.collect::<Vec<String>>().join(GAP));
            }
        }
    }
}

/// The names of groups of columns, if there are any.
fn push_groups(out: &mut String, columns: &[TextColumn], block: &[usize], widths: &[usize]) {
    let group = |column: usize| columns[column].group;
    if block.iter().all(|&column| group(column).is_empty()) {
        return;
    }
    let names = block.chunk_by(|&a, &b| group(a) == group(b)).map(|members| {
        let taken = members.iter().map(|&column| widths[column] + GAP.len()).sum::<usize>();
        left(group(members[0]), taken - GAP.len())
    });
    push_line(out, &names.collect::<Vec<String>>().join(GAP));
}

fn indent(column: usize) -> &'static str {
    if column == 0 { INDENT } else { "" }
}

/// The width of each column, and the columns of each block.
fn placed(columns: &[TextColumn], max_width: Option<usize>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let of_column = |column: &TextColumn| widest(column.cells.iter().map(String::as_str)).max(width(column.group));
    let whole: Vec<usize> = columns.iter().map(of_column).collect();
    let all = || vec![(0..columns.len()).collect()];
    let Some(max_width) = max_width else {
        return (whole, all());
    };
    let least = columns.iter().zip(&whole).enumerate();
    let least: Vec<usize> = least
        .map(|(place, (column, &whole))| match column.is_words {
            true => narrowest(column, place).min(whole),
            false => whole,
        })
        .collect();
    // Columns that are never wrapped are put below each other even if they are too wide for that.
    let is_unbroken = columns.iter().any(|column| column.is_left && !column.is_words);
    match narrowed(&whole, &least, max_width) {
        Some(narrowed) => (narrowed, all()),
        None => in_blocks(whole.clone(), &least, max_width, is_unbroken).unwrap_or_else(|| (whole, all())),
    }
}

/// The smallest width to which the column's words can be wrapped.
fn narrowest(column: &TextColumn, place: usize) -> usize {
    let words = column.cells.iter().flat_map(|cell| cell.split_whitespace());
    NARROWEST.max(indent(place).len() + words.map(width).max().unwrap_or(0))
}

/// Widths at which all columns fit side by side; the widest columns are narrowed first.
fn narrowed(whole: &[usize], least: &[usize], max_width: usize) -> Option<Vec<usize>> {
    let gaps = GAP.len() * whole.len().saturating_sub(1);
    let mut widths = whole.to_vec();
    while widths.iter().sum::<usize>() + gaps > max_width {
        let wide = (0..widths.len()).filter(|&column| widths[column] > least[column]);
        let widest = wide.max_by_key(|&column| widths[column])?;
        widths[widest] -= 1;
    }
    Some(widths)
}

/// Blocks of columns that fit side by side, each with the first column and at least one other. `None` if a column does
/// not fit beside the first, unless columns are never wrapped.
fn in_blocks(
    mut widths: Vec<usize>,
    least: &[usize],
    max_width: usize,
    is_unbroken: bool,
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let most = GAP.len() + *least.get(1..)?.iter().max()?;
    match max_width.checked_sub(most).filter(|&room| room >= least[0]) {
        Some(for_first) => {
            widths[0] = widths[0].min(for_first);
            let room = max_width - widths[0] - GAP.len();
            widths.iter_mut().skip(1).for_each(|width| *width = (*width).min(room));
        }
        None if is_unbroken => {}
        None => return None,
    }
    let beside_first = max_width.saturating_sub(widths[0]);
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut free = 0;
    for (column, width) in widths.iter().enumerate().skip(1) {
        let taken = GAP.len() + width;
        if blocks.is_empty() || taken > free {
            blocks.push(vec![0]);
            free = beside_first;
        }
        free = free.saturating_sub(taken);
        if let Some(block) = blocks.last_mut() {
            block.push(column);
        }
    }
    Some((widths, blocks))
}

/// Spaces between two columns.
pub(crate) const GAP: &str = "  ";

/// Terminal columns that a text occupies (wide characters occupy two).
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(width).max().unwrap_or(0)
}

/// The text, padded with spaces on the right.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text, padded with spaces on the left.
pub(crate) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Appends a line without trailing spaces.
pub(crate) fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Appends words, wrapped at spaces if a width is given.
pub(crate) fn push_words(out: &mut String, text: &str, max_width: Option<usize>) {
    match max_width {
        None => push_line(out, text),
        Some(max_width) => {
            lines(text, max_width, "").iter().for_each(|line| push_line(out, line));
        }
    }
}

/// Splits words into lines of at most this width, at least one line; all but the first begin with `indent`. A longer
/// word gets its own line.
pub(crate) fn lines(text: &str, max_width: usize, indent: &str) -> Vec<String> {
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    let mut done = Vec::new();
    for word in words {
        if width(&line) + 1 + width(word) > max_width {
            done.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    done.push(line);
    done
}
