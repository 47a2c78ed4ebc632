//! Building blocks of pages: tables, figures, data for the script, and the hashes in the security policy.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, Render, html};
use neurogauge::Error;
use neurogauge::formats::Problem;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A section of the page: its id, its heading and its content.
pub(crate) type SectionHtml<'a> = (&'static str, &'a str, Markup);

pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// JSON for a script element, which cannot end the element or open a comment.
pub(crate) fn script_json(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error::Format(Problem::new(error).at("report.html")))?;
    Ok(text.replace('<', "\\u003c"))
}

/// The hash with which a content security policy allows a script or style.
pub(crate) fn policy_hash(content: &str) -> String {
    let digest = Sha256::digest(content.as_bytes());
    format!("'sha256-{}'", base64(&digest))
}

/// A table of class `numbers`, or of class `words`, which are not aligned like numbers. It has a line of headings; the
/// first cell of each row is the row's heading.
pub(crate) fn table(class: &str, caption: &str, heads: &[impl Render], rows: &[Vec<impl Render>]) -> Markup {
    drawn(class, caption, true, heads, &[], rows)
}

/// A table of numbers below a heading that replaces the caption. `words` says which columns have words.
pub(crate) fn headed_table(heading: &str, heads: &[Markup], words: &[bool], rows: &[Vec<Markup>]) -> Markup {
    drawn("numbers", heading, false, heads, words, rows)
}

fn drawn(
    class: &str,
    caption: &str,
    is_shown: bool,
    heads: &[impl Render],
    words: &[bool],
    rows: &[Vec<impl Render>],
) -> Markup {
    let class_of = |column: usize| words.get(column).is_some_and(|is_words| *is_words && column > 0).then_some("words");
    // One heading may have several tables, but two landmarks must not share a name.
    let role = if is_shown { "region" } else { "group" };
    html! {
        div.wide tabindex="0" role=(role) aria-label=(caption) {
            table class=(class) {
                @if is_shown { caption { span { (caption) } } }
                thead { tr {
                    @for (column, head) in heads.iter().map(Render::render).enumerate() {
                        @if head.0.is_empty() { td {} } @else { th scope="col" class=[class_of(column)] { (head) } }
                    }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.iter().map(Render::render).enumerate() {
                                @if column > 0 { td class=[class_of(column)] { (cell) } }
                                // A row of the group above has no heading.
                                @else if cell.0.is_empty() { td {} }
                                @else { th scope="row" { (cell) } }
                            }
                        }
                    }
                }
            }
        }
        "\n"
    }
}

/// A wider figure is scrolled on a phone, where its letters would be too small, px.
const FITTED_PX: u32 = 600;

/// A figure as an image, which cannot run scripts or inherit the page's styles; `kind` is its media type. Without a width
/// it has its own.
pub(crate) fn figure(kind: &str, bytes: &[u8], about: &str, width_px: Option<u32>) -> Markup {
    let is_wide = width_px.is_some_and(|px| px > FITTED_PX);
    html! {
        p.figure.wide[is_wide] tabindex=[is_wide.then_some("0")] {
            img src={ "data:" (kind) ";base64," (base64(bytes)) } alt=(about) width=[width_px];
        }
        "\n"
    }
}

/// A number with a fixed number of decimals and a real minus sign; one that rounds to zero has no sign.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    neurogauge::report::fixed(value, decimals).replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_leave_its_script() {
        let text = script_json(&["</script>", "<!--"]).unwrap();
        assert_eq!(text, r#"["\u003c/script>","\u003c!--"]"#);
        let back: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, ["</script>", "<!--"]);
    }

    #[test]
    fn a_policy_names_the_hash_of_the_content() {
        // An example in CSP Level 3: the script `alert('Hello, world.');`.
        assert_eq!(policy_hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!([fixed(-0.0004, 3), fixed(-0.0006, 3)], ["0.000", "\u{2212}0.001"]);
    }
}
