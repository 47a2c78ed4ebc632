//! The images, in small for the evidence of files and in full for the values of metrics.

use super::suspects::{Change, Suspect};
use crate::{Error, Progress, ScoreRequest};
use neurogauge_core::image::{Background, Filter, FloatScale, ImageReading, resize_float};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Image, Outcome, Pair, Side, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::{MetricError, PixelOptions};
use neurogauge_stats::{mean, standard_deviation};
use std::borrow::Cow;

pub(super) type PixelMetric = fn(&Image<f32>, &Image<f32>, &PixelOptions) -> Result<Outcome, MetricError>;
/// A mean and its standard error.
pub(super) type Estimate = Option<(f64, f64)>;
/// Both images of each pair.
type Small = [Sides<Image<f32>>];

/// With fewer pairs nothing is clear.
pub(super) const FEWEST: usize = 8;
/// The most pairs whose files are looked at, and of which metrics are computed.
const MOST: usize = 1000;
const MOST_SCORED: usize = 200;
/// The side of small images, px: what a decoder gets right is coarse.
const SMALL_PX: usize = 16;
/// Squared differences below this are none.
const LEAST: f64 = 1e-5;

pub(super) struct Scene<'a> {
    images: &'a Sides<ImageSource>,
    pub(super) pairs: &'a [Pair],
    pub(super) small: Vec<Sides<Image<f32>>>,
}

impl<'a> Scene<'a> {
    /// Reads all images once, as they are stored.
    pub(super) fn open(
        images: &'a Sides<ImageSource>,
        pairs: &'a [Pair],
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let as_stored = ImageReading {
            values: Some(FloatScale::AsTheyAre),
            alpha: Some(Background::AsStored),
        };
        for side in Side::BOTH {
            images.side(side).settle(as_stored, side.folder())?;
            images.side(side).keep_decoded();
        }
        let pairs = &pairs[..pairs.len().min(MOST)];
        let mut scene = Scene {
            images,
            pairs,
            small: Vec::new(),
        };
        progress.start("looking for mistakes", pairs.len() as u64, 0);
        scene.small = scene.smaller(None, &|| progress.advance(1))?;
        progress.finish();
        Ok(scene)
    }

    pub(super) fn n_scored(&self) -> usize {
        self.pairs.len().min(MOST_SCORED)
    }

    /// Do the reconstructions look as those with this mistake do?
    pub(super) fn may_show(&self, suspect: &Suspect) -> bool {
        let n_showing = self.small.iter().filter(|small| (suspect.shows)(&small.recon)).count();
        !matches!(suspect.change, Change::Compared(_) | Change::Profile(..)) && 10 * n_showing >= 9 * self.small.len()
    }

    fn load(&self, side: Side, place: usize, change: Option<&Change>) -> Result<Image<f32>, Error> {
        let (source, index) = (self.images.side(side), self.pairs[place].of(side));
        let mut image = source.load(index)?;
        match change {
            Some(Change::Alpha(background)) => {
                let opacity = source.opacity(index)?;
                let (pixels, _) = image.data_mut().as_chunks_mut::<3>();
                for (pixel, [alpha, ..]) in pixels.iter_mut().zip(opacity.data().as_chunks::<3>().0) {
                    *pixel = background.under_floats(*pixel, *alpha);
                }
            }
            Some(Change::Profile(of, profile)) if *of == side => image = profile.to_srgb(image),
            _ => {}
        }
        Ok(image)
    }

    fn smaller(
        &self,
        change: Option<&Change>,
        after_each: &(dyn Fn() + Sync),
    ) -> Result<Vec<Sides<Image<f32>>>, Error> {
        parallel::try_map(self.pairs.len(), |place| {
            let small = Sides::of(|side| {
                stop_if_asked();
                let image = self.load(side, place, change)?;
                resize_float(&image, SMALL_PX, SMALL_PX, Filter::Bilinear, true).map_err(|source| Error::Resize {
                    pair: self.pairs[place].stem.clone(),
                    source,
                })
            });
            after_each();
            small
        })
    }

    /// The small images after a change of them, or of their reading.
    pub(super) fn seen<'s>(&self, small: &'s Small, suspect: &Suspect) -> Result<Cow<'s, Small>, Error> {
        Ok(match &suspect.change {
            change if change.is_of_reading() => Cow::Owned(self.smaller(Some(change), &|| ())?),
            Change::Order(_) | Change::Compared(_) => Cow::Borrowed(small),
            _ => Cow::Owned(small.iter().map(|both| changed(&[suspect], both.clone())).collect()),
        })
    }

    /// The mean squared difference of each pair's small images; NaN for a pair that an order leaves out.
    pub(super) fn misfits(&self, seen: &Small, suspects: &[&Suspect]) -> Vec<f64> {
        let misfit = |place: usize| {
            let Some(other) = partner(suspects, place) else {
                return f64::NAN;
            };
            let (gt, recon) = (seen[place].gt.data(), seen[other].recon.data());
            gt.iter().zip(recon).map(|(gt, recon)| f64::from(gt - recon).powi(2)).sum::<f64>() / gt.len() as f64
        };
        (0..self.pairs.len()).map(misfit).collect()
    }

    /// Both images of one of evenly spaced pairs without these mistakes; `None` for a pair that an order leaves out.
    pub(super) fn pair(&self, suspects: &[&Suspect], k: usize) -> Result<Option<Sides<Image<f32>>>, Error> {
        stop_if_asked();
        let place = k * self.pairs.len() / self.n_scored();
        let Some(other) = partner(suspects, place) else {
            return Ok(None);
        };
        let reading = suspects.iter().map(|suspect| &suspect.change).find(|change| change.is_of_reading());
        let (gt, recon) = (self.load(Side::Gt, place, reading)?, self.load(Side::Recon, other, reading)?);
        Ok(Some(changed(suspects, Sides::new(gt, recon))))
    }

    /// For each list of suspects, the mean and the standard error of a metric.
    pub(super) fn values(
        &self,
        all: &[Vec<&Suspect>],
        metric: PixelMetric,
        own: &ScoreRequest,
    ) -> Result<Vec<Estimate>, Error> {
        let of = |suspects: &Vec<&Suspect>| {
            let options = &request(own, suspects).options.pixels;
            // Images that do not fit together after a change have no value.
            let value =
                |Sides { gt, recon }| metric(&options.apply(gt).ok()?, &options.apply(recon).ok()?, options).ok()?.ok();
            let of_pair = |k: usize| Ok::<_, Error>(self.pair(suspects, k)?.and_then(value));
            let values: Vec<f64> = parallel::try_map(self.n_scored(), of_pair)?.into_iter().flatten().collect();
            let error = standard_deviation(&values).map(|deviation| deviation / (values.len() as f64).sqrt());
            Ok(mean(values.iter().copied()).zip(error))
        };
        all.iter().map(of).collect()
    }
}

/// The mean logarithm of the factor by which misfits shrink, and how many standard errors it is from 0.
pub(super) fn strength(before: &[f64], after: &[f64]) -> (f64, f64) {
    let both = before.iter().zip(after).filter(|(before, after)| before.is_finite() && after.is_finite());
    let logs: Vec<f64> = both.map(|(before, after)| ((before + LEAST) / (after + LEAST)).ln()).collect();
    match (mean(logs.iter().copied()), standard_deviation(&logs)) {
        (Some(mean), Some(deviation)) if logs.len() >= FEWEST => {
            (mean, mean / (deviation / (logs.len() as f64).sqrt()).max(f64::MIN_POSITIVE))
        }
        _ => (0.0, 0.0),
    }
}

/// The place of the pair whose reconstruction is compared with the stimulus at `place`.
fn partner(suspects: &[&Suspect], place: usize) -> Option<usize> {
    suspects.iter().try_fold(place, |place, suspect| match &suspect.change {
        Change::Order(of) => of[place],
        _ => Some(place),
    })
}

/// What is computed of images.
pub(super) fn request<'a>(own: &'a ScoreRequest, suspects: &[&'a Suspect]) -> &'a ScoreRequest {
    let compared = suspects.iter().find_map(|suspect| match &suspect.change {
        Change::Compared(request) => Some(request.as_ref()),
        _ => None,
    });
    compared.unwrap_or(own)
}

fn changed(suspects: &[&Suspect], mut both: Sides<Image<f32>>) -> Sides<Image<f32>> {
    for suspect in suspects {
        match &suspect.change {
            Change::Values(Side::Gt, of) => both.gt.data_mut().iter_mut().for_each(|value| *value = of(*value)),
            Change::Values(Side::Recon, of) => both.recon.data_mut().iter_mut().for_each(|value| *value = of(*value)),
            Change::Pixels(of) => both.recon = of(both.recon),
            _ => {}
        }
    }
    both
}
