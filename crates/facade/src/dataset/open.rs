//! Opens the inputs that a selection needs, and no others.

use super::opening::Opening;
use super::shared_stems::SharedStems;
use super::{Dataset, InputRecord};
use crate::Error;
use crate::execute::is_of_clips;
use crate::observations::{Located, PoolInput, Source};
use crate::observers::features::recorded_recipe;
use crate::observers::masks::MaskPrompts;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selection::{MetricSource, Selected, Selection, recorded};
use neurogauge_core::{ByKind, Finding, Input, LabelList, ObservationKind, Sides, Undefined};
use neurogauge_metrics::{CaptionWords, Compute, Metric};

/// The convention of metrics that depend on what categories are called.
const NAMES_MATTER: &str = "snm-categories";

impl Dataset {
    /// Opens, pairs and hashes the inputs behind the selected metrics. For observations that are still to be made, it
    /// opens the inputs of their observers.
    pub(crate) fn open(
        selection: &Selection,
        located: &mut Located,
        request: &ScoreRequest,
        labels: &LabelList,
        progress: &dyn Progress,
    ) -> Result<Dataset, Error> {
        let dataset = Dataset {
            stand_ins: located.stand_ins.keys().cloned().collect(),
            mask_prompts: (request.segmenter.as_ref()).map_or(MaskPrompts::Own, |choice| choice.prompts),
            labels: labels.clone(),
            ..Dataset::default()
        };
        let mut opening = Opening {
            dataset,
            stems: SharedStems::new(request.pairing.pairs),
            opened: ByKind::default(),
            located,
            request,
            labels,
            reads_names: selection.metrics.iter().any(|selected| {
                selected.source == MetricSource::Compared && selected.metric.spec.conventions.contains(&NAMES_MATTER)
            }),
            times: Sides::default(),
            progress,
        };
        let mut kinds = selection.metrics.iter().map(|selected| selected.metric.compute.kind());
        if request.pairing.parts.is_some() && kinds.any(|kind| kind == Some(ObservationKind::Images)) {
            // The times of their frames also pair the others.
            opening.kind(ObservationKind::Images)?;
        }
        // Features of clips pair as the frames do, which are opened before them.
        let is_of_clips =
            |selected: &&Selected| matches!(&selected.source, MetricSource::Features(model) if is_of_clips(model));
        let (of_clips, others): (Vec<&Selected>, Vec<&Selected>) = selection.metrics.iter().partition(is_of_clips);
        for selected in others.into_iter().chain(of_clips) {
            match &selected.source {
                MetricSource::Recorded(without) => {
                    opening.recorded(selected.metric, without.as_deref())?;
                }
                MetricSource::Features(model) => {
                    opening.features_or_images(model, selected, selection)?;
                    if selected.metric.compute.texts_of_images().is_some() {
                        opening.kind(ObservationKind::Captions)?;
                    }
                }
                MetricSource::Compared => {
                    let kind = selected.metric.compute.kind();
                    kind.map_or(Ok(()), |kind| opening.compared(kind, selection))?;
                    opening.words_of_captions(selected.metric, selection)?;
                }
            }
        }
        for &kind in &selection.without_encoder {
            opening.compared(kind, selection)?;
        }
        if opening.located.is_observed(ObservationKind::Custom) {
            opening.kind(ObservationKind::Custom)?;
        }
        if let Some((_, layout)) = &mut opening.located.official {
            opening.dataset.findings.append(&mut layout.findings);
        }
        let Opening { mut dataset, stems, .. } = opening;
        dataset.keep(stems.into_stems());
        dataset.refuse_clips_without_frames(selection, located)?;
        dataset.doubt(request.options.pixels.size_px);
        Ok(dataset)
    }
}

impl Opening<'_> {
    /// Opens a kind that a metric compares, and the kinds that it is compared with.
    fn compared(&mut self, kind: ObservationKind, selection: &Selection) -> Result<(), Error> {
        if kind != ObservationKind::SceneGraphs {
            return self.kind(kind);
        }
        let is_new = !self.opened[kind];
        let tools = &selection.graph_tools;
        let punkt = self.request.inputs.get(Input::Punkt);
        if is_new && tools.needs_captions() {
            self.kind(ObservationKind::Captions)?;
            self.sentences(punkt)?;
        }
        self.kind(kind)?;
        if let Some(folder) = tools.tagger.as_ref().filter(|_| is_new) {
            self.tagger(folder, punkt)?;
        }
        if let Some(folder) = tools.wordnet.as_ref().filter(|_| is_new) {
            self.wordnet(folder)?;
        }
        Ok(())
    }

    /// Opens the dictionary of a metric that looks up the words of captions, and what splits these into sentences.
    fn words_of_captions(&mut self, metric: &Metric, selection: &Selection) -> Result<(), Error> {
        let Compute::CaptionWords {
            words: CaptionWords::Nltk,
            ..
        } = metric.compute
        else {
            return Ok(());
        };
        self.sentences(self.request.inputs.get(Input::Punkt))?;
        selection.graph_tools.dictionary.as_ref().map_or(Ok(()), |folder| self.wordnet(folder))
    }

    /// Opens the observations of a kind, or the inputs that they will be made from.
    pub(super) fn kind(&mut self, kind: ObservationKind) -> Result<(), Error> {
        if std::mem::replace(&mut self.opened[kind], true) {
            return Ok(());
        }
        let paths = match self.located.sources[kind].clone() {
            None => return Ok(()),
            Some(Source::Observed) => {
                for &parent in kind.made_of() {
                    match (parent, self.located.captions_of_stimuli.clone()) {
                        (ObservationKind::Categories, _) => self.asked_categories()?,
                        (ObservationKind::Captions, Some(path)) => {
                            self.captions_of_stimuli(&path)?;
                        }
                        (parent, _) => self.kind(parent)?,
                    }
                }
                return Ok(());
            }
            Some(Source::ProvidedOf(path)) => return self.vqa_scores(&path),
            Some(Source::Recorded) => None,
            Some(Source::Provided(paths)) => Some(paths),
        };
        match (kind, &paths) {
            (ObservationKind::Images, Some(paths)) => self.images(paths),
            (kind @ ObservationKind::Detections, paths) => self.detections(kind, paths.as_ref()),
            (kind, Some(paths)) if kind.is_list_of_words() => self.words(kind, paths),
            (ObservationKind::Masks, Some(paths)) => {
                self.masks(paths)?;
                match self.located.has(ObservationKind::Categories) {
                    true => self.kind(ObservationKind::Images),
                    false => Ok(()),
                }
            }
            (ObservationKind::Captions, Some(paths)) => self.captions(paths),
            (ObservationKind::SceneGraphs, Some(paths)) => self.scene_graphs(paths),
            _ => Ok(()),
        }
    }

    /// Opens the features of the pairs, or the images that they will be made from, and the pool if a metric
    /// uses it.
    fn features_or_images(&mut self, model: &str, selected: &Selected, selection: &Selection) -> Result<(), Error> {
        let recipe = selection.recipe(model);
        let folders = self.located.files(ObservationKind::Features).cloned();
        match (recipe, &folders) {
            (Some(_), _) => self.kind(ObservationKind::Images)?,
            (None, Some(folders)) => self.features(model, folders)?,
            (None, None) => {}
        }
        if !selected.metric.compute.needs_pool() {
            return Ok(());
        }
        match self.located.pool.clone() {
            Some(PoolInput::Features { folder, .. }) => {
                let provided = folders.and_then(|sides| recorded_recipe(&sides.gt, model));
                self.pool_features(model, &folder, recipe.or(provided.as_ref()))
            }
            Some(PoolInput::Images(path)) => self.pool_images(&path, &self.request.options.identification),
            None => Ok(()),
        }
    }

    /// Reads the values that SEED's layout has for a metric; `without` is the encoder that would compute them but whose
    /// weights are not on this machine.
    fn recorded(&mut self, metric: &'static Metric, without: Option<&str>) -> Result<(), Error> {
        let id = metric.spec.id;
        let Some((dir, layout)) = &self.located.official else {
            return Ok(());
        };
        let Some((file, values)) = recorded(layout, id) else {
            return Ok(());
        };
        let (path, values) = (dir.join(file), values.to_vec());
        let stems: Vec<String> = values.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs = self.pair("recorded values", (&stems, &path), (&stems, &path))?;
        let outcome = |value: f64| match value {
            value if value.is_finite() => Ok(value),
            _ => Err(Undefined::Recorded("recorded as NaN".into())),
        };
        let outcomes = pairs.into_iter().map(|pair| (pair.stem, outcome(values[pair.gt].1)));
        self.dataset.recorded.push((id, outcomes.collect()));
        let why = match without {
            Some(model) => {
                format!("the weights of {model} are not on this machine; `neurogauge models fetch {model}` gets them")
            }
            None => "what it is computed from was not given".to_owned(),
        };
        self.dataset.findings.push(Finding::warning(
            "recorded_values",
            path.display().to_string(),
            format!("the values of {} are those recorded in this file, not computed here: {why}", metric.spec.label),
        ));
        let record = InputRecord::of_file(format!("recorded/{id}"), &path)?;
        self.dataset.inputs.push(record);
        Ok(())
    }
}
