//! Small images of the pairs.

use crate::document::Images;
use crate::html;
use crate::inputs::{Inputs, System, places};
use crate::jpeg::{Encoded, encoded};
use crate::observed::Size;
use crate::parts::PartColumns;
use crate::request::{ImagePlacement, PageRequest};
use itertools::Itertools;
use neurogauge::core::parallel;
use neurogauge::core::{Image, Side};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, Progress};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The largest size of a page with one system, and the addition for each further system, bytes.
const BYTES: usize = 10_000_000;
const BYTES_OF_A_SYSTEM: usize = 2_500_000;
/// The longer side where nothing limits it, px: a pair can be judged by it.
pub(crate) const LARGEST_PX: usize = 256;
/// Longer sides to try, px, the largest first.
const SIDES_PX: [usize; 11] = [LARGEST_PX, 224, 192, 160, 128, 112, 96, 80, 64, 56, 48];
/// The number of images from which the total size is estimated.
const SAMPLE: usize = 24;

/// The longer side of thumbnails where none is asked for, in words.
pub fn thumbnail_default() -> String {
    let [page, system] = [BYTES, BYTES_OF_A_SYSTEM].map(|bytes| bytes as f64 / 1e6);
    format!(
        "{LARGEST_PX} with --linked, otherwise up to {LARGEST_PX}, as large as a page of {page} MB allows, and {system} MB for each \
         further system"
    )
}

#[derive(Default)]
pub(crate) struct Thumbnails {
    pub(crate) images: Images,
    /// Files to write beside the page, by name.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// Original sizes of the images by pair: of the stimuli, and of each system.
    pub(crate) stimulus_sizes: Vec<Size>,
    pub(crate) sizes: Vec<Vec<Size>>,
    /// Their longer side, px; 0 without images.
    pub(crate) side_px: usize,
    /// Images that could not be read.
    pub(crate) n_unreadable: usize,
    /// For how many pairs the frames, views and samples are shown; `None` if no item has any.
    pub(crate) n_with_parts: Option<usize>,
}

/// The sources of the images in one column, each with the indices of the pairs' images.
struct ImageColumn<'a>(Vec<(&'a ImageSource, Vec<Option<usize>>)>);

impl<'a> ImageColumn<'a> {
    /// `None` if none of the systems has images.
    fn of(systems: &'a [System], side: Side, stems: &[String]) -> Option<Self> {
        let images = systems.iter().filter_map(|system| Some(system.reopened.images.as_ref()?.side(side)));
        let sources: Vec<_> = images.map(|source| (source, places(stems, source.stems()))).collect();
        (!sources.is_empty()).then_some(ImageColumn(sources))
    }

    /// The image of a pair, from the first source that has it.
    fn load(&self, pair: usize) -> Option<Result<Image<u8>, ()>> {
        let mut found = (self.0.iter()).filter_map(|(source, places)| Some((source, (*places.get(pair)?)?)));
        let (source, place) = found.next()?;
        Some(source.load_shown(place).map_err(|_| ()))
    }
}

impl Thumbnails {
    /// Makes the thumbnails; `other_bytes` is the size of the page without them. If the frames, views and samples of
    /// all pairs do not fit, only the first pairs of `order` get them.
    pub(crate) fn of(
        inputs: &Inputs,
        request: &PageRequest,
        other_bytes: usize,
        order: &[usize],
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let columns = columns(inputs);
        if request.images == ImagePlacement::Nowhere || columns.iter().all(Option::is_none) {
            return Ok(Thumbnails::default());
        }
        let budget = BYTES + BYTES_OF_A_SYSTEM * (inputs.systems.len() - 1);
        let budget = budget.saturating_sub(other_bytes);
        let parts = PartColumns::of(inputs);
        // The parts of items get half of the budget.
        let of_items = if parts.is_some() { budget / 2 } else { budget };
        let side_px = match request.thumbnail_px {
            Some(px) => px,
            None if request.images == ImagePlacement::Beside => LARGEST_PX,
            None => fitting(&columns, inputs, request, of_items),
        };
        let n_pairs = inputs.stems.len();
        let total = columns.iter().flatten().count() * n_pairs;
        progress.start("thumbnails", total as u64, 0);
        let made: Vec<Vec<Option<Result<Encoded, ()>>>> = (columns.iter())
            .map(|column| {
                let encode = |pair: usize| {
                    let loaded = column.as_ref()?.load(pair)?;
                    let encoded = loaded.and_then(|image| encoded(&image, side_px, request.blurred));
                    progress.advance(1);
                    Some(encoded)
                };
                parallel::map(n_pairs, encode)
            })
            .collect();
        progress.finish();
        let mut found = Thumbnails::placed(made, request, side_px);
        if let Some(parts) = parts {
            found.n_with_parts = Some(0);
            if let Some(shown) = parts.within(budget - of_items, request, order, progress) {
                found.images.parts = Some(shown.parts);
                found.files.extend(shown.files);
                found.n_with_parts = Some(shown.n_pairs);
            }
        }
        Ok(found)
    }

    fn placed(made: Vec<Vec<Option<Result<Encoded, ()>>>>, request: &PageRequest, side_px: usize) -> Self {
        let folder = request.folder_beside();
        let is_beside = request.images == ImagePlacement::Beside;
        let n_unreadable = made.iter().flatten().filter(|image| matches!(image, Some(Err(())))).count();
        let mut files = Vec::new();
        let mut place = |column: usize, pair: usize, image: Encoded| {
            if !is_beside {
                return (Some(image.size), Some(html::base64(&image.jpeg)));
            }
            // Generated names, since stems may contain any character.
            let name = match column {
                0 => format!("stimulus_{pair}.jpg"),
                n => format!("system{n}_{pair}.jpg"),
            };
            files.push((format!("{folder}/{name}"), image.jpeg));
            (Some(image.size), Some(name))
        };
        let columns = made.into_iter().enumerate().map(|(column, images)| {
            let images = images.into_iter().map(|image| image.and_then(Result::ok)).enumerate();
            images.map(|(pair, image)| image.map_or((None, None), |image| place(column, pair, image))).unzip()
        });
        let (mut sizes, mut addresses): (Vec<Vec<Size>>, Vec<Vec<Option<String>>>) = columns.unzip();
        let images = Images {
            prefix: match is_beside {
                true => format!("{}/", utf8_percent_encode(&folder, ENCODED)),
                false => "data:image/jpeg;base64,".to_owned(),
            },
            stimuli: addresses.remove(0),
            reconstructions: addresses,
            parts: None,
        };
        Thumbnails {
            images,
            files,
            stimulus_sizes: sizes.remove(0),
            sizes,
            side_px,
            n_unreadable,
            n_with_parts: None,
        }
    }

    /// The address of a stimulus or, with a system, of its reconstruction.
    pub(crate) fn address(&self, system: Option<usize>, pair: usize) -> Option<String> {
        let column = match system {
            None => &self.images.stimuli,
            Some(system) => self.images.reconstructions.get(system)?,
        };
        let address = column.get(pair)?.as_ref()?;
        Some(format!("{}{address}", self.images.prefix))
    }
}

/// The stimuli, each from the first run that has its image, then each system's reconstructions.
fn columns(inputs: &Inputs) -> Vec<Option<ImageColumn<'_>>> {
    let stimuli = ImageColumn::of(&inputs.systems, Side::Gt, &inputs.stems);
    let systems = inputs.systems.iter().map(std::slice::from_ref);
    let reconstructions = systems.map(|system| ImageColumn::of(system, Side::Recon, &inputs.stems));
    [stimuli].into_iter().chain(reconstructions).collect()
}

/// The largest side with which the images stay within the budget, estimated from a sample of them.
fn fitting(columns: &[Option<ImageColumn<'_>>], inputs: &Inputs, request: &PageRequest, budget: usize) -> usize {
    let n_systems = inputs.systems.len();
    let n_pairs = inputs.stems.len();
    let all = columns.iter().flatten().cartesian_product(0..n_pairs).collect_vec();
    let step = all.len().div_ceil(SAMPLE).max(1);
    let sample = parallel::map(all.len().div_ceil(step), |n| {
        let (column, pair) = all[n * step];
        column.load(pair)?.ok()
    });
    let sample: Vec<Image<u8>> = sample.into_iter().flatten().collect();
    let fits = |side_px: &usize| {
        let encoded = parallel::map_each(&sample, |image| encoded(image, *side_px, request.blurred).ok());
        let bytes: usize = encoded.iter().flatten().map(|encoded| encoded.jpeg.len()).sum();
        // Three bytes become four characters of base64, and images in the static part are included twice.
        let each = bytes * 4 / 3 / sample.len().max(1);
        each * all.len() + each * STATIC_IMAGES * (n_systems + 1) <= budget
    };
    let last = SIDES_PX[SIDES_PX.len() - 1];
    SIDES_PX.into_iter().find(fits).unwrap_or(last)
}

/// Number of worst, of median and of best pairs that are shown without a script.
pub(crate) const OF_EACH: usize = 8;
/// Pairs in the strip of the first screen.
pub(crate) const N_COLUMNS: usize = 5;
/// Number of pairs that are shown without a script: those in the strip of the first screen, and the worst, median and
/// best ones.
const STATIC_IMAGES: usize = N_COLUMNS + 3 * OF_EACH;

/// Characters that are encoded if a name is part of an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_written_as_addresses() {
        let address = utf8_percent_encode("my report#1_files", ENCODED).to_string();
        assert_eq!(address, "my%20report%231_files");
    }
}
