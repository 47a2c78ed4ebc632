//! Text in columns of a terminal.

use unicode_width::UnicodeWidthStr;

/// Spaces between two columns.
pub(crate) const GAP: &str = "  ";

/// Columns that a text occupies on a terminal (wide characters occupy two).
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(width).max().unwrap_or(0)
}

/// Spaces after the text.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Spaces before the text.
pub(crate) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Appends a line without the spaces at its end.
pub(crate) fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Appends words, broken at spaces where a width is given.
pub(crate) fn push_words(out: &mut String, text: &str, max_width: Option<usize>) {
    match max_width {
        None => push_line(out, text),
        Some(max_width) => {
            lines(text, max_width, "").iter().for_each(|line| push_line(out, line));
        }
    }
}

/// The words in lines of at most this width, at least one line; those after the first begin with `indent`. A longer
/// word has a line of its own.
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
