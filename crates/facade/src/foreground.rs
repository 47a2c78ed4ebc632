//! The region of the images that metrics of pixels compare (convention `foreground`).

use crate::Error;
use crate::pairing::pair_names;
use crate::request::ScoreRequest;
use crate::selected::Selection;
use crate::word_or_file::WordOrFile;
use neurogauge_core::image::{Background, ImageReading};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Form, Pairing, PairsOf, listed};
use neurogauge_core::{Finding, Pair, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::decoding::foreground::{Region, within};
use neurogauge_metrics::{Compute, PixelOptions, find};
use std::path::Path;

/// Masks, and the position of each stimulus' mask among them.
type Masks = (ImageSource, Vec<usize>);

/// The regions of a run's stimuli, and what both images are given around them.
pub(crate) struct Regions {
    pub(crate) background: Background,
    /// `None` for the alpha of the stimuli.
    pub(crate) masks: Option<Masks>,
}

impl Regions {
    /// Opens the regions of stimuli, if the request asks for any.
    pub(crate) fn open(request: &ScoreRequest, gt: Option<&ImageSource>) -> Result<Option<Self>, Error> {
        let (Some(choice), Some(gt)) = (&request.region, gt) else {
            return Ok(None);
        };
        let background = request.reading.alpha.unwrap_or(Background::White);
        if background == Background::AsStored {
            return Err(Error::Usage(format!(
                "{}: expected white or black with {}, since both images get this colour around the region",
                option("alpha", background.word()),
                option("region", "")
            )));
        }
        let masks = match choice {
            WordOrFile::File(path) => Some(masks(path, gt)?),
            WordOrFile::Word(_) if gt.is_transparent() => None,
            WordOrFile::Word(_) => {
                return Err(Error::Data(format!(
                    "{}: no stimulus has a transparent pixel; expected alpha, or {} with a mask for each stimulus",
                    gt.path().display(),
                    option("region", "FOLDER")
                )));
            }
        };
        Ok(Some(Regions { background, masks }))
    }

    /// Differs whenever the region of a pair could, or what is around it.
    pub(crate) fn identity(&self, pair: &Pair) -> Result<String, Error> {
        let mask = self.masks.as_ref().map(|(masks, places)| masks.content_hash(places[pair.gt])).transpose()?;
        Ok(format!("region {} on {}", mask.as_deref().unwrap_or("alpha"), self.background.word()))
    }

    /// The region of a pair, resized like its images.
    pub(crate) fn of(&self, pair: &Pair, gt: &ImageSource, options: &PixelOptions) -> Result<Region, Error> {
        let mask = match &self.masks {
            None => gt.opacity(pair.gt)?,
            Some((masks, places)) => {
                let mut mask = masks.load(places[pair.gt])?;
                // Masks of 0 and 1 are common, too.
                let largest = mask.data().iter().copied().fold(0.0, f32::max);
                if largest > 0.0 {
                    mask.data_mut().iter_mut().for_each(|value| *value /= largest);
                }
                mask
            }
        };
        let resized = options.apply(mask).map_err(|source| Error::Resize {
            pair: pair.stem.clone(),
            source,
        })?;
        Ok(Region::of(&resized))
    }

    /// What is said below the numbers of these metrics.
    pub(crate) fn finding(&self, ids: &[&str]) -> Finding {
        let region = match &self.masks {
            None => "the opaque part of each stimulus (alpha of one half or more)".to_owned(),
            Some((masks, _)) => format!("the region of {}", masks.path().display()),
        };
        let message = format!("within {region}; around it both images are {}", self.background.word());
        let labels: Vec<&str> = ids.iter().filter_map(|id| Some(find(id)?.spec.label)).collect();
        Finding::note("foreground", labels.join(", "), message)
    }
}

/// Opens masks, which have the stimuli's names.
fn masks(path: &Path, gt: &ImageSource) -> Result<Masks, Error> {
    let masks = ImageSource::open(path)?;
    // Where a mask is transparent is outside.
    let reading = ImageReading {
        alpha: Some(Background::Black),
        ..ImageReading::default()
    };
    masks.settle(reading, "masks")?;
    let pairing = Pairing {
        pairs: PairsOf::Shared,
        ..Pairing::default()
    };
    let names = ((gt.stems(), gt.path()), (masks.stems(), masks.path()));
    let (paired, _) =
        pair_names(&pairing, ("masks", Form::usual("masks by name")), names.0, names.1, &Sides::default())?;
    let lacking = &paired.without_partner.gt;
    if !lacking.is_empty() {
        return Err(Error::Data(format!(
            "{}: no mask of {} of {} stimuli ({}); expected one for each, with its name",
            path.display(),
            lacking.len(),
            gt.len(),
            listed(lacking.iter().map(String::as_str))
        )));
    }
    let mut places = vec![0; gt.len()];
    paired.pairs.iter().for_each(|pair| places[pair.gt] = pair.recon);
    Ok((masks, places))
}

/// Fails if a metric of pixels is wanted that has no form within a region.
pub(crate) fn refuse_without_region(selection: &Selection, request: &ScoreRequest) -> Result<(), Error> {
    let lacks = |id: &str, compute: &Compute| matches!(compute, Compute::Pixels(_)) && within(id).is_none();
    let mut metrics = selection.metrics.iter().map(|selected| selected.metric);
    match metrics.find(|metric| request.region.is_some() && lacks(metric.spec.id, &metric.compute)) {
        None => Ok(()),
        Some(metric) => Err(Error::Usage(format!(
            "{} has no form within a region, only PixCorr, SSIM, PSNR and LPIPS; leave it out, or {}",
            metric.spec.id,
            option("region", "")
        ))),
    }
}
