//! Brain captioning.

use super::clip_scores::{ClipEmbeddings, ClipScores};
use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure, stems_of};
use crate::pairs::{PairsRequest, SystemNames};
use clap::Args;
use neurogauge::Error;
use neurogauge::core::option_values::trimmed;
use neurogauge::core::pair::Form;
use neurogauge::core::parallel;
use neurogauge::core::{Captions, Features, Finding, MetricSpec, Outcome, ScoreTable, Sides, Undefined};
use neurogauge::formats::captions::{self, CaptionFile};
use neurogauge::language::{WordNet, ptb_caption_words};
use neurogauge::metrics::decoding::captioning::{BleuCounts, bleu_counts};
use neurogauge::metrics::{METRICS, Metric, WordFunction, find, in_order};
use neurogauge::stats::{BootstrapOptions, estimate_statistic, estimate_within};
use neurogauge::{CaptionTools, InputRecord, ReferencesAndCaption, dictionary_of};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const BLEU: [(&str, &str); 4] =
    [("bleu_1", "BLEU-1"), ("bleu_2", "BLEU-2"), ("bleu_3", "BLEU-3"), ("bleu_4", "BLEU-4")];
const CONVENTIONS: [&str; 5] = ["caption-words", "bleu-corpus", "rouge-l-best", "cider-documents", "cider-length"];
const CLIP_SCORES: [&str; 2] = ["clip_s", "ref_clip_s"];
const CLIP_CONVENTIONS: [&str; 2] = ["clip-score-reference", "clip-score-rows"];

/// Captions that people wrote, and captions decoded from brains.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Args)]
pub struct CaptionRequest {
    /// Captions that people wrote: JSON, {"stem": ["text", "text"]}, a table, JSON Lines, or COCO's file
    #[arg(value_name = "GT")]
    pub reference: PathBuf,
    /// Decoded captions, one for each image, likewise. Several files are several systems, called as their files
    #[arg(value_name = "RECON", required = true)]
    pub decoded: Vec<PathBuf>,
    /// Captions of the images themselves, such as a captioner's: each value is also given as a share of theirs
    ///
    /// JSON, {"stem": "text"}. MindEye2 and others report values relative to those of captions made from the stimuli
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_captions: Option<PathBuf>,
    /// Further metrics, comma-separated: meteor, rouge_1, rouge_2, rouge_l_f1
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = trimmed, help_heading = "Metrics")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// WordNet 3.0's folder, for METEOR [default: $WNSEARCHDIR, or where packages install it]
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wordnet: Option<PathBuf>,
    /// Are words stemmed for ROUGE as F1?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[arg(skip)]
    pub rouge_stemming: bool,
    /// CLIP's embeddings of the images, for CLIP-S: .npy, .npz or .pt, images first. Rows go by the ids.json
    /// beside the file, or else by the natural order of the stems
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_embeddings: Option<PathBuf>,
    /// CLIP's embeddings of the decoded captions, a file for each RECON, in their order
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caption_embeddings: Vec<PathBuf>,
    /// CLIP's embeddings of the reference captions, for RefCLIP-S: (images, captions, features), or
    /// (captions, features) with all captions of the first image, then of the next
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_embeddings: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    pub pairs: PairsRequest,
    #[arg(skip)]
    pub bootstrap: BootstrapOptions,
}

/// Scores the decoded captions of each system with BLEU, ROUGE-L, CIDEr and the requested metrics, and with CLIP-S and
/// RefCLIP-S if embeddings are given.
///
/// # Errors
/// A file has no captions; only one file has an image; an image has several decoded captions; two systems have the same
/// name; embeddings belong to other images, have another width, or lack those of the images; metrics do not compare
/// words of captions, or lack WordNet.
pub fn caption(request: &CaptionRequest) -> Result<BenchmarkRun, Error> {
    let names = system_names(&request.decoded)?;
    let metrics = metrics_of_words(&request.metrics)?;
    let (reference, decoded, found) = paired_captions(request, &names)?;
    let stems = stems_of(&reference);
    let mut dictionary = None;
    for metric in &metrics {
        let of_metric = dictionary_of(metric, request.wordnet.as_deref()).map_err(Error::Usage)?;
        dictionary = dictionary.or(of_metric);
    }
    let wordnet = dictionary.as_ref().map(WordNet::open).transpose()?;
    let tools = CaptionTools::new(wordnet.as_ref(), request.rouge_stemming, None)?;
    let n_references: Vec<usize> = reference.iter().map(|(_, texts)| texts.0.len()).collect();
    let clip = ClipEmbeddings::read(request, &stems, &n_references)?;
    let mut record = BenchmarkRecord::new(
        "caption",
        request,
        (request.bootstrap.level, Some(request.bootstrap.seed.0)),
        &CONVENTIONS,
    );
    record.n_images = stems.len();
    record.findings = found.into_iter().chain(clip.iter().flat_map(ClipEmbeddings::findings).cloned()).collect();
    let mut inputs = vec![InputRecord::of_file("reference".to_owned(), &request.reference)?];
    let of_captions = |decoded: &[String], clip: Option<ClipScores>| {
        let pairs = reference.iter().zip(decoded);
        let pairs = pairs
            .map(|((_, references), caption)| (references.0.iter().map(String::as_str).collect(), caption.as_str()));
        let pairs: Vec<ReferencesAndCaption<'_>> = pairs.collect();
        System::of(&pairs, &metrics, &tools, clip)
    };
    let (decoded, of_images) = decoded.split_at(request.decoded.len());
    let of_images = of_images.first().map(|captions| of_captions(captions, None));
    let is_of_reference = record.rests_on_placeholder::<Captions>([&request.reference])?;
    let is_of_images = record.rests_on_placeholder::<Captions>(&request.image_captions)? || is_of_reference;
    let embeddings = request.image_embeddings.iter().chain(&request.reference_embeddings);
    let is_of_embeddings = record.rests_on_placeholder::<Features>(embeddings)?;
    let options = &request.bootstrap;
    let row = |name: String, measures| BenchmarkRow {
        name,
        n: stems.len(),
        measures,
    };
    let mut scores = ScoreTable::new(stems.clone());
    for (place, (name, path)) in names.iter().zip(&request.decoded).enumerate() {
        let of_clip = clip.as_ref().map(|clip| clip.scores(place)).transpose();
        let of_clip = of_clip.map_err(|source| Error::AllPairs {
            figure: "CLIP-S",
            source,
        })?;
        let system = of_captions(&decoded[place], of_clip);
        let is_marked = record.rests_on_placeholder::<Captions>([path])? || is_of_reference;
        let embeddings = request.caption_embeddings.get(place);
        let is_clip_marked = record.rests_on_placeholder::<Features>(embeddings)? || is_of_embeddings;
        let is_marked = |measure: &Measure| is_marked || is_clip_marked && CLIP_SCORES.contains(&measure.id);
        record.rows.push(row(name.clone(), system.measures(None, options)?).marked(is_marked));
        if let Some(of_images) = &of_images {
            let relative = row(format!("{name} / image"), system.measures(Some(of_images), options)?);
            record.rows.push(relative.marked(|measure| is_of_images || is_marked(measure)));
        }
        inputs.push(InputRecord::of_file(format!("decoded/{name}"), path)?);
        for (metric, outcomes) in system.columns() {
            scores.columns.push((format!("{name}/{metric}"), outcomes));
        }
    }
    if let (Some(system), Some(path)) = (of_images, &request.image_captions) {
        record.rows.push(row("image".to_owned(), system.measures(None, options)?).marked(|_| is_of_images));
        inputs.push(InputRecord::of_file("image_captions".to_owned(), path)?);
        record.conventions.push("caption-relative");
        for (metric, outcomes) in system.columns() {
            scores.columns.push((format!("image/{metric}"), outcomes));
        }
    }
    if let Some(folder) = &dictionary {
        inputs.push(InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?);
    }
    if let Some(clip) = &clip {
        inputs.extend(clip.records(&names)?);
        record.conventions.extend(CLIP_CONVENTIONS);
    }
    for id in metrics.iter().flat_map(|metric| metric.spec.conventions()).filter(|id| *id != "sentences-punkt") {
        if !record.conventions.contains(&id) {
            record.conventions.push(id);
        }
    }
    record.provenance.inputs = inputs;
    Ok(BenchmarkRun { record, scores })
}

/// ROUGE-L, CIDEr, and the metrics with these ids, in the registry's order. BLEU has separate rows, even if it is
/// named.
fn metrics_of_words(ids: &[String]) -> Result<Vec<&'static Metric>, Error> {
    for id in ids {
        if !find(id).is_some_and(is_of_words) {
            let known = METRICS.iter().filter(|metric| is_of_words(metric));
            let known: Vec<&str> = known.map(|metric| metric.spec.id).collect();
            return Err(Error::Usage(format!(
                "{id:?} is not a metric of the words of captions; expected {}",
                known.join(", ")
            )));
        }
    }
    let mut metrics = in_order(ids.iter().map(String::as_str).chain(["rouge_l", "cider"]));
    metrics.retain(|metric| !metric.compute.is_of_all_pairs());
    Ok(metrics)
}

fn is_of_words(metric: &Metric) -> bool {
    metric.compute.function::<WordFunction>().is_some()
}

/// The names of the files, without folders and endings.
pub(super) fn system_names(paths: &[PathBuf]) -> Result<Vec<String>, Error> {
    let mut first: HashMap<String, &Path> = HashMap::new();
    let mut names = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if let Some(other) = first.insert(name.to_string(), path) {
            return Err(Error::Usage(format!(
                "{} and {} are both called {name:?}; systems are told apart by the names of their \
                 files: rename one",
                other.display(),
                path.display()
            )));
        }
        names.push(name.into_owned());
    }
    Ok(names)
}

/// References by stem, the captions of each file in their order, and what was found while they were paired.
type PairedCaptions = (Vec<(String, Captions)>, Vec<Vec<String>>, Vec<Finding>);

/// The references, and the captions of each system and of the images.
/// The form of captions that need no mention.
const BY_STEM: &str = "captions by stem";

fn paired_captions(request: &CaptionRequest, names: &[String]) -> Result<PairedCaptions, Error> {
    let CaptionFile {
        captions: reference,
        form,
    } = captions::read_described(&request.reference)?;
    let of_images = request.image_captions.iter().map(|path| ("image", path));
    let files: Vec<(&str, &PathBuf)> =
        names.iter().map(String::as_str).zip(&request.decoded).chain(of_images).collect();
    let mut decoded = Vec::new();
    for (_, path) in &files {
        decoded.push(captions::read_described(path)?);
    }
    let systems = files.iter().zip(&decoded).map(|((system, path), decoded)| SystemNames {
        system,
        names: stems_of(&decoded.captions),
        path,
        form: Form::of_both(Sides::new(Form::of(&form, BY_STEM), Form::of(&decoded.form, BY_STEM))),
    });
    let systems: Vec<SystemNames<'_>> = systems.collect();
    let stems = stems_of(&reference);
    let of_reference = (stems.as_slice(), request.reference.as_path());
    let shared = request.pairs.pair_systems("captions", of_reference, &systems)?;
    let mut texts = Vec::new();
    for (((_, path), decoded), places) in files.iter().zip(&decoded).zip(&shared.of_systems) {
        let decoded = &decoded.captions;
        if let Some((stem, texts)) = decoded.iter().find(|(_, texts)| texts.0.len() != 1) {
            return Err(Error::Data(format!(
                "{}: stem {stem:?} has {} captions; a decoded caption is one; choose one, or give each choice a file of its own",
                path.display(),
                texts.0.len()
            )));
        }
        texts.push(places.iter().filter_map(|&place| decoded[place].1.0.first().cloned()).collect());
    }
    Ok((shared.kept.into_iter().map(|item| reference[item].clone()).collect(), texts, shared.findings))
}

/// The results of one system, image by image.
struct System {
    bleu: Vec<Result<BleuCounts, Undefined>>,
    others: Vec<(MetricSpec, Vec<Outcome>)>,
}

impl System {
    fn of(
        pairs: &[ReferencesAndCaption<'_>],
        metrics: &[&'static Metric],
        tools: &CaptionTools<'_>,
        clip: Option<ClipScores>,
    ) -> Self {
        let bleu = parallel::map_each(pairs, |(references, caption)| {
            let references = references.iter().map(|text| ptb_caption_words(text));
            bleu_counts(&ptb_caption_words(caption), &references.collect::<Vec<_>>())
        });
        let scored = |metric: &&'static Metric| (metric.spec, tools.scores(metric, pairs));
        let mut others: Vec<(MetricSpec, Vec<Outcome>)> = metrics.iter().map(scored).collect();
        if let Some(clip) = clip {
            let columns = [Some(clip.clip_s), clip.ref_clip_s];
            for (id, column) in CLIP_SCORES.into_iter().zip(columns) {
                others.extend(find(id).map(|metric| metric.spec).zip(column));
            }
        }
        System { bleu, others }
    }

    /// BLEU-n of the corpus formed by the drawn images.
    fn corpus_bleu(&self, n: usize, drawn: &[u32]) -> Option<f64> {
        let mut total = BleuCounts::default();
        for &image in drawn {
            total += *self.bleu[image as usize].as_ref().ok()?;
        }
        Some(total.scores()[n])
    }

    /// Each value; if captions of the images themselves are given, as a share of theirs. Both are resampled together.
    fn measures(&self, of_images: Option<&System>, options: &BootstrapOptions) -> Result<Vec<Measure>, Error> {
        let n_images = self.bleu.len();
        let ratio = |own: Option<f64>, of_images: Option<f64>| {
            let (own, of_images) = own.zip(of_images)?;
            (of_images != 0.0).then(|| own / of_images)
        };
        let mut measures = Vec::new();
        for (n, (id, label)) in BLEU.into_iter().enumerate() {
            let corpus = |drawn: &[u32]| match of_images {
                Some(of_images) => ratio(self.corpus_bleu(n, drawn), of_images.corpus_bleu(n, drawn)),
                None => self.corpus_bleu(n, drawn),
            };
            measures.push(Measure::new(id, label, &estimate_statistic(n_images, corpus, options)?));
        }
        for (spec, column) in &self.others {
            let images = of_images.map(|of_images| of_images.others.iter().find(|(other, _)| other.id == spec.id));
            measures.push(match images {
                Some(Some((_, images))) => {
                    let share = |drawn: &[u32]| ratio(mean_of(column, drawn), mean_of(images, drawn));
                    Measure::new(spec.id, spec.label, &estimate_statistic(n_images, share, options)?)
                }
                // CLIP-S compares embeddings, which captions of the images themselves do not have.
                Some(None) => Measure::missing(spec.id, spec.label),
                None => {
                    let estimate = estimate_within(&[column], spec.range, options)?;
                    let mut measure = Measure::new(spec.id, spec.label, &estimate);
                    // If all images lack a value for the same reason, that reason is reported.
                    if let ("cider", None, Some(Err(reason))) = (spec.id, measure.value, column.first()) {
                        measure.undefined = Some(reason.to_string());
                    }
                    measure
                }
            });
        }
        Ok(measures)
    }

    fn columns(self) -> impl Iterator<Item = (&'static str, Vec<Outcome>)> {
        let bleu = BLEU.into_iter().enumerate().map(move |(n, (id, _))| {
            let counts = self.bleu.iter();
            let scores = counts.map(|counts| counts.clone().map(|counts| counts.scores()[n]));
            (id, scores.collect())
        });
        bleu.chain(self.others.into_iter().map(|(spec, column)| (spec.id, column)))
    }
}

/// The mean over the drawn images that have a value.
fn mean_of(column: &[Outcome], drawn: &[u32]) -> Option<f64> {
    let values = drawn.iter().filter_map(|&image| column[image as usize].as_ref().ok());
    let (n, sum) = values.fold((0, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / f64::from(n))
}
