//! How much of a plan is done already.

use super::Resolved;
use super::resolve::RunObservers;
use crate::Error;
use crate::execute::Images;
use crate::observers::detections::BY_CONTENT;
use crate::observers::features;
use crate::observers::masks;
use crate::observers::served::{self, ServedObserver};
use crate::observers::{About, Observer};
use crate::run_record::{RunRecord, Step};
use crate::settings::RunSettings;
use crate::store::existing;
use neurogauge_core::{Captions, ObservationKind, Side};
use neurogauge_formats::store::{ContentKey, Journal, KeyPrefix, Store};
use std::path::Path;

impl Resolved<'_> {
    /// The record, whose plan says how many items of each step the store has. Nothing is created.
    pub(crate) fn with_known(mut self, settings: &RunSettings) -> Result<RunRecord, Error> {
        let mut plan = self.record.plan.take().unwrap_or_default();
        for step in &mut plan.steps {
            step.n_known = self.n_known(step, settings)?;
        }
        if settings.is_dry_run {
            self.refuse_without_server(&plan.steps)?;
        }
        self.record.plan = Some(plan);
        Ok(self.record)
    }

    /// An error for a model that is to be asked for what is not known yet, and is nowhere.
    fn refuse_without_server(&self, steps: &[Step]) -> Result<(), Error> {
        let is_open = |observer: &&ServedObserver| {
            let mut of_it = steps
                .iter()
                .filter(|step| step.writes.kind == observer.recipe().makes);
            observer.is_nowhere() && of_it.any(|step| step.n_known != Some(step.n_items))
        };
        match self.observers.asked.iter().find(is_open) {
            Some(observer) => Err(observer.without_server()),
            None => Ok(()),
        }
    }

    fn n_known(&self, step: &Step, settings: &RunSettings) -> Result<Option<usize>, Error> {
        let (kind, own) = (step.writes.kind, settings.out.join("observations"));
        let input = self.dataset.input(step.reads);
        if kind == ObservationKind::Features {
            let mut recipes = self.selection.perceived.iter();
            let recipe = recipes.find(|recipe| Some(recipe.name()) == step.features);
            let folder = existing(kind.id(), &own.join(kind.id()), settings);
            let of = |input| {
                let rows = recipe.zip(folder);
                rows.map_or(0, |(recipe, folder)| {
                    features::n_known(recipe, input, &folder)
                })
            };
            return Ok(input.map(of));
        }
        let Some(prefix) = self.observers.prefix(kind)? else {
            return Ok(None);
        };
        let is_asked = self
            .observers
            .asked
            .iter()
            .any(|observer| observer.recipe().makes == kind);
        let is_kept = kept(step, is_asked, &own, settings)?;
        if kind == ObservationKind::SceneGraphs {
            let mut sides = Side::BOTH.into_iter();
            let side = sides.find(|side| step.writes.of == (*side).into());
            let captions = self.dataset.captions.as_ref().zip(side);
            return Ok(captions.map(|(captions, side)| {
                let captions: &[(String, Captions)] = captions.sides.side(side);
                let is_known = |text: &String| is_kept(&prefix.key(&[text]));
                let known = captions.iter();
                known
                    .filter(|(_, texts)| texts.0.iter().all(is_known))
                    .count()
            }));
        }
        if kind == ObservationKind::Masks {
            let mut sides = Side::BOTH.into_iter();
            let side = sides.find(|side| step.writes.of == (*side).into());
            let sources = self.dataset.images.as_ref().map(|images| &images.sides);
            let (Some(side), Some(sources), Some(record)) = (side, sources, input) else {
                return Ok(None);
            };
            let source = sources.side(side);
            let images = Images { source, record };
            if self.dataset.asked_categories.is_none() {
                return Ok(None);
            }
            let names = self.dataset.mask_names(side)?;
            let keys = masks::keys_of(&prefix, &masks::asked_for(images, names))?;
            return Ok(Some(keys.iter().filter(|key| is_kept(key)).count()));
        }
        if kind == ObservationKind::VqaScores {
            let images = self.dataset.images.as_ref().zip(input);
            let asked = images.zip(self.dataset.captions_of_stimuli());
            return Ok(asked.map(|((images, record), captions)| {
                let source = &images.sides.recon;
                let asked = served::asked_about(Images { source, record }, Some(captions));
                let keys = served::keys_of(&prefix, &asked);
                keys.iter().filter(|key| is_kept(key)).count()
            }));
        }
        Ok(input.map(|input| {
            let items = input.items.iter();
            let keys = items.map(|(_, sha256)| prefix.key(&[&input.form, sha256]));
            keys.filter(is_kept).count()
        }))
    }
}

impl RunObservers<'_> {
    /// What the keys of the observer of a kind have in common.
    fn prefix(&self, kind: ObservationKind) -> Result<Option<KeyPrefix>, Error> {
        fn of<O: Observer>(observer: &O) -> Result<KeyPrefix, Error> {
            let About { name, revision, .. } = O::ABOUT;
            Ok(KeyPrefix::of(name, revision, observer.recipe())?)
        }
        let asked = self
            .asked
            .iter()
            .find(|observer| observer.recipe().makes == kind);
        match kind {
            _ if asked.is_some() => asked.map(of).transpose(),
            ObservationKind::Captions => self.captioner.as_ref().map(of).transpose(),
            ObservationKind::Detections => self.detector.as_ref().map(of).transpose(),
            ObservationKind::Masks => self.segmenter.as_ref().map(of).transpose(),
            ObservationKind::SceneGraphs => self.parser.as_ref().map(of).transpose(),
            _ => Ok(None),
        }
    }
}

type IsKept = Box<dyn Fn(&ContentKey) -> bool>;

/// Says of a key whether the store has what the observer of a step makes under it.
fn kept(step: &Step, is_asked: bool, own: &Path, settings: &RunSettings) -> Result<IsKept, Error> {
    let (kind, id) = match is_asked {
        true => (
            ObservationKind::Answers,
            &ServedObserver::journal_name(&step.model.id),
        ),
        false => (step.writes.kind, &step.model.id),
    };
    let by_content = match kind {
        ObservationKind::Detections => Some(BY_CONTENT),
        ObservationKind::Masks => Some(masks::BY_CONTENT),
        _ => None,
    };
    if let Some(by_content) = by_content {
        let folder = existing(kind.id(), &own.join(by_content), settings);
        let folder = folder.map(|folder| folder.join(id));
        return Ok(Box::new(move |key| {
            let name = format!("{}.json", key.as_str());
            folder
                .as_ref()
                .is_some_and(|folder| folder.join(name).exists())
        }));
    }
    let folder = existing(kind.id(), own, settings);
    let path = folder.map(|folder| folder.join(format!("{id}.jsonl")));
    let path = path.filter(|path| path.exists());
    let journal = path.map(|path| Journal::<serde_json::Value>::open(&path));
    let journal = journal.transpose()?;
    Ok(Box::new(move |key| {
        journal.as_ref().is_some_and(|journal| journal.holds(key))
    }))
}
