//! Which pairs each rater sees, and in which order.
//!
//! There are as many rounds as raters for each pair. A round shows every pair on exactly one of its pages. Two
//! consecutive rounds have the same pages, the second with each page in reverse order and with the pictures on the
//! other side, so a pair that is early for one rater is late for another.

use crate::{MAX_PAIRS, MAX_RATERS};
use clap::Args;
use clap::builder::TypedValueParser;
use clap::value_parser;
use neurogauge::core::Seed;
use neurogauge::core::option_values::{Count, number};
use neurogauge::stats::draw_to_front;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Streams of the seed from here on insert repeats and checks into pages; those below order the rounds.
const PAGES: u64 = 1 << 32;
/// The stream that draws the tasks for a crowd.
const TASKS: u64 = 1 << 33;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Args)]
pub struct PlanOptions {
    /// Raters of each pair
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_RATERS>, usize>, default_value_t = 5, help_heading = "Plan")]
    pub raters: usize,
    /// Approximate number of pairs of a page, which is for one rater
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_PAIRS>, usize>, default_value_t = 50, help_heading = "Plan")]
    pub pairs_per_page: usize,
    /// Pairs of a page that are shown once more
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).map(usize::from), default_value_t = 5, help_heading = "Plan")]
    pub repeats: usize,
    /// Pairs of a page whose answer is known: by turns a stimulus with itself and with another's reconstruction
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).map(usize::from), default_value_t = 4, help_heading = "Plan")]
    pub attention_checks: usize,
    /// Show the first N stimuli, in natural order, of the first system, the next N of the second, and so on, as SEED shows
    /// 250 of each of four subjects
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_PAIRS>, usize>, help_heading = "Plan")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consecutive: Option<usize>,
    #[arg(skip)]
    pub seed: Seed,
}

/// Why a pair is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Rated,
    /// Checks whether the rater gives the same answer again.
    Repeat,
    /// A stimulus beside itself.
    Identical,
    /// A stimulus beside the reconstruction of another.
    Mismatched,
}

/// Two pictures that are shown next to each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    pub kind: Kind,
    pub stimulus: String,
    /// Stem of the picture on the reconstruction's side.
    pub reconstruction: String,
    /// The system of the reconstruction; `None` if it is a stimulus.
    pub system: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    Stimulus,
    Reconstruction,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedPage {
    /// Name of its file, without extension.
    pub id: String,
    pub left: Shown,
    pub trials: Vec<Trial>,
}

/// A pair as a separate task, for a crowd.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The name of its line.
    pub id: String,
    #[serde(flatten)]
    pub trial: Trial,
}

/// A reconstruction, as indices of its system and stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RatedPair {
    pub(crate) stem: usize,
    pub(crate) system: usize,
}

/// All stimuli and reconstructions that can be shown.
pub(crate) struct Material {
    /// The stems of the stimuli, without repetition.
    pub(crate) stems: Vec<String>,
    pub(crate) systems: Vec<String>,
    pub(crate) pairs: Vec<RatedPair>,
}

impl Material {
    fn rated(&self, pair: RatedPair, kind: Kind) -> Trial {
        Trial {
            kind,
            stimulus: self.stems[pair.stem].clone(),
            reconstruction: self.stems[pair.stem].clone(),
            system: Some(self.systems[pair.system].clone()),
        }
    }

    /// A check: identical and mismatched in turn, if there are two stimuli to mismatch.
    fn check(&self, number: usize, rng: &mut impl Rng) -> Trial {
        let first = self.pairs[below(self.pairs.len(), rng)];
        let others: Vec<RatedPair> = self.pairs.iter().copied().filter(|other| other.stem != first.stem).collect();
        if number.is_multiple_of(2) || others.is_empty() {
            return Trial {
                kind: Kind::Identical,
                system: None,
                ..self.rated(first, Kind::Identical)
            };
        }
        let other = others[below(others.len(), rng)];
        Trial {
            stimulus: self.stems[first.stem].clone(),
            ..self.rated(other, Kind::Mismatched)
        }
    }
}

/// A random integer below `n`, which must be at least 1.
fn below(n: usize, rng: &mut impl Rng) -> usize {
    let mut places: Vec<usize> = (0..n).collect();
    draw_to_front(&mut places, 1, rng)[0]
}

fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    let n = items.len();
    draw_to_front(items, n, rng);
}

/// The pages, equally many for each round.
pub(crate) fn pages(material: &Material, options: &PlanOptions) -> Vec<PlannedPage> {
    let n_pages = material.pairs.len().div_ceil(options.pairs_per_page);
    let mut pages: Vec<PlannedPage> = Vec::new();
    let mut earlier: Vec<Vec<RatedPair>> = Vec::new();
    for round in 0..options.raters {
        let is_first = round.is_multiple_of(2);
        if is_first {
            earlier = round_of(material, n_pages, &mut options.seed.stream(round as u64));
        } else {
            earlier.iter_mut().for_each(|page| page.reverse());
        }
        for pairs in &earlier {
            let mut rng = options.seed.stream(PAGES + pages.len() as u64);
            pages.push(PlannedPage {
                id: String::new(),
                left: if is_first {
                    Shown::Stimulus
                } else {
                    Shown::Reconstruction
                },
                trials: with_extras(material, pairs, options, &mut rng),
            });
        }
    }
    let width = pages.len().to_string().len();
    for (page, number) in pages.iter_mut().zip(1..) {
        page.id = format!("p{number:0width$}");
    }
    pages
}

/// Puts every pair on one of the pages. Stimuli are distributed in random order, and the systems of a stimulus go to
/// distant pages, so pages differ by at most one pair of each system, and few stimuli are on a page twice.
fn round_of(material: &Material, n_pages: usize, rng: &mut impl Rng) -> Vec<Vec<RatedPair>> {
    let mut order: Vec<usize> = (0..material.stems.len()).collect();
    shuffle(&mut order, rng);
    let mut rank = vec![0; order.len()];
    for (place, &stem) in order.iter().enumerate() {
        rank[stem] = place;
    }
    let mut pages = vec![Vec::new(); n_pages];
    let apart = (n_pages / material.systems.len()).max(1);
    for &pair in &material.pairs {
        pages[(rank[pair.stem] + pair.system * apart) % n_pages].push(pair);
    }
    pages.iter_mut().for_each(|page| shuffle(page, rng));
    pages.retain(|page| !page.is_empty());
    pages
}

/// The pairs of a page, with repeats and checks between them. Pairs to repeat come from the first third and return in
/// the last third; checks are spread over the page.
fn with_extras(material: &Material, pairs: &[RatedPair], options: &PlanOptions, rng: &mut impl Rng) -> Vec<Trial> {
    let rated = |&pair: &RatedPair| material.rated(pair, Kind::Rated);
    let mut trials: Vec<Trial> = pairs.iter().map(rated).collect();
    let mut first_third = pairs[..pairs.len().div_ceil(3)].to_vec();
    let last_third = pairs.len() - pairs.len() / 3;
    for &pair in draw_to_front(&mut first_third, options.repeats, rng) {
        let place = last_third + below(trials.len() - last_third + 1, rng);
        trials.insert(place, material.rated(pair, Kind::Repeat));
    }
    let n = trials.len();
    for number in (0..options.attention_checks).rev() {
        let (start, end) = (number * n / options.attention_checks, (number + 1) * n / options.attention_checks);
        let place = start + below(end - start + 1, rng);
        trials.insert(place, material.check(number, rng));
    }
    trials
}

/// Every pair as a task, with as many repeats and checks for each pair as pages have, in a random order.
pub(crate) fn tasks(material: &Material, options: &PlanOptions) -> Vec<Task> {
    let mut rng = options.seed.stream(TASKS);
    let n_pages = material.pairs.len().div_ceil(options.pairs_per_page);
    let mut trials: Vec<Trial> = material.pairs.iter().map(|&pair| material.rated(pair, Kind::Rated)).collect();
    let mut again = material.pairs.clone();
    for &pair in draw_to_front(&mut again, n_pages * options.repeats, &mut rng) {
        trials.push(material.rated(pair, Kind::Repeat));
    }
    for number in 0..n_pages * options.attention_checks {
        trials.push(material.check(number, &mut rng));
    }
    shuffle(&mut trials, &mut rng);
    let width = trials.len().to_string().len();
    let task = |(trial, number)| Task {
        id: format!("q{number:0width$}"),
        trial,
    };
    trials.into_iter().zip(1..).map(task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn material(n_stems: usize, n_systems: usize) -> Material {
        let pairs = (0..n_stems).flat_map(|stem| (0..n_systems).map(move |system| RatedPair { stem, system }));
        Material {
            stems: (0..n_stems).map(|stem| stem.to_string()).collect(),
            systems: (0..n_systems).map(|system| format!("s{system}")).collect(),
            pairs: pairs.collect(),
        }
    }

    fn options(raters: usize, pairs_per_page: usize) -> PlanOptions {
        PlanOptions {
            raters,
            pairs_per_page,
            repeats: 3,
            attention_checks: 4,
            consecutive: None,
            seed: Seed(5),
        }
    }

    fn of(page: &PlannedPage, kind: Kind) -> Vec<&Trial> {
        page.trials.iter().filter(|trial| trial.kind == kind).collect()
    }

    type Key<'a> = (&'a str, Option<&'a str>);

    fn key(trial: &Trial) -> Key<'_> {
        (&trial.stimulus, trial.system.as_deref())
    }

    #[test]
    fn every_pair_has_its_raters_and_pages_are_alike() {
        for (n_stems, n_systems, raters, per_page) in
            [(40, 2, 5, 20), (7, 3, 4, 6), (5, 1, 1, 100), (3, 2, 2, 1), (50, 1, 3, 12)]
        {
            let (material, options) = (material(n_stems, n_systems), options(raters, per_page));
            let pages = pages(&material, &options);
            let mut times: HashMap<Key<'_>, usize> = HashMap::new();
            for page in &pages {
                let rated = of(page, Kind::Rated);
                rated.iter().for_each(|trial| *times.entry(key(trial)).or_default() += 1);
                let mut once: Vec<Key<'_>> = rated.iter().map(|trial| key(trial)).collect();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), rated.len(), "a page shows a pair once, except repeats");
                assert_eq!(of(page, Kind::Identical).len() + of(page, Kind::Mismatched).len(), 4);
                assert_eq!(of(page, Kind::Repeat).len(), 3.min(rated.len().div_ceil(3)));
            }
            assert_eq!(times.len(), material.pairs.len());
            assert!(times.values().all(|&n| n == raters), "{times:?}");
            let sizes = || pages.iter().map(|page| of(page, Kind::Rated).len());
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= n_systems);
            for system in &material.systems {
                let shares = || {
                    pages
                        .iter()
                        .map(|page| of(page, Kind::Rated).iter().filter(|t| t.system.as_ref() == Some(system)).count())
                };
                assert!(shares().max().unwrap() - shares().min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn every_second_round_is_backwards_with_the_other_picture_on_the_left() {
        let pages = pages(&material(30, 2), &options(4, 20));
        assert_eq!(pages.len(), 12);
        for couple in [[0, 3], [1, 4], [2, 5], [6, 9]] {
            let [forth, back] = couple.map(|page| &pages[page]);
            let mut reversed = of(back, Kind::Rated);
            reversed.reverse();
            assert_eq!(of(forth, Kind::Rated), reversed);
            assert_eq!((forth.left, back.left), (Shown::Stimulus, Shown::Reconstruction));
        }
        assert_ne!(of(&pages[0], Kind::Rated), of(&pages[6], Kind::Rated), "other rounds are other draws");
    }

    #[test]
    fn checks_and_repeats_are_what_they_should_be() {
        for page in pages(&material(30, 2), &options(3, 30)) {
            for trial in of(&page, Kind::Identical) {
                assert!(trial.stimulus == trial.reconstruction && trial.system.is_none());
            }
            for trial in of(&page, Kind::Mismatched) {
                assert!(trial.stimulus != trial.reconstruction && trial.system.is_some());
            }
            let place =
                |kind, of: &Trial| page.trials.iter().position(|t| t.kind == kind && key(t) == key(of)).unwrap();
            for trial in of(&page, Kind::Repeat) {
                assert!(place(Kind::Repeat, trial) >= place(Kind::Rated, trial) + 10);
            }
        }
        let alone = pages(&material(1, 2), &options(1, 2));
        assert!(of(&alone[0], Kind::Mismatched).is_empty(), "nothing to mismatch");
    }

    #[test]
    fn one_seed_is_one_plan() {
        let material = material(20, 2);
        let options = options(3, 10);
        let other = PlanOptions {
            seed: Seed(6),
            ..options
        };
        assert_eq!(pages(&material, &options), pages(&material, &options));
        assert_ne!(pages(&material, &options), pages(&material, &other));
        assert_eq!(tasks(&material, &options), tasks(&material, &options));
        assert_ne!(tasks(&material, &options), tasks(&material, &other));
    }

    #[test]
    fn a_crowd_has_every_pair_once_and_the_extras_of_all_pages() {
        let (material, options) = (material(20, 2), options(3, 10));
        let tasks = tasks(&material, &options);
        let n = |kind| tasks.iter().filter(|task| task.trial.kind == kind).count();
        assert_eq!([Kind::Rated, Kind::Repeat, Kind::Identical, Kind::Mismatched].map(n), [40, 12, 8, 8]);
        let mut ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        ids.dedup();
        assert_eq!((ids.len(), ids[0]), (68, "q01"));
    }
}
