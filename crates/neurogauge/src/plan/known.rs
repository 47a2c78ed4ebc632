//! How much of a plan is done already.

use super::{Resolved, Step};
use crate::Error;
use crate::compute::Context;
use crate::dataset::InputRecord;
use crate::observers::detections::BY_CONTENT;
use crate::observers::features;
use crate::observers::{About, Observer};
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::store::existing;
use neurogauge_core::{Captions, ObservationKind, Side};
use neurogauge_formats::store::{ContentKey, Journal, KeyPrefix, Store};
use std::path::{Path, PathBuf};

impl Resolved<'_> {
    /// The record, whose plan says how many items of each step the store has. Nothing is created.
    pub(crate) fn with_known(mut self, settings: &RunSettings) -> Result<RunRecord, Error> {
        let mut plan = self.record.plan.take().unwrap_or_default();
        for step in &mut plan.steps {
            step.n_known = self.n_known(step, settings)?;
        }
        self.record.plan = Some(plan);
        Ok(self.record)
    }

    fn n_known(&self, step: &Step, settings: &RunSettings) -> Result<Option<usize>, Error> {
        let own = settings.out.join("observations");
        let kind = step.writes.kind;
        let folder = |own: &Path| existing(kind.id(), own, settings);
        let journal = || -> Option<PathBuf> {
            let name = format!("{}.jsonl", step.model.id);
            Some(folder(&own)?.join(name)).filter(|path| path.exists())
        };
        let input = self.dataset.input(step.reads);
        let observers = &self.observers;
        Ok(match kind {
            ObservationKind::Captions => {
                let prefix = observers.captioner.as_ref().map(prefix).transpose()?;
                let store = journal().map(|path| Journal::<String>::open(&path));
                let store = store.transpose()?;
                let holds = |key: &ContentKey| store.as_ref().is_some_and(|store| store.holds(key));
                count(prefix, input, holds)
            }
            ObservationKind::Detections => {
                let prefix = observers.detector.as_ref().map(prefix).transpose()?;
                let folder = folder(&own.join(BY_CONTENT)).map(|path| path.join(&step.model.id));
                let holds = |key: &ContentKey| {
                    let path = folder
                        .as_ref()
                        .map(|f| f.join(format!("{}.json", key.as_str())));
                    path.is_some_and(|path| path.exists())
                };
                count(prefix, input, holds)
            }
            ObservationKind::Features => input.map(|input| {
                let mut recipes = self.selection.perceived.iter();
                let recipe = recipes.find(|recipe| Some(recipe.name()) == step.features);
                let folder = folder(&own.join(kind.id()));
                let rows = recipe.zip(folder);
                rows.map_or(0, |(recipe, folder)| {
                    features::n_known(recipe, input, &folder)
                })
            }),
            ObservationKind::SceneGraphs => {
                let prefix = observers.parser.as_ref().map(prefix).transpose()?;
                let (Some(captions), Some(prefix)) = (&self.dataset.captions, prefix) else {
                    return Ok(None);
                };
                let store = journal().map(|path| Journal::<serde_json::Value>::open(&path));
                let store = store.transpose()?;
                let holds = |text: &String| {
                    let key = prefix.key(&[text]);
                    store.as_ref().is_some_and(|store| store.holds(&key))
                };
                let mut sides = Side::BOTH.into_iter();
                let side = sides.find(|side| step.writes.of == (*side).into());
                side.map(|side| {
                    let captions: &[(String, Captions)] = captions.sides.side(side);
                    let known = captions
                        .iter()
                        .filter(|(_, texts)| texts.0.iter().all(holds));
                    known.count()
                })
            }
            _ => None,
        })
    }

    /// What comparing takes.
    pub(crate) fn context<'c>(
        &'c self,
        folder: &'c RunFolder,
        settings: &'c RunSettings,
        progress: &'c dyn Progress,
    ) -> Context<'c> {
        Context {
            request: &self.request,
            settings,
            dataset: &self.dataset,
            labels: &self.labels,
            folder,
            progress,
        }
    }
}

fn prefix<O: Observer>(observer: &O) -> Result<KeyPrefix, Error> {
    let About { name, revision, .. } = O::ABOUT;
    Ok(KeyPrefix::of(name, revision, observer.recipe())?)
}

/// The items of an input whose keys a store holds.
fn count(
    prefix: Option<KeyPrefix>,
    input: Option<&InputRecord>,
    holds: impl Fn(&ContentKey) -> bool,
) -> Option<usize> {
    let (prefix, input) = prefix.zip(input)?;
    let items = input.items.iter();
    let keys = items.map(|(_, sha256)| prefix.key(&[&input.form, sha256]));
    Some(keys.filter(|key| holds(key)).count())
}
