//! Writes ratings in the form for `neurogauge meta`.

use super::rated_pairs;
use super::rater::{Rater, key};
use crate::make::record::SurveyRecord;
use neurogauge::Error;
use neurogauge::core::pair::natural_cmp;
use neurogauge::formats::atomic_file;
use neurogauge::formats::names_below::{below, own_file};
use neurogauge::report::{Cell, Table};
use std::collections::BTreeMap;
use std::path::Path;

/// File name for the ratings of all systems.
pub(super) const ALL: &str = "ratings.csv";

/// One rater's ratings of one pair.
#[derive(Debug)]
struct RatingLine {
    stem: String,
    system: String,
    rater: String,
    ratings: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Ratings {
    questions: Vec<String>,
    systems: Vec<String>,
    lines: Vec<RatingLine>,
    /// Number of raters of each pair, by stem and system.
    pub(super) counts: BTreeMap<(String, String), usize>,
}

impl Ratings {
    pub(super) fn of(raters: &[&Rater<'_>], survey: &SurveyRecord) -> Self {
        let owned = |(stem, system): (&str, Option<&str>)| (stem.to_owned(), system.unwrap_or_default().to_owned());
        let mut counts: BTreeMap<(String, String), usize> =
            rated_pairs(survey).map(|trial| (owned(key(trial)), 0)).collect();
        let mut lines = Vec::new();
        for rater in raters {
            for answers in rater.by_pair() {
                let Some(first) = answers.first() else {
                    continue;
                };
                let pair = owned(key(first.trial));
                *counts.entry(pair.clone()).or_default() += 1;
                lines.push(RatingLine {
                    stem: pair.0,
                    system: pair.1,
                    rater: rater.name.clone(),
                    ratings: first.ratings.iter().copied().flatten().collect(),
                });
            }
        }
        lines.sort_by(|a, b| {
            let stems = natural_cmp(&a.stem, &b.stem).then_with(|| a.stem.cmp(&b.stem));
            stems.then_with(|| a.system.cmp(&b.system)).then_with(|| natural_cmp(&a.rater, &b.rater))
        });
        Ratings {
            questions: survey.questions.ids().into_iter().map(str::to_owned).collect(),
            systems: survey.request.recon.iter().map(|system| system.name.clone()).collect(),
            lines,
            counts,
        }
    }

    /// The file whose items are the stimuli of one run, and its system if there are several.
    pub(super) fn of_one_run(&self) -> (String, Option<&str>) {
        match self.systems.as_slice() {
            [first, _, ..] => (format!("ratings-{first}.csv"), Some(first)),
            _ => (ALL.to_owned(), None),
        }
    }

    /// Writes all ratings to one file and, for several systems, also to a file for each.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let several = self.systems.len() > 1;
        let of = |line: &RatingLine| match several {
            true => format!("{}/{}", line.stem, line.system),
            false => line.stem.clone(),
        };
        atomic_file::write(&own_file(folder, ALL), self.table(|_| true, of).as_bytes())?;
        for system in self.systems.iter().filter(|_| several) {
            let table = self.table(|line| line.system == *system, |line| line.stem.clone());
            atomic_file::write(&below(folder, &format!("ratings-{system}.csv"))?, table.as_bytes())?;
        }
        Ok(())
    }

    fn table(&self, counts: impl Fn(&RatingLine) -> bool, item: impl Fn(&RatingLine) -> String) -> String {
        Table::of("Ratings", self.lines.iter().filter(|line| counts(line)))
            .column("item", |line| Cell::text(item(line)))
            .column("rater", |line| Cell::text(&line.rater))
            .columns(self.questions.clone(), |line| {
                line.ratings.iter().map(|&rating| Cell::Count(rating as usize)).collect::<Vec<_>>()
            })
            .column("stem", |line| Cell::text(&line.stem))
            .column("system", |line| Cell::text(&line.system))
            .noted(Vec::new())
            .csv()
    }
}
