//! Matching of rated items with scored items.

use super::PairsOf;
use super::closest::{Remedy, closest};
use super::join::{Met, partners};
use super::pattern::StemPattern;
use crate::Side;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// How the scored item of a rated item is found (convention `item-join`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, SerializeDisplay, DeserializeFromStr)]
#[non_exhaustive]
pub enum ItemJoin {
    /// The item with the same id.
    #[default]
    Exact,
    /// The item with the same stem: the id without folders, address and file extension.
    Stem,
    /// The only item whose stem has the same number.
    Number,
    /// The item whose name the rated item contains, by this pattern of rated names. A pattern with `/` applies to whole
    /// ids, any other to their stems.
    Pattern(StemPattern),
}

/// Two items of one side that a join cannot distinguish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {side} items {first:?} and {second:?} are the same item when items are joined by {join}; expected at most one of each \
     (a pattern that keeps them apart may help, such as mindeye2_{{stem}})"
)]
pub struct AmbiguousItems {
    /// `rated` or `scored`.
    pub side: &'static str,
    /// One of the two items.
    pub first: String,
    pub second: String,
    pub join: ItemJoin,
}

impl ItemJoin {
    /// Is it the default?
    pub fn is_exact(&self) -> bool {
        *self == ItemJoin::Exact
    }

    /// Can it be the result of a guess? A pattern is always asked for.
    pub fn is_guess(&self) -> bool {
        matches!(self, ItemJoin::Stem | ItemJoin::Number)
    }

    /// For each of `scored`, the position of the same item in `rated`, if it exists.
    ///
    /// # Errors
    /// Two items of one side that the join cannot distinguish.
    pub fn places(&self, rated: &[String], scored: &[String]) -> Result<Vec<Option<usize>>, AmbiguousItems> {
        let of_scored: Vec<Option<&str>> = scored.iter().map(|item| self.scored_key(item)).collect();
        let of_rated: Vec<Option<&str>> = rated.iter().map(|item| self.rated_key(item)).collect();
        partners(&of_scored, &of_rated).map_err(|same| {
            let (side, items) = match same.side {
                Side::Gt => ("scored", scored),
                Side::Recon => ("rated", rated),
            };
            AmbiguousItems {
                side,
                first: items[same.first].clone(),
                second: items[same.second].clone(),
                join: self.clone(),
            }
        })
    }

    /// The same, and by which join: if no ids are equal, and no other join is asked for, the one that needs no question
    /// ([`Met`]).
    ///
    /// # Errors
    /// Two items of one side that the join cannot distinguish.
    pub fn meet(&self, rated: &[String], scored: &[String]) -> Result<Met, AmbiguousItems> {
        let partners = self.places(rated, scored)?;
        if self.is_exact() && partners.iter().all(Option::is_none) {
            return Ok(Met::of(scored, rated, PairsOf::Shared));
        }
        let join = self.clone();
        Ok(Met { join, partners })
    }

    /// The join that would match most items, and how many, if these are at least half of the smaller side.
    pub fn offer(rated: &[String], scored: &[String]) -> Option<(ItemJoin, usize)> {
        let rated_items: Vec<&str> = rated.iter().map(String::as_str).collect();
        let rated_stems: Vec<&str> = rated.iter().map(|item| stem(item)).collect();
        let scored_stems: Vec<&str> = scored.iter().map(|item| stem(item)).collect();
        let pattern = |rated: &[&str]| match closest(&scored_stems, rated)?.remedy {
            Remedy::Match(pattern) => Some(ItemJoin::Pattern(pattern)),
            Remedy::Parts(_) | Remedy::PartsOf(..) | Remedy::RenameCase | Remedy::RenameAccents | Remedy::Rename => {
                None
            }
        };
        let joins = [ItemJoin::Exact, ItemJoin::Stem, ItemJoin::Number].into_iter();
        let joins = joins.chain(pattern(&rated_stems)).chain(pattern(&rated_items));
        let offers = joins.filter_map(|join| {
            let n_joined = join.places(rated, scored).ok()?.iter().flatten().count();
            Some((join, n_joined))
        });
        // Of joins that match equally many, the first wins.
        let best = offers.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let is_enough = best.1 > 0 && 2 * best.1 >= rated.len().min(scored.len());
        is_enough.then_some(best)
    }

    /// The key that matching items of both sides share.
    fn rated_key<'a>(&self, item: &'a str) -> Option<&'a str> {
        match self {
            ItemJoin::Pattern(pattern) if pattern.has('/') => pattern.of_recon(item),
            ItemJoin::Pattern(pattern) => pattern.of_recon(stem(item)),
            _ => self.scored_key(item),
        }
    }

    fn scored_key<'a>(&self, item: &'a str) -> Option<&'a str> {
        match self {
            ItemJoin::Exact => Some(item),
            ItemJoin::Stem => Some(stem(item)),
            ItemJoin::Number => StemPattern::number().of_gt(stem(item)),
            ItemJoin::Pattern(pattern) => pattern.of_gt(stem(item)),
        }
    }
}

/// The last part of a path or address, without an address' query or fragment and without a file extension: a dot, and
/// up to five letters or digits, at least one of them a letter.
fn stem(item: &str) -> &str {
    let path = match item.contains("://") {
        true => item.split(['?', '#']).next().unwrap_or(item),
        false => item,
    };
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending))
            if !stem.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && ending.bytes().any(|byte| byte.is_ascii_alphabetic()) =>
        {
            stem
        }
        _ => name,
    }
}

impl FromStr for ItemJoin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "exact" => Ok(ItemJoin::Exact),
            "stem" => Ok(ItemJoin::Stem),
            "number" => Ok(ItemJoin::Number),
            other => other.parse().map(ItemJoin::Pattern).map_err(|_: String| {
                format!(
                    "{other:?}: expected exact, stem, number, or what the rated items are called, with {{stem}} or {{number}} in it \
                     once, such as mindeye2_{{stem}}"
                )
            }),
        }
    }
}

impl fmt::Display for ItemJoin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemJoin::Exact => f.write_str("exact"),
            ItemJoin::Stem => f.write_str("stem"),
            ItemJoin::Number => f.write_str("number"),
            ItemJoin::Pattern(pattern) => pattern.fmt(f),
        }
    }
}
