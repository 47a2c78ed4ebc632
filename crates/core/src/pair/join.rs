//! The one join of all inputs: names of two sides meet by equal keys.

use super::stack_order::{is_one_order, is_rows};
use super::{Form, ItemJoin, PairsOf, TakenFor, pattern};
use crate::Side;
use crate::stimulus_id::is_of_image;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use unicode_normalization::UnicodeNormalization;

/// Two names of one side with one key: their positions.
pub(super) struct SameKey {
    pub(super) side: Side,
    pub(super) first: usize,
    pub(super) second: usize,
}

/// For each key of the stimuli, the position of the same key among the reconstructions. Names without a key have no
/// partner.
pub(super) fn partners<K: Eq + Hash>(gt: &[Option<K>], recon: &[Option<K>]) -> Result<Vec<Option<usize>>, SameKey> {
    let mut place_of: HashMap<&K, usize> = HashMap::with_capacity(recon.len());
    for (second, key) in recon.iter().enumerate() {
        if let Some(first) = key.as_ref().and_then(|key| place_of.insert(key, second)) {
            let side = Side::Recon;
            return Err(SameKey { side, first, second });
        }
    }
    let mut partner_of: HashMap<usize, usize> = HashMap::with_capacity(gt.len());
    let of_key = gt.iter().enumerate().map(|(second, key)| {
        let partner = key.as_ref().and_then(|key| place_of.get(key).copied());
        match partner.and_then(|partner| partner_of.insert(partner, second)) {
            Some(first) => Err(SameKey {
                side: Side::Gt,
                first,
                second,
            }),
            None => Ok(partner),
        }
    });
    of_key.collect()
}

/// How the names of two sides meet without a question (convention `pairing-stem`): by equal names; otherwise by names
/// that are equal without folder, address and the ending of a file; otherwise by the only number of each name.
///
/// A wrong pair is worse than none, so numbers join only if all names meet, one to one, and nothing else in the names
/// contradicts them. Positions are no names: where one side is called 0, 1, 2, ..., as the rows of an array are, the
/// numbers of the other side must be in the same order as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Met {
    pub join: ItemJoin,
    /// For each name of the stimuli, the position of its partner among the reconstructions.
    pub partners: Vec<Option<usize>>,
}

impl Met {
    /// Joins the names of two sides. With [`PairsOf::Shared`], equal names are enough if there are any, and names
    /// without their ending if they join half of the smaller side.
    pub fn of(gt: &[String], recon: &[String], pairs: PairsOf) -> Met {
        let exact = Met::by_name(gt, recon);
        let is_whole = |met: &Met| met.n() == gt.len() && met.n() == recon.len();
        let has_any = exact.n() > 0;
        if is_whole(&exact) || (has_any && pairs == PairsOf::Shared) {
            return exact;
        }
        let (of_gt, of_recon) = (Paths::of(gt), Paths::of(recon));
        let guesses = [by_path(&of_gt, &of_recon), by_last(&of_gt, &of_recon), by_number(&of_gt, &of_recon)];
        let mut guesses: Vec<Met> = guesses.into_iter().flatten().collect();
        if let Some(whole) = guesses.iter().position(is_whole) {
            return guesses.swap_remove(whole);
        }
        let is_enough = |met: &Met| met.n() > 0 && 2 * met.n() >= gt.len().min(recon.len());
        let guesses = guesses.into_iter().filter(|met| !has_any && is_enough(met));
        let most = guesses.reduce(|best, next| if next.n() > best.n() { next } else { best });
        most.unwrap_or(exact)
    }

    /// Joins equal names only.
    pub(super) fn by_name(gt: &[String], recon: &[String]) -> Met {
        let [of_gt, of_recon] = [gt, recon].map(|names| names.iter().map(Some).collect::<Vec<_>>());
        let found = partners(&of_gt, &of_recon);
        Met {
            join: ItemJoin::Exact,
            partners: found.unwrap_or_else(|_| vec![None; gt.len()]),
        }
    }

    /// The line that says so, about files of this form.
    pub fn taken_for(&self, gt: &[String], recon: &[String], form: Form) -> TakenFor {
        let mut pairs = gt.iter().zip(&self.partners).filter_map(|(gt, partner)| Some([gt, &recon[(*partner)?]]));
        let example = pairs.find(|[gt, recon]| gt != recon).map(|pair| pair.map(String::clone));
        TakenFor {
            form,
            joined: self.join.clone(),
            n: self.n(),
            of: gt.len().max(recon.len()),
            example,
        }
    }

    /// Number of names that have a partner.
    pub fn n(&self) -> usize {
        self.partners.iter().flatten().count()
    }
}

/// The names of a side as paths, without the folders that all of them share and without the ending of a file.
struct Paths<'a> {
    names: &'a [String],
    /// The folders behind the shared ones, and the last part.
    parts: Vec<(Vec<&'a str>, &'a str)>,
}

impl<'a> Paths<'a> {
    fn of(names: &'a [String]) -> Self {
        let mut parts: Vec<(Vec<&str>, &str)> = names.iter().map(|name| split(name)).collect();
        let shared = parts.iter().map(|(folders, _)| folders.clone()).reduce(|shared, folders| {
            let n = shared.iter().zip(&folders).take_while(|(a, b)| a == b).count();
            shared[..n].to_vec()
        });
        let n_shared = shared.map_or(0, |shared| shared.len());
        parts.iter_mut().for_each(|(folders, _)| drop(folders.drain(..n_shared)));
        Paths { names, parts }
    }

    fn has_folders(&self) -> bool {
        self.parts.iter().any(|(folders, _)| !folders.is_empty())
    }

    /// Do the folders have numbers of their own?
    fn has_numbered_folders(&self) -> bool {
        self.parts
            .iter()
            .flat_map(|(folders, _)| folders)
            .any(|folder| pattern::numbers(folder).next().is_some())
    }

    /// The only number of each name, with what stands around it; `None` if a name has no number or several.
    fn numbers(&self) -> Option<Vec<(&'a str, String)>> {
        let number = |(folders, last): &(Vec<&'a str>, &'a str)| {
            let mut found = pattern::numbers(last);
            let place = found.next().filter(|_| found.next().is_none())?;
            let around = format!("{}/{}#{}", folders.join("/"), &last[..place.start], &last[place.end..]);
            Some((last[place].trim_start_matches('0'), around.nfc().collect()))
        };
        let numbers = self.parts.iter().map(number);
        numbers.collect::<Option<Vec<_>>>().filter(|_| !self.has_numbered_folders())
    }
}

/// The folders of a path or an address, and its last part without a known ending.
fn split(name: &str) -> (Vec<&str>, &str) {
    let path = match name.contains("://") {
        true => name.split(['?', '#']).next().unwrap_or(name),
        false => name,
    };
    let mut folders: Vec<&str> = path.split(['/', '\\']).collect();
    let last = folders.pop().unwrap_or(path);
    let stem = match last.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_known(ending) => stem,
        _ => last,
    };
    (folders, stem)
}

/// Is it the ending of a file that holds one stimulus, or what was observed in it?
fn is_known(ending: &str) -> bool {
    const OTHERS: [&str; 17] = [
        "pgm", "pbm", "ppm", "npy", "npz", "pt", "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "json",
        "txt", "xml",
    ];
    is_of_image(ending) || OTHERS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Joins paths that are equal behind the folders that all names of a side share.
fn by_path(gt: &Paths, recon: &Paths) -> Option<Met> {
    let keys = |paths: &Paths| -> Vec<Option<String>> {
        let key = |(folders, last): &(Vec<&str>, &str)| [folders.as_slice(), &[*last]].concat().join("/");
        paths.parts.iter().map(|parts| Some(key(parts))).collect()
    };
    met(ItemJoin::Stem, &keys(gt), &keys(recon))
}

/// Joins equal last parts, if one side has no folders that could contradict the other's. A number may be that of the
/// file or that of its folder.
fn by_last(gt: &Paths, recon: &Paths) -> Option<Met> {
    let are_numbers = gt.parts.iter().all(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()));
    let could_be_of_folder = are_numbers && (gt.has_numbered_folders() || recon.has_numbered_folders());
    if gt.has_folders() && recon.has_folders() || could_be_of_folder {
        return None;
    }
    let [gt, recon] = [gt, recon].map(|paths| paths.parts.iter().map(|(_, last)| Some(*last)).collect::<Vec<_>>());
    met(ItemJoin::Stem, &gt, &recon)
}

/// Joins by the only number of each name.
fn by_number(gt: &Paths, recon: &Paths) -> Option<Met> {
    let (of_gt, of_recon) = (gt.numbers()?, recon.numbers()?);
    let [gt_keys, recon_keys] =
        [&of_gt, &of_recon].map(|of| of.iter().map(|(number, _)| Some(number)).collect::<Vec<_>>());
    let found = met(ItemJoin::Number, &gt_keys, &recon_keys)?;
    if found.n() < of_gt.len() || found.n() < of_recon.len() {
        return None;
    }
    let is_one = |of: &[(&str, String)]| of.iter().map(|(_, around)| around).collect::<HashSet<_>>().len() <= 1;
    let mut pairs = of_gt.iter().zip(&found.partners);
    let agree = is_one(&of_gt)
        || is_one(&of_recon)
        || pairs.all(|((_, around), partner)| partner.is_none_or(|partner| of_recon[partner].1 == *around));
    let could_be_positions =
        (is_rows(gt.names) && !is_one_order(recon.names)) || (is_rows(recon.names) && !is_one_order(gt.names));
    (agree && !could_be_positions).then_some(found)
}

/// The names with equal keys; `None` if two names of a side have one key.
fn met<K: Eq + Hash>(join: ItemJoin, gt: &[Option<K>], recon: &[Option<K>]) -> Option<Met> {
    let partners = partners(gt, recon).ok()?;
    Some(Met { join, partners })
}
