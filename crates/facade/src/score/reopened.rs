//! Reopens the inputs of a finished run to show them.

use super::Run;
use crate::Error;
use crate::dataset::{paired_images, under_stems_of_pairs};
use crate::pairing::known_names;
use neurogauge_core::pair::{PairedStems, Pairing};
use neurogauge_core::{Captions, Finding, Input, ObservationKind, Role, Side, Sides};
use neurogauge_formats::FormatError;
use neurogauge_formats::captions;
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::masks::MaskSource;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The inputs of a finished run, under the stems of its pairs. Kinds that are gone or never existed are `None`.
#[derive(Debug, Default)]
pub struct Reopened {
    /// The images, even if no metric compared them.
    pub images: Option<Sides<ImageSource>>,
    pub captions: Option<Sides<HashMap<String, Captions>>>,
    pub detections: Option<Sides<DetectionSource>>,
    pub masks: Option<Sides<MaskSource>>,
    /// Warnings about inputs that could not be opened, and about images that have changed since.
    pub findings: Vec<Finding>,
}

/// The images of items with several: frames of clips, views and samples.
#[derive(Debug)]
pub struct PartImages {
    /// All images of both sides.
    pub sides: Sides<ImageSource>,
    /// The compared pairs of parts, as positions among these images.
    pub paired: PairedStems,
}

impl Run {
    /// Opens the images of the items' parts; `None` for a run whose items have one image each, and if they cannot be
    /// opened, which is a warning of [`Run::reopen`].
    pub fn parts(&self) -> Option<PartImages> {
        self.record.parts.as_ref()?;
        let place = |side: Side| self.place(side, ObservationKind::Images).ok_or(());
        let paths = Sides::of(place).ok()?;
        let sides = Sides::of(|side| ImageSource::open(paths.side(side))).ok()?;
        for side in Side::BOTH {
            let reading = self.record.request.reading;
            sides.side(side).settle(reading, side.folder()).ok()?;
        }
        let pairing = &self.record.request.pairing;
        let paired = sides.gt.paired_with(&sides.recon, pairing).ok()?;
        Some(PartImages { sides, paired })
    }

    /// Opens the run's inputs to show them. An input that cannot be opened is only a warning, since the numbers no
    /// longer depend on it.
    pub fn reopen(&self) -> Reopened {
        let mut found = Reopened::default();
        let (pairing, run) = (&self.record.request.pairing, &self.scores.pairs);
        found.images = self
            .opened(ObservationKind::Images, &mut found.findings, |paths| paired_images(paths, &self.record.request));
        found.captions = self.opened(ObservationKind::Captions, &mut found.findings, |paths| {
            let sides = Sides::of(|side| captions::read(paths.side(side)))?;
            Ok(by_stem(sides, pairing, run))
        });
        let labels = self.record.label_list();
        let scale = self.record.request.box_scale_px;
        found.detections = self.opened(ObservationKind::Detections, &mut found.findings, |paths| {
            let mut sides = DetectionSource::open_both(paths, &labels, scale)?;
            under_stems_of_pairs(&mut sides, pairing, run);
            Ok(sides)
        });
        found.masks = self.opened(ObservationKind::Masks, &mut found.findings, |paths| {
            let mut sides = Sides::of(|side| self.masks(side, paths.side(side)))?;
            under_stems_of_pairs(&mut sides, pairing, run);
            Ok(sides)
        });
        let changed = found.images.iter().flat_map(|sides| {
            let of_side = Side::BOTH.into_iter();
            of_side.filter_map(move |side| self.changed(side, sides.side(side)))
        });
        let changed: Vec<Finding> = changed.collect();
        found.findings.extend(changed);
        found
    }

    /// Opens a kind for both sides at the recorded path.
    fn opened<T>(
        &self,
        kind: ObservationKind,
        findings: &mut Vec<Finding>,
        open: impl Fn(&Sides<PathBuf>) -> Result<T, Error>,
    ) -> Option<T> {
        let of_side = |side: Side| self.place(side, kind).ok_or(());
        let paths = Sides::of(of_side).ok()?;
        match open(&paths) {
            Ok(opened) => Some(opened),
            Err(error) => {
                let subject = self.folder.name();
                let message = format!("{} are not shown: {error}", kind.noun());
                findings.push(Finding::warning("not_shown", subject, message));
                None
            }
        }
    }

    /// The masks of a side with their categories, if they have any.
    fn masks(&self, side: Side, path: &Path) -> Result<MaskSource, Error> {
        let masks = MaskSource::open(path)?;
        let kind = ObservationKind::Categories;
        if let Some(made) = self.made(side, kind) {
            let found = CategorisationSource::open_observed(&made)?;
            return Ok(masks.with_observed_categories(found));
        }
        match self.place(side, kind) {
            Some(given) => Ok(masks.with_categories(CategorisationSource::open(&given)?)?),
            None => Ok(masks),
        }
    }

    /// The observations of a kind that an observer of this run made. The folder may also hold those of an earlier run.
    pub(crate) fn made(&self, side: Side, kind: ObservationKind) -> Option<PathBuf> {
        self.record.outputs(Role::new(side, kind)).next()?;
        self.folder.observed(side, kind)
    }

    /// The path of the observations of a kind: those that the run compared or made, otherwise those that the user gave.
    fn place(&self, side: Side, kind: ObservationKind) -> Option<PathBuf> {
        let recorded = self.record.input(Role::new(side, kind));
        let given = self.record.request.inputs.get(Input::Of(side, kind));
        recorded
            .map(|input| PathBuf::from(&input.path))
            .or_else(|| self.made(side, kind))
            .or_else(|| given.map(Path::to_owned))
    }

    /// A warning if images differ from the scored ones.
    fn changed(&self, side: Side, images: &ImageSource) -> Option<Finding> {
        let hashes = self.record.input(Role::images(side))?.hashes();
        let is_other = |(place, stem): (usize, &String)| -> Result<bool, FormatError> {
            match hashes.get(stem.as_str()) {
                Some(&then) => Ok(images.content_hash(place)? != then),
                None => Ok(false),
            }
        };
        let n = images.stems().iter().enumerate().map(is_other).filter(|other| !matches!(other, Ok(false))).count();
        (n > 0).then(|| {
            let message = match n {
                1 => "1 image is not the one that was scored".to_owned(),
                n => format!("{n} images are not those that were scored"),
            };
            let message = format!("{message}: {}", images.path().display());
            Finding::warning("images_changed", self.folder.name(), message)
        })
    }
}

/// Captions of both sides by the stems of the run's pairs.
fn by_stem(
    sides: Sides<Vec<(String, Captions)>>,
    pairing: &Pairing,
    run: &[String],
) -> Sides<HashMap<String, Captions>> {
    let stems = |list: &[(String, Captions)]| -> Vec<String> { list.iter().map(|(stem, _)| stem.clone()).collect() };
    let (gt, mut recon) = (stems(&sides.gt), stems(&sides.recon));
    if let Ok(paired) = pairing.pair(&gt, &recon)
        && (!pairing.is_default() || paired.taken.joined.is_guess())
    {
        paired.pairs.into_iter().for_each(|pair| recon[pair.recon] = pair.stem);
    }
    let named = |stems: &[String], found: Vec<(String, Captions)>| {
        known_names(run, stems)
            .into_iter()
            .zip(found)
            .map(|(stem, (_, captions))| (stem, captions))
            .collect()
    };
    Sides::new(named(&gt, sides.gt), named(&recon, sides.recon))
}
