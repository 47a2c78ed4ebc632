//! One convention: what it decides, and the field of a request that holds it.

use super::value::Values;
use crate::ScoreRequest;

/// A choice that decides a number, made with `--set ID=VALUE`.
///
/// The table of these is what everything else reads: the command line and its completion, Python's types, the
/// documentation, and the methods of a report.
pub struct Convention {
    /// As it is typed, such as `pixel_size`.
    pub id: &'static str,
    /// The section of `docs/pages/conventions` that explains it.
    pub section: &'static str,
    /// Which question it answers, as help shows it.
    pub about: &'static str,
    /// Said of the default if it depends on more than the value.
    default: Option<String>,
    /// Said if the request has nothing that it is about.
    idle: fn() -> String,
    field: Box<dyn Field>,
    answer: Option<fn(&ScoreRequest) -> String>,
}

/// A field of a request, or several that one value decides.
pub(super) trait Field: Send + Sync {
    /// Stands for a value in help, such as `PX|own`.
    fn form(&self) -> &str;
    /// All values, if they are a few words.
    fn words(&self) -> &[String];
    /// Fails with what was expected.
    fn check(&self, value: &str) -> Result<(), String>;
    /// Sets a value that was checked. False if the request has no such field, because it lacks a model or an input.
    fn set(&self, request: &mut ScoreRequest, value: &str) -> Result<bool, String>;
    fn get(&self, request: &ScoreRequest) -> Option<String>;
}

struct At<T> {
    values: Values<T>,
    place: fn(&mut ScoreRequest) -> Option<&mut T>,
}

impl<T> Field for At<T> {
    fn form(&self) -> &str {
        &self.values.form
    }

    fn words(&self) -> &[String] {
        &self.values.words
    }

    fn check(&self, value: &str) -> Result<(), String> {
        (self.values.read)(value).map(|_| ())
    }

    fn set(&self, request: &mut ScoreRequest, value: &str) -> Result<bool, String> {
        let value = (self.values.read)(value)?;
        let place = (self.place)(request);
        Ok(place.map(|place| *place = value).is_some())
    }

    fn get(&self, request: &ScoreRequest) -> Option<String> {
        // The field is found by a mutable reference, so that each is named once.
        let mut request = request.clone();
        (self.place)(&mut request).map(|value| (self.values.print)(value))
    }
}

impl Convention {
    /// A convention that decides one field; `place` finds it.
    pub(super) fn new<T: 'static>(
        (id, section): (&'static str, &'static str),
        about: &'static str,
        values: Values<T>,
        place: fn(&mut ScoreRequest) -> Option<&mut T>,
    ) -> Self {
        Self::of_field((id, section), about, At { values, place })
    }

    /// A convention that decides several fields.
    pub(super) fn of_field(
        (id, section): (&'static str, &'static str),
        about: &'static str,
        field: impl Field + 'static,
    ) -> Self {
        Convention {
            id,
            section,
            about,
            default: None,
            idle: || "nothing of this run depends on it".to_owned(),
            field: Box::new(field),
            answer: None,
        }
    }

    /// Describes the default in words, for one that depends on more than the value.
    pub(super) fn by_default(self, words: impl Into<String>) -> Self {
        Convention {
            default: Some(words.into()),
            ..self
        }
    }

    /// Its answer in a run, where a preset decides if no value is set.
    pub(super) fn answered_by(self, answer: fn(&ScoreRequest) -> String) -> Self {
        Convention {
            answer: Some(answer),
            ..self
        }
    }

    /// What to say if the request has nothing that it is about.
    pub(super) fn idle(self, reason: fn() -> String) -> Self {
        Convention { idle: reason, ..self }
    }

    /// Stands for a value in help, such as `PX|own`.
    pub fn form(&self) -> &str {
        self.field.form()
    }

    /// All values, if they are a few words.
    pub fn words(&self) -> &[String] {
        self.field.words()
    }

    /// The answer of a run with this request; `None` if the run has nothing that it is about.
    pub fn answer(&self, request: &ScoreRequest) -> Option<String> {
        let answer = self.answer.map(|answer| answer(request));
        answer.or_else(|| self.field.get(request))
    }

    /// The default in words.
    pub fn default(&self) -> String {
        self.default.clone().or_else(|| self.answer(&ScoreRequest::with_all_models())).unwrap_or_default()
    }

    /// Checks a value before there is a request.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(&self, value: &str) -> Result<(), String> {
        self.field.check(value)
    }

    /// Sets a value in a request.
    ///
    /// # Errors
    /// What was expected, or what the request lacks.
    pub(super) fn set(&self, request: &mut ScoreRequest, value: &str) -> Result<(), String> {
        match self.field.set(request, value)? {
            true => Ok(()),
            false => Err((self.idle)()),
        }
    }
}
