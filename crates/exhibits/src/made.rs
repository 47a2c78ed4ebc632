//! Makes the exhibits of a paper from the records of runs, and sets published values beside those of runs.

use crate::exhibit::{BesideRule, Exhibit, unfilled};
use crate::figure::{MadeFigure, figure};
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::table::{PairLines, pairs, table};
use crate::value::{Statistic, decimals_of, interval_of};
use crate::{Paper, Records};
use indexmap::IndexSet;
use itertools::Itertools;
use neurogauge::core::words::of_word;
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Figures};
use serde::Serialize;
use serde_json::{Value, json};

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
    pub fn tables(&self) -> Vec<Table> {
        self.exhibits.iter().filter_map(|own| own.table.clone()).collect()
    }

    /// A table of what is absent; `None` if nothing is.
    pub fn absent_table(&self) -> Option<Table> {
        Table::of("Tables and figures of the paper that are not here", &self.absent)
            .column("of the paper", |found| Cell::text(found.paper.as_str()))
            .column("shows", |found| Cell::text(found.shows.as_str()))
            .column("needs", |found| Cell::text(found.needs.as_str()))
            .noted(Vec::new())
            .filled()
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
    /// The exhibits of one kind of record, or all; those of which a record is missing are absent.
    ///
    /// # Errors
    /// A path of an exhibit names a field that its record does not have: with file, exhibit, and the fields that there are.
    pub fn make(&self, records: &Records, from: Option<&str>) -> Result<Made, Error> {
        self.made(records, |own| from.is_none_or(|from| own.from == from))
    }

    /// The exhibit of this name.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn make_one(&self, records: &Records, name: &str) -> Result<Made, Error> {
        self.made(records, |own| unfilled(&own.name) == name)
    }

    fn made(&self, records: &Records, is_wanted: impl Fn(&Exhibit) -> bool) -> Result<Made, Error> {
        let (mut made, root) = (Made::default(), records.with_published(&self.published));
        let start = Place::of(&root);
        let wanted: Vec<&Exhibit> = self.exhibits.iter().filter(|own| is_wanted(own)).collect();
        // Neighbours that are made for each of the same places stand together at each of them.
        for exhibits in wanted.chunk_by(|one, next| one.each == next.each && !one.each.is_empty()) {
            let making = Making::of(exhibits[0], start.clone());
            let places = making.reads("each").told(self, start.find(&exhibits[0].each))?;
            let mut are_made = vec![false; exhibits.len()];
            for place in &places {
                for (exhibit, is_made) in exhibits.iter().zip(&mut are_made) {
                    let making = Making::of(exhibit, place.clone());
                    if let Some(own) = making.told(self, self.one(&making, records))? {
                        *is_made = true;
                        made.exhibits.push(own);
                        continue;
                    }
                    let needs = making.told(self, making.words(&exhibit.lacks, "lacks"))?;
                    if !needs.is_empty() {
                        let about = making.told(self, making.words(&exhibit.about, "about"))?;
                        made.absent.push(self.absent(exhibit, about, needs));
                    }
                }
            }
            for (exhibit, is_made) in exhibits.iter().zip(are_made) {
                let making = Making::of(exhibit, start.clone());
                let is_told = !places.is_empty() && !unfilled(&exhibit.lacks).is_empty();
                let needs = making.told(self, making.words(&exhibit.needs, "needs"))?;
                if !is_made && !is_told && !needs.is_empty() {
                    made.absent.push(self.absent(exhibit, String::new(), needs));
                }
            }
        }
        Ok(made)
    }

    /// The exhibit at a place; `None` if there is nothing to show.
    fn one(&self, making: &Making<'_>, records: &Records) -> Result<Option<MadeExhibit>, PathError> {
        let exhibit = making.exhibit;
        let (table, figure) = (table(making, records)?, figure(making)?);
        if table.is_none() && figure.is_none() {
            return Ok(None);
        }
        Ok(Some(MadeExhibit {
            name: making.words(&exhibit.name, "name")?,
            paper: self.place(&exhibit.place),
            shows: exhibit.shows.clone(),
            about: making.words(&exhibit.about, "about")?,
            pairs: pairs(making)?,
            table,
            figure,
        }))
    }

    fn absent(&self, exhibit: &Exhibit, about: String, needs: String) -> Absent {
        Absent {
            paper: self.place(&exhibit.place),
            shows: exhibit.shows.clone(),
            about,
            needs,
        }
    }

    /// Its tables and figures of a study before it runs: what it shows, where it is in the paper, and what it lacks; each
    /// once.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn planned(&self, records: &Records) -> Result<IndexSet<[String; 3]>, Error> {
        let root = records.with_published(&self.published);
        let planned = self.exhibits.iter().filter(|own| own.from == "study").map(|own| {
            let making = Making::of(own, Place::of(&root));
            let lacks = own.takes.iter().map(|takes| making.words(takes, "takes")).collect::<Result<Vec<_>, _>>();
            let lacks = making.told(self, lacks)?.into_iter().filter(|words| !words.is_empty()).join(", and ");
            Ok([own.shows.clone(), self.place(&own.place), lacks])
        });
        planned.collect()
    }

    /// The published values that the records have too. Each has its `place` in the paper, the row `of` the paper's table
    /// (empty if the quantity names its subject), its `quantity`, the value `here` with its `interval`, the `published` one
    /// with its `published_interval` and the `decimals` with which it is printed, the `difference` (here less published),
    /// and the `erratum` that concerns it.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn beside(&self, records: &Records) -> Result<Vec<Value>, Error> {
        let (no_exhibit, mut found) = (Exhibit::default(), Vec::new());
        let root = records.with_published(&self.published);
        let making = Making::of(&no_exhibit, Place::of(&root));
        for (number, rule) in (1..).zip(&self.beside) {
            making.reads(format!("[[beside]] {number}"));
            for row in making.told(self, making.place.find(&rule.rows))? {
                found.extend(making.told(self, self.beside_row(rule, &row))?);
            }
        }
        Ok(found)
    }

    fn beside_row(&self, rule: &BesideRule, row: &Place<'_>) -> Result<Vec<Value>, PathError> {
        let words = |sentence: &str| row.text(sentence).map(Option::unwrap_or_default);
        let (place, of, mut found) = (words(&rule.place)?, words(&rule.of)?, Vec::new());
        let ends = match &rule.ends {
            Some([low, high]) => row.number(low)?.zip(row.number(high)?),
            None => None,
        };
        let statistic = row.one(&rule.statistic)?.and_then(|own| of_word::<Statistic>(own.value().as_str()?).ok());
        for [quantity, here, published] in &rule.columns {
            let (quantity, printed) = (words(quantity)?, row.one(published)?);
            let value = match statistic {
                Some(statistic) => statistic.of(&row.numbers(here)?),
                None => row.number(here)?,
            };
            let concerned = format!("{place}: {quantity}");
            let erratum = self.errata.iter().find(|own| own.concerns.contains(&concerned));
            if let Some((value, published)) = value.zip(row.number(published)?) {
                found.push(json!({
                    "place": place, "of": of, "quantity": quantity, "here": value,
                    "interval": row.one(here)?.and_then(|own| interval_of(own.value())),
                    "published": published, "published_interval": ends, "difference": value - published,
                    "decimals": printed.and_then(|own| decimals_of(own.value())).unwrap_or_default(),
                    "erratum": erratum.map(|known| &known.says),
                }));
            }
        }
        Ok(found)
    }

    /// Can a figure of an exhibit of this kind of record have this name?
    pub fn has_figure(&self, from: &str, stem: &str) -> bool {
        let is_it = |exhibit: &Exhibit| {
            let name = unfilled(&exhibit.name);
            match name.split_once('{') {
                Some((beginning, _)) => stem.starts_with(beginning),
                None => name == stem,
            }
        };
        self.exhibits.iter().any(|own| own.from == from && own.figure.is_some() && is_it(own))
    }
}
