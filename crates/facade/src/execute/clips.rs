//! The units that an image model observes: single images, or the frames of a clip.

use super::{Images, Items, image_error};
use crate::Error;
use crate::odd_frames::OddFrames;
use crate::option_names::{DROP_ODD_FRAME, PARTS_FRAME};
use neurogauge_core::Image;
use neurogauge_core::pair::clips_of;
use neurogauge_formats::store::ContentKey;
use neurogauge_models::{LocalImageModel, ModelError};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// Do the rows of the features `MODEL.LAYER` describe clips instead of images?
pub(crate) fn is_of_clips(features: &str) -> bool {
    let model = features.split_once('.').map_or(features, |(model, _)| model);
    LocalImageModel::is_of_clips(model)
}

/// The clips of a source. For a model of images, each image is a clip.
pub(crate) struct Clips<'a> {
    pub(crate) images: Images<'a>,
    /// The positions of each clip's frames.
    frames: Vec<Range<usize>>,
    pub(crate) stems: Cow<'a, [String]>,
    /// A hash of each clip's content; for an image, the image's hash.
    pub(crate) hashes: Vec<Cow<'a, str>>,
}

impl<'a> Clips<'a> {
    /// The units that the model with this id observes.
    ///
    /// # Errors
    /// For a model of clips: images that are not frames; a clip whose number of frames does not suit the model, unless
    /// the last frames may be dropped.
    pub(crate) fn of(images: Images<'a>, model: &str, odd: OddFrames) -> Result<Self, Error> {
        let together = LocalImageModel::frames_together(model);
        if together == 1 {
            let items = images.record.items.iter();
            return Ok(Clips {
                images,
                frames: (0..images.source.len()).map(|place| place..place + 1).collect(),
                stems: Cow::Borrowed(images.source.stems()),
                hashes: items.map(|(_, hash)| Cow::Borrowed(hash.as_str())).collect(),
            });
        }
        let path = images.source.path().display();
        if !images.are_frames {
            return Err(Error::Usage(format!(
                "{path}: {model} sees the frames of a clip together, and these images are no frames of clips; expected a folder of frames, \
                 a GIF or video file of several frames, or a row of a stack for each clip; when pairs are scored also {PARTS_FRAME}, or \
                 another pattern with {{frame}} in it"
            )));
        }
        let (mut frames, mut stems, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for (stem, mut places) in clips_of(images.source.stems()) {
            let left_over = places.len() % together;
            if left_over > 0 && (odd == OddFrames::Error || places.len() < together) {
                let expected = match places.len() < together {
                    true => format!("at least {together}"),
                    false => format!("a multiple of {together} ({DROP_ODD_FRAME} leaves out the last one)"),
                };
                return Err(Error::Usage(format!(
                    "{path}: the clip {stem:?} has {} to compare; {model} sees {together} frames at a time, expected {expected}",
                    neurogauge_core::counted(places.len(), "frame"),
                )));
            }
            places.end -= left_over;
            let items = images.record.items[places.clone()].iter();
            let of_frames: Vec<&str> = items.map(|(_, hash)| hash.as_str()).collect();
            hashes.push(Cow::Owned(ContentKey::of_parts(&of_frames).as_str().to_owned()));
            stems.push(stem.to_owned());
            frames.push(places);
        }
        Ok(Clips {
            images,
            frames,
            stems: Cow::Owned(stems),
            hashes,
        })
    }

    pub(crate) fn path(&self) -> &'a Path {
        self.images.source.path()
    }

    pub(crate) fn longest(&self) -> usize {
        self.frames.iter().map(Range::len).max().unwrap_or(0)
    }
}

impl Items for Clips<'_> {
    type Item = Vec<Image<f32>>;

    fn len(&self) -> usize {
        self.frames.len()
    }

    fn load(&self, index: usize) -> Result<Self::Item, Error> {
        self.frames[index].clone().map(|place| self.images.load(place)).collect()
    }

    fn blame(&self, index: usize, source: ModelError) -> Error {
        image_error(&self.stems[index], self.path(), source)
    }
}
