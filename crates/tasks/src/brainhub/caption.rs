//! Brain captioning.

use super::clip_scores::{ClipEmbeddings, ClipScores};
use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure};
use neurogauge::Error;
use neurogauge::InputRecord;
use neurogauge::core::pair::pair_by_stem;
use neurogauge::core::{Captions, Outcome, ScoreTable, Undefined};
use neurogauge::formats::captions;
use neurogauge::language::ptb_caption_words;
use neurogauge::metrics::STANDALONE_METRICS;
use neurogauge::metrics::decoding::captioning::{BleuCounts, Cider, bleu_counts, rouge_l};
use neurogauge::stats::{BootstrapOptions, estimate_statistic, estimate_within};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const BLEU: [(&str, &str); 4] = [
    ("bleu_1", "BLEU-1"),
    ("bleu_2", "BLEU-2"),
    ("bleu_3", "BLEU-3"),
    ("bleu_4", "BLEU-4"),
];
const CONVENTIONS: [&str; 5] = [
    "caption-words",
    "bleu-corpus",
    "rouge-l-best",
    "cider-documents",
    "cider-length",
];
const CLIP_CONVENTIONS: [&str; 2] = ["clip-score-reference", "clip-score-rows"];

/// Captions that people wrote, and captions decoded from brains.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CaptionRequest {
    /// Captions of the images, one or more each.
    pub reference: PathBuf,
    /// Decoded captions, one for each image; a file for each system.
    pub decoded: Vec<PathBuf>,
    /// CLIP's embeddings of the images, for CLIP-S.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_embeddings: Option<PathBuf>,
    /// CLIP's embeddings of the decoded captions; a file for each system, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caption_embeddings: Vec<PathBuf>,
    /// CLIP's embeddings of the reference captions, for RefCLIP-S.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_embeddings: Option<PathBuf>,
    /// Intervals.
    pub bootstrap: BootstrapOptions,
}

/// BLEU, ROUGE-L and CIDEr of decoded captions, for each system; CLIP-S and RefCLIP-S where embeddings are given.
///
/// # Errors
/// Files without captions, images that only one of the files has, several decoded captions of an
/// image, two systems of the same name; embeddings of other images, of another width, or without those of the images.
pub fn caption(request: &CaptionRequest) -> Result<BenchmarkRun, Error> {
    let names = system_names(&request.decoded)?;
    let reference = captions::read(&request.reference)?;
    let stems = stems_of(&reference);
    let words: Vec<Vec<Vec<String>>> = reference
        .par_iter()
        .map(|(_, texts)| texts.0.iter().map(|text| ptb_caption_words(text)).collect())
        .collect();
    let cider = Cider::new(&words);
    let n_references: Vec<usize> = words.iter().map(Vec::len).collect();
    let clip = ClipEmbeddings::read(request, &stems, &n_references)?;
    let mut record = BenchmarkRecord::new(
        "caption",
        request,
        (request.bootstrap.level, Some(request.bootstrap.seed.0)),
        &CONVENTIONS,
    );
    record.n_images = stems.len();
    let role = "reference".to_owned();
    let mut inputs = vec![InputRecord::of_file(role, &request.reference)?];
    let mut scores = ScoreTable::new(stems.clone());
    for (place, (name, path)) in names.iter().zip(&request.decoded).enumerate() {
        let decoded = decoded_captions(request, path, &stems)?;
        let of_clip = clip.as_ref().map(|clip| clip.scores(place)).transpose();
        let of_clip = of_clip.map_err(|source| Error::AllPairs {
            figure: "CLIP-S",
            source,
        })?;
        let system = System::of(&decoded, &words, &cider, of_clip);
        record.rows.push(BenchmarkRow {
            name: name.clone(),
            n: stems.len(),
            measures: system.measures(&request.bootstrap)?,
        });
        let role = format!("decoded/{name}");
        inputs.push(InputRecord::of_file(role, path)?);
        for (metric, outcomes) in system.columns() {
            scores.columns.push((format!("{name}/{metric}"), outcomes));
        }
    }
    if let Some(clip) = &clip {
        inputs.extend(clip.records(&names)?);
        record.conventions.extend(CLIP_CONVENTIONS);
    }
    record.provenance.inputs = inputs;
    Ok(BenchmarkRun { record, scores })
}

fn stems_of(captions: &[(String, Captions)]) -> Vec<String> {
    captions.iter().map(|(stem, _)| stem.clone()).collect()
}

/// The names of the files, without folder and ending.
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

/// Words of the decoded captions, in the order of the references.
fn decoded_captions(
    request: &CaptionRequest,
    path: &Path,
    stems: &[String],
) -> Result<Vec<Vec<String>>, Error> {
    let decoded = captions::read(path)?;
    let pairs = pair_by_stem(stems, &stems_of(&decoded)).map_err(|source| Error::Pairing {
        what: "captions",
        gt: request.reference.clone(),
        recon: path.to_owned(),
        source: source.into(),
        remedy: String::new(),
    })?;
    if let Some((stem, texts)) = decoded.iter().find(|(_, texts)| texts.0.len() != 1) {
        return Err(Error::CaptionCount {
            path: path.to_owned(),
            stem: stem.clone(),
            found: texts.0.len(),
            expected: "a decoded caption is one; choose one, or give each choice a file of its own",
        });
    }
    let text = |index: usize| decoded[index].1.0.first().map_or("", String::as_str);
    Ok(pairs
        .par_iter()
        .map(|pair| ptb_caption_words(text(pair.recon)))
        .collect())
}

/// What came of one system, image by image.
struct System {
    bleu: Vec<Result<BleuCounts, Undefined>>,
    /// Id, label and values of every other metric.
    others: Vec<(&'static str, &'static str, Vec<Outcome>)>,
}

impl System {
    fn of(
        decoded: &[Vec<String>],
        references: &[Vec<Vec<String>>],
        cider: &Cider,
        clip: Option<ClipScores>,
    ) -> Self {
        let images = || decoded.par_iter().zip(references);
        let rouge_l = images().map(|(words, of)| rouge_l(words, of)).collect();
        let cider_of = decoded.par_iter().enumerate();
        let cider = cider_of
            .map(|(image, words)| cider.score(image, words))
            .collect();
        let mut others = vec![("rouge_l", "ROUGE-L", rouge_l), ("cider", "CIDEr", cider)];
        if let Some(clip) = clip {
            others.push(("clip_s", "CLIP-S", clip.clip_s));
            let column = clip.ref_clip_s;
            others.extend(column.map(|column| ("ref_clip_s", "RefCLIP-S", column)));
        }
        System {
            bleu: images().map(|(words, of)| bleu_counts(words, of)).collect(),
            others,
        }
    }

    fn measures(&self, options: &BootstrapOptions) -> Result<Vec<Measure>, Error> {
        let mut measures = Vec::new();
        for (n, (id, label)) in BLEU.into_iter().enumerate() {
            let corpus = |drawn: &[u32]| {
                let mut total = BleuCounts::default();
                for &image in drawn {
                    total += *self.bleu[image as usize].as_ref().ok()?;
                }
                Some(total.scores()[n])
            };
            let found = estimate_statistic(self.bleu.len(), corpus, options)?;
            measures.push(Measure::new(id, label, &found));
        }
        for &(id, label, ref column) in &self.others {
            let spec = STANDALONE_METRICS.iter().find(|spec| spec.id == id);
            let range = spec.map_or((0.0, f64::INFINITY), |spec| spec.range);
            let estimate = estimate_within(&[column], range, options)?;
            let mut measure = Measure::new(id, label, &estimate);
            // Where every image lacks a value for the same reason, that is the reason.
            if let ("cider", None, Some(Err(reason))) = (id, measure.value, column.first()) {
                measure.undefined = Some(reason.to_string());
            }
            measures.push(measure);
        }
        Ok(measures)
    }

    fn columns(self) -> impl Iterator<Item = (&'static str, Vec<Outcome>)> {
        let bleu = BLEU.into_iter().enumerate().map(move |(n, (id, _))| {
            let counts = self.bleu.iter();
            let scores = counts.map(|counts| counts.clone().map(|counts| counts.scores()[n]));
            (id, scores.collect())
        });
        let others = self.others.into_iter();
        bleu.chain(others.map(|(id, _, column)| (id, column)))
    }
}
