//! Converts the results' Markdown to HTML: headings, sentences and tables with the program's own escapes.

use crate::html;
use itertools::Itertools;
use maud::{Markup, PreEscaped, html};

pub(crate) fn to_html(markdown: &str) -> Markup {
    below(markdown, "Table")
}

/// The same below a heading that the page has already.
pub(crate) fn below(markdown: &str, heading: &str) -> Markup {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().peekable();
    let mut heading = heading.to_owned();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(title) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
            heading = plain(title);
            blocks.push(html! { h3 { (inline(title)) } });
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|next| next.trim().starts_with('|')) {
                rows.push(cells(row.trim()));
            }
            let heads: Vec<Markup> = rows[0].iter().map(|cell| inline(cell)).collect();
            let (rules, body) = rows[1..].split_first().unwrap_or((&rows[0], &[]));
            let words = words(rules, body);
            let body: Vec<Vec<Markup>> =
                (body.iter()).map(|row| row.iter().map(|cell| unbroken_interval(inline(cell))).collect()).collect();
            blocks.push(html::headed_table(&heading, &heads, &words, &body));
        } else if let Some(item) = line.strip_prefix("- ") {
            let mut items = vec![item];
            while let Some(next) = lines.next_if(|next| next.starts_with("- ")) {
                items.push(next.trim_start_matches("- "));
            }
            blocks.push(html! { ul { @for item in items { li { (inline(item)) } } } });
        } else if !line.is_empty() {
            blocks.push(html! { p { (inline(line)) } });
        }
    }
    html! { @for block in blocks { (block) "\n" } }
}

/// A number with its interval; the line may break only between the two.
fn unbroken_interval(cell: Markup) -> Markup {
    let is_number = cell.0.starts_with(|c: char| c.is_ascii_digit() || "\u{2212}-[".contains(c));
    match cell.0.find('[').map(|at| cell.0.split_at(at)) {
        Some((value, ends)) if is_number => html! { (PreEscaped(value)) span.ends { (PreEscaped(ends)) } },
        _ => cell,
    }
}

/// The cells of a row; an escaped bar does not end a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut escaped = false;
    let ends_a_cell = |c: char| {
        let ends = c == '|' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    };
    row.split(ends_a_cell).map(|cell| cell.trim().to_owned()).collect()
}

/// Which columns have words: those that the line below the headings aligns left, unless most of their cells begin with
/// a number, like means with intervals.
fn words(rules: &[String], body: &[Vec<String>]) -> Vec<bool> {
    let is_number = |cell: &str| {
        let begin = cell.trim_start_matches("**").trim_start_matches("<u>");
        begin.starts_with(|c: char| c.is_ascii_digit() || "\u{2212}-+[<".contains(c))
    };
    let of_column = |(column, rule): (usize, &String)| {
        let cells = body.iter().filter_map(|row| row.get(column));
        // "-" stands for a missing value.
        let cells: Vec<&String> = cells.filter(|cell| !["", "-", "\\-"].contains(&cell.as_str())).collect();
        let n_numbers = cells.iter().filter(|cell| is_number(cell)).count();
        !rule.ends_with(':') && 2 * n_numbers < cells.len()
    };
    rules.iter().enumerate().map(of_column).collect()
}

/// The text with labels in place of the names of metrics, which are whole cells or parts of them, perhaps with an arrow or
/// a dagger behind, as in `object_f1 ↑` and `clip - ssim`.
pub(crate) fn in_cells(markdown: &str, labels: &[(String, String)]) -> String {
    let labelled = |part: &str| {
        let end = part.trim_end_matches([' ', '↑', '↓', '†', '*']).len();
        let name = part[..end].trim_start_matches('*');
        let known = labels.iter().find(|(known, _)| *known == plain(name));
        known.map_or(part.to_owned(), |(_, label)| part.replacen(name, label, 1))
    };
    let cell = |cell: &String| {
        [" + ", " - ", ", "]
            .iter()
            .fold(labelled(cell), |cell, between| cell.split(between).map(labelled).join(between))
    };
    let line = |line: &str| match line.starts_with('|') {
        true => format!("| {} |", cells(line).iter().map(cell).join(" | ")),
        false => line.to_owned(),
    };
    markdown.lines().map(line).join("\n")
}

/// The text without escapes.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The marks that open and close emphasis, and its HTML element. Backticks are escaped, since Markdown escapes all text;
/// in it they stand around what a user types.
const MARKS: [(&str, &str, &str); 3] = [("**", "**", "b"), ("<u>", "</u>", "u"), ("\\`", "\\`", "code")];

/// A cell or a sentence. Parts of its text may be bold, underlined or code.
fn inline(text: &str) -> Markup {
    let mut parts = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some((element, inner, len)) = marked(rest) {
            let inner = plain(inner);
            parts.push(html! {
                (plain(&text[begin..at]))
                @match element {
                    "b" => b { (inner) },
                    "u" => u { (inner) },
                    _ => code { (inner) },
                }
            });
            at += len;
            begin = at;
        } else if next == '\\' {
            at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        } else {
            at += next.len_utf8();
        }
    }
    html! { @for part in parts { (part) } (plain(&text[begin..])) }
}

/// The emphasis that a text begins with: its element, the words within, and its length in bytes.
fn marked(text: &str) -> Option<(&'static str, &str, usize)> {
    MARKS.iter().find_map(|&(open, close, element)| {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close).filter(|&end| end > 0)?;
        Some((element, &inner[..end], open.len() + end + close.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(markdown: &str) -> String {
        to_html(markdown).into_string()
    }

    #[test]
    fn tables_are_read_with_their_escapes() {
        let found = written(
            "### A\\_b &lt;c&gt;\n\n| Name | n |\n| :--- | --: |\n| a\\|b | **0.3** |\n| <u>1</u> | &amp;lt; |\n\nA note.\n\n- one \\<b>\n- two\n",
        );
        for part in [
            "<h3>A_b &lt;c&gt;</h3>",
            "<th scope=\"col\">Name</th><th scope=\"col\">n</th>",
            "<th scope=\"row\">a|b</th><td><b>0.3</b></td>",
            "<th scope=\"row\"><u>1</u></th><td>&amp;lt;</td>",
            "<p>A note.</p>",
            "<ul><li>one &lt;b&gt;</li><li>two</li></ul>",
        ] {
            assert!(found.contains(part), "{part} in\n{found}");
        }
        assert!(!found.contains(":---"));
    }

    #[test]
    fn columns_of_words_are_not_aligned_like_numbers() {
        let found = written(
            "| System | mean | run | n |\n| :- | :- | :--- | --: |\n| a | **0.3** [0.1, 0.5] | runs/a | one |\n| b | <u>0.2</u> | runs/b | two |\n",
        );
        for part in [
            "<th scope=\"col\">mean</th><th scope=\"col\" class=\"words\">run</th><th scope=\"col\">n</th>",
            "<td><b>0.3</b> [0.1, 0.5]</td><td class=\"words\">runs/a</td><td>one</td>",
        ] {
            assert!(found.contains(part), "{part} in\n{found}");
        }
    }

    #[test]
    fn emphasis_may_be_a_part_of_a_cell() {
        let found =
            written("| a |\n| - |\n| **0.3** [0.1, 0.5] |\n| <u>0.2</u> [0.1, 0.3] |\n| \\*\\*b\\*\\* 2**3 |\n");
        for part in ["><b>0.3</b> [0.1, 0.5]<", "><u>0.2</u> [0.1, 0.3]<", ">**b** 2**3<"] {
            assert!(found.contains(part), "{part} in\n{found}");
        }
        let found = written(r"one \`a\_b\` in \`c\`, a lone \`");
        assert!(found.contains(r"<p>one <code>a_b</code> in <code>c</code>, a lone `</p>"), "{found}");
    }

    #[test]
    fn cells_have_labels_in_place_of_names() {
        let labels = [("object_f1".to_owned(), "Object F1".to_owned()), ("clip".to_owned(), "CLIP".to_owned())];
        let text = "clip\n\n| Metric | n |\n| :- | -: |\n| object\\_f1† ↑ | 3 |\n| **clip** | 4 |\n| clip - object\\_f1 | 5 |\n| clip-001 | 6 |";
        let expected = "clip\n\n| Metric | n |\n| :- | -: |\n| Object F1† ↑ | 3 |\n| **CLIP** | 4 |\n| CLIP - Object F1 | 5 |\n| clip-001 | 6 |";
        assert_eq!(in_cells(text, &labels), expected);
    }

    #[test]
    fn no_markup_comes_through() {
        let found = written("<img src=x onerror=alert(1)>\n\n| a |\n| - |\n| **<script>** |\n");
        assert!(!found.contains("<img") && !found.contains("<script"), "{found}");
    }
}
