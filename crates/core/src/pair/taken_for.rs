//! What an input was taken for, said in one line.

use super::ItemJoin;
use crate::Finding;
use crate::option_words::option;
use std::fmt;

/// What an input was taken for: how many of its items met those of the other side, by what, and the form of its files.
///
/// A reader fills `form`; whoever joins the items fills the rest.
///
/// ```
/// use neurogauge_core::TakenFor;
/// use neurogauge_core::pair::ItemJoin;
/// let taken = TakenFor {
///     form: "CSV columns image, text".into(),
///     joined: ItemJoin::Number,
///     n: 200,
///     of: 200,
///     example: Some(["7".into(), "img_0007".into()]),
/// };
/// assert_eq!(taken.to_string(), "200 of 200 by number, CSV columns image, text");
/// assert_eq!(taken.finding("captions", "").unwrap().to_string(), format!(r#"captions: {taken} ("7" is "img_0007")"#));
/// let plain = TakenFor { form: String::new(), joined: ItemJoin::Exact, ..taken };
/// assert_eq!(plain.finding("captions", ""), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenFor {
    /// The form of the file and what of it was read, such as `CSV columns image, text` or `COCO captions`; empty for
    /// this program's own form.
    pub form: String,
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
    /// The note in the output and in `run.json`; `None` if nothing was guessed: items of equal names, in this
    /// program's own form. `other` is the option that joins names otherwise, if there is one.
    pub fn finding(&self, subject: impl Into<String>, other: &str) -> Option<Finding> {
        if !self.joined.is_guess() {
            return (!self.form.is_empty()).then(|| Finding::note("taken_for", subject, self.to_string()));
        }
        let found = Finding::note("taken_for", subject, self.to_string());
        let example = self.example.as_ref().map(|[gt, recon]| format!("{gt:?} is {recon:?}"));
        let found = found.on_evidence(example.unwrap_or_default());
        Some(match other {
            "" => found,
            other => found.advise(format!("{} pairs them otherwise", option(other, "PATTERN"))),
        })
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
        match self.form.as_str() {
            "" => Ok(()),
            form => write!(f, ", {form}"),
        }
    }
}
