//! Captions: compared by embeddings, with images, and by their words.

use super::files::{BY_STEM, FileKind};
use super::{Needs, ObservedKind, PairKind};
use crate::Error;
use crate::caption_words::{CaptionTools, ReferencesAndCaption};
use crate::compute::{Computed, Context, among_all, content};
use crate::dataset::{Dataset, Entries, Opening};
use crate::observers::captions::DEFAULT_CAPTIONER;
use crate::observers::text_embeddings::{DEFAULT_ENCODER, encoder_beside_images};
use crate::option_names::{CAPTIONER_MODEL, GT, OBSERVATIONS, RECON};
use crate::selected::MetricSource;
use neurogauge_core::pair::Form;
use neurogauge_core::{Captions, Input, ObservationKind, Outcome, Side, Sides, Undefined};
use neurogauge_formats::features::StoredFeatures;
use neurogauge_formats::{FormatError, captions};
use neurogauge_metrics::{CaptionWords, Compute, EmbeddingFunction, Metric, WordFunction};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub(crate) struct CaptionKind;

impl FileKind for CaptionKind {
    const KIND: ObservationKind = ObservationKind::Captions;
    type Entry = Captions;

    fn read(path: &Path) -> Result<Vec<(String, Captions)>, FormatError> {
        captions::read(path)
    }

    fn entries(path: &Path) -> Result<Entries<Captions>, FormatError> {
        let found = captions::read_described(path)?;
        Ok(Entries(found.captions, Form::of(&found.form, BY_STEM)))
    }

    fn check(sides: &Sides<Entries<Captions>>, paths: &Sides<PathBuf>) -> Result<(), Error> {
        match sides.recon.0.iter().find(|(_, captions)| captions.0.len() != 1) {
            None => Ok(()),
            Some((stem, several)) => Err(Error::Data(format!(
                "{}: stem {stem:?} has {} captions; a reconstruction has one (only stimuli may have several references)",
                paths.recon.display(),
                several.0.len()
            ))),
        }
    }

    fn content(captions: &Captions) -> Option<u64> {
        content(&captions.0).filter(|_| !is_blank(captions))
    }

    fn absent(side: Side) -> Undefined {
        Undefined::NoCaption(side)
    }

    /// For a metric that looks words up, also opens the dictionary and the rules that split captions into sentences.
    fn open_for(metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        opening.kind(ObservationKind::Captions)?;
        if !metric.is_some_and(looks_words_up) {
            return Ok(());
        }
        opening.sentences()?;
        let dictionary = opening.selection.graph_tools.dictionary.as_ref();
        dictionary.map_or(Ok(()), |folder| opening.wordnet(folder))
    }

    fn needs(metric: &Metric) -> Needs {
        let needs = Needs::of_both_sides(ObservationKind::Captions, OBSERVATIONS);
        if let Compute::CaptionsOfImages { images, texts, .. } = metric.compute {
            let image = images.first().and_then(|name| name.split_once('.')).map(|(model, _)| model);
            return Needs {
                instead: format!(", and images of both sides ({GT}, {RECON}); without captions, {CAPTIONER_MODEL}"),
                models: [DEFAULT_CAPTIONER].into_iter().chain(image).chain([texts]).collect(),
                ..needs
            };
        }
        let encoder = metric.compute.function::<EmbeddingFunction>().map(|_| DEFAULT_ENCODER);
        Needs {
            models: [DEFAULT_CAPTIONER].into_iter().chain(encoder).collect(),
            looks_words_up: looks_words_up(metric),
            ..needs.or_images(&format!(" and {CAPTIONER_MODEL}"))
        }
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let Some(pairs) = Self::pairs(context) else {
            return Ok(());
        };
        let texts =
            pairs.seen(|_, sides| Ok((sides.gt.0.iter().map(String::as_str).collect(), sides.recon.0[0].as_str())))?;
        by_embeddings(&texts, context, computed)?;
        with_images(&texts, context, computed)?;
        by_words(&texts, context, computed)
    }
}

fn looks_words_up(metric: &Metric) -> bool {
    metric
        .compute
        .function::<WordFunction>()
        .is_some_and(|function| function.words == CaptionWords::Nltk)
}

/// The captions of a pair, or the reason why a side has none.
type Texts<'a> = Result<ReferencesAndCaption<'a>, Undefined>;

/// Every reference and caption.
fn all_texts<'a>(texts: &'a [Texts<'_>]) -> impl Iterator<Item = &'a str> {
    texts.iter().flatten().flat_map(|(references, caption)| references.iter().chain([caption]).copied())
}

fn by_embeddings(texts: &[Texts<'_>], context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let metrics = context.functions::<EmbeddingFunction>(ObservationKind::Captions);
    let (Some(pairs), false) = (CaptionKind::pairs(context), metrics.is_empty()) else {
        return Ok(());
    };
    let instruction = context.request.text_instruction.as_deref();
    let embeddings = context.embed(&all_texts(texts).collect(), &context.request.text_encoder, instruction)?;
    let how = context.request.options.references;
    pairs.compare(&metrics, computed, |function, _, sides| {
        let references: Vec<&[f32]> = sides.gt.0.iter().filter_map(|text| embeddings.of(text)).collect();
        let caption = embeddings.of(&sides.recon.0[0]).unwrap_or_default();
        Ok(function(&references, caption, how)?.into())
    })
}

/// Compares captions with images, by embeddings of both.
fn with_images(texts: &[Texts<'_>], context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    for selected in &context.selection.metrics {
        let (
            &Compute::CaptionsOfImages {
                texts: encoder,
                before,
                compare,
                ..
            },
            MetricSource::Features(name, _),
        ) = (&selected.metric.compute, &selected.source)
        else {
            continue;
        };
        let (Some(images), Some(pairs)) = (context.dataset.features_of(name), CaptionKind::pairs(context)) else {
            continue;
        };
        let with_row = images.pairs.iter().filter(|pair| StoredFeatures::has(&images.sides.gt, pair.gt));
        let rows = with_row.map(|pair| Ok((pair.stem.as_str(), images.sides.gt.single_row(pair.gt)?)));
        let rows: HashMap<&str, _> = rows.collect::<Result<_, Error>>()?;
        let depicts = |text: &str| format!("{before}{text}");
        let all: Vec<String> = all_texts(texts).map(depicts).collect();
        let encoder = encoder_beside_images(encoder, &context.request.text_encoder);
        let embeddings = context.embed(&all.iter().map(String::as_str).collect(), encoder, None)?;
        let of = |text: &str| embeddings.of(&depicts(text)).unwrap_or_default();
        pairs.compare(&[(selected.metric.spec.id, compare)], computed, |compare, pair, sides| {
            let Some(image) = rows.get(pair.stem.as_str()) else {
                return Ok(Err(Undefined::NoFeatures(Side::Gt)).into());
            };
            let references: Vec<&[f32]> = sides.gt.0.iter().map(|text| of(text)).collect();
            Ok(compare(image, of(&sides.recon.0[0]), &references)?.into())
        })?;
    }
    Ok(())
}

/// Computes scores and, for metrics of all captions together, what each pair adds to the system's value.
fn by_words(texts: &[Texts<'_>], context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let tools = CaptionTools::new(
        context.dataset.resources.wordnet.as_ref(),
        context.request.options.rouge_stemming,
        context.request.inputs.get(Input::Punkt),
    )?;
    let given: Vec<ReferencesAndCaption<'_>> = texts.iter().flatten().cloned().collect();
    let documents = context.items.map(|items| {
        let references = texts.iter().map(|text| text.as_ref().ok().map(|(of, _)| of));
        of_known(texts, items.parts.first_with(references))
    });
    for (id, function) in context.functions::<WordFunction>(ObservationKind::Captions) {
        let weights = |scores: &[Outcome]| {
            let weights = context.items?.weights_of_pairs(id, &among_all(texts, scores.to_vec()));
            Some(of_known(texts, weights))
        };
        let (scores, of_all) = tools.scores_and_shares(&function, &given, documents.as_deref(), weights);
        computed.add_column(id, among_all(texts, scores));
        of_all.into_iter().for_each(|of_all| computed.add_pseudo_values(id, among_all(texts, of_all)));
    }
    Ok(())
}

/// The entries of `of_pairs` for pairs with captions on both sides.
fn of_known<T>(texts: &[Texts<'_>], of_pairs: Vec<T>) -> Vec<T> {
    let known = of_pairs.into_iter().zip(texts);
    known.filter_map(|(found, text)| text.is_ok().then_some(found)).collect()
}

fn is_blank(captions: &Captions) -> bool {
    captions.0.iter().all(|text| text.trim().is_empty())
}

/// The sides of the pair at `place` whose captions have no words.
pub(super) fn are_blank(dataset: &Dataset, place: usize) -> Option<Sides<bool>> {
    let captions = CaptionKind::of(dataset)?;
    let pair = captions.pairs.get(place)?;
    Some(Sides::new(
        is_blank(&captions.sides.gt.0[pair.gt].1),
        is_blank(&captions.sides.recon.0[pair.recon].1),
    ))
}

impl Opening<'_> {
    /// Opens captions of the stimuli alone, for questions about reconstructions.
    pub(super) fn captions_of_stimuli(&mut self, path: PathBuf) -> Result<(), Error> {
        let found = CaptionKind::entries(&path)?;
        let paths = Sides::new(path.clone(), path);
        let sides = Sides::new(found.clone(), found);
        let paired = self.paired_file(ObservationKind::Captions, &paths, sides, &[Side::Gt])?;
        self.dataset.resources.stimulus_captions = Some(paired);
        Ok(())
    }
}

/// For each reconstruction, the first caption of its stimulus, if it has one; `None` without captions.
pub(super) fn captions_of_reconstructions(dataset: &Dataset) -> Option<Vec<Option<String>>> {
    let images = dataset.images()?;
    let captions = CaptionKind::of(dataset).or(dataset.resources.stimulus_captions.as_ref())?;
    let of_pair = captions.pairs.iter().filter_map(|pair| {
        let (_, texts) = &captions.sides.gt.0[pair.gt];
        Some((pair.stem.as_str(), texts.0.first()?))
    });
    let of_pair: HashMap<&str, &String> = of_pair.collect();
    let mut of_images = vec![None; images.sides.recon.stems().len()];
    for pair in &images.pairs {
        of_images[pair.recon] = of_pair.get(pair.stem.as_str()).map(|text| (*text).clone());
    }
    Some(of_images)
}
