//! Makes the exhibits of a paper from the records of runs.

use crate::beside::{Beside, beside};
use crate::exhibit::{Exhibit, unfilled};
use crate::figure::{MadeFigure, figure};
use crate::making::Making;
use crate::table::{PairLines, pairs, table};
use crate::{Paper, Records};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Figures};
use serde::Serialize;

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
        for exhibit in &self.exhibits {
            if let Some(figure) = &exhibit.figure {
                figures.add(exhibit.name.as_str(), figure.draw());
            }
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
        let mut made = Made::default();
        let wanted: Vec<&Exhibit> = self.file.exhibits.iter().filter(|own| is_wanted(own)).collect();
        // Neighbours that are made for each of the same places stand together at each of them.
        for exhibits in wanted.chunk_by(|one, next| one.each == next.each && !one.each.is_empty()) {
            let making = Making::of(self, records, exhibits[0]);
            let mut are_made = vec![false; exhibits.len()];
            let mut has_place = false;
            for place in making.told("each", making.place.find(&exhibits[0].each))? {
                has_place = true;
                for (exhibit, is_made) in exhibits.iter().zip(&mut are_made) {
                    let own = Making::of(self, records, exhibit).at(place.clone());
                    let (table, figure) = (table(exhibit, &own)?, figure(exhibit, &own)?);
                    if table.is_some() || figure.is_some() {
                        *is_made = true;
                        made.exhibits.push(MadeExhibit {
                            name: own.words(&exhibit.name, "name")?,
                            paper: self.place(&exhibit.place),
                            shows: exhibit.shows.clone(),
                            about: own.words(&exhibit.about, "about")?,
                            pairs: pairs(exhibit, &own)?,
                            table,
                            figure,
                        });
                    } else if let Some(needs) =
                        own.told("lacks", own.place.text(&exhibit.lacks))?.filter(|needs| !needs.is_empty())
                    {
                        made.absent.push(self.absent(exhibit, own.words(&exhibit.about, "about")?, needs));
                    }
                }
            }
            for (exhibit, is_made) in exhibits.iter().zip(are_made) {
                let is_told = has_place && !exhibit.lacks.is_empty();
                if !exhibit.needs.is_empty() && !is_told && !is_there(exhibit, &making, is_made)? {
                    let needs = making.told("needs", making.place.text(&exhibit.needs))?;
                    made.absent.extend(needs.map(|needs| self.absent(exhibit, String::new(), needs)));
                }
            }
        }
        Ok(made)
    }

    fn absent(&self, exhibit: &Exhibit, about: String, needs: String) -> Absent {
        let (paper, shows) = (self.place(&exhibit.place), exhibit.shows.clone());
        Absent {
            paper,
            shows,
            about,
            needs,
        }
    }

    /// The published values that the records have too.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn beside(&self, records: &Records) -> Result<Vec<Beside>, Error> {
        beside(self, &Making::of(self, records, &Exhibit::default()))
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
        self.file.exhibits.iter().any(|own| own.from == from && own.figure.is_some() && is_it(own))
    }
}

/// Is an exhibit there: was it made, or do the conditions of one that another command makes hold?
fn is_there(exhibit: &Exhibit, making: &Making<'_>, is_made: bool) -> Result<bool, Error> {
    if exhibit.there_if.is_empty() {
        return Ok(is_made);
    }
    for condition in &exhibit.there_if {
        if !making.told("there_if", making.place.holds(condition))? {
            return Ok(false);
        }
    }
    Ok(true)
}
