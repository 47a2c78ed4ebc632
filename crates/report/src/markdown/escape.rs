//! Plain text that Markdown must not read as markup.

use crate::wording::one_line;

/// On one line, with every character that could open markup or end a cell escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_markup_or_ends_a_cell() {
        assert_eq!(escape("a_b|c*d`e[f](g)<h>&i\\j~k$l#m\nn"), r"a\_b\|c\*d\`e\[f\](g)&lt;h&gt;&amp;i\\j\~k\$l\#m n");
        assert_eq!(escape("PixCorr ↑ 2.5%"), "PixCorr ↑ 2.5%");
    }
}
