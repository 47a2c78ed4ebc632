//! Text that becomes part of a page: escaped, hashed for the policy, and filled into the template.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use neurogauge::Error;
pub(crate) use neurogauge::core::hostile_text::for_html as escape;
use neurogauge::formats::Problem;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Bytes as base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// JSON for a script element: nothing in it can end the element or open a comment.
pub(crate) fn script_json(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error::Format(Problem::new(error).at("report.html")))?;
    Ok(text.replace('<', "\\u003c"))
}

/// The hash source with which a policy allows a script or style.
pub(crate) fn policy_hash(content: &str) -> String {
    let digest = Sha256::digest(content.as_bytes());
    format!("'sha256-{}'", base64(&digest))
}

/// The template with every `{{name}}` in it filled. Filled-in text is not searched again.
pub(crate) fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        let part = parts.iter().find(|(known, _)| *known == name);
        out.push_str(part.map_or("", |(_, part)| part));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A table with a line of headings; the first cell of each row is its heading. Cells are HTML.
pub(crate) fn number_table(caption: &str, heads: &[String], rows: &[Vec<String>]) -> String {
    table("numbers", caption, true, heads, &[], rows)
}

/// The same below a heading that replaces the caption. `words` are the columns that have words.
pub(crate) fn headed_table(heading: &str, heads: &[String], words: &[bool], rows: &[Vec<String>]) -> String {
    table("numbers", heading, false, heads, words, rows)
}

/// The same for words, which are not aligned like numbers.
pub(crate) fn word_table(caption: &str, heads: &[String], rows: &[Vec<String>]) -> String {
    table("words", caption, true, heads, &[], rows)
}

fn table(class: &str, caption: &str, is_shown: bool, heads: &[String], words: &[bool], rows: &[Vec<String>]) -> String {
    let class_of = |column: usize| match words.get(column) {
        Some(true) if column > 0 => " class=\"words\"",
        _ => "",
    };
    let caption = escape(caption);
    // One heading may have several tables, and two landmarks must not share a name.
    let (role, shown) = match is_shown {
        true => ("region", format!("<caption><span>{caption}</span></caption>")),
        false => ("group", String::new()),
    };
    let mut out = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"{role}\" aria-label=\"{caption}\"><table \
         class=\"{class}\">{shown}<thead><tr>"
    );
    for (column, head) in heads.iter().enumerate() {
        match head.is_empty() {
            true => out.push_str("<td></td>"),
            false => {
                let class = class_of(column);
                out.push_str(&format!("<th scope=\"col\"{class}>{head}</th>"));
            }
        }
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            match column {
                // A line of the group above has no heading.
                0 if cell.is_empty() => out.push_str("<td></td>"),
                0 => out.push_str(&format!("<th scope=\"row\">{cell}</th>")),
                _ => out.push_str(&format!("<td{}>{cell}</td>", class_of(column))),
            }
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// A drawn figure as an image, which cannot run scripts or inherit the page's styles.
pub(crate) fn figure(svg: &str, about: &str) -> String {
    image("image/svg+xml", svg.as_bytes(), about)
}

/// A figure of images, as JPEG.
pub(crate) fn jpeg_figure(jpeg: &[u8], about: &str) -> String {
    image("image/jpeg", jpeg, about)
}

/// A figure of images, as PNG.
pub(crate) fn png_figure(png: &[u8], about: &str) -> String {
    image("image/png", png, about)
}

fn image(kind: &str, bytes: &[u8], about: &str) -> String {
    format!(
        "<p class=\"figure\"><img src=\"data:{kind};base64,{}\" alt=\"{}\"></p>\n",
        base64(bytes),
        escape(about)
    )
}

/// A number with a fixed number of decimals and a proper minus sign, which what rounds to zero does not have.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    neurogauge::report::fixed(value, decimals).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_filled_in_is_filled_again() {
        let parts = [("a", "{{b}}"), ("b", "two")];
        assert_eq!(fill("<{{a}} {{b}} {{c}}> {{", &parts), "<{{b}} two > {{");
    }

    #[test]
    fn json_cannot_leave_its_script() {
        let text = script_json(&["</script>", "<!--"]).unwrap();
        assert_eq!(text, r#"["\u003c/script>","\u003c!--"]"#);
        let back: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, ["</script>", "<!--"]);
    }

    #[test]
    fn a_policy_names_the_hash_of_the_content() {
        // CSP Level 3, example of 'sha256-...': the script `alert('Hello, world.');`.
        assert_eq!(policy_hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!([fixed(-0.0004, 3), fixed(-0.0006, 3)], ["0.000", "\u{2212}0.001"]);
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<a b=\"c\" d='e'>&\0"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\u{fffd}");
    }
}
