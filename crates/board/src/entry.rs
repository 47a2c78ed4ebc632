//! An entry of a board: a finished run and its card.

use neurogauge::formats::Problem;
use neurogauge::formats::names_below::own_file;
use neurogauge::metrics::find;
use neurogauge::{Error, MetricRecord, Protocol, Run, SameBy, load_run, read_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File name of the card in a run's folder.
pub const CARD: &str = "card.toml";

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub system: String,
    /// The person whose brain was recorded.
    pub subject: String,
    /// Id of the test set; by default the one whose ids the run has.
    pub protocol: Option<String>,
    /// What the system is, in a sentence for people.
    pub about: Option<String>,
    pub authors: Option<String>,
    pub paper: Option<String>,
    pub code: Option<String>,
    /// Where the decoded images or captions are.
    pub data: Option<String>,
    pub licence: Option<String>,
    /// Values that the paper prints, by the metric's id and in the metric's units.
    #[serde(default)]
    pub printed: BTreeMap<String, Printed>,
    /// Values that the paper prints for metrics that are not computed here, by name.
    #[serde(default)]
    pub printed_only: BTreeMap<String, f64>,
    pub printed_in: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Printed {
    /// A value of the same metric.
    Value(f64),
    /// A value of another program, which computes the metric in another way.
    By { value: f64, by: String },
}

#[derive(Debug)]
pub struct Entry {
    pub folder: PathBuf,
    pub card: Card,
    pub run: Run,
    pub protocol: Option<&'static Protocol>,
    /// How the run was recognised as one of this protocol.
    pub same_by: Option<SameBy>,
}

impl Entry {
    /// Reads the run and the card of a folder for a board of these metrics (none: all). Metrics of placeholders that the
    /// board does not show are left out.
    ///
    /// # Errors
    /// A run that is not finished, lacks scores or has scores of a placeholder that the board would show, a card that is
    /// missing or malformed, names a metric or protocol that does not exist, or a protocol of other stimuli than the
    /// run's.
    pub fn read(folder: &Path, metrics: &[String]) -> Result<Entry, Error> {
        let path = own_file(folder, CARD);
        let refused = |reason: String| Error::Usage(format!("{}: {reason}", path.display()));
        if !path.is_file() {
            let problem = "not found; an entry is the folder of a finished run with a card, which says at least system = \"...\" \
                           and subject = \"...\"";
            return Err(Problem::new(problem).at(path).into());
        }
        let card: Card = read_toml(&path)?;
        if let Some(id) = card.printed.keys().find(|id| find(id).is_none()) {
            return Err(refused(format!("printed.{id}: no metric is called so; `neurogauge list metrics` lists all")));
        }
        let mut run = load_run(folder)?;
        let recorded = &run.record.metrics;
        let is_lost = |metric: &&MetricRecord| run.scores.column(&metric.id).is_none();
        if let Some(metric) = recorded.iter().find(is_lost) {
            return Err(Error::Format(
                Problem::not_found(format!("scores of {}, which run.json has", metric.id))
                    .at(own_file(folder, "scores.parquet")),
            ));
        }
        let is_shown = |metric: &&MetricRecord| metrics.is_empty() || metrics.contains(&metric.id);
        if let Some(metric) = recorded.iter().filter(is_shown).find(|metric| metric.stand_in) {
            return Err(Error::Usage(format!(
                "{}: {} rests on a placeholder, so its numbers mean nothing; score the run with the weights or without this metric, or \
                 leave it out of `metrics` in board.toml",
                folder.display(),
                metric.id
            )));
        }
        let of_placeholders = recorded.iter().filter(|metric| metric.stand_in).map(|metric| metric.id.clone());
        let of_placeholders: Vec<String> = of_placeholders.collect();
        run.scores.columns.retain(|(id, _)| !of_placeholders.contains(id));
        let found = Protocol::of(&run.scores.pairs, &run.record.provenance.inputs);
        let of_run = found.as_ref().map(|(protocol, _)| protocol.id.as_str());
        if let Some(id) = &card.protocol {
            let named = Protocol::find(id)
                .ok_or_else(|| refused(format!("protocol = {id:?}: unknown; `neurogauge list protocols` lists all")))?;
            if of_run != Some(id.as_str()) {
                return Err(refused(format!(
                    "protocol = {id:?}: expected {} pairs, called {}; the run has {}, from {:?} to {:?}",
                    named.n_stimuli,
                    named.ids,
                    run.scores.pairs.len(),
                    run.scores.pairs.first().map_or("", String::as_str),
                    run.scores.pairs.last().map_or("", String::as_str)
                )));
            }
        }
        Ok(Entry {
            folder: folder.to_owned(),
            card,
            run,
            protocol: found.as_ref().map(|(protocol, _)| *protocol),
            same_by: found.map(|(_, of_run)| of_run.by),
        })
    }

    /// Fails if `run.json` names another protocol than the pairs suggest.
    pub(crate) fn check_protocol(&self) -> Result<(), Error> {
        let Some(recorded) = &self.run.record.protocol else {
            return Ok(());
        };
        if self.protocol.is_some_and(|own| own.id == recorded.id) {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "{}: protocol {:?}, but the pairs in scores.parquet are of {}; `neurogauge board verify` says what else differs",
            own_file(&self.folder, "run.json").display(),
            recorded.id,
            self.protocol_id()
        )))
    }

    /// The id of its protocol, for headings.
    pub fn protocol_id(&self) -> &'static str {
        self.protocol.map_or("no known protocol", |found| found.id.as_str())
    }
}
