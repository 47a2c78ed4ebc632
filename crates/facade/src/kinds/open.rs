//! Opens only the inputs that a selection needs.

use super::functions_of;
use crate::Error;
use crate::caption_sentences::{self, CaptionSentences};
use crate::dataset::{Dataset, InputRecord, Opening, Resources, SharedStems};
use crate::execute::is_of_clips;
use crate::observations::{Located, Source, recorded};
use crate::observers::masks::MaskPrompts;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selected::{MetricSource, Selected, Selection};
use neurogauge_core::pair::Form;
use neurogauge_core::{ByKind, Finding, Input, LabelList, ObservationKind, Sides, Undefined, first_names};
use neurogauge_language::{NounFilter, PerceptronTagger, PunktParameters, WordNet};
use neurogauge_metrics::Metric;
use std::path::Path;

/// Opens, pairs and hashes the inputs behind the selected metrics. For observations that are still to be made, it opens
/// the inputs of their observers.
pub(crate) fn open(
    selection: &Selection,
    located: &mut Located,
    request: &ScoreRequest,
    labels: &LabelList,
    progress: &dyn Progress,
) -> Result<Dataset, Error> {
    let dataset = Dataset {
        stand_ins: located.stand_ins.keys().cloned().collect(),
        resources: Resources {
            labels: labels.clone(),
            mask_prompts: (request.segmenter.as_ref()).map_or(MaskPrompts::Own, |choice| choice.prompts),
            ..Resources::default()
        },
        ..Dataset::default()
    };
    let mut opening = Opening {
        dataset,
        stems: SharedStems::new(request.pairing.pairs),
        opened: ByKind::default(),
        located,
        request,
        labels,
        selection,
        times: Sides::default(),
        progress,
    };
    let mut kinds = selection.metrics.iter().map(|selected| selected.metric.compute.kind());
    if request.pairing.parts.is_some() && kinds.any(|kind| kind == Some(ObservationKind::Images)) {
        // The images come first, because the times of their frames also pair the other inputs.
        opening.kind(ObservationKind::Images)?;
    }
    // Features of clips pair like the frames, which are opened before them.
    let is_of_clips =
        |selected: &&Selected| matches!(&selected.source, MetricSource::Features(model, _) if is_of_clips(model));
    let (of_clips, others): (Vec<&Selected>, Vec<&Selected>) = selection.metrics.iter().partition(is_of_clips);
    for Selected { metric, source } in others.into_iter().chain(of_clips) {
        match source {
            MetricSource::Recorded(without) => opening.recorded(metric, without.as_deref())?,
            MetricSource::Features(model, recipe) => opening.features_or_images(model, recipe.as_ref(), metric)?,
            _ => {}
        }
        let kind = metric.compute.kind().filter(|_| !matches!(source, MetricSource::Recorded(_)));
        kind.map_or(Ok(()), |kind| opening.for_metric(kind, Some(metric)))?;
    }
    for &kind in &selection.without_encoder {
        opening.for_metric(kind, None)?;
    }
    if opening.located.is_observed(ObservationKind::Custom) {
        opening.kind(ObservationKind::Custom)?;
    }
    if let Some(path) = request.inputs.get(Input::ChosenSamples) {
        let found = format!("{}, the sample that counts for each item", path.display());
        opening.dataset.find(Finding::read_as("chosen samples", found));
    }
    if !request.labels.is_empty() {
        let names = labels.names();
        let found = format!("{} names of categories: {}", names.len(), first_names(names));
        opening.dataset.find(Finding::read_as("labels", found));
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

impl Opening<'_> {
    fn for_metric(&mut self, kind: ObservationKind, metric: Option<&Metric>) -> Result<(), Error> {
        functions_of(kind).map_or(Ok(()), |functions| (functions.open_for)(metric, self))
    }

    /// Opens the observations of a kind, or the inputs from which they will be made.
    pub(super) fn kind(&mut self, kind: ObservationKind) -> Result<(), Error> {
        if std::mem::replace(&mut self.opened[kind], true) {
            return Ok(());
        }
        let files = match self.located.sources[kind].clone() {
            None => return Ok(()),
            Some(Source::Observed) => return kind.made_of().iter().try_for_each(|&kind| self.observed_kind(kind)),
            Some(Source::Recorded) => None,
            Some(Source::Provided(paths)) => Some(paths),
        };
        functions_of(kind).map_or(Ok(()), |functions| (functions.open)(files.as_ref(), self))
    }

    /// Opens a kind that an observer reads.
    fn observed_kind(&mut self, kind: ObservationKind) -> Result<(), Error> {
        match (kind, self.located.captions_of_stimuli.clone()) {
            (ObservationKind::Categories, _) => self.asked_categories(),
            (ObservationKind::Captions, Some(path)) => self.captions_of_stimuli(path),
            (kind, _) => self.kind(kind),
        }
    }

    /// Reads the values that SEED's layout has for a metric; `without` is the encoder that would compute them if its
    /// weights were on this machine.
    fn recorded(&mut self, metric: &Metric, without: Option<&str>) -> Result<(), Error> {
        let id = metric.spec.id;
        let Some((dir, layout)) = &self.located.official else {
            return Ok(());
        };
        let Some((file, values)) = recorded(layout, id) else {
            return Ok(());
        };
        let (path, values) = (dir.join(file), values.to_vec());
        let stems: Vec<String> = values.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs =
            self.pair(("recorded values", Form::usual("one array for each metric")), (&stems, &path), (&stems, &path))?;
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

impl<'a> Opening<'a> {
    fn punkt(&self) -> Option<&'a Path> {
        self.request.inputs.get(Input::Punkt)
    }

    /// Opens the user's parameters for splitting captions into sentences, if given.
    pub(super) fn sentences(&mut self) -> Result<(), Error> {
        let punkt = self.punkt().filter(|_| self.dataset.input("punkt").is_none());
        if let Some(folder) = punkt {
            let record = caption_sentences::record(folder)?;
            self.dataset.inputs.push(record);
            self.dataset.find(Finding::read_as("punkt", PunktParameters::HOLDS));
        }
        Ok(())
    }

    pub(super) fn tagger(&mut self, folder: &Path) -> Result<(), Error> {
        let files = PerceptronTagger::files(folder)?;
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let record = InputRecord::of_files("tagger".to_owned(), folder, &names)?;
        self.dataset.inputs.push(record);
        self.dataset.find(Finding::read_as("tagger", "weights of a perceptron tagger"));
        self.dataset.resources.noun_filter = Some(NounFilter {
            tagger: PerceptronTagger::open(folder)?,
            splitter: CaptionSentences::of(self.punkt())?.splitter,
        });
        Ok(())
    }

    pub(super) fn wordnet(&mut self, folder: &Path) -> Result<(), Error> {
        if self.dataset.resources.wordnet.is_some() {
            return Ok(());
        }
        self.dataset.resources.wordnet = Some(WordNet::open(folder)?);
        let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?;
        self.dataset.inputs.push(record);
        self.dataset.find(Finding::read_as("wordnet", WordNet::HOLDS));
        Ok(())
    }
}
