//! Breaks lines that are wider than the terminal where a person would break them.
//!
//! A terminal breaks a long line at its edge, even in the middle of a word or a number. Here, prose is broken between
//! words, and a row of a table between its cells. The rest is indented, so that rows remain distinguishable.

use console::measure_text_width;
use std::borrow::Cow;

/// The additional indentation of the rest of a broken line, in columns.
const DEEPER: usize = 4;

/// The text in lines of at most `columns`, if its words allow. Commands and addresses are never broken, because people
/// copy them.
pub(crate) fn broken(text: &str, columns: Option<usize>) -> Cow<'_, str> {
    match columns.filter(|&columns| columns > 2 * DEEPER) {
        Some(columns) if text.lines().any(|line| measure_text_width(line) > columns) => {
            let lines: Vec<Cow<'_, str>> = text.split('\n').map(|line| broken_line(line, columns)).collect();
            Cow::Owned(lines.join("\n"))
        }
        _ => Cow::Borrowed(text),
    }
}

fn broken_line(line: &str, columns: usize) -> Cow<'_, str> {
    if measure_text_width(line) <= columns || is_to_be_copied(line) {
        return Cow::Borrowed(line);
    }
    let start = line.len() - line.trim_start_matches(' ').len();
    let indent = (start + DEEPER).min(columns / 2);
    // The head of a table may begin with an empty cell.
    let start_shown = start.min(columns / 2);
    let mut found = line[..start_shown].to_owned();
    let (mut used, mut empty) = (start_shown, start_shown);
    for (place, cell) in cells(&line[start..]).enumerate() {
        // A cell that fits on a line is not divided.
        let units = match measure_text_width(cell) + indent <= columns {
            true => vec![cell],
            false => cell.split(' ').collect(),
        };
        for (inner, unit) in units.into_iter().enumerate() {
            let gap = match (place, inner) {
                (0, 0) => "",
                (_, 0) => "  ",
                _ => " ",
            };
            let width = measure_text_width(unit);
            match used + gap.len() + width > columns && used > empty {
                true => {
                    found += &format!("\n{}{unit}", " ".repeat(indent));
                    (used, empty) = (indent + width, indent);
                }
                false => {
                    found += gap;
                    found += unit;
                    used += gap.len() + width;
                }
            }
        }
    }
    Cow::Owned(found)
}

/// The parts of a line separated by two or more spaces; for prose, the whole line.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split("  ").map(|cell| cell.trim_matches(' ')).filter(|cell| !cell.is_empty())
}

fn is_to_be_copied(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.ends_with("neurogauge") || first.contains("://")
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn prose_is_broken_between_words() {
        let text = "note: left out: lpips_alex, seed";
        assert_eq!(broken(text, Some(20)), "note: left out:\n    lpips_alex, seed");
        assert_eq!(broken(text, Some(32)), text);
        assert_eq!(broken(text, None), text);
    }

    #[test]
    fn rows_of_tables_are_broken_between_cells() {
        let row = "  PixCorr ↑  0.601  [0.082, 1.000]  8";
        assert_eq!(broken(row, Some(24)), "  PixCorr ↑  0.601\n      [0.082, 1.000]  8");
        let head = "                      value [95%]  n";
        assert_eq!(broken(head, Some(24)), "            value [95%]\n            n");
    }

    #[test]
    fn colours_take_no_room_and_commands_stay_whole() {
        let coloured = "\u{1b}[1mnote:\u{1b}[0m a word";
        assert_eq!(broken(coloured, Some(12)), coloured);
        let command = "  neurogauge score demo-run/data/gt demo-run/data/recon";
        assert_eq!(broken(command, Some(20)), command);
        // A word that is wider than the terminal is not broken here.
        assert_eq!(broken("see abcdefghijklmnopqrstuvwxyz", Some(20)), "see\n    abcdefghijklmnopqrstuvwxyz");
    }
}
