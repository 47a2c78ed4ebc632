//! Choices as they are collected from the lines of a table.

use super::chosen_by::ChosenBy;
use super::form::Form;
use crate::delimited_text::{DelimitedText, Record};
use crate::ratings::crowd;
use crate::{FormatError, Problem};
use indexmap::IndexSet;
use neurogauge_core::{Choice, Preference};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The most choices of a table: an order of n items is n(n - 1)/2 of them.
const MOST_CHOICES: usize = 1 << 24;

/// An item of an order, and its rank.
type Ranked = (usize, f64);

/// Choices with items and raters in the order of their first appearance.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) items: IndexSet<String>,
    pub(super) raters: IndexSet<String>,
    pub(super) choices: Vec<Choice>,
    pub(super) n_missing: usize,
}

impl Collected {
    fn item(&mut self, text: &DelimitedText, record: &Record, at: usize) -> Result<usize, FormatError> {
        match record.cell(at) {
            "" => Err(text.faulty_cell(record, at, "the id of an item")),
            cell => Ok(self.items.insert_full(cell.to_owned()).0),
        }
    }

    /// Adds all lines; says whether a chosen item is named by its id.
    pub(super) fn add_all(
        &mut self,
        text: &DelimitedText,
        form: &Form,
        rater: Option<usize>,
    ) -> Result<bool, FormatError> {
        if let Form::Ranks { item, rank, sets } = form {
            self.add_ranks(text, [*item, *rank], sets, rater)?;
            return Ok(true);
        }
        let by = match form {
            Form::Sides { items, chosen } => Some(ChosenBy::of(text, *items, *chosen)?),
            _ => None,
        };
        for record in text.records.iter().filter(|record| !crowd::is_rejected(text, record)) {
            let who = rater.map_or_else(|| format!("line {}", record.line), |at| record.cell(at).to_owned());
            match form {
                Form::Sides { items: [a, b], chosen } => {
                    let preferred = by.as_ref().map(|by| by.preferred(text, record)).transpose()?.flatten();
                    let Some(preferred) = preferred else {
                        self.n_missing += 1;
                        continue;
                    };
                    let who = self.raters.insert_full(who).0;
                    let (first, second) = (self.item(text, record, *a)?, self.item(text, record, *b)?);
                    self.add(text, record, *chosen, [first, second], who, preferred)?;
                }
                Form::Ends { best, worst, shown } => {
                    if record.cell(*best).is_empty() || record.cell(*worst).is_empty() {
                        self.n_missing += 1;
                        continue;
                    }
                    let who = self.raters.insert_full(who).0;
                    let ends = [self.item(text, record, *best)?, self.item(text, record, *worst)?];
                    self.add(text, record, *worst, ends, who, Preference::First)?;
                    for &at in shown {
                        let other = match record.cell(at) {
                            "" => continue,
                            _ => self.item(text, record, at)?,
                        };
                        if !ends.contains(&other) {
                            self.add(text, record, at, [ends[0], other], who, Preference::First)?;
                            self.add(text, record, at, [other, ends[1]], who, Preference::First)?;
                        }
                    }
                }
                Form::Places(places) => {
                    let filled = places.iter().filter(|&&at| !record.cell(at).is_empty());
                    let ranked = filled.enumerate().map(|(rank, &at)| Ok((self.item(text, record, at)?, rank as f64)));
                    let ranked = ranked.collect::<Result<Vec<(usize, f64)>, FormatError>>()?;
                    let who = self.raters.insert_full(who).0;
                    self.add_order(text, record, places[0], &ranked, who)?;
                }
                Form::Order(at) => {
                    let levels = record.cell(*at).split('>').enumerate();
                    let names = levels.flat_map(|(rank, tied)| tied.split('=').map(move |name| (name.trim(), rank)));
                    let names: Vec<(&str, usize)> = names.collect();
                    if names.iter().any(|(name, _)| name.is_empty()) {
                        return Err(text.faulty_cell(
                            record,
                            *at,
                            "items from the best to the worst, such as a > b = c",
                        ));
                    }
                    let ranked =
                        names.into_iter().map(|(name, rank)| (self.items.insert_full(name.to_owned()).0, rank as f64));
                    let ranked: Vec<(usize, f64)> = ranked.collect();
                    let who = self.raters.insert_full(who).0;
                    self.add_order(text, record, *at, &ranked, who)?;
                }
                Form::Ranks { .. } => {}
            }
        }
        Ok(by.is_none_or(|by| by.is_by_id))
    }

    /// Adds the orders whose items have a line each: those of one person and one set.
    fn add_ranks(
        &mut self,
        text: &DelimitedText,
        [item, rank]: [usize; 2],
        sets: &[usize],
        rater: Option<usize>,
    ) -> Result<(), FormatError> {
        let mut orders: BTreeMap<Vec<&str>, (usize, Vec<Ranked>)> = BTreeMap::new();
        for (row, record) in text.records.iter().enumerate() {
            let Some(value) = text.number_at(record, rank, "a rank, 1 for the best")? else {
                self.n_missing += 1;
                continue;
            };
            let key = rater.iter().chain(sets).map(|&at| record.cell(at)).collect();
            let ranked = (self.item(text, record, item)?, value);
            orders.entry(key).or_insert_with(|| (row, Vec::new())).1.push(ranked);
        }
        for (key, (row, ranked)) in orders {
            let who = self.raters.insert_full(rater.map_or("one person", |_| key[0]).to_owned()).0;
            self.add_order(text, &text.records[row], rank, &ranked, who)?;
        }
        Ok(())
    }

    /// Adds every pair of an order of items.
    fn add_order(
        &mut self,
        text: &DelimitedText,
        record: &Record,
        at: usize,
        ranked: &[Ranked],
        who: usize,
    ) -> Result<(), FormatError> {
        for (place, (first, above)) in ranked.iter().enumerate() {
            for (second, below) in &ranked[place + 1..] {
                let preferred = match above.total_cmp(below) {
                    Ordering::Less => Preference::First,
                    Ordering::Greater => Preference::Second,
                    Ordering::Equal => Preference::Tie,
                };
                self.add(text, record, at, [*first, *second], who, preferred)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        text: &DelimitedText,
        record: &Record,
        at: usize,
        [first, second]: [usize; 2],
        rater: usize,
        preferred: Preference,
    ) -> Result<(), FormatError> {
        if first == second {
            let item = &self.items[first];
            return Err(text.faulty_cell(record, at, &format!("a choice between two items, and both are {item:?}")));
        }
        if self.choices.len() == MOST_CHOICES {
            let reason = format!("more than {MOST_CHOICES} choices between two items");
            return Err(Problem::line(record.line, reason).at(&text.path));
        }
        self.choices.push(Choice {
            first,
            second,
            rater,
            preferred,
        });
        Ok(())
    }
}
