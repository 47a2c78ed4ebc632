//! Walks through a caption, word by word.

use super::lists::{AFTER_APOSTROPHE, SUFFIXES, contraction};
use super::shapes::{is_alphanumeric, is_apostrophe, is_digit, is_hyphen, is_letter};
use super::signs::sign;

pub(super) struct Scanner {
    pub(super) text: Vec<char>,
    pub(super) at: usize,
    words: Vec<String>,
}

impl Scanner {
    /// The words of a text with straight quotes, in their original spelling.
    pub(super) fn words(text: &str) -> Vec<String> {
        let mut scanner = Scanner {
            text: text.chars().collect(),
            at: 0,
            words: Vec::new(),
        };
        while let Some(c) = scanner.char(scanner.at) {
            scanner.step(c);
        }
        scanner.words
    }

    fn char(&self, at: usize) -> Option<char> {
        self.text.get(at).copied()
    }

    pub(super) fn is(&self, at: usize, kind: impl Fn(char) -> bool) -> bool {
        self.char(at).is_some_and(kind)
    }

    /// The end of the run of characters of this kind that begins at `at`.
    pub(super) fn run(&self, at: usize, kind: impl Fn(char) -> bool) -> usize {
        at + self.text[at.min(self.text.len())..].iter().take_while(|&&c| kind(c)).count()
    }

    pub(super) fn text(&self, from: usize, to: usize) -> String {
        self.text[from..to].iter().collect()
    }

    /// Is `word` at `at`, in letters of any case and with either apostrophe?
    pub(super) fn has(&self, at: usize, word: &str) -> bool {
        let mut i = at;
        word.chars().all(|c| {
            i += 1;
            self.is(i - 1, |found| found.to_ascii_lowercase() == c || c == '\'' && is_apostrophe(found))
        })
    }

    pub(super) fn has_whole(&self, at: usize, word: &str) -> bool {
        self.has(at, word) && (word.ends_with('\'') || !self.is(at + word.len(), is_letter))
    }

    /// Takes the text up to `end` as a word.
    fn word_to(&mut self, end: usize) {
        self.words.push(self.text(self.at, end));
        self.at = end;
    }

    /// Like `word_to`, with a straight apostrophe.
    fn straight_word_to(&mut self, end: usize) {
        self.words.push(self.text(self.at, end).replace('’', "'"));
        self.at = end;
    }

    /// Takes the next word, or skips characters before it.
    fn step(&mut self, c: char) {
        if is_alphanumeric(c) {
            return self.alphanumeric();
        }
        let dots = self.run(self.at, |c| c == '.');
        if dots > self.at + 1 {
            self.at = dots;
            return;
        }
        if let Some(end) = self.number(self.at) {
            return self.word_to(end);
        }
        match c {
            _ if is_apostrophe(c) => self.apostrophe(),
            '@' | '#' if self.is(self.at + 1, is_letter) => {
                self.word_to(self.run(self.at + 1, is_letter));
            }
            '?' | '!' => {
                let end = self.run(self.at, |c| matches!(c, '?' | '!'));
                if end - self.at > 1 {
                    return self.word_to(end);
                }
                self.at = end;
            }
            '_' | '*' | '#' | '@' | '<' | '>' => {
                self.word_to(self.run(self.at, |other| other == c));
            }
            _ if is_hyphen(c) => self.at = self.run(self.at, is_hyphen),
            _ => {
                self.words.extend(sign(c));
                self.at += 1;
            }
        }
    }

    fn apostrophe(&mut self) {
        let at = self.at;
        let whole = |words: &[&str]| words.iter().find(|word| self.has_whole(at, word)).map(|word| at + word.len());
        if let Some(end) = whole(SUFFIXES) {
            return self.straight_word_to(end);
        }
        if let Some(end) = whole(AFTER_APOSTROPHE) {
            return self.word_to(end);
        }
        // "'t", "is".
        if let Some(end) = whole(&["'tis", "'twas"])
            && self.is(at, |c| c == '\'')
        {
            self.word_to(at + 2);
            return self.word_to(end);
        }
        // Decades: '90s.
        let mut end = self.run(at + 1, is_digit);
        if end == at + 3 {
            end += usize::from(self.is(end, |c| c == 's'));
            if !self.is(end, |c| is_alphanumeric(c) || is_apostrophe(c)) {
                return self.word_to(end);
            }
        }
        self.at += 1;
    }

    /// Takes a word that begins with a letter or a digit.
    fn alphanumeric(&mut self) {
        if let Some(end) = self.mixed_number().or_else(|| self.initials()) {
            return self.word_to(end);
        }
        if let Some(end) = self.with_apostrophe() {
            return self.word_to(end);
        }
        let end = [self.joined(), self.dotted(), self.number(self.at).unwrap_or(0)];
        let end = end.into_iter().fold(self.at, usize::max);
        let word = self.text(self.at, end);
        if let Some(first) = contraction(&word) {
            self.word_to(self.at + first);
            return self.word_to(end);
        }
        // "isn't" to "is", "n't".
        let is_not = self.is(end - 1, |c| matches!(c, 'n' | 'N'))
            && !word.contains('.')
            && (self.has(end, "'t") || self.has(end, "`t"));
        if is_not && end - self.at > 1 {
            return self.word_to(end - 1);
        }
        if is_not && !self.is(end + 2, is_letter) {
            return self.straight_word_to(end + 2);
        }
        self.word_to(self.with_full_stop(&word, end));
    }
}
