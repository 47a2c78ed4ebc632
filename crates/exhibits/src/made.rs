//! Makes the exhibits of a paper from the records of runs, and sets published values beside those of runs.

use crate::Paper;
use crate::exhibit::{Exhibit, Sentence, unfilled};
use crate::figure::{MadeFigure, figure};
use crate::place::{PathError, Place};
use crate::table::{PairLines, pairs, table};
use crate::value::{Statistic, decimals_of, interval_of, number_of};
use indexmap::IndexSet;
use itertools::Itertools;
use neurogauge::core::words::of_word;
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Figures};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The kinds of records.
const KINDS: [&str; 6] = ["align", "paper", "stimuli", "compare", "study", "meta"];

/// Records by kind.
#[derive(Debug, Clone, Default)]
pub struct Records {
    records: Map<String, Value>,
    /// Tables that the command made itself, by their names.
    tables: BTreeMap<String, Table>,
}

impl Records {
    /// Adds the record of a kind.
    ///
    /// # Errors
    /// It cannot be JSON.
    pub fn with(mut self, kind: &str, record: &impl Serialize) -> Result<Records, Error> {
        let value =
            serde_json::to_value(record).map_err(|error| Error::Data(format!("the record {kind:?}: {error}")))?;
        self.records.insert(kind.to_owned(), value);
        Ok(self)
    }

    /// All records, where paths that begin with a slash start. A kind without one is null, its exhibits are absent.
    fn with_published(&self, published: &Value) -> Value {
        let mut all: Map<String, Value> = KINDS.iter().map(|kind| ((*kind).to_owned(), Value::Null)).collect();
        all.extend(self.records.clone());
        all.insert("published".to_owned(), published.clone());
        Value::Object(all)
    }

    /// Adds tables that the command made itself, by the names that exhibits give as `table`.
    #[must_use]
    pub fn with_tables(mut self, tables: BTreeMap<String, Table>) -> Records {
        self.tables = tables;
        self
    }
}

/// A table or a figure of a paper, or both.
#[derive(Debug)]
pub struct MadeExhibit {
    /// The name of its files, without ending.
    pub name: String,
    /// The paper, and where it is there, such as `SEED Table 1`; empty if it is not.
    pub paper: String,
    /// What it shows, in a few words.
    pub shows: String,
    /// Whom it is about, if there is one for each of several.
    pub about: String,
    pub table: Option<Table>,
    pub figure: Option<MadeFigure>,
    /// The pairs whose images are shown, with lines beside them.
    pub pairs: Vec<PairLines>,
}

/// A table or a figure of a paper for which the records do not suffice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// The paper, and where it is there.
    pub paper: String,
    pub shows: String,
    /// Whom it would be about, if there is one for each of several.
    pub about: String,
    pub needs: String,
}

/// What was made of a paper.
#[derive(Debug, Default)]
pub struct Made {
    pub exhibits: Vec<MadeExhibit>,
    pub absent: Vec<Absent>,
}

impl Made {
    /// The tables, and one of what is absent if anything is.
    pub fn tables(&self) -> Vec<Table> {
        let absent = Table::of("Tables and figures of the paper that are not here", &self.absent)
            .column("of the paper", |found| Cell::text(found.paper.as_str()))
            .column("shows", |found| Cell::text(found.shows.as_str()))
            .column("needs", |found| Cell::text(found.needs.as_str()))
            .noted(Vec::new());
        self.exhibits.iter().filter_map(|own| own.table.clone()).chain(absent.filled()).collect()
    }

    /// The drawn figures, with a warning for each that could not be drawn.
    pub fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        for (exhibit, figure) in self.exhibits.iter().filter_map(|own| Some((own, own.figure.as_ref()?))) {
            figures.add(exhibit.name.as_str(), figure.draw());
        }
        figures
    }
}

impl Paper {
    /// Makes all exhibits, or only those that read the kind of record `of`, or only the exhibit called `of`. An exhibit whose
    /// record is missing is listed in [`Made::absent`].
    ///
    /// # Errors
    /// A path of an exhibit names a field that its record does not have: with file, exhibit, and the fields that there are.
    pub fn make(&self, records: &Records, of: Option<&str>) -> Result<Made, Error> {
        let (mut made, root) = (Made::default(), records.with_published(&self.published));
        let start = Place::of(&root);
        let is_wanted = |own: &&Exhibit| of.is_none_or(|of| own.from == of || unfilled(&own.name) == of);
        let wanted = self.exhibits.iter().filter(is_wanted).collect_vec();
        // Neighbours that are made for each of the same places stand together at each of them.
        for exhibits in wanted.chunk_by(|one, next| one.each == next.each && !one.each.is_empty()) {
            let places = self.told(&exhibits[0].entry(), start.find(&exhibits[0].each))?;
            let mut are_told = vec![false; exhibits.len()];
            for place in &places {
                for (exhibit, is_told) in exhibits.iter().zip(&mut are_told) {
                    *is_told |= self.told(&exhibit.entry(), self.add(exhibit, place, records, &mut made))?;
                }
            }
            for (exhibit, _) in exhibits.iter().zip(are_told).filter(|(_, is_told)| !is_told) {
                let absent = self.absent(exhibit, &start, [&exhibit.needs, &Sentence::default()]);
                made.absent.extend(self.told(&exhibit.entry(), absent)?);
            }
        }
        Ok(made)
    }

    /// Adds an exhibit at a place, or what it lacks there. Is it there, or does it say itself what it lacks?
    fn add(&self, exhibit: &Exhibit, place: &Place<'_>, from: &Records, made: &mut Made) -> Result<bool, PathError> {
        let figure = figure(exhibit, place)?;
        let table = match unfilled(&exhibit.table).is_empty() {
            true => table(exhibit, place)?,
            false => from.tables.get(&place.words(&exhibit.table)?).cloned(),
        };
        if table.is_none() && figure.is_none() {
            made.absent.extend(self.absent(exhibit, place, [&exhibit.lacks, &exhibit.about])?);
            return Ok(!unfilled(&exhibit.lacks).is_empty());
        }
        made.exhibits.push(MadeExhibit {
            name: place.words(&exhibit.name)?,
            paper: self.place(&exhibit.place),
            shows: exhibit.shows.clone(),
            about: place.words(&exhibit.about)?,
            pairs: pairs(exhibit, place)?,
            table,
            figure,
        });
        Ok(true)
    }

    /// An exhibit that is absent, and whom it would be about; `None` if it does not say what it needs.
    fn absent(&self, own: &Exhibit, at: &Place<'_>, words: [&Sentence; 2]) -> Result<Option<Absent>, PathError> {
        let [needs, about] = [at.words(words[0])?, at.words(words[1])?];
        Ok((!needs.is_empty()).then(|| Absent {
            paper: self.place(&own.place),
            shows: own.shows.clone(),
            about,
            needs,
        }))
    }

    /// An error with the file and its entry.
    fn told<T>(&self, entry: &str, found: Result<T, PathError>) -> Result<T, Error> {
        found.map_err(|why| Error::Usage(format!("{}: {entry}: {why}", self.path.display())))
    }

    /// Its tables and figures of a study before it runs: what it shows, where it is in the paper, and what it lacks; each
    /// once.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn planned(&self, records: &Records) -> Result<IndexSet<[String; 3]>, Error> {
        let root = records.with_published(&self.published);
        let start = Place::of(&root);
        let planned = self.exhibits.iter().filter(|own| own.from == "study").map(|own| {
            let lacks = own.takes.iter().map(|takes| start.words(takes)).collect::<Result<Vec<_>, _>>();
            let lacks = self.told(&own.entry(), lacks)?.into_iter().filter(|words| !words.is_empty()).join(", and ");
            Ok([own.shows.clone(), self.place(&own.place), lacks])
        });
        planned.collect()
    }

    /// The values of `published/values.tsv` that the records have too, at their `path` or as the `statistic` of all values
    /// there. Each has its `place` in the paper, the row `of` the paper's table (empty if the quantity names its subject),
    /// its `quantity`, the value `here` with its `interval`, the `published` one with its `published_interval` and the
    /// `decimals` with which it is printed, the `difference` (here less published), and the `erratum` that concerns it.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn beside(&self, records: &Records) -> Result<Vec<Value>, Error> {
        let root = records.with_published(&self.published);
        let start = Place::of(&root);
        let found = self
            .published("values")
            .iter()
            .map(|printed| self.told("published/values.tsv", self.compared(printed, &start)));
        found.filter_map(Result::transpose).collect()
    }

    fn compared(&self, printed: &Value, start: &Place<'_>) -> Result<Option<Value>, PathError> {
        let [path, place, of, quantity, statistic] =
            ["path", "place", "of", "quantity", "statistic"].map(|field| printed[field].as_str().unwrap_or_default());
        let here = match of_word::<Statistic>(statistic) {
            Ok(statistic) => statistic.of(&start.numbers(path)?),
            Err(_) => start.number(path)?,
        };
        let interval = start.one(path)?.and_then(|own| interval_of(own.value()));
        let concerned = format!("{place}: {quantity}");
        let erratum = self.errata.iter().find(|own| own.concerns.contains(&concerned));
        Ok(here.zip(number_of(&printed["value"])).map(|(here, published)| {
            json!({
                "place": place, "of": of, "quantity": quantity, "here": here, "interval": interval,
                "published": published, "published_interval": number_of(&printed["low"]).zip(number_of(&printed["high"])),
                "difference": here - published, "decimals": decimals_of(&printed["value"]),
                "erratum": erratum.map(|known| &known.says),
            })
        }))
    }

    /// Can a figure of an exhibit of this kind of record have this name?
    pub fn has_figure(&self, from: &str, stem: &str) -> bool {
        let is_it = |name: String| match name.split_once('{') {
            Some((beginning, _)) => stem.starts_with(beginning),
            None => name == stem,
        };
        let mut figures = self.exhibits.iter().filter(|own| own.from == from && own.figure.is_some());
        figures.any(|own| is_it(unfilled(&own.name)))
    }
}
