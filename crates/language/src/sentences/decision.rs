//! Punkt's decision: does this full stop end a sentence?
//!
//! A first pass looks at each piece alone, a second at each piece and the one after it (Kiss and Strunk, 2006, section
//! 4, as in NLTK 3.10).

use super::parameters::{Contexts, PunktParameters};
use super::pieces::{ENDS, pieces};
use super::token::{NUMBER, Token};
use crate::characters::is_python_space;

/// What the case of a word indicates about its position.
#[derive(PartialEq)]
enum Letters {
    BeginSentence,
    DoNotBegin,
    Unknown,
}

impl PunktParameters {
    /// Does a sentence end before the last piece of `context`, which is the word before a mark, the mark and what
    /// follows it?
    pub(super) fn has_end_inside(&self, context: &str) -> bool {
        let mut tokens: Vec<Token<'_>> = context
            .split('\n')
            .filter(|line| !line.chars().all(is_python_space))
            .flat_map(pieces)
            .map(|piece| self.alone(piece))
            .collect();
        for second in 1..tokens.len() {
            let (before, after) = tokens.split_at_mut(second);
            if let ([.., first], [next, ..]) = (before, after) {
                self.decide(first, next);
                if first.ends_sentence {
                    return true;
                }
            }
        }
        false
    }

    fn alone<'a>(&self, piece: &'a str) -> Token<'a> {
        let mut token = Token::new(piece);
        if ENDS.iter().any(|&end| piece.chars().eq([end])) {
            token.ends_sentence = true;
        } else if token.is_ellipsis() {
            token.ellipsis = true;
        } else if let Some(word) = piece.strip_suffix('.').filter(|word| !word.ends_with('.')) {
            let word = word.to_lowercase();
            let last = word.rsplit('-').next().unwrap_or_default();
            token.abbreviation = self.abbreviations.contains(&word) || self.abbreviations.contains(last);
            token.ends_sentence = !token.abbreviation;
        }
        token
    }

    fn decide(&self, token: &mut Token<'_>, next: &Token<'_>) {
        if !token.ends_in_full_stop() {
            return;
        }
        let initial = token.is_initial();
        let number = token.kind_without_stop() == NUMBER;
        let next_kind = next.kind_in_sentence();
        if self.is_collocation(token.kind_without_stop(), next_kind) {
            token.ends_sentence = false;
            token.abbreviation = true;
            return;
        }
        let letters = self.letters(next);
        if (token.abbreviation || token.ellipsis)
            && !initial
            && (letters == Letters::BeginSentence || next.begins_upper() && self.starters.contains(next_kind))
        {
            token.ends_sentence = true;
            return;
        }
        let never_lower = || !self.contexts_of(next_kind).has_any_of(Contexts::LOWER);
        let within = match letters {
            Letters::BeginSentence => false,
            Letters::DoNotBegin => initial || number,
            Letters::Unknown => initial && next.begins_upper() && never_lower(),
        };
        if within {
            token.ends_sentence = false;
            token.abbreviation = true;
        }
    }

    fn letters(&self, token: &Token<'_>) -> Letters {
        if matches!(token.text, ";" | ":" | "," | "." | "!" | "?") {
            return Letters::DoNotBegin;
        }
        let seen = self.contexts_of(token.kind_in_sentence());
        if token.begins_upper() && seen.has_any_of(Contexts::LOWER) && !seen.has_any_of(Contexts::INSIDE_UPPER) {
            Letters::BeginSentence
        } else if token.begins_lower() && (seen.has_any_of(Contexts::UPPER) || !seen.has_any_of(Contexts::FIRST_LOWER))
        {
            Letters::DoNotBegin
        } else {
            Letters::Unknown
        }
    }
}
