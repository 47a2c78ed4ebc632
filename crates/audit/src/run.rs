//! Answers all questions of an audit.

use crate::clusters::{self, Clusters};
use crate::copies::Copies;
use crate::feature_set::FeatureSet;
use crate::items::{AgainstTraining, Items};
use crate::record::SCHEMA;
use crate::section::{Line, Section, percent};
use crate::{AuditRecord, AuditRequest, ClustersFrom, collapse, controls, decoding, folds, overlap, samples};
use neurogauge::core::pair::Form;
use neurogauge::core::{Features, Finding, Outcome, Progress, Undefined};
use neurogauge::formats::input_record::InputRecord;
use neurogauge::formats::recipe;
use neurogauge::stats::{BootstrapOptions, RowSource, estimate_within};
use neurogauge::{Error, FeatureChoice, FeatureOpener, Provenance, RunSettings};

/// A finished audit.
#[derive(Debug)]
pub struct Audit {
    /// The content of `audit.json`.
    pub record: AuditRecord,
    /// The content of `items.csv`: one line for each test stimulus.
    pub(crate) items: Vec<ItemLine>,
    /// The content of `folds.csv`.
    pub(crate) folds: Option<String>,
    /// The reconstructions that are most like a training stimulus, if there are images.
    pub(crate) copies: Option<Copies>,
}

/// The results for a test stimulus.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemLine {
    pub(crate) stem: String,
    pub(crate) cluster: String,
    /// The nearest training stimulus and its similarity.
    pub(crate) nearest: Option<(String, f64)>,
    pub(crate) decoded: Option<DecodedLine>,
}

/// The results for the features that were decoded while a stimulus was seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DecodedLine {
    pub(crate) own_similarity: f64,
    pub(crate) nearest: Option<(String, f64)>,
    /// Rank of the own stimulus among itself and all training stimuli; ties count as losses.
    pub(crate) rank: usize,
}

/// Asks whether a decoder reconstructs or classifies. Features made from images are written below `settings.out`, and
/// stored where all commands find them.
///
/// # Errors
/// Files cannot be read or do not pair up; features come from different models; options make no sense; with images,
/// errors of their model.
pub fn audit(request: &AuditRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<Audit, Error> {
    if request.folds < 2 {
        return Err(Error::Usage(format!("--folds {}: expected 2 or more", request.folds)));
    }
    let choice = FeatureChoice {
        model: request.features.as_ref(),
        reading: request.reading,
        preset: request.preset,
        antialias: request.antialias,
        models: &request.models,
    };
    let mut opener = FeatureOpener::new(choice, settings, progress);
    let mut items = Items::open(request, &mut opener, progress)?;
    for path in request.captions.iter().flatten() {
        items.findings.extend(recipe::warning::<Features>(path)?);
    }
    items.findings.extend(opener.check()?);
    let clusters = Clusters::find(request, &items)?;
    let options = &request.bootstrap;
    let (mean, sd) = match items.has_training && items.decoded.is_some() {
        true => items.train.moments()?,
        false => Default::default(),
    };
    let mut sections = Vec::new();
    if items.has_training {
        sections.push(overlap::section(&items, options)?);
        sections.extend(decoding::section(&items, (&mean, &sd), options)?);
        sections.extend(among_training(&items, options)?);
    }
    sections.push(clusters::section(request, &items, &clusters)?);
    let mut findings = Vec::new();
    sections.extend(folds::section(request, &items, &clusters, &mut findings)?);
    sections.push(collapse::section(&items, options)?);
    sections.extend(samples::section(request, &mut findings)?);
    items.findings.extend(findings);
    if items.has_training {
        sections.extend(controls::section(request, &items, &mean, progress)?);
    }

    let mut provenance = Provenance::new(SCHEMA, "audit", Some(options.seed.0));
    let of_training = Some(&items.train).filter(|_| items.has_training);
    let sets = [of_training, Some(&items.test), items.decoded.as_ref(), items.caption_pictures.as_ref()];
    provenance.inputs.extend(sets.into_iter().flatten().flat_map(|set| set.inputs.iter().cloned()));
    let mut files = Vec::new();
    let read_as = |set: &FeatureSet| {
        let role = set.inputs.first().map_or("features", |input| input.role.as_str());
        let (n_rows, n_features) = (set.n_rows(), set.n_features());
        let words = format!("{n_rows} rows of {n_features} features, {}", Form::of_rows(set.has_ids).words);
        Finding::read_as(role, words)
    };
    let read: Vec<Finding> = sets.into_iter().flatten().map(read_as).collect();
    items.findings.extend(read);
    if let ClustersFrom::File(path) = &request.clusters {
        files.push(("clusters", path));
    }
    if let Some([random_folds, held_out]) = &request.fold_scores {
        files.extend([("scores of random folds", random_folds), ("scores of held-out clusters", held_out)]);
    }
    if let Some([train, decoded]) = &request.captions {
        files.extend([("train_captions", train), ("decoded_captions", decoded)]);
    }
    files.extend(request.samples.sample_scores.iter().map(|path| ("scores of samples", path)));
    files.extend(request.samples.chosen.iter().map(|path| ("chosen samples", path)));
    for (role, path) in files.into_iter().filter(|(_, path)| path.is_file()) {
        provenance.inputs.push(InputRecord::of_file(role.to_owned(), path)?);
        items.findings.push(Finding::read_as(role, format!("{}, an entry for each item", path.display())));
    }
    Ok(Audit {
        folds: items.has_training.then(|| folds::table(request, &items, &clusters)),
        items: lines(&items, &clusters),
        copies: Copies::of(&mut items),
        record: AuditRecord {
            provenance,
            request: request.clone(),
            models: opener.models,
            n_train: if items.has_training { items.train.n_rows() } else { 0 },
            n_test: items.stems.len(),
            n_features: items.train.n_features(),
            findings: items.findings,
            sections,
        },
    })
}

fn lines(items: &Items, clusters: &Clusters) -> Vec<ItemLine> {
    let named = |nearest: Option<(usize, f64)>| nearest.map(|(row, value)| (items.train.ids[row].clone(), value));
    let own = items.own_similarities();
    let line = |(item, stem): (usize, &String)| ItemLine {
        stem: stem.clone(),
        cluster: clusters.names[clusters.test[item]].clone(),
        nearest: named(items.of_test[item].nearest),
        decoded: own.as_ref().filter(|own| !own[item].is_nan()).map(|own| {
            let found = items.of_decoded[item];
            DecodedLine {
                own_similarity: own[item],
                nearest: named(found.nearest),
                rank: found.n_nearer + found.n_tied + 1,
            }
        }),
    };
    items.stems.iter().enumerate().map(line).collect()
}

/// Is the stimulus found among all training stimuli?
fn among_training(items: &Items, options: &BootstrapOptions) -> Result<Option<Section>, Error> {
    let Some(own) = items.own_similarities() else {
        return Ok(None);
    };
    let n_train = items.train.n_rows();
    // The value at the rank of the own stimulus among the training stimuli.
    let share = |value: &dyn Fn(usize) -> f64| {
        let outcome = |(found, own): (&AgainstTraining, &f64)| match own.is_nan() {
            true => Err(Undefined::NoPairs),
            false => Ok(value(found.n_nearer + found.n_tied)),
        };
        let outcomes: Vec<Outcome> = items.of_decoded.iter().zip(&own).map(outcome).collect();
        estimate_within(&[&outcomes], (0.0, 1.0), options)
    };
    let mut lines = Vec::new();
    for k in [1, 10].into_iter().filter(|k| *k <= n_train) {
        let what = format!("top-{k} among the stimulus and {n_train} training stimuli");
        let found = share(&|place| f64::from(u8::from(place < k)))?;
        lines.push(Line::new(what, found).beside("chance", k as f64 / (n_train + 1) as f64));
    }
    let beaten = share(&|place| 1.0 - place as f64 / n_train as f64)?;
    lines.push(Line::new("two-way identification against training stimuli", beaten).beside("chance", 0.5));
    let answer = match (lines[0].value(), lines.last().and_then(Line::value)) {
        (Some(first), Some(two_way)) => format!(
            "Of {} test stimuli {} are the most similar of all {n_train} training stimuli and themselves; a training stimulus drawn at \
             random is beaten in {} of comparisons. Unlike identification among test stimuli, these numbers fall if the decoder \
             reproduces training pictures. They fall with the number of training stimuli, too, so that they compare decoders of one \
             training set, and do not say how a decoder would do with another one.",
            items.stems.len(),
            percent(first),
            percent(two_way)
        ),
        _ => "No item has features to compare.".to_owned(),
    };
    Ok(Some(Section {
        id: "among_training",
        question: "Is the stimulus identified among the training stimuli?",
        lines,
        answer,
        population: "new test stimuli; the training stimuli stay the same",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515 (zero-shot identification); ties lose",
    }))
}
