//! What kind of place images come from, and what their files say of them.

use super::grid::PictureGrid;
use super::{ImageSource, Origin};
use crate::element::ElementType;
use crate::video::Ffmpeg;
use neurogauge_core::image::{Background, FloatScale, ImageReading};
use neurogauge_core::pair::FrameTimes;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

impl ImageSource {
    /// Are images arrays of floats, which may have values outside 0 to 1?
    pub fn holds_floats(&self) -> bool {
        match &self.origin {
            Origin::Files { .. } => false,
            Origin::Stack { array, .. } => array.element_type() != ElementType::U8,
        }
    }

    /// Are they the rows of an array, which have no names?
    pub fn is_stack(&self) -> bool {
        matches!(self.origin, Origin::Stack { named_by: None, .. })
    }

    /// Are both read from the same folder or array, even through different paths?
    pub fn is_at_place_of(&self, other: &ImageSource) -> bool {
        // A member of a file (`file.pt#key`) has no file path.
        let place = |source: &ImageSource| {
            let path = source.path.canonicalize();
            path.unwrap_or_else(|_| source.path.clone())
        };
        place(self) == place(other)
    }

    /// The file of image number `index`; `None` for stacks and for files with several images.
    pub fn file_path(&self, index: usize) -> Option<&Path> {
        match &self.origin {
            Origin::Files { files, .. } => {
                let place = files.get(*self.places.get(index)?)?;
                place.is_file().then_some(place.path.as_path())
            }
            Origin::Stack { .. } => None,
        }
    }

    /// How long the frames of clips are shown, if their files say so.
    pub fn frame_times(&self) -> FrameTimes {
        let Origin::Files { files, .. } = &self.origin else {
            return FrameTimes::default();
        };
        let items = self.stems.iter().zip(&self.places);
        items.filter_map(|(stem, place)| Some((stem.clone(), files[*place].shown_for?))).collect()
    }

    /// The program that decoded the images, with its version, if it is not this one.
    pub fn decoder(&self) -> Option<String> {
        match &self.origin {
            Origin::Files { ffmpeg, .. } => ffmpeg.as_ref().map(Ffmpeg::name),
            Origin::Stack { .. } => None,
        }
    }

    /// The grid in its pictures, in words, if they show one.
    pub fn grid(&self) -> Option<String> {
        match &self.origin {
            Origin::Files { grid, .. } => grid.as_ref().map(PictureGrid::in_words),
            Origin::Stack { .. } => None,
        }
    }

    /// The clips, the folders that look like clips, or the rows of a stack with more axes to which these images belong,
    /// in words and as a number; `None` if each image is a separate file or row.
    pub fn groups(&self) -> Option<(&'static str, usize)> {
        match &self.origin {
            Origin::Files { files, .. } => {
                let frames = self.places.iter().map(|place| &files[*place]).filter(|place| place.is_frame());
                match frames.map(|place| place.path.as_path()).collect::<HashSet<&Path>>().len() {
                    0 => Some(("folder", self.n_folders_alike()?)),
                    n => Some(("clip", n)),
                }
            }
            Origin::Stack { array, layout, .. } => {
                let n_parts = layout.parts(array.shape());
                let n_of_row: u64 = n_parts.iter().product();
                let n_rows = self.places.iter().map(|place| *place as u64 / n_of_row).collect::<HashSet<u64>>().len();
                (!n_parts.is_empty()).then_some(("row of the array", n_rows))
            }
        }
    }

    /// The number of folders with several images in which the same names recur, as names of frames do. Names of images
    /// in categories do not recur.
    fn n_folders_alike(&self) -> Option<usize> {
        let mut of_folder: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for stem in &self.stems {
            let (folder, name) = stem.rsplit_once('/')?;
            of_folder.entry(folder).or_default().insert(name);
        }
        let mut folders = of_folder.values();
        let first = folders.next()?;
        let are_alike = folders.clone().all(|names| !names.is_disjoint(first));
        (folders.len() > 0 && are_alike && first.len() > 1).then_some(of_folder.len())
    }

    /// How its bytes become images: `files`, or element type and layout of a stack, e.g. `float32 3 x 256 x 256`, and
    /// [how values are read](Self::settle) unless they are read as stored. Together with
    /// [`content_hash`](Self::content_hash) it identifies an image.
    pub fn form(&self) -> String {
        let mut form = self.stored_form();
        let ImageReading { values, alpha } = self.reading();
        match values {
            Some(FloatScale::Clipped) => form.push_str(" clipped"),
            Some(scale @ (FloatScale::Levels | FloatScale::Signed)) => form.push_str(&format!(" of {}", scale.word())),
            Some(FloatScale::AsTheyAre) | None => {}
        }
        if let Some(background @ (Background::White | Background::Black)) = alpha {
            form.push_str(&format!(" on {}", background.word()));
        }
        form
    }

    pub(super) fn stored_form(&self) -> String {
        match &self.origin {
            Origin::Files { .. } => "files".to_owned(),
            Origin::Stack { array, .. } if array.has_sizes() => format!("{} of several sizes", array.element_type()),
            Origin::Stack { array, layout, .. } => layout.form(array.element_type()),
        }
    }
}
