//! `neurogauge check`: everything that `score` finds out about its inputs before any model runs.

use crate::explain::{ExplainedMetric, Explanation, explain, paired};
use crate::kinds::compute;
use crate::plan::{Resolved, resolve};
use crate::run_folder::RunFolder;
use crate::selected::{MetricSource, Selected};
use crate::{Error, Progress, RunSettings, ScoreRequest};
use neurogauge_core::inspection::appearance::{ImageFacts, shapes_differ, size_counts};
use neurogauge_core::pair::PairsOf;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Finding, Input, Severity, Side, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, IoResult, Problem};
use neurogauge_metrics::{Compute, PixelOptions, Proportions};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// A metric of pixels that is computed only for its findings about images.
const OF_PIXELS: &str = "pixcorr";

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputCheck {
    /// The stimuli, if images are given.
    pub gt: Option<SideCheck>,
    /// The reconstructions, if images are given.
    pub recon: Option<SideCheck>,
    pub n_pairs: usize,
    /// The number of items that the pairs are parts of; `None` if each pair is an item.
    pub n_items: Option<usize>,
    /// Problems first, then warnings, then notes.
    pub findings: Vec<Finding>,
    /// If mistakes are looked for.
    pub explanation: Option<Explanation>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideCheck {
    pub path: String,
    pub n_images: usize,
    /// Number of different images, byte for byte.
    pub n_distinct: usize,
    /// Number of images without a partner on the other side.
    pub n_without_partner: usize,
    /// The first and the last stem in natural order.
    pub stems: (String, String),
    /// Each width and height (px) with the number of images that have it, the most frequent first.
    pub sizes_px: Vec<((usize, usize), usize)>,
    /// The lowest and the highest stored value; `None` if no image could be read.
    pub range: Option<(f32, f32)>,
    /// The encodings of images, with counts.
    pub encodings: BTreeMap<String, usize>,
    /// Images whose red, green and blue are equal.
    pub n_grey: usize,
    /// Images that have a single colour.
    pub n_constant: usize,
    pub n_transparent: usize,
}

impl InputCheck {
    /// Number of findings that would make scoring end with an error.
    pub fn n_problems(&self) -> usize {
        self.findings.iter().filter(|f| f.severity == Severity::Problem).count()
    }
}

/// Checks the inputs of a run: summarises the images of both sides, and lists what [`score`](crate::score()) would find
/// in all inputs with the metrics that need no model, and what would stop it. For metrics to be explained, common
/// mistakes are looked for, too ([`explain`](crate::explain())). Nothing is kept.
///
/// # Errors
/// [`Error::Format`] for an input that cannot be opened; [`Error::Usage`] if nothing could be scored.
pub fn check(
    request: &ScoreRequest,
    explained: Option<&[ExplainedMetric]>,
    progress: &dyn Progress,
) -> Result<InputCheck, Error> {
    let images = request
        .inputs
        .get(Input::GT)
        .zip(request.inputs.get(Input::RECON))
        .map(|(gt, recon)| Ok::<_, Error>(Sides::new(ImageSource::open(gt)?, ImageSource::open(recon)?)));
    let images = images.transpose()?;
    let mut found = found(request, progress)?;
    if let Some(images) = images {
        let paired = paired(&images, &request.pairing);
        let side = |side: Side| {
            let n_without_partner = paired.without_partner.side(side).len();
            SideCheck::of(images.side(side), side, n_without_partner, progress)
        };
        (found.gt, found.recon) = (Some(side(Side::Gt)?), Some(side(Side::Recon)?));
        found.n_pairs = paired.pairs.len();
        found.n_items = (!paired.axes.is_empty()).then(|| paired.n_items());
    }
    found.findings.sort_by_key(|finding| finding.severity);
    found.explanation = explained.map(|metrics| explain(request, metrics, progress)).transpose()?;
    Ok(found)
}

/// The findings of a run. If stems are missing, they are about the stems that both sides have.
fn found(request: &ScoreRequest, progress: &dyn Progress) -> Result<InputCheck, Error> {
    let mut request = request.clone();
    let mut given = request.inputs.iter().map(|(input, _)| input).peekable();
    if given.peek().is_some() && given.all(|input| [Input::GT, Input::RECON].contains(&input)) {
        request.metrics = Some(vec![OF_PIXELS.to_owned()]);
    }
    // Pairs whose two images have different shapes are all listed below.
    request.options.pixels.proportions = Proportions::Squashed;
    match found_in(&request, progress) {
        Err(Error::Pairing { source, remedy, .. }) => {
            request.pairing.pairs = PairsOf::Shared;
            let mut found = found_in(&request, progress).unwrap_or_else(|_| InputCheck::of(Vec::new()));
            found.findings.retain(|finding| finding.code != "without_partner");
            let stems = Finding::new(Severity::Problem, "stems", "stems", source.to_string());
            found.findings.insert(0, stems.advise(remedy));
            Ok(found)
        }
        Err(error) => Ok(InputCheck::of(vec![problem(error)?])),
        found => found,
    }
}

fn found_in(request: &ScoreRequest, progress: &dyn Progress) -> Result<InputCheck, Error> {
    let progress = &Bars(progress);
    let settings = RunSettings {
        is_dry_run: true,
        ..RunSettings::default()
    };
    let mut resolved = resolve(request, &settings, None, progress)?;
    resolved.keep_without_models();
    let folder = tempfile::tempdir().when("making a folder in", std::env::temp_dir())?;
    let folder = RunFolder::create(folder.path())?;
    let computed = compute(&resolved.context(&folder, progress));
    let mut findings = match computed {
        Ok(computed) => {
            let unreadable = computed.unreadable.into_iter().map(|image| {
                let subject = format!("{} {:?}", image.role, image.stem);
                Finding::new(Severity::Problem, "unreadable", subject, image.reason)
            });
            computed.findings.into_iter().chain(unreadable).collect()
        }
        Err(error) => [resolved.inputs.dataset.findings.clone(), vec![problem(error)?]].concat(),
    };
    if let Some(images) = resolved.inputs.dataset.images() {
        let (gt, recon) = (images.sides.gt.forms(), images.sides.recon.forms());
        let forms = Sides::new(gt.as_slice(), recon.as_slice());
        findings.extend(shapes_differ(&images.pairs, forms, PixelOptions::FIELD_PX));
    }
    Ok(InputCheck {
        n_pairs: resolved.inputs.dataset.stems.len(),
        n_items: resolved.inputs.items.map(|items| items.stems.len()),
        ..InputCheck::of(findings)
    })
}

/// An error that the data cause, as a finding; other errors are returned.
fn problem(error: Error) -> Result<Finding, Error> {
    match error {
        Error::Usage(_)
        | Error::Format(FormatError {
            problem: Problem::NotFound(_),
            ..
        }) => Err(error),
        error => Ok(Finding::new(Severity::Problem, "refused", "inputs", error.to_string())),
    }
}

impl Resolved {
    /// Keeps the metrics that run no model and, of the metrics of pixels, only one, since all find the same.
    fn keep_without_models(&mut self) {
        let needs_none = |selected: &Selected| match (&selected.source, &selected.metric.compute) {
            (MetricSource::Recorded(_), _) => true,
            (MetricSource::Features(_, None), compute) => compute.texts_of_images().is_none(),
            (MetricSource::Compared, Compute::Pixels(_)) => selected.metric.spec.id == OF_PIXELS,
            (MetricSource::Compared, compute @ Compute::Items(..)) => !compute.embeds_texts(),
            _ => false,
        };
        self.selection.metrics.retain(needs_none);
    }
}

impl InputCheck {
    fn of(findings: Vec<Finding>) -> Self {
        InputCheck {
            gt: None,
            recon: None,
            n_pairs: 0,
            n_items: None,
            findings,
            explanation: None,
        }
    }
}

impl SideCheck {
    /// Decodes each image once. An image that cannot be read still counts.
    fn of(source: &ImageSource, side: Side, n_without_partner: usize, progress: &dyn Progress) -> Result<Self, Error> {
        let stage = format!("looking at {} images", side.folder());
        progress.start(&stage, source.len() as u64, 0);
        let look = |index: usize| {
            stop_if_asked();
            let hash = source.content_hash(index)?;
            let facts = source.facts(index).ok();
            progress.advance(1);
            Ok::<_, FormatError>((hash, facts))
        };
        let found = parallel::try_map(source.len(), look);
        progress.finish();
        let (hashes, facts): (Vec<String>, Vec<Option<ImageFacts>>) = found?.into_iter().unzip();
        let facts: Vec<ImageFacts> = facts.into_iter().flatten().collect();
        let stem = |stem: Option<&String>| stem.cloned().unwrap_or_default();
        let mut encodings = BTreeMap::new();
        for image in &facts {
            *encodings.entry(image.encoding.clone()).or_default() += 1;
        }
        let count = |of: fn(&ImageFacts) -> bool| facts.iter().filter(|image| of(image)).count();
        let finite = facts.iter().map(|image| (image.pixels.low, image.pixels.high)).filter(|(low, _)| low.is_finite());
        Ok(SideCheck {
            path: source.path().display().to_string(),
            n_images: source.len(),
            n_distinct: hashes.iter().collect::<HashSet<_>>().len(),
            n_without_partner,
            stems: (stem(source.stems().first()), stem(source.stems().last())),
            sizes_px: size_counts(facts.iter().map(|image| (image.pixels.width_px, image.pixels.height_px))),
            range: finite.reduce(|(lowest, highest), (low, high)| (lowest.min(low), highest.max(high))),
            encodings,
            n_grey: count(|image| image.pixels.is_grey),
            n_constant: count(|image| image.pixels.is_constant),
            n_transparent: count(|image| image.is_transparent),
        })
    }
}

/// Shows progress without messages, since the findings contain them.
struct Bars<'a>(&'a dyn Progress);

impl Progress for Bars<'_> {
    fn start(&self, stage: &str, total: u64, done: u64) {
        self.0.start(stage, total, done);
    }

    fn advance(&self, n: u64) {
        self.0.advance(n);
    }

    fn finish(&self) {
        self.0.finish();
    }

    fn note(&self, _message: &str) {}
}
