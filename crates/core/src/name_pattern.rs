//! Patterns for the names of items and runs, and the parts of these names.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// A placeholder of a pattern: a word in braces, or `*` for any letters. Text separates two placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct NamePattern {
    /// The text before each placeholder, then the text after the last one.
    literals: Vec<String>,
    parts: Vec<NamePlaceholder>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NamePlaceholder {
    pub(crate) text: &'static str,
    /// Does `*` match as many letters as possible, instead of as few?
    pub(crate) is_greedy: bool,
}

pub(crate) const ANY: NamePlaceholder = NamePlaceholder {
    text: "*",
    is_greedy: true,
};
const SYSTEM: NamePlaceholder = NamePlaceholder {
    text: "{system}",
    is_greedy: true,
};
const SUBJECT: NamePlaceholder = NamePlaceholder {
    text: "{subject}",
    is_greedy: false,
};

impl NamePattern {
    /// Parses a pattern that has each of `wanted` exactly once and each of `allowed` at most once.
    pub(crate) fn parse(text: &str, wanted: &[NamePlaceholder], allowed: &[NamePlaceholder]) -> Option<Self> {
        let known = || wanted.iter().chain(allowed);
        let (mut literals, mut parts) = (vec![String::new()], Vec::new());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            match known().find(|part| rest.starts_with(part.text)) {
                Some(part) => {
                    parts.push(*part);
                    literals.push(String::new());
                    rest = &rest[part.text.len()..];
                }
                None => {
                    literals.last_mut()?.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        let count = |part: &NamePlaceholder| parts.iter().filter(|own| *own == part).count();
        let is_apart = literals.iter().skip(1).rev().skip(1).all(|l| !l.is_empty());
        let is_sound =
            wanted.iter().all(|part| count(part) == 1) && allowed.iter().all(|part| count(part) <= 1) && is_apart;
        is_sound.then_some(NamePattern { literals, parts })
    }

    /// The text of a name at a placeholder; `None` if the name does not match, or if a named placeholder would be
    /// empty.
    pub(crate) fn part_of<'a>(&self, name: &'a str, wanted: NamePlaceholder) -> Option<&'a str> {
        let inner = name.strip_prefix(self.literals.first()?.as_str())?;
        let found = split(inner, &self.parts, &self.literals[1..])?;
        let has_all = self.parts.iter().zip(&found).into_iter().all(|(part, own)| *part == ANY || !own.is_empty());
        let place = self.parts.iter().position(|part| *part == wanted)?;
        has_all.then(|| found[place])
    }
}

impl NamePattern {
    pub(crate) fn has(&self, part: NamePlaceholder) -> bool {
        self.parts.contains(&part)
    }

    /// The pattern without a placeholder and the text that separates it from the one before (from the next one if it is
    /// the first).
    pub(crate) fn without(mut self, part: NamePlaceholder) -> Self {
        if let Some(place) = self.parts.iter().position(|own| *own == part) {
            self.parts.remove(place);
            self.literals.remove(place.max(1));
        }
        self
    }
}

/// Splits a text into the placeholders' values. `behind` is the text that follows each of them.
fn split<'a>(text: &'a str, parts: &[NamePlaceholder], behind: &[String]) -> Option<Vec<&'a str>> {
    let (Some((part, parts)), Some((next, behind))) = (parts.split_first(), behind.split_first()) else {
        return text.is_empty().then(Vec::new);
    };
    if parts.is_empty() {
        return text.strip_suffix(next.as_str()).map(|own| vec![own]);
    }
    let mut ends: Vec<usize> = text.match_indices(next.as_str()).map(|(at, _)| at).collect();
    if part.is_greedy {
        ends.reverse();
    }
    ends.into_iter().find_map(|end| {
        let mut found = split(&text[end + next.len()..], parts, behind)?;
        found.insert(0, &text[..end]);
        Some(found)
    })
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts.iter().map(|part| part.text).chain([""]);
        (self.literals.iter().zip(parts)).try_for_each(|(literal, part)| write!(f, "{literal}{part}"))
    }
}

/// Pattern of item names: a word in braces once and at most one `*`, which matches as many letters as possible, with
/// text between them.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct ItemPattern<const WORD: usize>(NamePattern);

/// A pattern with `{stimulus}`.
pub type StimulusPattern = ItemPattern<0>;
/// A pattern with `{group}`.
pub type GroupPattern = ItemPattern<1>;
/// A pattern with `{cluster}`.
pub type ClusterPattern = ItemPattern<2>;

/// The words of item patterns, and a pattern with each as an example.
const WORDS: [(&str, &str); 3] =
    [("{stimulus}", "*/{stimulus}"), ("{group}", "{group}_*"), ("{cluster}", "{cluster}_*")];

impl<const WORD: usize> ItemPattern<WORD> {
    const PLACEHOLDER: NamePlaceholder = NamePlaceholder {
        text: WORDS[WORD].0,
        is_greedy: false,
    };

    /// The part of an item's name at the word; `None` if the item has another name.
    pub fn of<'a>(&self, item: &'a str) -> Option<&'a str> {
        self.0.part_of(item, Self::PLACEHOLDER)
    }
}

impl<const WORD: usize> FromStr for ItemPattern<WORD> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        NamePattern::parse(text, &[Self::PLACEHOLDER], &[ANY]).map(ItemPattern).ok_or_else(|| {
            let (word, example) = WORDS[WORD];
            format!(
                "{text:?}: expected what items are called, with {word} in it once and at most one *, not side by side, such as \
                 {example}"
            )
        })
    }
}

impl<const WORD: usize> fmt::Display for ItemPattern<WORD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Pattern of run names: `{system}` and `{subject}` once each and at most one `*`, with text between them. A pattern
/// with slashes is matched against as many trailing path components as it has.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct SubjectPattern(NamePattern);

impl SubjectPattern {
    /// System and subject of a run; `None` if the name does not match.
    pub fn of<'a>(&self, run: &'a str) -> Option<(&'a str, &'a str)> {
        let name = self.end_of(run);
        let part = |wanted| self.0.part_of(name, wanted);
        Some((part(SYSTEM)?, part(SUBJECT)?))
    }

    /// The trailing components of a path, as many as the pattern has.
    pub fn end_of<'a>(&self, run: &'a str) -> &'a str {
        let n_slashes = self.to_string().matches('/').count();
        let run = run.trim_end_matches('/');
        run.rmatch_indices('/').nth(n_slashes).map_or(run, |(at, _)| &run[at + 1..])
    }
}

impl FromStr for SubjectPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        NamePattern::parse(text, &[SYSTEM, SUBJECT], &[ANY]).map(SubjectPattern).ok_or_else(|| {
            format!(
                "{text:?}: expected what runs are called, with {{system}} and {{subject}} in it once each and at most one *, none side \
                 by side, such as {{system}}_s{{subject}}"
            )
        })
    }
}

impl fmt::Display for SubjectPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
