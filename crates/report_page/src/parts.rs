//! The images of items that have several: frames of clips, views and samples, all reduced in size.

use crate::document::{ItemParts, Part, Parts};
use crate::html;
use crate::inputs::{Inputs, System};
use crate::jpeg::encoded;
use crate::request::{ImagePlacement, PageRequest};
use indexmap::IndexSet;
use itertools::Itertools;
use neurogauge::core::pair::ItemPart;
use neurogauge::core::parallel;
use neurogauge::core::{Image, Side};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{PartImages, Progress};
use std::collections::HashSet;

/// Longer sides and numbers of frames of a clip to try, the best first.
const TRIED: [(usize, usize); 12] = [
    (192, 16),
    (160, 16),
    (128, 16),
    (128, 12),
    (112, 12),
    (96, 12),
    (96, 8),
    (80, 8),
    (64, 8),
    (64, 6),
    (64, 4),
    (48, 4),
];
/// The last ones to try: if they do not fit for all pairs, fewer pairs show their parts.
const OF_SOME_PAIRS: (usize, usize) = (96, 8);
/// At most this many views and samples of an item are shown.
const MOST_PARTS: usize = 16;
/// Number of images from which the total size is estimated.
const SAMPLE: usize = 24;
/// Bytes of an image besides its own characters: quotes, a comma, and the number by which its frame refers to it.
const REFERENCE_BYTES: usize = 12;

/// The parts of the stimuli, or of a system's reconstructions.
#[derive(Default)]
struct PartColumn {
    source: Option<ImageSource>,
    /// The parts of each pair of the page.
    items: Vec<Vec<ItemPart>>,
}

/// The parts of all items: of the stimuli, from the first run that has any, then of each system.
pub(crate) struct PartColumns(Vec<PartColumn>);

#[derive(Debug, PartialEq)]
struct Fitting {
    side_px: usize,
    n_frames: usize,
    pairs: HashSet<usize>,
}

pub(crate) struct PartsShown {
    pub(crate) parts: Parts,
    pub(crate) files: FilesBeside,
    pub(crate) n_pairs: usize,
}

/// Files to write beside the page, each with its name.
type FilesBeside = Vec<(String, Vec<u8>)>;

impl PartColumns {
    /// `None` if no run has items of several images.
    pub(crate) fn of(inputs: &Inputs) -> Option<PartColumns> {
        let mut stimuli = None;
        let of_system = |system: &System| {
            let Some(PartImages { sides, paired }) = system.run.parts() else {
                return PartColumn::default();
            };
            let column = |source: ImageSource, side: Side| {
                source.keep_decoded();
                let mut items = paired.parts_of_items(side);
                let of_stem = |stem: &String| {
                    let mut parts = items.remove(stem.as_str()).unwrap_or_default();
                    parts.truncate(MOST_PARTS);
                    parts
                };
                PartColumn {
                    source: Some(source),
                    items: inputs.stems.iter().map(of_stem).collect(),
                }
            };
            if stimuli.is_none() {
                stimuli = Some(column(sides.gt, Side::Gt));
            }
            column(sides.recon, Side::Recon)
        };
        let systems: Vec<PartColumn> = inputs.systems.iter().map(of_system).collect();
        Some(PartColumns([stimuli?].into_iter().chain(systems).collect()))
    }

    /// Chooses as many images as fit into `bytes` of the page, as large as possible. If even a few small images of all
    /// pairs do not fit, only the first pairs of `order` get their parts; `None` if no pair fits.
    pub(crate) fn within(
        &self,
        bytes: usize,
        request: &PageRequest,
        order: &[usize],
        progress: &dyn Progress,
    ) -> Option<PartsShown> {
        let fitting = self.fitting(bytes, request, order)?;
        // Every image once, even if several parts show it.
        let mut wanted: IndexSet<(usize, usize)> = IndexSet::new();
        for (column, of_column) in self.0.iter().enumerate() {
            for &pair in fitting.pairs.iter().sorted() {
                let parts = of_column.items.get(pair).into_iter().flatten();
                let places = parts.flat_map(|part| picked(part, fitting.n_frames));
                wanted.extend(places.map(|place| (column, place)));
            }
        }
        progress.start("frames and samples", wanted.len() as u64, 0);
        let encode = |number: usize| {
            let (column, place) = wanted[number];
            let image = self.0[column].source.as_ref()?.load_shown(place).ok();
            let found = image.and_then(|image| encoded(&image, fitting.side_px, request.blurred).ok());
            progress.advance(1);
            found.map(|found| found.jpeg)
        };
        let jpegs: Vec<Option<Vec<u8>>> = parallel::map(wanted.len(), encode);
        progress.finish();
        let shown = |column: usize| -> Vec<ItemParts> {
            let part = |part: &ItemPart| Part {
                name: part.name.clone(),
                frames: (picked(part, fitting.n_frames).iter())
                    .filter_map(|place| wanted.get_index_of(&(column, *place)))
                    .filter(|number| jpegs[*number].is_some())
                    .collect(),
                of: part.places.len(),
            };
            let items = self.0[column].items.iter().enumerate();
            items
                .map(|(pair, parts)| match fitting.pairs.contains(&pair) {
                    true => parts.iter().map(part).collect(),
                    false => ItemParts::new(),
                })
                .collect()
        };
        let stimuli = shown(0);
        let reconstructions = (1..self.0.len()).map(shown).collect();
        let mut files = Vec::new();
        let folder = request.folder_beside();
        let images = jpegs.into_iter().enumerate().map(|(number, jpeg)| {
            let jpeg = jpeg.unwrap_or_default();
            match request.images {
                ImagePlacement::Beside => {
                    let name = format!("part_{number}.jpg");
                    files.push((format!("{folder}/{name}"), jpeg));
                    name
                }
                _ => html::base64(&jpeg),
            }
        });
        let parts = Parts {
            images: images.collect(),
            stimuli,
            reconstructions,
        };
        Some(PartsShown {
            parts,
            files,
            n_pairs: fitting.pairs.len(),
        })
    }

    /// The first size and number of frames that fit, estimated from some of the images.
    fn fitting(&self, bytes: usize, request: &PageRequest, order: &[usize]) -> Option<Fitting> {
        let places = self.0.iter().flat_map(|column| {
            let firsts = column.items.iter().flatten().filter_map(|part| part.places.first());
            firsts.filter_map(|place| Some((column.source.as_ref()?, *place)))
        });
        let places: Vec<(&ImageSource, usize)> = places.collect();
        let step = places.len().div_ceil(SAMPLE).max(1);
        let sample = parallel::map(places.len().div_ceil(step), |n| {
            let (source, place) = places[n * step];
            source.load_shown(place).ok()
        });
        let sample: Vec<Image<u8>> = sample.into_iter().flatten().collect();
        // Average size of an image, bytes.
        let each = |side_px: usize| {
            let jpegs = parallel::map_each(&sample, |image| encoded(image, side_px, request.blurred).ok());
            let total: usize = jpegs.iter().flatten().map(|found| found.jpeg.len()).sum();
            total * 4 / 3 / sample.len().max(1) + REFERENCE_BYTES
        };
        let n_images = |pair: usize, n_frames: usize| -> usize {
            let parts = self.0.iter().filter_map(|column| column.items.get(pair)).flatten();
            parts.map(|part| part.places.len().min(n_frames)).sum()
        };
        let whole = |&(side_px, n_frames): &(usize, usize)| {
            let n: usize = order.iter().map(|pair| n_images(*pair, n_frames)).sum();
            n * each(side_px) <= bytes
        };
        if let Some((side_px, n_frames)) = TRIED.into_iter().find(whole) {
            return Some(Fitting {
                side_px,
                n_frames,
                pairs: order.iter().copied().collect(),
            });
        }
        let (side_px, n_frames) = OF_SOME_PAIRS;
        let each = each(side_px);
        let mut left = bytes;
        let fit = order.iter().copied().take_while(|pair| {
            let own = n_images(*pair, n_frames) * each;
            let fits = own <= left;
            left = left.saturating_sub(own);
            fits
        });
        let pairs: HashSet<usize> = fit.collect();
        (!pairs.is_empty()).then_some(Fitting {
            side_px,
            n_frames,
            pairs,
        })
    }
}

/// Indices of at most `n_frames` frames of a part.
fn picked(part: &ItemPart, n_frames: usize) -> Vec<usize> {
    part.evenly(n_frames).into_iter().map(|place| part.places[place]).collect()
}

/// All `n` pairs, in an order whose first pairs are always evenly spread over `ordered`, which goes from the worst to
/// the best: first its ends, then its middle, its quartiles, and so on. Pairs without a value come last.
pub(crate) fn evenly_spread(ordered: &[usize], n: usize) -> Vec<usize> {
    let mut found = Vec::with_capacity(n);
    let mut is_known = vec![false; n];
    let mut take = |pair: usize| {
        if !std::mem::replace(&mut is_known[pair], true) {
            found.push(pair);
        }
    };
    if let Some(last) = ordered.len().checked_sub(1) {
        let mut steps = 1;
        while steps < 4 * ordered.len() {
            (0..=steps).for_each(|step| take(ordered[(last * step + steps / 2) / steps]));
            steps *= 2;
        }
    }
    (0..n).for_each(take);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip() -> ItemPart {
        ItemPart {
            name: String::new(),
            pairs: (0..20).collect(),
            places: (0..20).collect(),
        }
    }

    #[test]
    fn there_are_fewer_frames_and_then_fewer_pairs_where_there_is_less_room() {
        let columns = PartColumns(vec![PartColumn {
            source: None,
            items: vec![vec![clip()], vec![clip()]],
        }]);
        let within = |n: usize| {
            let found = columns.fitting(n * REFERENCE_BYTES, &PageRequest::default(), &[1, 0]);
            found.map(|found| (found.side_px, found.n_frames, found.pairs))
        };
        let both = HashSet::from([0, 1]);
        assert_eq!(within(32), Some((192, 16, both.clone())));
        assert_eq!(within(31), Some((128, 12, both.clone())));
        assert_eq!(within(8), Some((64, 4, both)));
    }

    #[test]
    fn of_too_many_pairs_the_first_in_the_order_are_shown() {
        let columns = PartColumns(vec![PartColumn {
            source: None,
            items: (0..5).map(|_| vec![clip()]).collect(),
        }]);
        let within = |n: usize| {
            let order = [3, 1, 0, 2, 4];
            let found = columns.fitting(n * REFERENCE_BYTES, &PageRequest::default(), &order);
            found.map(|found| (found.side_px, found.n_frames, found.pairs))
        };
        // Five items with four frames each need 20.
        assert_eq!(within(19), Some((96, 8, HashSet::from([3, 1]))));
        assert_eq!(within(8), Some((96, 8, HashSet::from([3]))));
        assert_eq!(within(7), None);
    }

    #[test]
    fn the_first_pairs_are_evenly_spread_from_the_worst_to_the_best() {
        let ordered = [5, 6, 7, 8, 0, 1, 2, 3, 4];
        let found = evenly_spread(&ordered, 11);
        assert_eq!(found[..5], [5, 4, 0, 7, 2]);
        // Pairs without a value come last.
        assert_eq!(found[9..], [9, 10]);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 11);
        assert_eq!(evenly_spread(&[], 2), [0, 1]);
    }
}
