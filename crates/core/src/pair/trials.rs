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
