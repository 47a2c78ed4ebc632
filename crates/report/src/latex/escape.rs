//! Escapes plain text for LaTeX.

use crate::wording::one_line;

/// Puts the text on one line and escapes every character that is special in LaTeX.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '_' | '&' | '%' | '$' | '#' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("''"),
            // After `\\` and the rules of booktabs, these characters would start an argument.
            '[' | ']' | '*' => {
                out.push('{');
                out.push(c);
                out.push('}');
            }
            '†' => out.push_str("$^\\dagger$"),
            '‡' => out.push_str("$^\\ddagger$"),
            '±' => out.push_str("$\\pm$"),
            'α' => out.push_str("$\\alpha$"),
            'ε' => out.push_str("$\\varepsilon$"),
            'τ' => out.push_str("$\\tau$"),
            '↑' => out.push_str("$\\uparrow$"),
            '↓' => out.push_str("$\\downarrow$"),
            _ => out.push(c),
        }
    }
    out
}
