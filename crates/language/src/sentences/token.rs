//! A piece of text with Punkt's annotations.

use crate::characters::{is_decimal, is_word};

/// Stands for every number.
pub(super) const NUMBER: &str = "##number##";

/// One piece with its annotations.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// The text in lower case, or [`NUMBER`].
    kind: String,
    pub(super) ends_sentence: bool,
    pub(super) abbreviation: bool,
    pub(super) ellipsis: bool,
}

impl<'a> Token<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let lower = text.to_lowercase();
        Self {
            text,
            kind: if is_number(&lower) { NUMBER.to_owned() } else { lower },
            ends_sentence: false,
            abbreviation: false,
            ellipsis: false,
        }
    }

    pub(super) fn ends_in_full_stop(&self) -> bool {
        self.text.ends_with('.')
    }

    /// The kind without its final full stop, unless it is nothing else.
    pub(super) fn kind_without_stop(&self) -> &str {
        match self.kind.strip_suffix('.') {
            Some(before) if !before.is_empty() => before,
            _ => &self.kind,
        }
    }

    /// The kind without a full stop that ends the sentence.
    pub(super) fn kind_in_sentence(&self) -> &str {
        if self.ends_sentence {
            self.kind_without_stop()
        } else {
            &self.kind
        }
    }

    pub(super) fn begins_upper(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    pub(super) fn begins_lower(&self) -> bool {
        self.text.starts_with(char::is_lowercase)
    }

    /// Is the piece two or more full stops and nothing else?
    pub(super) fn is_ellipsis(&self) -> bool {
        self.text.len() > 1 && self.text.bytes().all(|byte| byte == b'.')
    }

    /// Is the piece a letter and a full stop?
    pub(super) fn is_initial(&self) -> bool {
        let mut characters = self.text.chars();
        let letter = characters.next();
        characters.as_str() == "." && letter.is_some_and(|c| is_word(c) && !is_decimal(c))
    }
}

/// Is the text an optional minus, an optional point or comma, a digit, then digits, points, commas and minuses?
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let text = text.strip_prefix(['.', ',']).unwrap_or(text);
    text.starts_with(is_decimal) && text.chars().all(|c| is_decimal(c) || matches!(c, ',' | '.' | '-'))
}
