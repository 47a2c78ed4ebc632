//! The pictures of pages: reduced to the requested size, encoded, without duplicates.

use super::MakeRequest;
use super::systems::{Picture, shown};
use crate::plan::Trial;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use indexmap::IndexMap;
use neurogauge::Error;
use neurogauge::core::image::{Filter, resize_u8};
use neurogauge::core::parallel;
use neurogauge::core::{Image, Progress};
use neurogauge::formats::{Problem, content_hash};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

const JPEG_QUALITY: u8 = 92;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    /// Lossy, but the loss should not be visible (quality 92).
    #[default]
    Jpeg,
    /// Lossless, about ten times as large.
    Png,
}

impl PictureFormat {
    /// The file extension and the media type.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            PictureFormat::Jpeg => ("jpg", "image/jpeg"),
            PictureFormat::Png => ("png", "image/png"),
        }
    }
}

#[derive(Debug)]
pub(super) struct Pictures {
    format: PictureFormat,
    encoded: Vec<Vec<u8>>,
    shown: Vec<PagePicture>,
    /// Indices into `shown`, by system (`None` for stimuli), then by stem.
    places: HashMap<Option<String>, HashMap<String, usize>>,
}

/// One side of a pair. `page/src/data.ts` documents each field.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PagePicture {
    /// Indices of encoded images.
    pub(super) parts: Vec<Vec<usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) ms: Vec<u32>,
}

impl Pictures {
    pub(super) fn of(pictures: &[Picture<'_>], request: &MakeRequest, progress: &dyn Progress) -> Result<Self, Error> {
        let mut places: HashMap<Option<String>, HashMap<String, usize>> = HashMap::new();
        // Every image once, however many frames and samples show it.
        let mut wanted: IndexMap<(Option<&str>, usize), &Picture<'_>> = IndexMap::new();
        let mut shown = Vec::new();
        for picture in pictures {
            let of_system = places.entry(picture.system.map(str::to_owned)).or_default();
            of_system.insert(picture.stem.to_owned(), shown.len());
            let mut number = |place: &usize| wanted.insert_full((picture.system, *place), picture).0;
            let parts = picture.parts.iter();
            shown.push(PagePicture {
                parts: parts.map(|frames| frames.iter().map(&mut number).collect()).collect(),
                ms: picture.ms.clone(),
            });
        }
        progress.start("preparing pictures", wanted.len() as u64, 0);
        let wanted: Vec<(usize, &Picture<'_>)> =
            wanted.into_iter().map(|((_, place), picture)| (place, picture)).collect();
        let encode = |(place, picture): &(usize, &Picture<'_>)| {
            let image = reduced(picture.load(*place)?, request.image_size_px)?;
            let bytes = encoded(&image, request.image_format)
                .map_err(|reason| Problem::image(reason).at(Path::new(picture.stem).to_owned()))?;
            progress.advance(1);
            Ok::<_, Error>(bytes)
        };
        let encoded = parallel::try_map_each(&wanted, encode);
        progress.finish();
        Ok(Pictures {
            format: request.image_format,
            encoded: encoded?,
            shown,
            places,
        })
    }

    /// The pictures of a trial, the stimulus first, each with its index among everything that is shown.
    pub(super) fn shown(&self, trial: &Trial) -> [(usize, &PagePicture); 2] {
        shown(trial).map(|(system, stem)| {
            let of_system = self.places.get(&system.map(str::to_owned));
            let place = of_system.and_then(|stems| stems.get(stem)).copied().unwrap_or_default();
            (place, &self.shown[place])
        })
    }

    pub(super) fn data_url(&self, place: usize) -> String {
        format!("data:{};base64,{}", self.format.names().1, STANDARD.encode(&self.encoded[place]))
    }

    /// A name that does not reveal which picture it is.
    pub(super) fn file_name(&self, place: usize) -> String {
        format!("{}.{}", &content_hash::of_bytes(&self.encoded[place])[..16], self.format.names().0)
    }

    pub(super) fn bytes(&self, place: usize) -> &[u8] {
        &self.encoded[place]
    }
}

/// Reduces an image to at most `most_px` on either side.
fn reduced(image: Image<u8>, most_px: usize) -> Result<Image<u8>, Error> {
    let (width_px, height_px) = (image.width_px(), image.height_px());
    let longest = width_px.max(height_px);
    if longest <= most_px {
        return Ok(image);
    }
    let side = |px: usize| ((px * most_px) as f64 / longest as f64).round().max(1.0) as usize;
    resize_u8(&image, side(width_px), side(height_px), Filter::Lanczos).map_err(|error| Error::Usage(error.to_string()))
}

fn encoded(image: &Image<u8>, format: PictureFormat) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let width_px = u32::try_from(image.width_px()).map_err(|error| error.to_string())?;
    let height_px = u32::try_from(image.height_px()).map_err(|error| error.to_string())?;
    let (data, colour) = (image.data(), ExtendedColorType::Rgb8);
    let written = match format {
        PictureFormat::Jpeg => {
            JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).write_image(data, width_px, height_px, colour)
        }
        PictureFormat::Png => PngEncoder::new(&mut bytes).write_image(data, width_px, height_px, colour),
    };
    written.map_err(|error| error.to_string())?;
    Ok(bytes)
}
