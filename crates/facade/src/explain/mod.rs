//! `neurogauge check --explain`: which common mistake would explain these files, or a number that somebody published.
//!
//! The files show a mistake if undoing it makes reconstructions much more like their stimuli, pair by pair. A number fits
//! a mistake if the metric has it, within its standard error, once the mistake is undone or made. The first is evidence;
//! the second is not, since several mistakes can lead to one number.

mod scene;
mod scored;
mod suspects;

use crate::{Error, Progress, ScoreRequest};
use itertools::Itertools;
use neurogauge_core::pair::{PairedStems, Pairing, PairsOf, listed};
use neurogauge_core::{Input, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::{Compute, find};
use scene::{FEWEST, Scene, strength};
use scored::scored;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;
use suspects::{Change, Suspect, suspects};

/// A metric, and the value that was published of these images.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedMetric {
    pub id: &'static str,
    pub published: Option<f64>,
}

impl FromStr for ExplainedMetric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (id, value) = text.split_once('=').map_or((text, None), |(id, value)| (id, Some(value.trim())));
        let id = find(id.trim()).ok_or("expected the id of a metric (`neurogauge list metrics`)")?.spec.id;
        let number = |value: &str| value.parse().ok().filter(|value: &f64| value.is_finite());
        let expected = || format!("expected a published value as a number, such as {id}=0.412");
        let published = value.map(|value| number(value).ok_or_else(expected)).transpose()?;
        Ok(ExplainedMetric { id, published })
    }
}

/// What `--explain` found out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub metrics: Vec<ExplainedMetric>,
    /// Mistakes that names or colour profiles of the files show, and what mends each. If sides are exchanged, everything else is
    /// of the other order.
    pub facts: Vec<(String, String)>,
    /// Number of pairs that were looked at for the evidence of files.
    pub n_pairs: usize,
    /// Number of pairs of which metrics were computed.
    pub n_scored: usize,
    /// The files as they are first, then what was supposed; of those with equal values, the first and what files show.
    pub suppositions: Vec<Supposition>,
}

/// One mistake, or two together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Supposition {
    /// Empty for the files as they are.
    pub mistakes: Vec<String>,
    /// What mends each.
    pub remedies: Vec<String>,
    /// By which factor squared differences shrink if it is undone, and how many standard errors that is from none, if
    /// the files show it.
    pub shown: Option<(f64, f64)>,
    /// Mean and standard error of each metric.
    pub values: Vec<Option<(f64, f64)>>,
}

impl Supposition {
    /// How many standard errors a published value is from the mean.
    pub fn off_by(&self, metric: usize, published: f64) -> Option<f64> {
        let (mean, error) = self.values[metric]?;
        (error > 0.0).then(|| (published - mean) / error)
    }

    /// Does each published value lie within two standard errors? False if none was given.
    pub fn fits(&self, metrics: &[ExplainedMetric]) -> bool {
        let of = |(place, metric): (usize, &ExplainedMetric)| {
            Some(self.off_by(place, metric.published?).is_some_and(|off| off.abs() <= FITS))
        };
        let mut found = metrics.iter().enumerate().filter_map(of).peekable();
        found.peek().is_some() && found.all(|fits| fits)
    }
}

/// Published values within so many standard errors fit.
const FITS: f64 = 2.0;

/// The files show a mistake from so many standard errors on, if squared differences shrink by this factor, at least.
const CLEAR: f64 = 5.0;
const FACTOR: f64 = 1.5;

/// Looks for mistakes that explain these images, or the published values of metrics.
///
/// # Errors
/// Images cannot be read; too few pairs; inputs that are no images.
pub fn explain(
    request: &ScoreRequest,
    metrics: &[ExplainedMetric],
    progress: &dyn Progress,
) -> Result<Explanation, Error> {
    let (Some(gt), Some(recon)) = (request.inputs.get(Input::GT), request.inputs.get(Input::RECON)) else {
        return Err(Error::Usage("mistakes are looked for in images: give both sides".to_owned()));
    };
    let is_exchanged = is_called(gt, &RECON_NAMES) && is_called(recon, &GT_NAMES);
    let (first, second) = if is_exchanged { (recon, gt) } else { (gt, recon) };
    let images = &Sides::new(ImageSource::open(first)?, ImageSource::open(second)?);
    let pairs = &paired(images, &request.pairing).pairs;
    if pairs.len() < FEWEST {
        return Err(Error::Data(format!("{} pairs: mistakes are looked for in {FEWEST} or more", pairs.len())));
    }
    let scene = Scene::open(images, pairs, progress)?;
    let suspects = suspects(images, scene.pairs, request)?;
    let exchanged = is_exchanged.then(|| {
        let [first, second] = [gt, recon].map(|path| path.display());
        let mistake =
            format!("the sides are exchanged ({first} is called as reconstructions are, {second} as stimuli)");
        (mistake, "give the stimuli first".to_owned())
    });
    let profiled = suspects.iter().filter(|suspect| matches!(suspect.change, Change::Profile(..)));
    let profiled = profiled.map(|suspect| (suspect.mistake.clone(), suspect.remedy.clone()));
    let evidence = evidence(&scene, &suspects)?;
    let mut supposed: Vec<Vec<&Suspect>> = vec![Vec::new()];
    supposed.extend(suspects.iter().map(|suspect| vec![suspect]));
    if let Some((mistakes, _)) = &evidence {
        supposed.extend((mistakes.len() > 1).then(|| mistakes.clone()));
        let compared = suspects.iter().filter(|suspect| matches!(suspect.change, Change::Compared(_)));
        supposed.extend(compared.map(|suspect| [&mistakes[..], &[suspect]].concat()));
    }
    let column = |own: &ExplainedMetric| match find(own.id).map(|metric| &metric.compute) {
        Some(Compute::Pixels(function)) => scene.values(&supposed, *function, request),
        _ => scored(&scene, &supposed, own.id, request, progress),
    };
    let columns = metrics.iter().map(column).collect::<Result<Vec<_>, Error>>()?;
    let shown = |suspects: &[&Suspect]| {
        let (mistakes, (factor, errors)) = evidence.as_ref()?;
        let is_same = suspects.iter().map(|own| &own.mistake).eq(mistakes.iter().map(|own| &own.mistake));
        is_same.then_some((factor.exp(), *errors))
    };
    let suppositions = supposed.iter().enumerate().map(|(row, suspects)| Supposition {
        mistakes: suspects.iter().map(|suspect| suspect.mistake.clone()).collect(),
        remedies: suspects.iter().map(|suspect| suspect.remedy.clone()).collect(),
        shown: shown(suspects),
        values: columns.iter().map(|column| column[row]).collect(),
    });
    let mut seen = HashSet::new();
    let is_new = |own: &Supposition| seen.insert(format!("{:?}", own.values)) | own.shown.is_some();
    Ok(Explanation {
        facts: exchanged.into_iter().chain(profiled).collect(),
        n_pairs: scene.pairs.len(),
        n_scored: scene.n_scored(),
        suppositions: suppositions.filter(is_new).collect(),
        metrics: metrics.to_vec(),
    })
}

/// The pairs of images. If stems are missing, those of the stems that both sides have.
pub(crate) fn paired(images: &Sides<ImageSource>, pairing: &Pairing) -> PairedStems {
    let shared = Pairing {
        pairs: PairsOf::Shared,
        ..pairing.clone()
    };
    let paired = images.gt.paired_with(&images.recon, pairing);
    paired.or_else(|_| images.gt.paired_with(&images.recon, &shared)).unwrap_or_else(|_| {
        let stems = Sides::new(images.gt.stems().to_vec(), images.recon.stems().to_vec());
        PairedStems::of(Vec::new(), stems)
    })
}

/// What files and folders of stimuli, and of reconstructions, are called, to begin with.
const GT_NAMES: [&str; 7] = ["gt", "ground", "stim", "seen", "original", "reference", "target"];
const RECON_NAMES: [&str; 6] = ["recon", "decod", "generat", "predict", "output", "sample"];

/// Does the last part of a path have a word that begins like this?
fn is_called(path: &Path, names: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| names.iter().any(|name| word.starts_with(name)))
}

/// The mistakes that files show, and how clearly ([`strength`]).
type Evidence<'a> = (Vec<&'a Suspect>, (f64, f64));

/// The one mistake, or the two of different kinds, without which reconstructions are most like their stimuli. Two are
/// only supposed if either is clear once the other is undone.
fn evidence<'a>(scene: &Scene<'_>, suspects: &'a [Suspect]) -> Result<Option<Evidence<'a>>, Error> {
    let suspects: Vec<&Suspect> = suspects.iter().filter(|suspect| scene.may_show(suspect)).collect();
    let as_is = scene.misfits(&scene.small, &[]);
    let seen = suspects.iter().map(|suspect| scene.seen(&scene.small, suspect));
    let seen = seen.collect::<Result<Vec<_>, Error>>()?;
    let alone: Vec<Vec<f64>> =
        suspects.iter().zip(&seen).map(|(suspect, seen)| scene.misfits(seen, &[suspect])).collect();
    let is_clear = |before: &[f64], after: &[f64]| {
        let (mean, errors) = strength(before, after);
        mean >= FACTOR.ln() && errors >= CLEAR
    };
    let mut best: Option<Evidence<'a>> = None;
    let mut consider = |mistakes: Vec<&'a Suspect>, misfits: &[f64]| {
        let strength = strength(&as_is, misfits);
        if best.as_ref().is_none_or(|(_, best)| strength.0 > best.0) {
            best = Some((mistakes, strength));
        }
    };
    for (place, one) in suspects.iter().enumerate() {
        if is_clear(&as_is, &alone[place]) {
            consider(vec![one], &alone[place]);
        }
        for (further, other) in suspects.iter().enumerate().skip(place + 1) {
            if one.change.is_like(&other.change) {
                continue;
            }
            // Another reading comes before other changes.
            let seen = match other.change.is_of_reading() {
                true => scene.seen(&seen[further], one)?,
                false => scene.seen(&seen[place], other)?,
            };
            let both = scene.misfits(&seen, &[one, other]);
            let is_needed = is_clear(&alone[further], &both) && is_clear(&alone[place], &both);
            if is_needed && is_clear(&as_is, &both) {
                consider(vec![one, other], &both);
            }
        }
    }
    Ok(best)
}

impl Explanation {
    /// What was found out, in words.
    pub fn in_words(&self) -> Vec<String> {
        let shown = self.suppositions.iter().filter(|found| found.shown.is_some());
        let shown = shown.max_by_key(|found| found.mistakes.len()).into_iter();
        let shown = shown.flat_map(|found| found.mistakes.iter().zip(&found.remedies));
        let (mistakes, remedies): (Vec<&String>, Vec<&String>) =
            self.facts.iter().map(|(mistake, remedy)| (mistake, remedy)).chain(shown).unzip();
        let [mistakes, remedies] = [mistakes, remedies].map(|words| words.iter().join("; and "));
        let files = match mistakes.is_empty() {
            true => format!("the files of {} pairs show none of these mistakes", self.n_pairs),
            false => format!("the files show: {mistakes}; mend it: {remedies}"),
        };
        let fitting = self.suppositions.iter().filter(|found| found.fits(&self.metrics));
        let fitting = fitting.map(|found| match found.mistakes.is_empty() {
            true => "the files are as they should be".to_owned(),
            false => found.mistakes.join(" and "),
        });
        let fitting: Vec<String> = fitting.collect();
        let fitting = match fitting.is_empty() {
            true => "nothing that was tried".to_owned(),
            false => format!("if {}", listed(fitting.iter().map(String::as_str))),
        };
        let published = self.metrics.iter().filter(|metric| metric.published.is_some()).map(|own| own.id).join(", ");
        let fits = (!published.is_empty()).then(|| {
            format!(
                "within two standard errors over {} pairs, {published} of the publication fits {fitting}; nearness is no proof: several \
                 mistakes, other images and chance lead to one number",
                self.n_scored
            )
        });
        [files, "not tried: mistakes that both sides share".to_owned()].into_iter().chain(fits).collect()
    }
}
