//! An entry of a board: a finished run and its card.

use crate::protocol::{Protocol, protocol_of};
use neurogauge::formats::{FormatError, scores_parquet};
use neurogauge::metrics::find;
use neurogauge::{Error, Run, RunFolder, load_run, read_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the card in the folder of a run.
pub const CARD: &str = "card.toml";

/// Whose run it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The decoder.
    pub system: String,
    /// Whose brain.
    pub subject: String,
    /// Id of the test set; by default that whose number and numbering of stimuli the run has.
    pub protocol: Option<String>,
    /// Who made the system.
    pub authors: Option<String>,
    /// The paper.
    pub paper: Option<String>,
    /// Where the code is.
    pub code: Option<String>,
    /// Where the decoded images or captions are.
    pub data: Option<String>,
    /// The licence of these.
    pub licence: Option<String>,
    /// What the paper printed, by the metric's id, in the units of the metric.
    #[serde(default)]
    pub printed: BTreeMap<String, f64>,
    /// Where it is printed.
    pub printed_in: Option<String>,
}

/// An entry, read and checked.
#[derive(Debug)]
pub struct Entry {
    /// Its folder.
    pub folder: PathBuf,
    /// Its card.
    pub card: Card,
    /// Its run.
    pub run: Run,
    /// The test set.
    pub protocol: Option<&'static Protocol>,
}

impl Entry {
    /// Reads the run and the card of a folder.
    ///
    /// # Errors
    /// A run that is not finished or lacks scores, a card that is missing or malformed, names a metric or protocol that does not exist, or a
    /// protocol of other stimuli than the run's.
    pub fn read(folder: &Path) -> Result<Entry, Error> {
        let path = folder.join(CARD);
        let refused = |reason: String| Error::Usage(format!("{}: {reason}", path.display()));
        if !path.is_file() {
            return Err(refused(
                "not found; an entry is the folder of a finished run with a card, which says at least system = \"...\" and \
                 subject = \"...\""
                    .into(),
            ));
        }
        let card: Card = read_toml(&path)?;
        if let Some(id) = card.printed.keys().find(|id| find(id).is_none()) {
            return Err(refused(format!(
                "printed.{id}: no metric is called so; `neurogauge metrics` lists all"
            )));
        }
        let scores = folder.join("scores.parquet");
        let columns = scores_parquet::read(&scores)?;
        let recorded = RunFolder::open(folder)?.record()?.metrics;
        if let Some(metric) = recorded.iter().find(|m| columns.column(&m.id).is_none()) {
            return Err(Error::Format(FormatError::NotFound {
                path: scores,
                expected: format!("scores of {}, which run.json has", metric.id),
            }));
        }
        let run = load_run(folder)?;
        let protocol = match &card.protocol {
            None => protocol_of(&run.scores.pairs),
            Some(id) => {
                let found = Protocol::find(id).ok_or_else(|| {
                    refused(format!(
                        "protocol = {id:?}: unknown; `neurogauge protocols` lists all"
                    ))
                })?;
                if !found.fits(&run.scores.pairs) {
                    return Err(refused(format!(
                        "protocol = {id:?}: expected {} pairs, called 0 to {}; the run has {}, from {:?} to {:?}",
                        found.n_stimuli,
                        found.n_stimuli - 1,
                        run.scores.pairs.len(),
                        run.scores.pairs.first().map_or("", String::as_str),
                        run.scores.pairs.last().map_or("", String::as_str)
                    )));
                }
                Some(found)
            }
        };
        Ok(Entry {
            folder: folder.to_owned(),
            card,
            run,
            protocol,
        })
    }

    /// The id of its protocol, for headings.
    pub fn protocol_id(&self) -> &'static str {
        self.protocol.map_or("no known protocol", |found| found.id)
    }

    /// A name for files: letters, digits and hyphens of the system, the subject and the protocol.
    pub fn file_stem(&self) -> String {
        let (system, subject) = (&self.card.system, &self.card.subject);
        match self.protocol {
            Some(protocol) => slug(&format!("{system}-{subject}-{}", protocol.id)),
            None => slug(&format!("{system}-{subject}")),
        }
    }
}

/// Letters, digits and hyphens of a name, for files.
pub(crate) fn slug(name: &str) -> String {
    let letters = name.chars().map(|c| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '-',
    });
    letters.collect()
}
