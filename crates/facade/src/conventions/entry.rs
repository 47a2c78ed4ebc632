//! One convention: what it decides, and the field of a request that holds it.

use super::value::Values;
use crate::ScoreRequest;
use std::path::Path;

type Set = Box<dyn Fn(&mut ScoreRequest, &str) -> Result<bool, String> + Send + Sync>;
type Get = Box<dyn Fn(&ScoreRequest) -> Option<String> + Send + Sync>;

/// A choice that decides a number, made with `--set ID=VALUE`.
///
/// The table of these is what everything else reads: the command line and its completion, Python's types, the
/// documentation, the methods of a report, and what `neurogauge multiverse` varies.
pub struct Convention {
    /// As it is typed, such as `pixel_size`.
    pub id: &'static str,
    /// The section of `docs/pages/conventions` that explains it.
    pub section: &'static str,
    /// Which question it answers, as help shows it.
    pub about: &'static str,
    /// Stands for a value in help, such as `PX|own`.
    pub form: String,
    /// All values, if they are a few words.
    pub words: Vec<String>,
    /// The values under which `neurogauge multiverse --over options` compares; none if it leaves the convention as it is.
    pub varied: &'static [&'static str],
    /// Said of the default if it depends on more than the value.
    default: Option<String>,
    /// False if the request has no such field, because it lacks a model or an input.
    set: Set,
    get: Get,
    answer: Option<fn(&ScoreRequest) -> String>,
    is_file: fn(&str) -> bool,
}

impl Convention {
    /// A convention that decides one field; `place` finds it.
    pub(super) fn new<T: 'static>(
        names: (&'static str, &'static str),
        about: &'static str,
        values: Values<T>,
        place: fn(&mut ScoreRequest) -> Option<&mut T>,
    ) -> Self {
        let set = move |request: &mut ScoreRequest, value| place(request).map(|place| *place = value).is_some();
        // The field is found by a mutable reference, so that each is named once.
        let get = move |request: &ScoreRequest, print: &dyn Fn(&T) -> String| {
            place(&mut request.clone()).map(|value| print(value))
        };
        Self::of(names, about, values, set, get)
    }

    /// A convention whose value decides several fields, or is kept in another form.
    pub(super) fn of_fields<T: 'static>(
        names: (&'static str, &'static str),
        about: &'static str,
        values: Values<T>,
        set: fn(&mut ScoreRequest, T) -> bool,
        get: fn(&ScoreRequest) -> Option<T>,
    ) -> Self {
        Self::of(names, about, values, set, move |request, print| get(request).map(|value| print(&value)))
    }

    fn of<T: 'static>(
        (id, section): (&'static str, &'static str),
        about: &'static str,
        values: Values<T>,
        set: impl Fn(&mut ScoreRequest, T) -> bool + Send + Sync + 'static,
        get: impl Fn(&ScoreRequest, &dyn Fn(&T) -> String) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let Values {
            form,
            words,
            read,
            print,
        } = values;
        Convention {
            id,
            section,
            about,
            form,
            words,
            varied: &[],
            default: None,
            set: Box::new(move |request, value| Ok(set(request, read(value)?))),
            get: Box::new(move |request| get(request, &print)),
            answer: None,
            is_file: |_| false,
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

    /// Which values are paths of files.
    pub(super) fn file_if(self, is_file: fn(&str) -> bool) -> Self {
        Convention { is_file, ..self }
    }

    /// The values under which a multiverse compares.
    pub(super) fn varied(self, varied: &'static [&'static str]) -> Self {
        Convention { varied, ..self }
    }

    /// The answer of a run with this request; `None` if the run has nothing that it is about.
    pub fn answer(&self, request: &ScoreRequest) -> Option<String> {
        let answer = self.answer.map(|answer| answer(request));
        answer.or_else(|| (self.get)(request))
    }

    /// The default in words.
    pub fn default(&self) -> String {
        let of = |request: ScoreRequest| self.answer(&request);
        let own = self.default.clone().or_else(|| of(ScoreRequest::default()));
        own.or_else(|| of(ScoreRequest::with_all_models())).unwrap_or_default()
    }

    /// Checks a value before there is a request.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(&self, value: &str) -> Result<(), String> {
        (self.set)(&mut ScoreRequest::default(), value).map(|_| ())
    }

    /// Sets a value in a request. False if the request has nothing that it is about.
    pub(super) fn set(&self, request: &mut ScoreRequest, value: &str) -> Result<bool, String> {
        (self.set)(request, value)
    }

    /// A value with its path, if it is one, relative to this folder.
    pub(super) fn in_folder(&self, folder: &Path, value: &str) -> String {
        match (self.is_file)(value) {
            true => folder.join(value).display().to_string(),
            false => value.to_owned(),
        }
    }
}
