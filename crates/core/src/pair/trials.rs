//! Which image each trial shows.

use super::join::Met;
use super::{PairingError, PairsOf, listed, stack_order};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The image of each trial: of reconstructions, or of rows that were decoded from single trials (convention `trials`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Trials {
    /// In the order of the rows of an array.
    Rows(Vec<String>),
    /// By the names of trials.
    Named(BTreeMap<String, String>),
}

impl Trials {
    /// The image of each of these trials. A list goes by their positions; names join as those of two sides do
    /// ([`Met::of`]).
    ///
    /// # Errors
    /// A list of another length; a trial without an image.
    pub fn images_of(&self, names: &[String]) -> Result<Vec<&str>, PairingError> {
        match self {
            Trials::Rows(images) if images.len() == names.len() => Ok(images.iter().map(String::as_str).collect()),
            Trials::Rows(images) => Err(PairingError::TrialRows {
                found: images.len(),
                expected: names.len(),
            }),
            Trials::Named(images) => {
                let known: Vec<String> = images.keys().cloned().collect();
                let met = Met::of(names, &known, PairsOf::Shared);
                let without = names.iter().zip(&met.partners).filter(|(_, partner)| partner.is_none());
                let without: Vec<&str> = without.map(|(name, _)| name.as_str()).collect();
                if !without.is_empty() {
                    return Err(PairingError::TrialsWithoutImage {
                        count: without.len(),
                        examples: listed(without.into_iter()),
                        known: listed(known.iter().map(String::as_str)),
                    });
                }
                Ok(met.partners.into_iter().flatten().map(|place| images[&known[place]].as_str()).collect())
            }
        }
    }

    /// The trials as samples of their images, `image/trial`.
    ///
    /// # Errors
    /// Those of [`images_of`](Self::images_of); a list of rows for trials that have names.
    pub(super) fn samples(&self, names: &[String]) -> Result<Vec<String>, PairingError> {
        let images = self.images_of(names)?;
        if matches!(self, Trials::Rows(_)) && !stack_order::is_rows(names) {
            return Err(PairingError::TrialsHaveNames {
                examples: listed(names.iter().map(String::as_str)),
            });
        }
        Ok(images
            .into_iter()
            .zip(names)
            .map(|(image, name)| format!("{image}/{}", name.replace('/', "_")))
            .collect())
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
        Trials::Named(images.iter().map(|(trial, image)| ((*trial).to_owned(), (*image).to_owned())).collect())
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
        let by_row = Trials::Rows(strings(&["dog", "dog", "cat"]));
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
        let found = error(Trials::Rows(strings(&["cat"])), &["0", "1"]);
        assert!(found.contains("1 entry for 2 trials"), "{found}");
        let found = error(Trials::Rows(strings(&["cat"])), &["t1"]);
        assert!(found.contains("the trials have names: t1") && found.contains("trial,image"), "{found}");
        let found = error(named(&[("t1", "cat")]), &["t1", "u2"]);
        assert!(found.contains("1 of the trials has no image in the list: u2; it has t1"), "{found}");
        let found = error(named(&[("t1", "cat"), ("t2", "cow")]), &["t1", "t2"]);
        assert!(found.contains("cow"), "{found}");
    }
}
