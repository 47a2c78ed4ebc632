//! The shapes of words, which decide where a word of a caption ends.

use super::lists::{WITH_APOSTROPHE, begins_sentence, is_abbreviation};
use super::scanner::Scanner;

/// Letters, combining accents, and digits of other scripts. Letters in mathematical styles and Roman numerals do not
/// count.
pub(super) fn is_letter(c: char) -> bool {
    let is_number_or_circled =
        matches!(c, '\u{2150}'..='\u{218b}' | '\u{2460}'..='\u{24ff}' | '\u{3007}' | '\u{3021}'..='\u{3029}');
    let is_mark = matches!(c, '\u{2c2}'..='\u{2c5}' | '\u{2d2}'..='\u{2df}' | '\u{2e5}'..='\u{36f}' | '\u{483}'..='\u{487}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{64b}'..='\u{65e}' | '\u{93c}' | '\u{93e}'..='\u{94e}'
        | '\u{951}'..='\u{955}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}');
    let is_digit = matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{966}'..='\u{96f}' | '\u{9e6}'..='\u{9ef}'
        | '\u{e50}'..='\u{e59}' | '\u{ff10}'..='\u{ff19}');
    is_mark || is_digit || c <= '\u{ffff}' && c.is_alphabetic() && !is_number_or_circled
}

pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

pub(super) fn is_alphanumeric(c: char) -> bool {
    is_letter(c) || is_digit(c)
}

pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑')
}

pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

impl Scanner {
    /// The end of a number with a sign, a point, a comma or a colon, if there is one here.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
        let is_mark = |c| matches!(c, '.' | ',' | ':');
        let mut from = at;
        if self.is(from, |c| c == '+' || is_hyphen(c)) {
            from += 1;
        }
        if self.is(from, is_mark) {
            from += 1;
        }
        let mut end = self.run(from, is_digit);
        if end == from {
            return None;
        }
        while self.is(end, is_mark) && self.is(end + 1, is_digit) {
            end = self.run(end + 1, is_digit);
        }
        Some(end)
    }

    /// Numbers like "1 1/2", whose space does not separate words.
    pub(super) fn mixed_number(&mut self) -> Option<usize> {
        let digits = |from: usize| {
            let end = self.run(from, is_digit);
            (1..=4).contains(&(end - from)).then_some(end)
        };
        let space = digits(self.at)?;
        if !self.is(space, |c| c == ' ') {
            return None;
        }
        let slash = digits(space + 1)?;
        if !self.is(slash, |c| c == '/') {
            return None;
        }
        let end = digits(slash + 1)?;
        self.text[space] = '\u{a0}';
        Some(end)
    }

    /// "U.S.", "p.m.", "Ph.D.", "U.S.-based", "non-U.S.".
    pub(super) fn initials(&self) -> Option<usize> {
        let is_initial = |at| self.is(at, is_letter) && self.is(at + 1, |c| c == '.');
        let mut from = self.at;
        let prefix = self.run(from, is_letter);
        if self.is(prefix, is_hyphen) && is_initial(prefix + 1) {
            from = prefix + 1;
        }
        let mut end = if self.has(from, "ph.d") { from + 3 } else { from };
        while is_initial(end) && self.is(end + 2, is_letter) {
            end += 2;
        }
        let last = self.is(end, is_letter) && !self.is(end + 1, is_alphanumeric);
        if end == from || !last {
            return None;
        }
        end += 1;
        end += usize::from(self.is(end, |c| c == '.'));
        Some(self.hyphenated(end))
    }

    /// The end of what hyphens join to the word that ends at `end`.
    fn hyphenated(&self, mut end: usize) -> usize {
        while self.is(end, is_hyphen) && self.is(end + 1, is_alphanumeric) {
            end = self.plain(end + 1);
        }
        end
    }

    /// The end of letters and digits, with underscores within.
    fn plain(&self, from: usize) -> usize {
        let mut end = self.run(from, is_alphanumeric);
        while self.is(end, |c| c == '_') && self.is(end + 1, is_alphanumeric) {
            end = self.run(end + 1, is_alphanumeric);
        }
        end
    }

    /// The end of words like "rock", "3-year-old", "1,000-seat", "and/or" (at most three parts) and "AT&T".
    pub(super) fn joined(&self) -> usize {
        let mut end = self.run(self.at, is_digit);
        let is_number = end > self.at;
        while is_number && self.is(end, |c| c == '.' || c == ',') && self.is(end + 1, is_digit) {
            end = self.run(end + 1, is_digit);
        }
        end = self.hyphenated(self.plain(end));
        for _ in 0..2 {
            if self.is(end, |c| c == '/') && self.is(end + 1, is_alphanumeric) {
                end = self.hyphenated(self.plain(end + 1));
            }
        }
        let capitals = self.run(self.at, char::is_uppercase);
        let mut company = capitals;
        while company > self.at && self.is(company, |c| c == '&') && self.is(company + 1, char::is_uppercase) {
            company = self.run(company + 1, char::is_uppercase);
        }
        if company > capitals { company } else { end }
    }

    /// The end of words joined at a full stop ("grass.The"), an exclamation mark or a question mark.
    pub(super) fn dotted(&self) -> usize {
        if !self.is(self.at, is_letter) {
            return self.at;
        }
        let mut end = self.run(self.at, is_alphanumeric);
        while self.is(end, |c| c == '.') && self.is(end + 1, is_letter) {
            end = self.run(end + 1, is_alphanumeric);
        }
        let mut marked = self.run(self.at, is_alphanumeric);
        while self.is(marked, |c| matches!(c, '!' | '?')) && self.is(marked + 1, is_letter) {
            marked = self.run(marked + 1, is_alphanumeric);
        }
        self.hyphenated(end).max(marked)
    }

    /// A word with an apostrophe within that stays whole ("o'clock", "ma'am", "table'a").
    pub(super) fn with_apostrophe(&self) -> Option<usize> {
        let quote = self.run(self.at, is_letter);
        if quote == self.at || !self.is(quote, is_apostrophe) {
            return None;
        }
        if let Some(word) = WITH_APOSTROPHE.iter().find(|word| self.has(self.at, word)) {
            return Some(self.at + word.len());
        }
        let end = self.run(quote + 1, is_letter);
        if self.has_whole(self.at, "ol") && end == quote + 1 {
            return Some(end);
        }
        let ends_in = |letters: &str| self.is(quote - 1, |c| letters.contains(c.to_ascii_lowercase()));
        if quote - self.at == 1 {
            if ends_in("dl") && end == quote + 1 {
                return Some(end);
            }
            if ends_in("dlno") && end > quote + 2 {
                return Some(self.hyphenated(end));
            }
            // "y'all".
            return (ends_in("y") && end > quote + 1).then_some(quote + 1);
        }
        // A quote between two vowels does not close a quotation.
        (ends_in("aeiouy") && self.is(quote + 1, |c: char| "aeiou".contains(c.to_ascii_lowercase()))).then_some(end)
    }

    /// The end of a word, including its full stop if that belongs to the word.
    pub(super) fn with_full_stop(&self, word: &str, end: usize) -> usize {
        if !self.is(end, |c| c == '.') {
            return end;
        }
        let next = self.run(end + 1, char::is_whitespace);
        let is_last = self.is(end + 1, |c| matches!(c, ',' | ';' | ':'));
        let is_single = word.chars().count() == 1 && word.chars().all(is_letter);
        let belongs = if is_single {
            let is_gap = next > end + 1 || next == self.text.len();
            !is_gap || next < self.text.len() && !self.begins_sentence(next)
        } else {
            is_last || is_abbreviation(word, self.is(next, is_digit))
        };
        if !belongs {
            return end;
        }
        self.hyphenated(end + 1)
    }

    fn begins_sentence(&self, at: usize) -> bool {
        let end = self.run(at, |c| !c.is_whitespace());
        begins_sentence(&self.text(at, end))
    }
}
