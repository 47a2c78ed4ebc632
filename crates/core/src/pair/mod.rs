//! Pairing of stimuli with reconstructions by file stem, and of rated items with scored ones.

mod closest;
mod error;
mod frame_gaps;
mod frame_match;
mod frame_times;
mod item_join;
mod item_parts;
mod join;
mod natural_order;
mod parts;
mod parts_pattern;
mod pattern;
mod stack_order;
mod taken_for;
mod trials;

pub use closest::{Closest, Remedy, closest as closest_names, closest_images};
pub use error::PairingError;
pub use frame_gaps::{FrameGap, gaps as gaps_in_numbers};
pub use frame_match::FrameMatch;
pub use frame_times::FrameTimes;
pub use item_join::{AmbiguousItems, ItemJoin};
pub use item_parts::ItemPart;
pub use join::Met;
pub use natural_order::{natural_cmp, natural_order};
pub use parts::{OnMissingPart, Parts, clips_of, item_of};
pub use parts_pattern::{Axis, PartsPattern};
pub use pattern::StemPattern;
pub use stack_order::StackOrder;
pub use taken_for::{Form, TakenFor};
pub use trials::{ImagesOfTrials, Trials};

use crate::{Finding, NAMES_SHOWN, Side, Sides};
use join::partners;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A stimulus and its reconstruction: positions in the two sources they come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// The stem that both share.
    pub stem: String,
    /// Position in the stimulus source.
    pub gt: usize,
    /// Position in the reconstruction source.
    pub recon: usize,
}

impl Pair {
    /// A pair at the same place in both sources.
    pub fn at(stem: String, place: usize) -> Self {
        Pair {
            stem,
            gt: place,
            recon: place,
        }
    }

    /// Position in the source of a side.
    pub fn of(&self, side: Side) -> usize {
        match side {
            Side::Gt => self.gt,
            Side::Recon => self.recon,
        }
    }
}

/// Which stems are compared (convention `pairing-stem`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PairsOf {
    /// Every stem must be on both sides.
    #[default]
    All,
    /// The stems that both sides have; the others are left out.
    Shared,
}

/// The rules by which stems pair up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pairing {
    /// Which stems are compared.
    pub pairs: PairsOf,
    /// The name of a stimulus' reconstruction; `None`: the same as the stimulus.
    #[serde(rename = "match")]
    pub pattern: Option<StemPattern>,
    /// How several images form an item; `None`: each image is an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The order in which a stack holds the images that the other side names; `None`: its rows are called 0, 1, 2, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<StackOrder>,
    /// The image of each reconstruction, if reconstructions are trials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<Trials>,
}

/// Pairs, and stems without a partner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedStems {
    /// In natural order of the stimuli's stems.
    pub pairs: Vec<Pair>,
    /// How the names of items met.
    pub taken: TakenFor,
    /// The stems that are left out, in natural order; empty unless [`PairsOf::Shared`] are paired.
    pub without_partner: Sides<Vec<String>>,
    /// The axes along which pairs are parts of items; empty if each pair is an item. The stem of a pair is the stem of
    /// its item followed by the part's name on each axis, after slashes.
    pub axes: Vec<Axis>,
    /// Items whose frames are matched by time although their clips differ in duration, with the durations in
    /// microseconds.
    pub unequally_long: Vec<(String, Sides<u64>)>,
    /// Clips that lack frames between others, which their counterparts have.
    pub frame_gaps: Vec<FrameGap>,
    /// How the list of trials was read.
    pub trials: Vec<Finding>,
}

impl PairedStems {
    /// Pairs of items without parts.
    pub fn of(pairs: Vec<Pair>, without_partner: Sides<Vec<String>>) -> Self {
        PairedStems {
            pairs,
            taken: TakenFor::default(),
            without_partner,
            axes: Vec::new(),
            unequally_long: Vec::new(),
            frame_gaps: Vec::new(),
            trials: Vec::new(),
        }
    }

    /// Number of items, which is the number of pairs unless items have parts.
    pub fn n_items(&self) -> usize {
        let n_axes = self.axes.len();
        let is_same = |a: &Pair, b: &Pair| n_axes > 0 && item_of(&a.stem, n_axes) == item_of(&b.stem, n_axes);
        self.pairs.chunk_by(is_same).count()
    }

    /// One pair for each item, under the item's stem: the middle pair if the item has parts.
    pub fn of_items(self) -> Vec<Pair> {
        if self.axes.is_empty() {
            return self.pairs;
        }
        let item = |pair: &Pair| item_of(&pair.stem, self.axes.len()).to_owned();
        let of_item = self.pairs.chunk_by(|a, b| item(a) == item(b));
        let middle = |pairs: &[Pair]| {
            let pair = &pairs[pairs.len() / 2];
            Pair {
                stem: item(pair),
                ..pair.clone()
            }
        };
        of_item.map(middle).collect()
    }
}

impl Pairing {
    pub fn is_default(&self) -> bool {
        *self == Pairing::default()
    }

    /// With reconstructions that are trials: samples of the images that these name. Images may have different numbers of
    /// trials.
    #[must_use]
    pub fn of_trials(self, trials: Trials) -> Self {
        Pairing {
            parts: "sample".parse().ok().map(|pattern| Parts {
                pattern,
                frames: FrameMatch::default(),
                on_missing: OnMissingPart::Skip,
            }),
            trials: Some(trials),
            ..self
        }
    }

    /// Pairs two lists of stems; the result is in natural order of the stimuli's (convention `pairing-stem`).
    ///
    /// # Errors
    /// A stem that occurs twice; with [`PairsOf::All`] a stem without a partner; no pairs at all; no reconstruction
    /// that matches the pattern.
    pub fn pair(&self, gt: &[String], recon: &[String]) -> Result<PairedStems, PairingError> {
        self.pair_timed(gt, recon, &Sides::default())
    }

    /// Pairs clips whose frames are shown for different times (convention `frames`).
    pub fn pair_timed(
        &self,
        gt: &[String],
        recon: &[String],
        times: &Sides<FrameTimes>,
    ) -> Result<PairedStems, PairingError> {
        match &self.parts {
            Some(parts) => {
                let of_items = Pairing {
                    parts: None,
                    trials: None,
                    ..self.clone()
                };
                sorted_unique(gt, "gt").and(sorted_unique(recon, "recon"))?;
                match &self.trials {
                    Some(trials) => {
                        let (samples, findings) = trials.samples(recon)?;
                        sorted_unique(&samples, "recon")?;
                        Ok(PairedStems {
                            trials: findings,
                            ..parts.pair(&of_items, gt, &samples, times)?
                        })
                    }
                    None => parts.pair(&of_items, gt, recon, times),
                }
            }
            None => self.pair_items(gt, recon, |gt, recon| Met::of(gt, recon, self.pairs)),
        }
    }

    /// Pairs stems without parts. `meet` joins them unless a pattern or an order does.
    fn pair_items(
        &self,
        gt: &[String],
        recon: &[String],
        meet: impl FnOnce(&[String], &[String]) -> Met,
    ) -> Result<PairedStems, PairingError> {
        let order = Sides::new(sorted_unique(gt, "gt")?, sorted_unique(recon, "recon")?);
        if let Some(order) = self.order {
            return Ok(PairedStems::of(order.pair(gt, recon)?, Sides::default()));
        }
        let met = match &self.pattern {
            Some(pattern) => by_pattern(pattern, gt, recon, &order)?,
            None => meet(gt, recon),
        };
        let pairs: Vec<Pair> = (order.gt.iter())
            .filter_map(|&at| {
                Some(Pair {
                    stem: gt[at].clone(),
                    gt: at,
                    recon: met.partners[at]?,
                })
            })
            .collect();
        let has_partner: HashSet<usize> = pairs.iter().map(|pair| pair.recon).collect();
        let lonely_gt = order.gt.iter().filter(|&&at| met.partners[at].is_none()).map(|&at| gt[at].clone());
        let lonely_recon = order.recon.iter().filter(|&at| !has_partner.contains(at)).map(|&at| recon[at].clone());
        let without_partner = Sides::new(lonely_gt.collect::<Vec<_>>(), lonely_recon.collect::<Vec<_>>());
        let is_short = !without_partner.gt.is_empty() || !without_partner.recon.is_empty();
        if is_short && (self.pairs == PairsOf::All || pairs.is_empty()) {
            let are_rows = [gt, recon].map(stack_order::is_rows);
            let is_stack = are_rows[0] != are_rows[1] && gt.len() == recon.len();
            let names = if are_rows[0] { recon } else { gt };
            let rows = is_stack.then(|| (gt.len(), !stack_order::is_one_order(names)));
            return Err(self.missing(&without_partner, rows, pairs.len()));
        }
        Ok(PairedStems {
            taken: met.taken_for(gt, recon, Form::default()),
            ..PairedStems::of(pairs, without_partner)
        })
    }

    fn missing(&self, lonely: &Sides<Vec<String>>, rows: Option<(usize, bool)>, n_paired: usize) -> PairingError {
        let [gt, recon] = [&lonely.gt, &lonely.recon].map(|stems| stems.iter().map(String::as_str).collect::<Vec<_>>());
        let (present, absent, stems, others) = match gt.as_slice() {
            [] => ("recon", "gt", &recon, &gt),
            _ => ("gt", "recon", &gt, &recon),
        };
        PairingError::MissingPartner {
            present,
            absent,
            count: stems.len(),
            examples: listed(stems.iter().copied()),
            others: listed(others.iter().copied()),
            pairs: self.pairs,
            n_paired,
            n_rows: rows.map(|(n, _)| n),
            has_two_orders: rows.is_some_and(|(_, two)| two),
            closest: closest_images(&gt, &recon).map(Box::new),
        }
    }
}

/// Joins stems by the pattern of the reconstructions' names. Names that are alike are told in natural order.
fn by_pattern(
    pattern: &StemPattern,
    gt: &[String],
    recon: &[String],
    order: &Sides<Vec<usize>>,
) -> Result<Met, PairingError> {
    let of_gt: Vec<Option<&str>> = order.gt.iter().map(|&at| pattern.of_gt(&gt[at])).collect();
    let of_recon: Vec<Option<&str>> = order.recon.iter().map(|&at| pattern.of_recon(&recon[at])).collect();
    if of_recon.iter().all(Option::is_none) && !recon.is_empty() {
        return Err(PairingError::NoneOfPattern {
            pattern: pattern.clone(),
            examples: listed(order.recon.iter().map(|&at| recon[at].as_str())),
        });
    }
    let found = partners(&of_gt, &of_recon).map_err(|same| {
        let stems = if same.side == Side::Gt { gt } else { recon };
        let stem = |place: usize| stems[order.side(same.side)[place]].clone();
        PairingError::SameNumber {
            side: same.side.folder(),
            first: stem(same.first),
            second: stem(same.second),
            pattern: pattern.clone(),
        }
    })?;
    let mut partners = vec![None; gt.len()];
    for (&at, partner) in order.gt.iter().zip(found) {
        partners[at] = partner.map(|partner| order.recon[partner]);
    }
    let join = ItemJoin::Pattern(pattern.clone());
    Ok(Met { join, partners })
}

/// The first few stems, comma separated.
///
/// ```
/// use neurogauge_core::pair::listed;
/// assert_eq!(listed(["a", "b"].into_iter()), "a, b");
/// assert_eq!(listed(["1", "2", "3", "4"].into_iter()), "1, 2, 3, ...");
/// ```
pub fn listed<'a>(stems: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = if stems.len() > NAMES_SHOWN { ", ..." } else { "" };
    let shown: Vec<&str> = stems.take(NAMES_SHOWN).collect();
    format!("{}{more}", shown.join(", "))
}

fn sorted_unique(stems: &[String], side: &'static str) -> Result<Vec<usize>, PairingError> {
    if let Some(stem) = stems.iter().find(|stem| stem.contains('\0')) {
        let stem = stem.clone();
        return Err(PairingError::NullCharacter { side, stem });
    }
    let order = natural_order(stems);
    for neighbours in order.windows(2) {
        if stems[neighbours[0]] == stems[neighbours[1]] {
            return Err(PairingError::DuplicateStem {
                side,
                stem: stems[neighbours[0]].clone(),
            });
        }
    }
    Ok(order)
}
