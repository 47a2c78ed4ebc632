//! The answers of an alignment, one sentence each, from its record.

use crate::html;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::Correlations;
use neurogauge::formats::json;
use neurogauge::report::fixed;
use serde::Deserialize;
use std::path::Path;

/// The parts of `align.json` that the answers need, and the sentence with which the command opens.
#[derive(Debug)]
pub(super) struct Answers {
    headline: String,
    record: Record,
}

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    reverse: bool,
}

#[derive(Debug, Deserialize)]
struct Record {
    config: Config,
    accuracy_and_profile: Correlations,
    references: References,
    controls: Vec<Control>,
}

#[derive(Debug, Deserialize)]
struct References {
    effective_rank: Estimate,
    consensus_rank: Estimate,
}

#[derive(Debug, Deserialize)]
struct Control {
    control: String,
    sources: Option<String>,
    profile_mean: Estimate,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Estimate {
    mean: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl Estimate {
    /// The value in words, with its interval.
    fn words(self, decimals: usize) -> Option<String> {
        let mean = fixed(self.mean?, decimals);
        Some(match self.interval {
            Some((low, high)) => {
                format!("{mean} [{}, {}]", fixed(low, decimals), fixed(high, decimals))
            }
            None => mean,
        })
    }
}

impl Answers {
    pub(super) fn read(folder: &Path, opening: &[String]) -> Result<Answers, Error> {
        Ok(Answers {
            headline: opening.first().cloned().unwrap_or_default(),
            record: json::read(&folder.join("align.json"))?,
        })
    }

    /// Are models predicted from brains?
    pub(super) fn is_reverse(&self) -> bool {
        self.record.config.reverse
    }

    /// The answer to the question of a view; `None` if the alignment has none.
    pub(super) fn of(&self, view: &str) -> Option<String> {
        match view {
            "recovery" => Some(crate::markdown_tables::plain(&self.headline)),
            "accuracy" => self.accuracy(),
            "directions" => self.directions(),
            "controls" => self.controls(),
            _ => None,
        }
    }

    fn accuracy(&self) -> Option<String> {
        let found = &self.record.accuracy_and_profile;
        let n = found.n;
        let of = match self.record.config.reverse {
            true => "brains",
            false => "models",
        };
        Some(match found.is_shown() {
            false => {
                format!("A correlation of accuracy and recovery takes at least five {of}; here: {n}.")
            }
            true => format!(
                "Over {n} {of}, each averaged over its target units, accuracy and recovery have a rank correlation of {}.",
                html::fixed(*found.spearman.as_ref().ok()?, 2)
            ),
        })
    }

    fn directions(&self) -> Option<String> {
        let found = &self.record.references;
        let mut sentence = format!(
            "On average {} directions carry a target's reproducible response (effective rank)",
            found.effective_rank.words(1)?
        );
        if let Some(consensus) = found.consensus_rank.words(1) {
            sentence.push_str(&format!("; the consensus of all fits has {consensus}"));
        }
        Some(sentence + ".")
    }

    fn controls(&self) -> Option<String> {
        let of = |control: &str, sources: Option<&str>| {
            let mut all = self.record.controls.iter();
            let own = all.find(|own| own.control == control && own.sources.as_deref() == sources);
            own?.profile_mean.words(2)
        };
        let mut selected = ["pretrained models", "other subjects"].into_iter();
        let (sources, own) = selected.find_map(|sources| Some((sources, of("selected", Some(sources))?)))?;
        let beside = [
            ("target-pca-matched", "the target's own principal components"),
            ("random-directions", "random directions"),
        ];
        let of_control = |(control, words)| Some(format!("{words} {}", of(control, None)?));
        let beside = beside.into_iter().filter_map(of_control).join(", ");
        (!beside.is_empty()).then(|| {
            format!("ProfileMean is {own} for {sources}; as many dimensions of another origin give: {beside}.")
        })
    }
}
