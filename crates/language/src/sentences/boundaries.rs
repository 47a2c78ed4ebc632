//! The boundaries of sentences: candidates, their contexts, and closing marks after them.

use super::parameters::PunktParameters;
use super::pieces::{ENDS, ends_word};
use crate::characters::is_python_space;
use std::ops::Range;

/// A mark that may end a sentence, and the text after it.
struct Candidate {
    /// Byte of the mark.
    mark: usize,
    /// End of the context: after one closing mark, or after the next word.
    context_end: usize,
    /// Start of the next word, if a space comes before it.
    next_word: Option<usize>,
}

/// The byte range of every sentence in `text`.
pub(super) fn sentences(text: &str, parameters: &PunktParameters) -> Vec<Range<usize>> {
    let mut slices = Vec::new();
    let mut start = 0;
    for (candidate, context) in contexts(text) {
        if parameters.has_end_inside(&text[context]) {
            let end = candidate.mark + 1;
            slices.push(start..end);
            start = candidate.next_word.unwrap_or(end);
        }
    }
    let end = text.trim_end_matches(is_python_space).len();
    slices.push(start..end.max(start));
    with_closing_marks(text, &slices)
}

fn candidates(text: &str) -> impl Iterator<Item = Candidate> {
    text.match_indices(ENDS).filter_map(|(mark, _)| {
        let after = mark + 1;
        let next = text[after..].chars().next()?;
        if ends_word(next) {
            return Some(Candidate {
                mark,
                context_end: after + next.len_utf8(),
                next_word: None,
            });
        }
        let word = text[after..].trim_start();
        let begin = text.len() - word.len();
        if begin == after || word.is_empty() {
            return None;
        }
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        Some(Candidate {
            mark,
            context_end: begin + length,
            next_word: Some(begin),
        })
    })
}

/// Candidates with the byte ranges of their contexts, from the word before to the piece after. If a word has several
/// candidates, the last one counts.
fn contexts(text: &str) -> Vec<(Candidate, Range<usize>)> {
    let mut found: Vec<(Candidate, Range<usize>)> = Vec::new();
    let mut before = 0..0;
    for candidate in candidates(text) {
        let since = &text.as_bytes()[before.end..candidate.mark];
        // A space at the very beginning is ignored, as in NLTK.
        let space = since.iter().rposition(|&byte| is_python_ascii_space(byte));
        let word_start = space.filter(|&space| space > 0).map_or(before.start, |space| before.end + space + 1);
        if before.end > word_start {
            found.pop();
        }
        before = word_start..candidate.mark;
        let context = word_start..candidate.context_end;
        found.push((candidate, context));
    }
    found
}

/// Python's `string.whitespace`.
fn is_python_ascii_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Moves quotes and brackets that close a sentence from the beginning of the next one to its end.
fn with_closing_marks(text: &str, slices: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut taken = 0;
    for (number, slice) in slices.iter().enumerate() {
        let start = slice.start + taken;
        taken = 0;
        let closing = slices.get(number + 1).and_then(|next| {
            let (marks, whole) = closing_marks(&text[next.clone()])?;
            taken = whole;
            Some(start..next.start + marks)
        });
        found.extend(closing.or_else(|| (start < slice.end).then_some(start..slice.end)));
    }
    found
}

/// Length in bytes of the closing marks at the beginning of `text`, without and with the space after them; `None` if a
/// word follows directly.
fn closing_marks(text: &str) -> Option<(usize, usize)> {
    let closes = |c: char| {
        matches!(
            c,
            '"' | '\'' | ')' | ']' | '}' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}'
        )
    };
    let rest = text.trim_start_matches(closes);
    let marks = text.len() - rest.len();
    let after_space = rest.trim_start();
    let done = rest.is_empty() || after_space.len() < rest.len() || rest.starts_with("--");
    (marks > 0 && done).then_some((marks, text.len() - after_space.len()))
}
