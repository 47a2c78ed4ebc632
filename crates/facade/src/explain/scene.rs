//! The images, in small for the evidence of files and in full for the values of metrics.

use super::ExplainedMetric;
use super::suspects::{Change, Suspect};
use crate::{Error, Progress};
use neurogauge_core::image::{Background, Filter, FloatScale, ImageReading, resize_float};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Image, Outcome, Pair, Side, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::{Compute, MetricError, PixelOptions, find};
use neurogauge_stats::{mean, standard_deviation};

type PixelFunction = fn(&Image<f32>, &Image<f32>, &PixelOptions) -> Result<Outcome, MetricError>;

/// The mean and the standard error of each metric.
type Estimates = Vec<Option<(f64, f64)>>;

/// With fewer pairs nothing is clear.
pub(super) const FEWEST: usize = 8;
/// The most pairs whose files are looked at, and of which metrics are computed.
const MOST: usize = 1000;
const MOST_SCORED: usize = 200;
/// The side of small images, px: what a decoder gets right is coarse.
const SMALL_PX: usize = 24;
/// Squared differences below this are none.
const LEAST: f64 = 1e-5;

pub(super) struct Scene<'a> {
    images: &'a Sides<ImageSource>,
    pub(super) pairs: &'a [Pair],
    small: Vec<Sides<Image<f32>>>,
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
        }
        let pairs = &pairs[..pairs.len().min(MOST)];
        let mut scene = Scene {
            images,
            pairs,
            small: Vec::new(),
        };
        progress.start("looking for mistakes", pairs.len() as u64, 0);
        let small = parallel::try_map(pairs.len(), |place| {
            let small = scene.small(place, None);
            progress.advance(1);
            small
        });
        progress.finish();
        scene.small = small?;
        Ok(scene)
    }

    pub(super) fn n_scored(&self) -> usize {
        self.pairs.len().min(MOST_SCORED)
    }

    /// Do the reconstructions look as those with this mistake do?
    pub(super) fn may_show(&self, suspect: &Suspect) -> bool {
        let n_showing = self.small.iter().filter(|small| (suspect.shows)(&small.recon)).count();
        !matches!(suspect.change, Change::Compared(_)) && 10 * n_showing >= 9 * self.small.len()
    }

    fn load(&self, side: Side, place: usize, background: Option<Background>) -> Result<Image<f32>, Error> {
        let (source, index) = (self.images.side(side), self.pairs[place].of(side));
        let mut image = source.load(index)?;
        if let Some(background) = background {
            let opacity = source.opacity(index)?;
            let (pixels, _) = image.data_mut().as_chunks_mut::<3>();
            let (opacity, _) = opacity.data().as_chunks::<3>();
            pixels.iter_mut().zip(opacity).for_each(|(pixel, [alpha, ..])| {
                *pixel = background.under_floats(*pixel, *alpha);
            });
        }
        Ok(image)
    }

    fn small(&self, place: usize, background: Option<Background>) -> Result<Sides<Image<f32>>, Error> {
        Sides::of(|side| {
            stop_if_asked();
            let image = self.load(side, place, background)?;
            resize_float(&image, SMALL_PX, SMALL_PX, Filter::Bilinear, true).map_err(|source| Error::Resize {
                pair: self.pairs[place].stem.clone(),
                source,
            })
        })
    }

    /// The mean squared difference of each pair's small images; NaN for a pair that an order leaves out.
    pub(super) fn misfits(&self, changes: &[&Change]) -> Result<Vec<f64>, Error> {
        let background = background_of(changes);
        let on_background = |place: usize| self.small(place, background);
        let seen = match background {
            None => None,
            Some(_) => Some(parallel::try_map(self.pairs.len(), on_background)?),
        };
        let small = seen.as_ref().unwrap_or(&self.small);
        let misfit = |place: usize| {
            let Some(other) = partner(changes, place) else {
                return f64::NAN;
            };
            let (gt, recon) = changed(changes, small[place].gt.clone(), small[other].recon.clone());
            let squares = gt.data().iter().zip(recon.data()).map(|(gt, recon)| f64::from(gt - recon).powi(2));
            squares.sum::<f64>() / gt.data().len() as f64
        };
        Ok(parallel::map(self.pairs.len(), misfit))
    }

    /// For each list of changes, the mean and the standard error of each metric over evenly spaced pairs.
    pub(super) fn values(
        &self,
        all: &[Vec<&Change>],
        metrics: &[ExplainedMetric],
        options: &PixelOptions,
    ) -> Result<Vec<Estimates>, Error> {
        let functions: Vec<PixelFunction> = metrics
            .iter()
            .filter_map(|metric| match find(metric.id)?.compute {
                Compute::Pixels(function) => Some(function),
                _ => None,
            })
            .collect();
        if functions.is_empty() {
            return Ok(vec![Vec::new(); all.len()]);
        }
        let n = self.n_scored();
        let of_pair = |k: usize| -> Result<Vec<Vec<Option<f64>>>, Error> {
            let place = k * self.pairs.len() / n;
            let gt = self.load(Side::Gt, place, None)?;
            all.iter()
                .map(|changes| {
                    stop_if_asked();
                    let background = background_of(changes);
                    let Some(other) = partner(changes, place) else {
                        return Ok(vec![None; functions.len()]);
                    };
                    let gt = match background {
                        None => gt.clone(),
                        background => self.load(Side::Gt, place, background)?,
                    };
                    let (gt, recon) = changed(changes, gt, self.load(Side::Recon, other, background)?);
                    let options = compared(changes).unwrap_or(options);
                    // Images that do not fit together after a change have no value.
                    let resized = options.apply(gt).and_then(|gt| Ok((gt, options.apply(recon)?)));
                    let value = |function: &PixelFunction| {
                        let (gt, recon) = resized.as_ref().ok()?;
                        function(gt, recon, options).ok()?.ok()
                    };
                    Ok(functions.iter().map(value).collect())
                })
                .collect()
        };
        let pairs = parallel::try_map(n, of_pair)?;
        let of = |row: usize, metric: usize| {
            let values: Vec<f64> = pairs.iter().filter_map(|pair| pair[row][metric]).collect();
            Some((mean(values.iter().copied())?, standard_deviation(&values)? / (values.len() as f64).sqrt()))
        };
        Ok((0..all.len()).map(|row| (0..functions.len()).map(|metric| of(row, metric)).collect()).collect())
    }
}

/// The mean logarithm of the factor by which misfits shrink, and how many standard errors it is from 0.
pub(super) fn strength(before: &[f64], after: &[f64]) -> (f64, f64) {
    let both = before.iter().zip(after).filter(|(before, after)| before.is_finite() && after.is_finite());
    let logs: Vec<f64> = both.map(|(before, after)| ((before + LEAST) / (after + LEAST)).ln()).collect();
    let (Some(mean), Some(deviation)) = (mean(logs.iter().copied()), standard_deviation(&logs)) else {
        return (0.0, 0.0);
    };
    match logs.len() >= FEWEST {
        true => (mean, mean / (deviation / (logs.len() as f64).sqrt()).max(f64::MIN_POSITIVE)),
        false => (0.0, 0.0),
    }
}

fn background_of(changes: &[&Change]) -> Option<Background> {
    changes.iter().find_map(|change| match change {
        Change::Alpha(background) => Some(*background),
        _ => None,
    })
}

fn compared<'a>(changes: &[&'a Change]) -> Option<&'a PixelOptions> {
    changes.iter().find_map(|change| match change {
        Change::Compared(options) => Some(options),
        _ => None,
    })
}

/// The place of the pair whose reconstruction is compared with the stimulus at `place`.
fn partner(changes: &[&Change], place: usize) -> Option<usize> {
    changes.iter().try_fold(place, |place, change| match change {
        Change::Order(of) => of[place],
        _ => Some(place),
    })
}

fn changed(changes: &[&Change], mut gt: Image<f32>, mut recon: Image<f32>) -> (Image<f32>, Image<f32>) {
    for change in changes {
        match change {
            Change::Gt(of) => gt.data_mut().iter_mut().for_each(|value| *value = of(*value)),
            Change::Recon(of) => recon.data_mut().iter_mut().for_each(|value| *value = of(*value)),
            Change::Pixels(of) => recon = of(recon),
            Change::Order(_) | Change::Alpha(_) | Change::Compared(_) => {}
        }
    }
    (gt, recon)
}
