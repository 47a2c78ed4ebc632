//! Metrics of the images themselves: streamed, journalled, parallel over pairs.

use super::compared::{ids, outcomes};
use super::{Computed, Context, Loaded, Pairs, both};
use crate::Error;
use crate::dataset::Paired;
use crate::execute::FailedItem;
use crate::settings::OnFailure;
use neurogauge_core::inspection::appearance::{Plainness, plain_images};
use neurogauge_core::{Explained, Finding, Image, Outcome, Pair, Role, Side, Sides, Undefined};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::store::{ContentKey, Journal, Store, recipe_text};
use neurogauge_metrics::decoding::foreground::{Region, within};
use neurogauge_metrics::{Compute, PixelOptions};
use std::collections::HashMap;

/// Increased whenever the value of an image metric changes; part of the journal's keys.
const REVISION: &str = "0.1.1";

/// Pairs between two writes of the journal.
const PAIRS_PER_SAVE: usize = 64;

/// The journal's key for the colours of a pair's images before resizing. Its value is a sum of the values below; for 0,
/// nothing is written.
const COLOURS: &str = "colours";
const IS_CONSTANT: u8 = 1;
const IS_GREY: u8 = 2;
/// The factor for the reconstruction's values.
const OF_RECON: u8 = 4;

type PixelMetric = fn(&Image<f32>, &Image<f32>, &PixelOptions) -> Result<Outcome, neurogauge_metrics::MetricError>;

/// Metrics that compare the resized images of a pair.
pub(super) struct ImageComparison<'a> {
    /// The name of the progress stage.
    pub(super) stage: &'a str,
    /// The metrics, in the order of the outcomes.
    pub(super) ids: &'a [&'static str],
    /// The models used for the comparison, in words that differ whenever a value could differ; empty without models.
    pub(super) models: String,
    pub(super) pairs_per_save: usize,
}

/// The two images of a pair, ready to be compared, and their colours before resizing.
pub(super) struct LoadedPair {
    /// The resized images, both on the background of the region.
    pub(super) images: Sides<Image<f32>>,
    /// The part that counts, if not all does.
    pub(super) region: Option<Region>,
    /// The colours of the images as stored.
    plainness: Sides<Plainness>,
}

/// A pair's outcomes for the journal, or the image that could not be read. Unreadable images are not journalled: the
/// file may be repaired, or the limit of pixels raised.
type Compared = Result<Vec<(ContentKey, Outcome)>, Unreadable>;

/// An image that could not be read, and its side.
type Unreadable = (Side, FailedItem);

/// The reason why a pair is not compared.
enum NotCompared {
    Undefined(Undefined),
    Unreadable(Unreadable),
}

/// Compares the images of all pairs, and warns of images without colours or content.
pub(crate) fn compute(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let metrics: Vec<(&'static str, PixelMetric)> = context.metrics(|compute| match compute {
        Compute::Pixels(function) => Some(*function),
        _ => None,
    });
    if metrics.is_empty() {
        return Ok(());
    }
    let metrics: Vec<_> = metrics.into_iter().map(|(id, function)| (id, (function, within(id)))).collect();
    let comparison = ImageComparison {
        stage: "comparing images",
        ids: &ids(&metrics),
        models: String::new(),
        pairs_per_save: PAIRS_PER_SAVE,
    };
    let compare = |pair: &Pair, loaded: &LoadedPair| {
        let Sides { gt, recon } = &loaded.images;
        let options = &context.request.options.pixels;
        outcomes(&metrics, pair, |(function, within)| match (&loaded.region, within) {
            (Some(region), Some(within)) => within(gt, recon, region, options.ssim),
            _ => function(gt, recon, options),
        })
    };
    over_images(&comparison, || Ok(compare), context, computed)
}

fn colours(plainness: &Sides<Plainness>) -> u8 {
    let of =
        |plainness: &Plainness| u8::from(plainness.is_constant) * IS_CONSTANT + u8::from(plainness.is_grey) * IS_GREY;
    of(&plainness.gt) + OF_RECON * of(&plainness.recon)
}

/// Warnings about images of one colour, and about a side without colours. Each stem comes with its value from the
/// journal.
fn plain(known: &[(&str, u8)]) -> Vec<Finding> {
    let of_side = |factor: u8| {
        let plainness = |colours: u8| Plainness {
            is_constant: (colours / factor) & IS_CONSTANT > 0,
            is_grey: (colours / factor) & IS_GREY > 0,
        };
        known.iter().map(|(stem, colours)| (*stem, plainness(*colours))).collect()
    };
    plain_images(&Sides::new(of_side(1), of_side(OF_RECON)))
}

/// Compares the images of every pair that the journal does not have; `begin` returns the comparing function and is
/// called only if there is such a pair.
pub(super) fn over_images<F>(
    comparison: &ImageComparison<'_>,
    begin: impl FnOnce() -> Result<F, Error>,
    context: &Context<'_>,
    computed: &mut Computed,
) -> Result<(), Error>
where
    F: Fn(&Pair, &LoadedPair) -> Result<Vec<Outcome>, Error> + Sync,
{
    let Some(images) = context.dataset.images() else {
        return Ok(());
    };
    let regions = context.dataset.regions.as_ref();
    computed.findings.extend(regions.map(|regions| regions.finding(comparison.ids)));
    let mut journal = Journal::open(&context.folder.journal_path())?;
    let (keys, colour_keys) = keys(images, comparison, context)?;

    let n_pairs = images.pairs.len();
    let shard = context.settings.shard;
    let unfinished: Vec<usize> = shard
        .map_or(0..n_pairs, |shard| shard.items(n_pairs))
        .filter(|&index| keys[index].iter().any(|key| !journal.holds(key)))
        .collect();
    let mut unreadable: HashMap<usize, Side> = HashMap::new();
    if !unfinished.is_empty() {
        let compare = begin()?;
        let of_pair = |place: usize, pair: &Pair, loaded: Loaded<LoadedPair, NotCompared>| {
            let (outcomes, colours) = match loaded? {
                Ok(loaded) => (compare(pair, &loaded)?, colours(&loaded.plainness)),
                Err(NotCompared::Undefined(reason)) => (vec![Err(reason); comparison.ids.len()], 0),
                Err(NotCompared::Unreadable(image)) => return Ok(Err(image)),
            };
            let colours = (colours > 0).then(|| (colour_keys[place].clone(), Ok(f64::from(colours))));
            Ok(Ok(keys[place].iter().cloned().zip(outcomes).chain(colours).collect()))
        };
        let pairs = Pairs::new(&images.pairs, |_, pair| load(pair, &images.sides, comparison, context));
        let pairs = pairs.shown(comparison.stage, context.progress);
        // An error is kept until the other pairs of its batch are saved.
        let of_pair = |place: usize, pair: &Pair, loaded| Ok(of_pair(place, pair, loaded));
        pairs.in_batches(&unfinished, comparison.pairs_per_save, of_pair, |places, compared| {
            for (place, (side, image)) in save(places, compared, &mut journal)? {
                unreadable.insert(place, side);
                if !computed.unreadable.contains(&image) {
                    context.progress.warn(&format!("{} {:?}: {}", image.role, image.stem, image.reason));
                    computed.unreadable.push(image);
                }
            }
            Ok(())
        })?;
    }
    let pairs = images.pairs.iter().zip(&colour_keys);
    let colours = pairs.map(|(pair, key)| {
        let known = journal.outcome(key).and_then(|colours| colours.as_ref().ok());
        (pair.stem.as_str(), known.map_or(0, |colours| *colours as u8))
    });
    for finding in plain(&colours.collect::<Vec<_>>()) {
        if !computed.findings.contains(&finding) {
            computed.findings.push(finding);
        }
    }
    let row = |(place, keys): (usize, &Vec<ContentKey>)| match unreadable.get(&place) {
        Some(side) => {
            let reason = Undefined::Because(format!("the {side} cannot be read").into());
            vec![Err(reason).into(); comparison.ids.len()]
        }
        None => keys.iter().filter_map(|key| Some(Explained::from(journal.outcome(key)?.clone()))).collect(),
    };
    computed.add(comparison.ids, keys.iter().enumerate().map(row).collect());
    Ok(())
}

/// Saves the computed outcomes before reporting the first failure. Returns the pairs of images that could not be read.
fn save(
    pairs: &[usize],
    computed: Vec<Result<Compared, Error>>,
    journal: &mut Journal,
) -> Result<Vec<(usize, Unreadable)>, Error> {
    let mut failure = None;
    let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
    for (&pair, result) in pairs.iter().zip(computed) {
        match result {
            // A torn write can have left some outcomes of a pair.
            Ok(Ok(outcomes)) => entries.extend(outcomes.into_iter().filter(|(key, _)| !journal.holds(key))),
            Ok(Err(image)) => unreadable.push((pair, image)),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    journal.record(entries)?;
    failure.map_or(Ok(unreadable), Err)
}

/// The journal keys of each pair: one for each metric, with everything that affects the value, and one for the images'
/// colours.
fn keys(
    images: &Paired<ImageSource>,
    comparison: &ImageComparison<'_>,
    context: &Context<'_>,
) -> Result<(Vec<Vec<ContentKey>>, Vec<ContentKey>), Error> {
    let record = |side: Side| context.dataset.input(Role::images(side));
    let (Some(gt_record), Some(recon_record)) = (record(Side::Gt), record(Side::Recon)) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let (gt, recon) = (gt_record.hashes(), recon_record.hashes());
    let forms = format!("{} and {}", gt_record.form, recon_record.form);
    let options = recipe_text(comparison.stage, &context.request.options.pixels)?;
    // If pairs are shuffled, a reconstruction has another stem than its pair.
    let stems = images.sides.recon.stems();
    let hashes = |pair: &Pair| (gt[pair.stem.as_str()], recon[stems[pair.recon].as_str()]);
    let of_colours = |pair: &Pair| {
        let (gt, recon) = hashes(pair);
        ContentKey::of_parts(&[REVISION, COLOURS, &forms, gt, recon])
    };
    let regions = context.dataset.regions.as_ref();
    let of_metrics = |pair: &Pair| {
        let (gt, recon) = hashes(pair);
        let region = regions.map(|regions| regions.identity(pair)).transpose()?.unwrap_or_default();
        let further = [comparison.models.as_str(), &region].into_iter().filter(|part| !part.is_empty());
        let further: Vec<&str> = further.collect();
        let key =
            |id: &&str| ContentKey::of_parts(&[&[REVISION, *id, &forms, gt, recon, &options], &further[..]].concat());
        Ok(comparison.ids.iter().map(key).collect())
    };
    let of_all = images.pairs.iter().map(of_metrics).collect::<Result<_, Error>>()?;
    Ok((of_all, images.pairs.iter().map(of_colours).collect()))
}

/// The two images of a pair, resized, or the reason why there is nothing to compare.
fn load(
    pair: &Pair,
    sides: &Sides<ImageSource>,
    comparison: &ImageComparison<'_>,
    context: &Context<'_>,
) -> Loaded<LoadedPair, NotCompared> {
    let options = &context.request.options.pixels;
    let stops = context.settings.on_failure == Some(OnFailure::Stop);
    let loaded = both(|side| {
        let (source, index) = (sides.side(side), pair.of(side));
        let image = match source.load(index) {
            Ok(image) => image,
            Err(error) if stops => return Err(error.into()),
            Err(error) => {
                let image = FailedItem {
                    role: Role::images(side).to_string(),
                    stem: source.stems()[index].clone(),
                    reason: error.to_string(),
                };
                return Ok(Err(NotCompared::Unreadable((side, image))));
            }
        };
        if let Err(reason) = image.check_finite(side) {
            return Ok(Err(NotCompared::Undefined(reason)));
        }
        let size_px = (image.width_px(), image.height_px());
        let plainness = Plainness {
            is_constant: image.is_constant(),
            is_grey: image.is_grey(),
        };
        let resized = options.apply(image).map_err(|source| Error::Resize {
            pair: pair.stem.clone(),
            source,
        })?;
        Ok(Ok((size_px, plainness, resized)))
    })?;
    let ((gt_px, gt_plainness, gt), (recon_px, recon_plainness, recon)) = match loaded {
        Ok(Sides { gt, recon }) => (gt, recon),
        Err(reason) => return Ok(Err(reason)),
    };
    let resized = |image: &Image<f32>| (image.width_px(), image.height_px());
    if resized(&gt) != resized(&recon) {
        return Err(Error::Shapes {
            pair: pair.stem.clone(),
            metrics: comparison.ids.join(", "),
            gt: gt_px,
            recon: recon_px,
            gt_resized: resized(&gt),
            recon_resized: resized(&recon),
        });
    }
    let (images, region) = match &context.dataset.regions {
        None => (Sides { gt, recon }, None),
        Some(regions) => {
            let region = regions.of(pair, &sides.gt, options)?;
            let around = |image| {
                region.on(regions.background, image).map_err(|source| Error::Metric {
                    pair: pair.stem.clone(),
                    metric: comparison.ids[0],
                    source,
                })
            };
            (Sides::new(around(gt)?, around(recon)?), Some(region))
        }
    };
    Ok(Ok(LoadedPair {
        images,
        region,
        plainness: Sides::new(gt_plainness, recon_plainness),
    }))
}
