//! Divides a table so that it fits on pages. Only LaTeX knows exact widths, so they are estimated for Computer Modern.

use super::column::{LatexCell, LatexColumn};
use super::grid::LatexGrid;
use std::ops::Range;

/// Number of columns that fit on a page: metrics, or systems if the metrics are rows.
pub(super) const MOST_COLUMNS: usize = 8;
pub(super) const MOST_SYSTEMS: usize = 6;
/// Number of rows that fit on a page, each with intervals below its values.
const MOST_LINES: usize = 28;
/// With more columns than this, the space between them is smaller.
const LOOSE_COLUMNS: usize = 6;

/// Width of the text on an A4 or letter page, which a `table*` spans, in points.
const PAGE_WIDTH: f64 = 490.0;
/// Lines of `\small` on such a page.
const PAGE_LINES: usize = 56;
/// Height of rules, headings and the space between two blocks, in lines.
const LINES_OF_BLOCK: usize = 4;
/// Smallest width to which words are wrapped, in points.
const NARROWEST: f64 = 120.0;
/// Space on either side of a column: LaTeX's default, and a smaller one for tables that are too wide.
const LOOSE: f64 = 6.0;
const TIGHT: f64 = 3.0;

/// The rows and columns of one `tabular`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) columns: Vec<usize>,
    pub(super) rows: Range<usize>,
}

#[derive(Debug)]
pub(super) struct Pages {
    /// The space between columns in points, if it differs from LaTeX's default.
    pub(super) between: Option<usize>,
    /// The width to which each column's words are wrapped.
    pub(super) broken: Vec<Option<f64>>,
    /// Where LaTeX may place the pages after the first.
    pub(super) further: &'static str,
    pub(super) pages: Vec<Vec<Block>>,
}

/// A column's width without limits by the page.
struct Natural {
    width: f64,
    is_words: bool,
}

/// Divides a table of systems into pages. Metrics that do not fit on a page are split into several blocks below each
/// other, which are about equally large. A table that is too high for a page continues in another environment.
pub(super) fn by_count(grid: &LatexGrid, n_systems: usize) -> Pages {
    let has_metrics_as_lines = grid.rows.iter().any(|row| !row.group.is_empty());
    let (n, most, blocks_per_page) = match has_metrics_as_lines {
        true => (grid.rows.len(), MOST_LINES, 1),
        false => (grid.columns.len() - 1, MOST_COLUMNS, (MOST_LINES / n_systems.max(1)).max(1)),
    };
    let size = n.div_ceil(n.div_ceil(most).max(1)).max(1);
    let blocks = (0..n).step_by(size).map(|start| start..n.min(start + size)).map(|part| match has_metrics_as_lines {
        true => Block {
            columns: (0..grid.columns.len()).collect(),
            rows: part,
        },
        false => Block {
            columns: [0].into_iter().chain(part.map(|metric| 1 + metric)).collect(),
            rows: 0..grid.rows.len(),
        },
    });
    let is_loose = has_metrics_as_lines || size <= LOOSE_COLUMNS;
    Pages {
        between: Some(if is_loose { 4 } else { 2 }),
        broken: Vec::new(),
        further: "t",
        pages: blocks.collect::<Vec<Block>>().chunks(blocks_per_page).map(<[Block]>::to_vec).collect(),
    }
}

/// Divides any other table into pages. A table that fits is one block with LaTeX's defaults.
///
/// If it is too wide, words are wrapped; if that is not enough, columns are moved together, and finally divided into
/// blocks that all begin with the columns that name a row. A table that is too high continues in other environments.
pub(super) fn by_width(grid: &LatexGrid, caption: &str) -> Pages {
    let LatexGrid {
        columns,
        headings,
        rows,
        ..
    } = grid;
    let natural: Vec<Natural> = (columns.iter().enumerate())
        .map(|(c, column)| Natural::of(column, &headings[c], rows.iter().map(|row| &row.cells[c])))
        .collect();
    let all: Vec<usize> = (0..columns.len()).collect();
    let mut widths: Vec<f64> = natural.iter().map(|column| column.width).collect();
    let total = |widths: &[f64], separation: f64| sum(&all, widths, separation);
    let mut broken = vec![None; columns.len()];
    if total(&widths, LOOSE) > PAGE_WIDTH {
        for (c, room) in room_for_words(&natural) {
            broken[c] = Some(room);
            widths[c] = room;
        }
    }
    let is_tight = total(&widths, LOOSE) > PAGE_WIDTH;
    let blocks = match total(&widths, if is_tight { TIGHT } else { LOOSE }) > PAGE_WIDTH {
        true => divided(n_keys(&natural), &widths),
        false => vec![all],
    };
    let lines = |row: usize| {
        let of_cell = |c: usize| lines_of(&rows[row].cells[c], broken[c]);
        (0..columns.len()).map(of_cell).max().unwrap_or(1)
    };
    // The caption has the normal font size, so its lines are a little higher and have fewer letters.
    let of_caption = (width(caption) * 1.12 / PAGE_WIDTH).ceil() * 1.1;
    let most = PAGE_LINES.saturating_sub(of_caption as usize + 1).max(PAGE_LINES / 2);
    let pages = filled(&blocks, rows.len(), lines, most);
    Pages {
        between: is_tight.then_some(3),
        broken,
        further: "tp",
        pages,
    }
}

impl Natural {
    fn of<'c>(column: &LatexColumn, heading: &str, cells: impl Iterator<Item = &'c LatexCell>) -> Self {
        let mut is_words = true;
        let mut widest = width(heading);
        for cell in cells {
            is_words &= cell.is_words();
            widest = widest.max(width_of(cell));
        }
        let split = if column.width() > 1 { 2.0 * TIGHT } else { 0.0 };
        Natural {
            width: widest + split,
            is_words,
        }
    }
}

/// The columns whose words are wrapped, with the width of each: the space that numbers leave is shared among the
/// widest.
fn room_for_words(natural: &[Natural]) -> Vec<(usize, f64)> {
    let wide = |column: &(usize, &Natural)| column.1.is_words && column.1.width > NARROWEST;
    let wide: Vec<(usize, &Natural)> = natural.iter().enumerate().filter(wide).collect();
    let taken: f64 = natural.iter().map(|column| column.width).sum();
    let of_wide: f64 = wide.iter().map(|(_, column)| column.width).sum();
    let margins = 2.0 * TIGHT * natural.len() as f64;
    let room = (PAGE_WIDTH - margins - (taken - of_wide)) / wide.len().max(1) as f64;
    // If the numbers alone fill the page, columns are divided, and words get a third of the width.
    let room = if room < NARROWEST { PAGE_WIDTH / 3.0 } else { room };
    wide.into_iter().filter(|(_, column)| column.width > room).map(|(c, _)| (c, room.floor())).collect()
}

/// Number of columns that name a row: the leading columns of words.
fn n_keys(natural: &[Natural]) -> usize {
    let first = natural.iter().position(|column| column.is_words);
    let Some(first) = first.filter(|&first| first < 2) else {
        return 1.min(natural.len());
    };
    let words = natural[first..].iter().take_while(|column| column.is_words);
    first + words.count().min(3)
}

/// Divides columns into blocks as wide as a page allows, each with the key columns first.
fn divided(n_keys: usize, widths: &[f64]) -> Vec<Vec<usize>> {
    let keys: Vec<usize> = (0..n_keys).collect();
    let mut blocks = Vec::new();
    let mut block = keys.clone();
    for column in n_keys..widths.len() {
        let is_full = sum(&block, widths, TIGHT) + widths[column] + 2.0 * TIGHT > PAGE_WIDTH;
        if is_full && block.len() > n_keys {
            blocks.push(std::mem::replace(&mut block, keys.clone()));
        }
        block.push(column);
    }
    blocks.push(block);
    blocks
}

fn sum(columns: &[usize], widths: &[f64], separation: f64) -> f64 {
    let of = |&column: &usize| widths[column] + 2.0 * separation;
    columns.iter().map(of).sum()
}

/// Fills pages with rows: as many as fit, in all blocks below each other, then the next page.
fn filled(blocks: &[Vec<usize>], n_rows: usize, lines: impl Fn(usize) -> usize, most: usize) -> Vec<Vec<Block>> {
    let mut pages = vec![Vec::new()];
    let mut left = most;
    let mut start = 0;
    loop {
        let mut height = LINES_OF_BLOCK;
        let mut end = start;
        while end < n_rows && (end == start || height + lines(end) <= most) {
            height += lines(end);
            end += 1;
        }
        for columns in blocks {
            let is_first = pages.last().is_none_or(Vec::is_empty);
            if height > left && !is_first {
                pages.push(Vec::new());
                left = most;
            }
            left = left.saturating_sub(height);
            let columns = columns.clone();
            let rows = start..end;
            if let Some(page) = pages.last_mut() {
                page.push(Block { columns, rows });
            }
        }
        start = end;
        if start >= n_rows {
            return pages;
        }
    }
}

fn lines_of(cell: &LatexCell, broken: Option<f64>) -> usize {
    match broken {
        // Lines end at words, so they are not quite full.
        Some(room) => (width_of(cell) * 1.15 / room).ceil().max(1.0) as usize,
        None => 1,
    }
}

/// Width of a cell including its spread.
fn width_of(cell: &LatexCell) -> f64 {
    let spread = cell.spread.as_deref();
    let beside = spread.map_or(0.0, |spread| 0.85 * width(spread) + 3.0);
    width(cell.latex()) + beside + width(&cell.after)
}

/// Approximate width of a text in `\small` Computer Modern, in points; a command without its arguments counts as one
/// character.
fn width(latex: &str) -> f64 {
    let mut points = 0.0;
    let mut chars = latex.chars().peekable();
    while let Some(c) = chars.next() {
        points += match c {
            '{' | '}' | '$' | '^' => 0.0,
            '\\' => {
                let mut name = String::new();
                while let Some(letter) = chars.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                match name.as_str() {
                    "" => chars.next().map_or(0.0, |sign| if sign == ',' { 1.5 } else { 5.0 }),
                    "textbf" | "underline" | "scriptsize" => 0.0,
                    _ => 5.5,
                }
            }
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '[' | ']' | '(' | ')' | '|' => 3.0,
            ' ' | 'f' | 'r' | 's' | 't' | '-' => 3.6,
            'm' | 'w' | 'M' | 'W' | '%' | '+' | '=' | '@' => 8.0,
            'A'..='Z' => 6.6,
            _ if c.is_ascii() => 4.7,
            _ => 9.0,
        };
    }
    points
}
