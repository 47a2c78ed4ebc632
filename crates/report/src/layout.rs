//! Text in columns of a terminal.

use unicode_width::UnicodeWidthStr;

/// Spaces between two columns.
pub(crate) const GAP: &str = "  ";

/// Columns that a text occupies on a terminal (wide characters occupy two).
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The widest of some texts.
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
    let Some(max_width) = max_width else {
        push_line(out, text);
        return;
    };
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > max_width {
            push_line(out, &line);
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    push_line(out, &line);
}
