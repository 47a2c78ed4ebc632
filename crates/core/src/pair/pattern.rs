//! Patterns for the names of reconstructions.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// The name of a stimulus' reconstruction (convention `pairing-match`): a name with one placeholder.
///
/// - `{stem}` is the stem of the stimulus: with `{stem}_recon`, `0_recon` belongs to `0`.
/// - `{number}` is its number, without leading zeros: with `recon_{number}`, `recon_7` belongs to `007` and to
///   `img_0007`. The stem of the stimulus must contain exactly one number.
/// - `STIMULUS=RECONSTRUCTION`, each with the placeholder, also defines which part of the stimulus' stem it matches.
///   There `*` and the placeholder stand for characters other than `/`, `*` for as few as possible: with
///   `*_{stem}/*={stem}`, `cat` belongs to `00012_cat/cat_03s`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct StemPattern {
    pub(super) before: String,
    pub(super) placeholder: Placeholder,
    pub(super) after: String,
    /// The text before and after the placeholder in the stem of a stimulus, if the pattern defines it.
    pub(super) around_gt: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Placeholder {
    Stem,
    Number,
}

impl Placeholder {
    const BOTH: [Placeholder; 2] = [Placeholder::Stem, Placeholder::Number];

    fn written(self) -> &'static str {
        match self {
            Placeholder::Stem => "{stem}",
            Placeholder::Number => "{number}",
        }
    }
}

impl StemPattern {
    /// The value of the placeholder in the stem of a reconstruction; `None` if the stem has another form. Numbers lose
    /// their leading zeros.
    pub fn of_recon<'a>(&self, stem: &'a str) -> Option<&'a str> {
        let inner = stem
            .strip_prefix(self.before.as_str())?
            .strip_suffix(self.after.as_str())
            .filter(|inner| !inner.is_empty())?;
        match self.placeholder {
            Placeholder::Stem => Some(inner),
            Placeholder::Number => {
                inner.bytes().all(|byte| byte.is_ascii_digit()).then(|| inner.trim_start_matches('0'))
            }
        }
    }

    /// The pattern `{number}`.
    pub(super) fn number() -> Self {
        StemPattern {
            before: String::new(),
            placeholder: Placeholder::Number,
            after: String::new(),
            around_gt: None,
        }
    }

    /// Does the pattern also describe the stems of stimuli?
    pub fn is_of_both_sides(&self) -> bool {
        self.around_gt.is_some()
    }

    /// The pattern without its description of the stimulus.
    pub(super) fn of_recon_alone(&self) -> Self {
        StemPattern {
            around_gt: None,
            ..self.clone()
        }
    }

    /// What pairs stems by: `stem` or `number`.
    pub(super) fn noun(&self) -> &'static str {
        match self.placeholder {
            Placeholder::Stem => "stem",
            Placeholder::Number => "number",
        }
    }

    /// Does the text around the placeholder have this character?
    pub(super) fn has(&self, letter: char) -> bool {
        self.before.contains(letter) || self.after.contains(letter)
    }

    /// The value of the placeholder in the stem of a stimulus; `None` if the pattern needs a number and the stem does
    /// not contain exactly one, or if the pattern describes the stems of stimuli and this one does not match.
    pub fn of_gt<'a>(&self, stem: &'a str) -> Option<&'a str> {
        if let Some((before, after)) = &self.around_gt {
            return self.between(before, after, stem);
        }
        match self.placeholder {
            Placeholder::Stem => Some(stem),
            Placeholder::Number => {
                let mut numbers = numbers(stem);
                let first = numbers.next()?;
                numbers.next().is_none().then(|| stem[first].trim_start_matches('0'))
            }
        }
    }

    /// The first and shortest value between two texts that may contain `*`.
    fn between<'a>(&self, before: &str, after: &str, stem: &'a str) -> Option<&'a str> {
        let digit_at = |at: usize| stem.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        // A number must not be cut.
        let splits = |start: usize, end: usize| {
            (before.ends_with('*') && start > 0 && digit_at(start - 1)) || (after.starts_with('*') && digit_at(end))
        };
        let places = || stem.char_indices().map(|(at, _)| at).chain([stem.len()]);
        for start in places().filter(|&start| matches(before, &stem[..start])) {
            for end in places().filter(|&end| end > start) {
                let inner = &stem[start..end];
                if inner.ends_with('/') {
                    break;
                }
                let is_whole = match self.placeholder {
                    Placeholder::Stem => true,
                    Placeholder::Number => inner.bytes().all(|byte| byte.is_ascii_digit()) && !splits(start, end),
                };
                if is_whole && matches(after, &stem[end..]) {
                    return Some(match self.placeholder {
                        Placeholder::Stem => inner,
                        Placeholder::Number => inner.trim_start_matches('0'),
                    });
                }
            }
        }
        None
    }
}

/// Does a text match this form, in which `*` stands for any characters other than `/`?
fn matches(form: &str, text: &str) -> bool {
    let Some((before, rest)) = form.split_once('*') else {
        return form == text;
    };
    let Some(text) = text.strip_prefix(before) else {
        return false;
    };
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let mut within = places.take_while(|&at| !text[..at].contains('/'));
    within.any(|at| matches(rest, &text[at..]))
}

/// The positions of the runs of digits in a stem.
pub(super) fn numbers(stem: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let bytes = stem.as_bytes();
    let is_digit = move |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let starts = (0..bytes.len()).filter(move |&at| is_digit(at) && (at == 0 || !is_digit(at - 1)));
    starts.map(move |start| {
        let end = (start..bytes.len()).find(|&at| !is_digit(at));
        start..end.unwrap_or(bytes.len())
    })
}

impl FromStr for StemPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let both = text.match_indices('=').find_map(|(at, _)| {
            let (gt, recon) = (around(&text[..at])?, around(&text[at + 1..])?);
            (gt.placeholder == recon.placeholder).then_some(StemPattern {
                around_gt: Some((gt.before, gt.after)),
                ..recon
            })
        });
        both.or_else(|| around(text)).ok_or_else(|| {
            format!(
                "{text:?}: expected the name of a reconstruction without its extension, with {{stem}} or {{number}} in it once, such \
                 as {{stem}}_recon; or STIMULUS=RECONSTRUCTION with the same one in each, such as *_{{stem}}={{stem}}"
            )
        })
    }
}

/// The text before and after the only placeholder of a text.
fn around(text: &str) -> Option<StemPattern> {
    let count = |placeholder: Placeholder| text.matches(placeholder.written()).count();
    let mut found = (Placeholder::BOTH.into_iter()).filter(|&placeholder| count(placeholder) > 0);
    let placeholder = found.next()?;
    if count(placeholder) > 1 || found.next().is_some() {
        return None;
    }
    let (before, after) = text.split_once(placeholder.written())?;
    Some(StemPattern {
        before: before.to_owned(),
        placeholder,
        after: after.to_owned(),
        around_gt: None,
    })
}

impl fmt::Display for StemPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.placeholder.written();
        if let Some((before, after)) = &self.around_gt {
            write!(f, "{before}{written}{after}=")?;
        }
        write!(f, "{}{written}{}", self.before, self.after)
    }
}
