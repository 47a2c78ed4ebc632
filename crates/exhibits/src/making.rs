//! The exhibit that is being made, and where.

use crate::exhibit::{Exhibit, Paths, Sentence, unfilled};
use crate::place::{PathError, Place, Roots};
use crate::{Paper, Records};
use neurogauge::Error;
use neurogauge::report::Table;
use std::fmt::Display;

/// The exhibit that is being made, for errors, and the place from which its paths start.
pub(crate) struct Making<'a> {
    paper: &'a Paper,
    records: &'a Records,
    name: String,
    pub(crate) place: Place<'a>,
}

impl<'a> Making<'a> {
    pub(crate) fn of(paper: &'a Paper, records: &'a Records, exhibit: &Exhibit) -> Self {
        let roots = Roots {
            records: records.all(),
            published: &paper.published,
        };
        Making {
            paper,
            records,
            name: [exhibit.place.clone(), unfilled(&exhibit.name)].join(" ").trim().to_owned(),
            place: Place::of(roots),
        }
    }

    pub(crate) fn at(self, place: Place<'a>) -> Self {
        Making { place, ..self }
    }

    /// The result, or an error with the file, the exhibit and the key.
    pub(crate) fn told<T>(&self, key: impl Display, found: Result<T, PathError>) -> Result<T, Error> {
        let exhibit = match self.name.as_str() {
            "" => String::new(),
            name => format!("{name:?}, "),
        };
        found.map_err(|error| Error::Usage(format!("{}: {exhibit}{key}: {error}", self.paper.path.display())))
    }

    /// A table that the command made itself.
    pub(crate) fn made_before(&self, name: &str) -> Option<Table> {
        self.records.table(name).cloned()
    }

    /// The places of paths.
    pub(crate) fn places(&self, paths: &Paths, key: &str) -> Result<Vec<Place<'a>>, Error> {
        let mut found = Vec::new();
        for path in paths.iter().filter(|path| !path.is_empty()) {
            found.extend(self.told(key, self.place.find(path))?);
        }
        Ok(found)
    }

    /// A sentence at a place; `None` if all of its parts are left out.
    pub(crate) fn sentence(&self, place: &Place<'_>, sentence: &Sentence, key: &str) -> Result<Option<String>, Error> {
        let mut text = None;
        for part in sentence.iter() {
            if let Some(part) = self.told(key, place.text(part))? {
                text.get_or_insert_with(String::new).push_str(&part);
            }
        }
        Ok(text)
    }

    /// A sentence of the exhibit; empty if all of its parts are left out.
    pub(crate) fn words(&self, sentence: &Sentence, key: &str) -> Result<String, Error> {
        Ok(self.sentence(&self.place, sentence, key)?.unwrap_or_default())
    }
}
