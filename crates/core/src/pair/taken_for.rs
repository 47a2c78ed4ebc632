//! What an input was taken for, said in one line.

use super::ItemJoin;
use crate::finding::TAKEN_FOR;
use crate::option_words::option;
use crate::{Finding, Sides};
use std::fmt;

/// The form of a file in a few words, such as `CSV columns image, text` or `COCO captions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub words: String,
    /// Is it this program's own form, or the only one? Then nothing was guessed.
    pub is_usual: bool,
}

impl Default for Form {
    fn default() -> Self {
        Form::usual("")
    }
}

impl Form {
    pub fn usual(words: impl Into<String>) -> Self {
        let words = words.into();
        Form { words, is_usual: true }
    }

    /// A form of another program; if it has no words, the usual one.
    pub fn of(words: &str, usual: &str) -> Self {
        match words {
            "" => Form::usual(usual),
            words => Form {
                words: words.to_owned(),
                is_usual: false,
            },
        }
    }

    /// The form of an array with a row for each item.
    pub fn of_rows(has_ids: bool) -> Self {
        Form::usual(if has_ids {
            "a row for each name in ids.json"
        } else {
            "rows by their numbers"
        })
    }

    /// The form of both sides' files.
    ///
    /// ```
    /// use neurogauge_core::Sides;
    /// use neurogauge_core::pair::Form;
    /// let both = Form::of_both(Sides::new(Form::usual("JSON by stem"), Form::of("COCO's results", "JSON by stem")));
    /// assert_eq!((both.words.as_str(), both.is_usual), ("gt: JSON by stem, recon: COCO's results", false));
    /// ```
    pub fn of_both(Sides { gt, recon }: Sides<Form>) -> Form {
        Form {
            is_usual: gt.is_usual && recon.is_usual,
            words: match gt.words == recon.words {
                true => gt.words,
                false => format!("gt: {}, recon: {}", gt.words, recon.words),
            },
        }
    }
}

/// What an input was taken for: how many of its items met those of the other side, by what, and the form of its files.
///
/// A reader fills `form`; whoever joins the items fills the rest.
///
/// ```
/// use neurogauge_core::TakenFor;
/// use neurogauge_core::pair::{Form, ItemJoin};
/// let taken = TakenFor {
///     form: Form::of("CSV columns image, text", "JSON by stem"),
///     joined: ItemJoin::Number,
///     n: 200,
///     of: 200,
///     example: Some(["7".into(), "img_0007".into()]),
/// };
/// assert_eq!(taken.to_string(), "200 of 200 by number, CSV columns image, text");
/// let found = taken.finding("captions", "");
/// assert!(found.is_shown());
/// assert_eq!(found.to_string(), format!(r#"captions: {taken} ("7" is "img_0007")"#));
/// let plain = TakenFor { form: Form::usual("JSON by stem"), joined: ItemJoin::Exact, ..taken };
/// assert!(!plain.finding("captions", "").is_shown());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenFor {
    /// The form of the file and what of it was read.
    pub form: Form,
    /// By what the items met.
    pub joined: ItemJoin,
    /// Number of items that met.
    pub n: usize,
    /// Number of items on the side that has more.
    pub of: usize,
    /// Two names that differ and met.
    pub example: Option<[String; 2]>,
}

impl TakenFor {
    /// The line in `run.json`, which is shown below tables unless nothing was guessed: items of equal names, in this
    /// program's own form. `other` is the option that joins names otherwise, if there is one.
    pub fn finding(&self, subject: impl Into<String>, other: &str) -> Finding {
        if !self.joined.is_guess() {
            return match self.form.is_usual {
                true => Finding::read_as(subject, self.to_string()),
                false => Finding::note(TAKEN_FOR, subject, self.to_string()),
            };
        }
        let found = Finding::note(TAKEN_FOR, subject, self.to_string());
        let example = self.example.as_ref().map(|[gt, recon]| format!("{gt:?} is {recon:?}"));
        let found = found.on_evidence(example.unwrap_or_default());
        match other {
            "" => found,
            other => found.advise(format!("{} pairs them otherwise", option(other, "PATTERN"))),
        }
    }
}

impl fmt::Display for TakenFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = match &self.joined {
            ItemJoin::Exact => "by name".to_owned(),
            ItemJoin::Stem => "by name without folder and ending".to_owned(),
            ItemJoin::Number => "by number".to_owned(),
            ItemJoin::Pattern(pattern) => format!("by names like {pattern}"),
        };
        write!(f, "{} of {} {joined}", self.n, self.of)?;
        // What was guessed matters most.
        match self.form.words.is_empty() || self.form.is_usual && self.joined.is_guess() {
            true => Ok(()),
            false => write!(f, ", {}", self.form.words),
        }
    }
}
