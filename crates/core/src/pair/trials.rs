//! Which image each trial shows.

use super::join::Met;
use super::{Form, PairingError, PairsOf, listed, stack_order};
use crate::{Finding, counted};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// The image of each trial: of reconstructions, or of rows that were decoded from single trials (convention `trials`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trials {
    pub images: ImagesOfTrials,
    /// The file that says so, for messages.
    #[serde(skip)]
    pub file: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ImagesOfTrials {
    /// In the order of the rows of an array.
    Rows(Vec<String>),
    Named(BTreeMap<String, String>),
}

impl Trials {
    /// The image of each of these trials, and what the list was taken for. A list goes by their positions; names join as
    /// those of two sides do ([`Met::of`]). A warning names the lines of trials that are absent.
    ///
    /// # Errors
    /// A list of another length; a trial without an image.
    pub fn images_of(&self, names: &[String]) -> Result<(Vec<&str>, Vec<Finding>), PairingError> {
        let list = self.file.display().to_string();
        let images = match &self.images {
            ImagesOfTrials::Named(images) => images,
            ImagesOfTrials::Rows(images) if images.len() == names.len() => {
                let taken = format!("{}, by row", counted(images.len(), "trial"));
                return Ok((images.iter().map(String::as_str).collect(), vec![Finding::read_as(list, taken)]));
            }
            ImagesOfTrials::Rows(images) => {
                return Err(PairingError::TrialRows {
                    list,
                    found: images.len(),
                    expected: names.len(),
                });
            }
        };
        let known: Vec<String> = images.keys().cloned().collect();
        let met = Met::of(names, &known, PairsOf::Shared);
        let without = names.iter().zip(&met.partners).filter(|(_, partner)| partner.is_none());
        let without: Vec<&str> = without.map(|(name, _)| name.as_str()).collect();
        if !without.is_empty() {
            return Err(PairingError::TrialsWithoutImage {
                list,
                count: without.len(),
                examples: listed(without.into_iter()),
                known: listed(known.iter().map(String::as_str)),
            });
        }
        let places: Vec<usize> = met.partners.iter().flatten().copied().collect();
        let shown: HashSet<usize> = places.iter().copied().collect();
        let absent: Vec<&str> =
            (0..known.len()).filter(|place| !shown.contains(place)).map(|place| known[place].as_str()).collect();
        let mut findings = vec![met.taken_for(names, &known, Form::usual("trial, image")).finding(list.as_str(), "")];
        if !absent.is_empty() {
            let n = counted(absent.len(), "line");
            let message = format!("{n} of trials that are absent, which are left out: {}", listed(absent.into_iter()));
            findings.push(Finding::warning("trials_absent", list, message));
        }
        Ok((places.iter().map(|&place| images[&known[place]].as_str()).collect(), findings))
    }

    /// The trials as samples of their images, `image/trial`.
    ///
    /// # Errors
    /// Those of [`images_of`](Self::images_of); a list of rows for trials that have names.
    pub(super) fn samples(&self, names: &[String]) -> Result<(Vec<String>, Vec<Finding>), PairingError> {
        let (images, findings) = self.images_of(names)?;
        if matches!(self.images, ImagesOfTrials::Rows(_)) && !stack_order::is_rows(names) {
            return Err(PairingError::TrialsHaveNames {
                list: self.file.display().to_string(),
                examples: listed(names.iter().map(String::as_str)),
            });
        }
        let sample = |(image, name): (&str, &String)| format!("{image}/{}", name.replace('/', "_"));
        Ok((images.into_iter().zip(names).map(sample).collect(), findings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Pairing;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn named(images: &[(&str, &str)]) -> Trials {
        let images = images.iter().map(|(trial, image)| ((*trial).to_owned(), (*image).to_owned()));
        of(ImagesOfTrials::Named(images.collect()))
    }

    fn of(images: ImagesOfTrials) -> Trials {
        let file = "trials.csv".into();
        Trials { images, file }
    }

    fn rows(images: &[&str]) -> Trials {
        of(ImagesOfTrials::Rows(strings(images)))
    }

    #[test]
    fn trials_are_samples_of_their_images() {
        let gt = strings(&["cat", "dog"]);
        let pairs = |trials: Trials, recon: &[&str]| {
            let paired = Pairing::default().of_trials(trials).pair(&gt, &strings(recon)).unwrap();
            let pair = |pair: &crate::pair::Pair| format!("{} {} {}", pair.stem, pair.gt, pair.recon);
            paired.pairs.iter().map(pair).collect::<Vec<_>>()
        };
        let by_name = named(&[("t1.png", "dog"), ("t2.png", "cat"), ("t3.png", "dog")]);
        assert_eq!(pairs(by_name, &["t1", "t2", "t3"]), ["cat/t2 0 1", "dog/t1 1 0", "dog/t3 1 2"]);
        let by_row = rows(&["dog", "dog", "cat"]);
        assert_eq!(pairs(by_row, &["0", "1", "2"]), ["cat/2 0 2", "dog/0 1 0", "dog/1 1 1"]);
        let in_folders = named(&[("s1/1", "cat"), ("s2/1", "dog")]);
        assert_eq!(pairs(in_folders, &["s1/1", "s2/1"]), ["cat/s1_1 0 0", "dog/s2_1 1 1"]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let error = |trials: Trials, recon: &[&str]| {
            let found = Pairing::default().of_trials(trials).pair(&strings(&["cat"]), &strings(recon));
            found.unwrap_err().to_string()
        };
        let found = error(rows(&["cat"]), &["0", "1"]);
        assert!(found.starts_with("trials.csv: 1 image for 2 trials"), "{found}");
        let found = error(rows(&["cat"]), &["t1"]);
        assert!(found.contains("the trials have names: t1") && found.contains("trial,image"), "{found}");
        let found = error(named(&[("t1", "cat")]), &["t1", "u2"]);
        assert!(found.contains("trials.csv: 1 of the trials has no line: u2; it has t1"), "{found}");
        let found = error(named(&[("t1", "cat"), ("t2", "cow")]), &["t1", "t2"]);
        assert!(found.contains("cow"), "{found}");
    }

    #[test]
    fn lines_of_absent_trials_are_named() {
        let trials = named(&[("t1", "cat"), ("t2", "dog"), ("t3", "dog"), ("t4", "dog"), ("t5", "dog")]);
        let (images, findings) = trials.images_of(&strings(&["t1.png"])).unwrap();
        assert_eq!(images, ["cat"]);
        let words: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert_eq!(
            words,
            [
                r#"trials.csv: 1 of 5 by name without folder and ending ("t1.png" is "t1")"#,
                "trials.csv: 4 lines of trials that are absent, which are left out: t2, t3, t4, ..."
            ]
        );
        assert!(findings[1].is_warning());
    }
}
