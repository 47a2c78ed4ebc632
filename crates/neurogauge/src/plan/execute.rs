//! Executes a plan: runs its observers, which write into the run folder.

use super::Resolved;
use crate::Error;
use crate::dataset::{Dataset, Paired};
use crate::execute::{Executor, FailedItem, Images, Session};
use crate::observers::Observer;
use crate::observers::captions::{CaptionObserver, caption_images};
use crate::observers::detections::{DetectionObserver, detect_in_images};
use crate::observers::features::{Models, SourceFeatures, observe_sources};
use crate::observers::masks::{MaskObserver, MaskPrompts, asked_for, mask_images};
use crate::observers::scene_graphs::{GraphObserver, parse_captions};
use crate::observers::served::{
    AskedRecord, ServedObserver, SourceAnswers, ask_about_images, asked_about, not_reproducible,
    write_said,
};
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::selection::Selection;
use crate::settings::{RunSettings, Shard};
use neurogauge_core::{Captions, Holder, ObservationKind, Role, Side, Sides, Warning};
use neurogauge_formats::{captions, scene_graphs};
use std::collections::BTreeSet;
use std::path::PathBuf;

impl Resolved<'_> {
    /// Lets the observers make what the plan says, each after those that it reads from, and opens what they made. The record
    /// says which items failed. A shard writes to the store only.
    pub(crate) fn execute(
        &mut self,
        folder: &RunFolder,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<RunRecord, Error> {
        let mut record = self.record.clone();
        let (observers, dataset) = (&mut self.observers, &mut self.dataset);
        let selection = &self.selection;
        let readers = [
            observers.captioner.is_some(),
            observers.detector.is_some(),
            observers.segmenter.is_some(),
        ];
        let n_readers = readers.map(usize::from).iter().sum::<usize>()
            + observers.asked.len()
            + selection.perceived.len()
            + selection.lpips.len()
            + usize::from(selection.compares(ObservationKind::Images));
        if n_readers > 1 {
            dataset.keep_decoded();
        }
        let segmenter = self.request.segmenter.as_ref();
        let run = Execution {
            prompts: segmenter.map(|choice| choice.prompts).unwrap_or_default(),
            folder,
            settings,
            progress,
        };
        let asked = std::mem::take(&mut observers.asked);
        // Scores are asked for with captions, which somebody else may have to make first.
        let (scores, words): (Vec<_>, Vec<_>) = asked
            .into_iter()
            .partition(|observer| observer.recipe().makes == ObservationKind::VqaScores);
        if !scores.is_empty()
            && let Some(captioner) = observers.captioner.take()
        {
            record.uncaptioned = run.captions(captioner, dataset)?;
        }
        for observer in words.into_iter().chain(scores) {
            let mut asked = run.answers(observer, dataset)?;
            let recipe = asked.recipe.clone();
            if recipe.makes == ObservationKind::Captions {
                record.uncaptioned = std::mem::take(&mut asked.failed);
            }
            if let Some(known) = record.asked.iter_mut().find(|known| known.recipe == recipe) {
                *known = asked;
            }
        }
        if let Some(captioner) = observers.captioner.take() {
            record.uncaptioned = run.captions(captioner, dataset)?;
        }
        if let Some(detector) = observers.detector.take() {
            record.undetected = run.detections(detector, dataset)?;
        }
        if let Some(segmenter) = observers.segmenter.take() {
            record.unsegmented = run.masks(segmenter, dataset)?;
        }
        if let Some(parser) = observers.parser.take() {
            record.unparsed = run.scene_graphs(parser, dataset)?;
        }
        if let Some(models) = observers.models.take() {
            record.without_features = run.features(selection, dataset, models)?;
        }
        if settings.shard.is_none() {
            self.open_observed(folder)?;
            let recipes = &self.selection.perceived;
            let of_pool = self.selection.perceived_of_pool();
            self.dataset.open_features(recipes, &of_pool, folder)?;
        }
        Ok(record)
    }

    /// Opens what the run folder keeps of what observers say of single images.
    pub(crate) fn open_observed(&mut self, folder: &RunFolder) -> Result<(), Error> {
        let asked = self.record.asked.iter();
        for kind in asked.map(|asked| asked.recipe.makes).collect::<Vec<_>>() {
            self.dataset.open_observed(kind, folder, &self.labels)?;
        }
        let made = [
            (ObservationKind::Captions, self.record.captioned.is_some()),
            (ObservationKind::Detections, self.record.detected.is_some()),
            (ObservationKind::Masks, self.record.segmented.is_some()),
            (ObservationKind::SceneGraphs, self.record.parsed.is_some()),
        ];
        let mut made = made.into_iter().filter(|(_, is_made)| *is_made);
        made.try_for_each(|(kind, _)| self.dataset.open_observed(kind, folder, &self.labels))
    }
}

/// Where what observers make goes.
struct Execution<'a> {
    /// Whose categories masks are asked for.
    prompts: MaskPrompts,
    folder: &'a RunFolder,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
}

impl Execution<'_> {
    fn session<O: Observer>(&self, observer: O) -> Session<'_, O> {
        Session::new(observer, Executor::new(self.settings, self.progress))
    }

    /// The journal of an observer, where there is no cache.
    fn own_journal(&self, observer: &impl Observer) -> PathBuf {
        let observations = self.folder.observations();
        observations.join(format!("{}.jsonl", observer.identity().id))
    }

    /// Asks a model behind a server about the images of both sides, and opens what it says.
    fn answers(
        &self,
        observer: ServedObserver,
        dataset: &mut Dataset,
    ) -> Result<AskedRecord, Error> {
        let recipe = observer.recipe().clone();
        let mut asked = AskedRecord {
            recipe,
            answered_by: BTreeSet::new(),
            n_cut_off: 0,
            failed: Vec::new(),
        };
        let (kind, model) = (asked.recipe.makes, asked.recipe.model.id.clone());
        let Some(sources) = images_of(dataset) else {
            return Ok(asked);
        };
        let own = self.folder.observations();
        let own = own.join(format!("{}.jsonl", ServedObserver::journal_name(&model)));
        let mut session = self.session(observer);
        let answers = Sides::of(|side| {
            if !kind.sides().contains(&side) {
                return Ok(SourceAnswers::default());
            }
            let captions = match kind {
                ObservationKind::VqaScores => dataset.captions_of_stimuli(),
                _ => None,
            };
            let images = asked_about(*sources.side(side), captions);
            let found = ask_about_images(&mut session, &images, &own, self.settings)?;
            if self.settings.shard.is_none() {
                write_said(&self.folder.observed_file(side, kind), kind, &found)?;
            }
            Ok::<_, Error>(found)
        })?;
        for of_side in [&answers.gt, &answers.recon] {
            asked.failed.extend(of_side.failed.iter().cloned());
            asked
                .answered_by
                .extend(of_side.answered_by.iter().cloned());
            asked.n_cut_off += of_side.n_cut_off;
        }
        let mut warn = |id, message| {
            dataset
                .warnings
                .push(Warning::new(id, kind.noun(), message));
        };
        if let Some(said) = not_reproducible(&asked.recipe.model) {
            warn("not_reproducible", said);
        }
        if asked.n_cut_off > 0 {
            let limit = asked.recipe.options.max_tokens;
            let message = format!(
                "{} answers of {model} were cut off after {limit} tokens; what they would have said further is not counted",
                asked.n_cut_off
            );
            warn("answers_cut_off", message);
        }
        dataset.take_answers(kind, &answers, self.folder, self.prompts)?;
        Ok(asked)
    }

    fn captions(
        &self,
        observer: CaptionObserver,
        dataset: &mut Dataset,
    ) -> Result<Vec<FailedItem>, Error> {
        let (Some(sources), Some(images)) = (images_of(dataset), &dataset.images) else {
            return Ok(Vec::new());
        };
        let own = self.own_journal(&observer);
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        let sides = Sides::of(|side| {
            let found = caption_images(&mut session, sources.side(side), &own, self.settings)?;
            if self.settings.shard.is_none() {
                captions::write_json(
                    &self.folder.observed(side, ObservationKind::Captions),
                    &found.known(),
                )?;
            }
            failed.extend(found.failed);
            Ok::<_, Error>(found.captions)
        })?;
        let pairs = images.pairs.clone();
        dataset.captions = Some(Paired { sides, pairs });
        Ok(failed)
    }

    fn detections(
        &self,
        observer: DetectionObserver,
        dataset: &Dataset,
    ) -> Result<Vec<FailedItem>, Error> {
        let Some(sources) = images_of(dataset) else {
            return Ok(Vec::new());
        };
        let own = self.folder.observations();
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        for side in Side::BOTH {
            let (images, folder) = (
                sources.side(side),
                self.folder.observed(side, ObservationKind::Detections),
            );
            let (of_side, _) =
                detect_in_images(&mut session, images, &folder, &own, self.settings)?;
            failed.extend(of_side);
        }
        Ok(failed)
    }

    fn masks(&self, observer: MaskObserver, dataset: &Dataset) -> Result<Vec<FailedItem>, Error> {
        let Some(sources) = images_of(dataset) else {
            return Ok(Vec::new());
        };
        let own = self.folder.observations();
        let mut session = self.session(observer);
        let mut failed = Vec::new();
        for side in Side::BOTH {
            let folder = self.folder.observed(side, ObservationKind::Masks);
            let images = asked_for(*sources.side(side), dataset.mask_names(side)?);
            let found = mask_images(&mut session, &images, &folder, &own, self.settings)?;
            failed.extend(found.failed);
        }
        Ok(failed)
    }

    fn scene_graphs(
        &self,
        observer: GraphObserver,
        dataset: &Dataset,
    ) -> Result<Vec<FailedItem>, Error> {
        let Some(captions) = &dataset.captions else {
            return Ok(Vec::new());
        };
        let own = self.own_journal(&observer);
        let mut session = self.session(observer);
        // A shard has the captions of its images, and all of their sentences.
        let shard = session.executor.shard.take();
        let mut failed = Vec::new();
        let mut n_malformed = 0;
        for side in Side::BOTH {
            let role = Role::new(side, ObservationKind::Captions).to_string();
            let of_side: &[(String, Captions)] = captions.sides.side(side);
            let of_shard =
                shard.map_or(0..of_side.len(), |shard: Shard| shard.items(of_side.len()));
            let of_side = &of_side[of_shard];
            let found = parse_captions(&mut session, &role, of_side, &own, self.settings)?;
            if shard.is_none() {
                scene_graphs::write_json(
                    &self.folder.observed(side, ObservationKind::SceneGraphs),
                    &found.known(),
                )?;
            }
            failed.extend(found.failed);
            n_malformed += found.n_malformed;
        }
        if n_malformed > 0 {
            self.progress.note(&format!(
                "{n_malformed} facts that the parser wrote are not of three parts and do not count"
            ));
        }
        Ok(failed)
    }

    /// The features of the images, those of the pool among them.
    fn features(
        &self,
        selection: &Selection,
        dataset: &Dataset,
        mut models: Models<'_>,
    ) -> Result<Vec<FailedItem>, Error> {
        let recipes = &selection.perceived;
        let Some(images) = images_of(dataset).filter(|_| !recipes.is_empty()) else {
            return Ok(Vec::new());
        };
        let record = dataset.input(Role::POOL_IMAGES);
        let of_pool = dataset.pool_images.as_ref().zip(record);
        let of_pool = of_pool.map(|(source, record)| Images { source, record });
        let sources = [
            (Holder::Gt, Some(images.gt), recipes.clone()),
            (Holder::Recon, Some(images.recon), recipes.clone()),
            (Holder::Pool, of_pool, selection.perceived_of_pool()),
        ];
        let folders = sources
            .each_ref()
            .map(|(of, ..)| self.folder.observed(*of, ObservationKind::Features));
        let named = sources.into_iter().zip(&folders);
        let sources = named.filter_map(|((of, images, wanted), folder)| {
            let images = images?;
            let source = SourceFeatures {
                images,
                folder,
                label: of.folder(),
            };
            Some((source, wanted))
        });
        let sources: Vec<_> = sources.collect();
        let (settings, progress) = (self.settings, self.progress);
        let seen = observe_sources(recipes, &sources, &mut models, settings, progress)?;
        let mut failed: Vec<FailedItem> = Vec::new();
        for item in seen.into_iter().flat_map(|seen| seen.failed) {
            if !failed.contains(&item) {
                failed.push(item);
            }
        }
        Ok(failed)
    }
}

/// The images of both sides, where they are open.
fn images_of(dataset: &Dataset) -> Option<Sides<Images<'_>>> {
    let sides = &dataset.images.as_ref()?.sides;
    let of = |side: Side| {
        let (source, record) = (sides.side(side), dataset.input(Role::images(side)));
        record.map(|record| Images { source, record }).ok_or(())
    };
    Sides::of(of).ok()
}
