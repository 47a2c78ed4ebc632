//! Ratings and scores of the same items.

use super::direction::{MetricRole, check_stated, role};
use super::source::Source;
use super::{HeldTable, MetaRequest};
use crate::Error;
use neurogauge_core::Warning;
use neurogauge_formats::ratings;
use neurogauge_stats::Ratings;
use neurogauge_stats::meta::{Grouping, MetricColumn};
use std::collections::HashMap;

/// Items that a message names.
const N_EXAMPLES: usize = 3;

/// A survey with the scores of every metric, in the order of its items.
pub(super) struct Joined {
    pub(super) ratings: Ratings,
    /// Ids of the items.
    pub(super) items: Vec<String>,
    pub(super) groupings: Vec<Grouping>,
    pub(super) raters: Vec<String>,
    pub(super) columns: Vec<MetricColumn>,
    pub(super) roles: Vec<MetricRole>,
    pub(super) warnings: Vec<Warning>,
}

impl Joined {
    pub(super) fn of(
        request: &MetaRequest,
        human: Option<&HeldTable>,
        sources: &[Source],
    ) -> Result<Self, Error> {
        let columns = request.columns();
        let table = match human {
            None => ratings::read(&request.human, &columns, request.scale),
            Some(held) => ratings::of_text(&held.name, &held.text, &columns, request.scale),
        }?;
        let ratings = Ratings::new(table.raters.len(), table.values).map_err(|source| {
            let path = request.human.clone();
            Error::Survey { path, source }
        })?;
        let shown = shown_names(sources)?;
        let own = sources
            .iter()
            .flat_map(|s| &s.metrics)
            .map(|(name, _)| name);
        let all = own.chain(shown.iter().flatten());
        check_stated(request, all.map(String::as_str))?;

        let place: HashMap<&str, usize> = table
            .items
            .iter()
            .enumerate()
            .map(|(i, item)| (item.as_str(), i))
            .collect();
        let groupings = request.group_columns.iter().zip(&table.groups);
        let groupings = groupings.map(|(name, labels)| Grouping::new(name.as_str(), labels));
        let mut joined = Joined {
            ratings,
            items: table.items.clone(),
            groupings: groupings.collect::<Result<_, _>>()?,
            raters: table.raters,
            columns: Vec::new(),
            roles: Vec::new(),
            warnings: table.warnings,
        };
        for (source, shown) in sources.iter().zip(shown) {
            let places: Vec<Option<usize>> = source
                .items
                .iter()
                .map(|item| place.get(item.as_str()).copied())
                .collect();
            joined.warn_of_strangers(request, source, &table.items, &places)?;
            for ((name, scores), shown) in source.metrics.iter().zip(shown) {
                let mut column = vec![None; table.items.len()];
                for (place, score) in places.iter().zip(scores) {
                    if let Some(place) = place {
                        column[*place] = *score;
                    }
                }
                let from = source.path.display().to_string();
                let role = role(request, name, &shown, from, &mut joined.warnings);
                if source.stand_ins.contains(name) {
                    joined.warnings.push(Warning::new(
                        "stand_in",
                        shown.clone(),
                        "rests on a placeholder: its numbers mean nothing",
                    ));
                }
                joined.columns.push(MetricColumn {
                    name: shown,
                    direction: role.direction,
                    scores: column,
                });
                joined.roles.push(role);
            }
        }
        Ok(joined)
    }

    /// Lists what does not join; nothing that does is an error.
    fn warn_of_strangers(
        &mut self,
        request: &MetaRequest,
        source: &Source,
        rated: &[String],
        places: &[Option<usize>],
    ) -> Result<(), Error> {
        let mut has_scores = vec![false; rated.len()];
        for &place in places.iter().flatten() {
            has_scores[place] = true;
        }
        let scored = source.items.iter().zip(places);
        let unrated: Vec<&String> = scored
            .filter(|(_, place)| place.is_none())
            .map(|(item, _)| item)
            .collect();
        let unscored: Vec<&String> = rated
            .iter()
            .zip(&has_scores)
            .filter(|(_, has)| !**has)
            .map(|(item, _)| item)
            .collect();
        if unscored.len() == rated.len() {
            return Err(Error::NothingJoins {
                path: source.path.clone(),
                human: request.human.clone(),
                found: examples(&source.items),
                rated: examples(rated),
            });
        }
        let subject = source.path.display().to_string();
        if !unrated.is_empty() {
            let message = format!(
                "{} of {} items were not rated and are left out ({})",
                unrated.len(),
                source.items.len(),
                examples(&unrated)
            );
            self.warnings
                .push(Warning::new("items_not_rated", subject.clone(), message));
        }
        if !unscored.is_empty() {
            let message = format!(
                "{} of {} rated items are missing and are left out ({})",
                unscored.len(),
                rated.len(),
                examples(&unscored)
            );
            self.warnings
                .push(Warning::new("items_not_scored", subject, message));
        }
        Ok(())
    }
}

/// The first few items, and that there are more.
pub(super) fn examples(items: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = items.iter().take(N_EXAMPLES).map(AsRef::as_ref).collect();
    let more = if items.len() > N_EXAMPLES {
        ", ..."
    } else {
        ""
    };
    format!("{}{more}", first.join(", "))
}

/// The names that tables use: those of the files, with the source where two share a name.
fn shown_names(sources: &[Source]) -> Result<Vec<Vec<String>>, Error> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for (name, _) in sources.iter().flat_map(|source| &source.metrics) {
        *count.entry(name).or_default() += 1;
    }
    let shown: Vec<Vec<String>> = sources
        .iter()
        .map(|source| {
            let names = source.metrics.iter().map(|(name, _)| name);
            let shown = names.map(|name| match count[name.as_str()] {
                1 => name.clone(),
                _ => format!("{name} ({})", source.name),
            });
            shown.collect()
        })
        .collect();
    let mut all: Vec<&String> = shown.iter().flatten().collect();
    if all.is_empty() {
        return Err(Error::Usage("meta needs at least one metric".into()));
    }
    all.sort_unstable();
    match all.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(Error::Usage(format!(
            "there are two metrics {:?}; rename one of the files or runs",
            two[0]
        ))),
        None => Ok(shown),
    }
}
