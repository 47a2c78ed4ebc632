//! The images of a run's pairs, and their observations.

use crate::dataset::paired_images;
use crate::observations::{Located, locate};
use crate::{Error, Run};
use neurogauge_core::{Captions, Detections, Image, LabelList, ObservationKind, Side, Sides};
use neurogauge_formats::captions;
use neurogauge_formats::detections::{BoxUnits, DetectionSource};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::item_source::ItemSource;
use std::collections::HashMap;
use std::path::PathBuf;

/// The images and observations of a run's pairs for figures, if their files still exist.
#[derive(Debug)]
pub struct PairViews {
    pub labels: LabelList,
    images: Option<Sides<ImageSource>>,
    detections: Option<Sides<DetectionSource>>,
    captions: Option<Sides<HashMap<String, String>>>,
}

impl PairViews {
    /// Opens the inputs of the run. Inputs whose files are gone are not shown.
    ///
    /// # Errors
    /// A file exists but cannot be read.
    pub fn open(run: &Run) -> Result<PairViews, Error> {
        let request = &run.record.request;
        let labels = run.record.label_list();
        let mut inputs = request.inputs.clone();
        let mut paths = inputs.paths_mut();
        if !paths.all(|path| ImageSource::exists(path)) {
            return Ok(PairViews {
                labels,
                images: None,
                detections: None,
                captions: None,
            });
        }
        let mut located = locate(&request.inputs, &labels)?;
        let open = |paths: &Sides<PathBuf>| paired_images(paths, request);
        let images = located.files(ObservationKind::Images).map(open);
        Ok(PairViews {
            images: images.transpose()?,
            detections: detections(run, &mut located, &labels)?,
            captions: captions_of(run, &located)?,
            labels,
        })
    }

    pub fn has_images(&self) -> bool {
        self.images.is_some()
    }

    /// The images of both sides, as they are stored.
    pub fn into_images(self) -> Option<Sides<ImageSource>> {
        self.images
    }

    /// The stimulus and the reconstruction.
    ///
    /// # Errors
    /// An image cannot be read.
    pub fn images(&self, stem: &str) -> Result<Vec<Option<Image<u8>>>, Error> {
        let of = |side: Side| match &self.images {
            Some(images) => Ok(images.side(side).shown(stem)?),
            None => Ok(None),
        };
        Side::BOTH.into_iter().map(of).collect()
    }

    /// The detections in an image.
    ///
    /// # Errors
    /// The detections cannot be read.
    pub fn detections(&self, side: Side, stem: &str) -> Result<Option<Detections>, Error> {
        let Some(source) = self.detections.as_ref().map(|sides| sides.side(side)) else {
            return Ok(None);
        };
        let place = source.stems().iter().position(|known| known == stem);
        Ok(place.map(|place| source.load(place)).transpose()?)
    }

    /// The first caption of an image.
    pub fn caption(&self, side: Side, stem: &str) -> Option<&str> {
        self.captions.as_ref()?.side(side).get(stem).map(|caption| caption.trim())
    }
}

impl Run {
    /// The files with the observations of a kind that the run compared: the run's own files, otherwise the user's.
    ///
    /// # Errors
    /// Inputs are gone or do not fit together.
    pub fn observed_files(&self, kind: ObservationKind) -> Result<Option<Sides<PathBuf>>, Error> {
        let located = locate(&self.record.request.inputs, &self.record.label_list())?;
        Ok(files_of(self, kind, &located))
    }
}

fn files_of(run: &Run, kind: ObservationKind, located: &Located) -> Option<Sides<PathBuf>> {
    Sides::of(|side| run.made(side, kind).ok_or(())).ok().or_else(|| located.files(kind).cloned())
}

fn detections(run: &Run, located: &mut Located, labels: &LabelList) -> Result<Option<Sides<DetectionSource>>, Error> {
    let files = files_of(run, ObservationKind::Detections, located);
    Ok(match (files, &mut located.official) {
        (Some(paths), _) => {
            let request = &run.record.request;
            let mut sides = DetectionSource::open_both(&paths, labels, request.box_scale_px)?;
            if request.box_units == Some(BoxUnits::Shares) {
                DetectionSource::set_shares_of_both(&mut sides, request.box_scale_px);
            }
            Some(sides)
        }
        (None, Some((_, layout))) => {
            let gt = layout.gt_detections.take();
            gt.zip(layout.recon_detections.take()).map(|(gt, recon)| Sides { gt, recon })
        }
        (None, None) => None,
    })
}

fn captions_of(run: &Run, located: &Located) -> Result<Option<Sides<HashMap<String, String>>>, Error> {
    let files = files_of(run, ObservationKind::Captions, located);
    let first = |(stem, texts): (String, Captions)| Some((stem, texts.0.into_iter().next()?));
    let read = |paths: Sides<PathBuf>| {
        Sides::of(|side| Ok(captions::read(paths.side(side))?.into_iter().filter_map(first).collect()))
    };
    files.map(read).transpose()
}
