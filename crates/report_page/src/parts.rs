//! The images of items that have several: frames of clips, and views and samples, small.

use crate::document::{ItemParts, Part, Parts};
use crate::html;
use crate::inputs::{Inputs, System};
use crate::jpeg::encoded;
use crate::request::{ImagePlacement, PageRequest};
use neurogauge::core::pair::{Axis, item_of};
use neurogauge::core::{Image, Pair, Side};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{PartImages, Progress};
use rayon::prelude::*;
use std::collections::HashMap;

/// Longer sides and numbers of frames of a clip that are tried, the best first.
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
/// The most views and samples of an item.
const MOST_PARTS: usize = 16;
/// The number of images from which the total size is estimated.
const SAMPLE: usize = 24;
/// What an image needs besides its own characters: quotes, a comma, and the number by which its frame refers to it.
const REFERENCE_BYTES: usize = 12;

/// The parts of the stimuli, or of a system's reconstructions.
#[derive(Default)]
struct Column {
    source: Option<ImageSource>,
    /// By pair of the page.
    items: Vec<Vec<Frames>>,
}

/// The frames of a view or sample as places in the source; a still has one.
#[derive(Debug, PartialEq)]
struct Frames {
    name: String,
    places: Vec<usize>,
}

/// The parts of all items: the stimuli, from the first run that has any, then each system.
pub(crate) struct PartColumns(Vec<Column>);

/// Files to write beside the page, each with its name.
type FilesBeside = Vec<(String, Vec<u8>)>;

impl PartColumns {
    /// `None` if no run has items of several images.
    pub(crate) fn of(inputs: &Inputs) -> Option<PartColumns> {
        let mut stimuli = None;
        let of_system = |system: &System| {
            let Some(PartImages { sides, paired }) = system.run.parts() else {
                return Column::default();
            };
            let column = |source: ImageSource, side: Side| {
                source.keep_decoded();
                let mut items = items(&paired.pairs, &paired.axes, side);
                let stems = inputs.stems.iter();
                Column {
                    source: Some(source),
                    items: stems
                        .map(|stem| items.remove(stem.as_str()).unwrap_or_default())
                        .collect(),
                }
            };
            if stimuli.is_none() {
                stimuli = Some(column(sides.gt, Side::Gt));
            }
            column(sides.recon, Side::Recon)
        };
        let systems: Vec<Column> = inputs.systems.iter().map(of_system).collect();
        Some(PartColumns([stimuli?].into_iter().chain(systems).collect()))
    }

    /// As many images as fit into so many bytes of the page, in a size that fits, and files to write beside the page; `None` if
    /// even few small ones do not fit.
    pub(crate) fn within(
        &self,
        bytes: usize,
        request: &PageRequest,
        progress: &dyn Progress,
    ) -> Option<(Parts, FilesBeside)> {
        let (side_px, n_frames) = self.fitting(bytes, request)?;
        // Every image once, however many parts show it.
        let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
        let mut wanted = Vec::new();
        for (column, parts) in self.0.iter().enumerate() {
            let frames = parts.items.iter().flatten();
            for place in frames.flat_map(|frames| picked(&frames.places, n_frames)) {
                numbers.entry((column, place)).or_insert_with(|| {
                    wanted.push((column, place));
                    wanted.len() - 1
                });
            }
        }
        progress.start("frames and samples", wanted.len() as u64, 0);
        let encode = |&(column, place): &(usize, usize)| {
            let image = self.0[column].source.as_ref()?.load_shown(place).ok();
            let found = image.and_then(|image| encoded(&image, side_px, request.blurred).ok());
            progress.advance(1);
            found.map(|found| found.jpeg)
        };
        let jpegs: Vec<Option<Vec<u8>>> = wanted.par_iter().map(encode).collect();
        progress.finish();
        let shown = |column: usize| -> Vec<ItemParts> {
            let part = |frames: &Frames| Part {
                name: frames.name.clone(),
                frames: (picked(&frames.places, n_frames).iter())
                    .map(|place| numbers[&(column, *place)])
                    .filter(|number| jpegs[*number].is_some())
                    .collect(),
                of: frames.places.len(),
            };
            let items = self.0[column].items.iter();
            items
                .map(|parts| parts.iter().map(part).collect())
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
        Some((parts, files))
    }

    /// The first of the sizes and numbers of frames that fit, estimated from some of the images.
    fn fitting(&self, bytes: usize, request: &PageRequest) -> Option<(usize, usize)> {
        let frames = || self.0.iter().flat_map(|column| &column.items).flatten();
        let places = self.0.iter().flat_map(|column| {
            let firsts = column.items.iter().flatten();
            let firsts = firsts.filter_map(|frames| frames.places.first());
            firsts.filter_map(|place| Some((column.source.as_ref()?, *place)))
        });
        let places: Vec<(&ImageSource, usize)> = places.collect();
        let step = places.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<Image<u8>> = (places.par_iter().step_by(step))
            .filter_map(|(source, place)| source.load_shown(*place).ok())
            .collect();
        let fits = |&(side_px, n_frames): &(usize, usize)| {
            let jpegs = (sample.par_iter())
                .filter_map(|image| encoded(image, side_px, request.blurred).ok());
            let total: usize = jpegs.map(|found| found.jpeg.len()).sum();
            let each = total * 4 / 3 / sample.len().max(1) + REFERENCE_BYTES;
            let n: usize = frames().map(|own| own.places.len().min(n_frames)).sum();
            n * each <= bytes
        };
        TRIED.into_iter().find(fits)
    }
}

/// The parts of each item on a side, in the order of the pairs.
fn items<'a>(pairs: &'a [Pair], axes: &[Axis], side: Side) -> HashMap<&'a str, Vec<Frames>> {
    let mut items: HashMap<&str, Vec<Frames>> = HashMap::new();
    for pair in pairs {
        let item = item_of(&pair.stem, axes.len());
        let names = pair.stem[item.len()..].trim_start_matches('/').split('/');
        // The frame is the last of the axes.
        let names = axes
            .iter()
            .zip(names)
            .filter(|(axis, _)| **axis != Axis::Frame);
        let names = names.map(|(axis, name)| format!("{} {name}", axis.noun()));
        let name = names.collect::<Vec<_>>().join(", ");
        let parts = items.entry(item).or_default();
        match parts.last_mut().filter(|last| last.name == name) {
            Some(last) => last.places.push(pair.of(side)),
            None => parts.push(Frames {
                name,
                places: vec![pair.of(side)],
            }),
        }
    }
    for parts in items.values_mut() {
        // A stimulus that is compared with several samples is one.
        parts.dedup_by(|one, before| one.places == before.places);
        if let [only] = parts.as_mut_slice() {
            only.name.clear();
        }
        parts.truncate(MOST_PARTS);
    }
    items
}

/// So many places, at the middles of equal steps.
fn picked(places: &[usize], n: usize) -> Vec<usize> {
    let n = n.min(places.len());
    let at = |step: usize| places[(2 * step + 1) * places.len() / (2 * n)];
    (0..n).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_clips_by_view_and_sample() {
        let pair = |stem: &str, gt: usize, recon: usize| Pair {
            stem: stem.to_owned(),
            gt,
            recon,
        };
        let pairs = [
            pair("a/b/s1/0", 4, 0),
            pair("a/b/s1/1", 5, 1),
            pair("a/b/s2/0", 4, 2),
            pair("a/b/s2/1", 5, 2),
            pair("c/s1/0", 6, 3),
        ];
        let axes = [Axis::Sample, Axis::Frame];
        let frames = |name: &str, places: &[usize]| Frames {
            name: name.to_owned(),
            places: places.to_vec(),
        };
        let found = items(&pairs, &axes, Side::Recon);
        let expected = [frames("sample s1", &[0, 1]), frames("sample s2", &[2, 2])];
        assert_eq!(found["a/b"], expected);
        assert_eq!(found["c"], [frames("", &[3])]);
        // The stimulus is the same for both samples.
        assert_eq!(items(&pairs, &axes, Side::Gt)["a/b"], [frames("", &[4, 5])]);
    }

    #[test]
    fn there_are_fewer_frames_where_there_is_less_room() {
        let clip = Frames {
            name: String::new(),
            places: (0..20).collect(),
        };
        let columns = PartColumns(vec![Column {
            source: None,
            items: vec![vec![clip]],
        }]);
        let within = |n: usize| columns.fitting(n * REFERENCE_BYTES, &PageRequest::default());
        assert_eq!(within(16), Some((192, 16)));
        assert_eq!(within(15), Some((128, 12)));
        assert_eq!(within(4), Some((64, 4)));
        assert_eq!(within(3), None);
    }

    #[test]
    fn frames_are_picked_at_equal_distances() {
        let places: Vec<usize> = (10..20).collect();
        assert_eq!(picked(&places, 16), places);
        assert_eq!(picked(&places, 2), [12, 17]);
        assert_eq!(picked(&places, 1), [15]);
        assert!(picked(&[], 3).is_empty());
    }
}
