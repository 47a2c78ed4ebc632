//! Many images from one place: a folder, or a stack in a `.npy`, `.npz`, `.pt`, `.mat` or HDF5 file.

mod brick;
mod common_size;
mod decoded;
mod description;
mod folder;
mod grid;
mod pixels;
mod settled;
mod several;
mod stack;
mod stack_layout;

pub use several::n_decoded;
pub use stack_layout::{ChannelAxis, channel_axis};

use crate::FormatError;
use crate::item_source::{ItemSource, picked};
use crate::member::split_member;
use crate::video::Ffmpeg;
use decoded::{Decoded, PixelFile};
use grid::PictureGrid;
use neurogauge_core::Sides;
use neurogauge_core::image::ImageReading;
use neurogauge_core::pair::{PairedStems, Pairing, PairingError};
use several::{ImagePlace, Images, images_of};
use stack::{FoundStack, StackArray};
use stack_layout::StackLayout;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A set of images with stems, loaded one at a time, from any number of threads.
///
/// - **A folder**: its image files (by extension, in any case; hidden files, folders and other files are ignored);
///   stems are file names without extension, in natural order. If it has no image files, those of its subfolders are
///   read, whose stems are `subfolder/name`. The frames of a GIF file have the stems `name/0001`, `name/0002`, ... If
///   there are no image files at all, its video files are read, which the user's own ffmpeg decodes.
/// - **A folder or a picture with a grid** (`folder#left`, `picture.png#right:2x10,2`): of every two neighbouring
///   pictures in a file, the left or right (top or bottom) one.
/// - **A `.npy` file**: an array (N, H, W, 3), or else (N, 3, H, W), of uint8 or floats; with the parts of each item as
///   a second axis, the stems are `"0/0"`, `"0/1"`, ... Grey pictures (N, H, W), (N, 1, H, W) or (N, H, W, 1) are copied to
///   three channels; (N, H, W, 4) has alpha.
/// - **A `.npz` file**: the only such array, or `file.npz:name`.
/// - **A `.pt` file**: a tensor (N, 3, H, W), or else (N, H, W, 3) or as above, of uint8 or floats, alone or as the only such
///   tensor of a dict; `file.pt#key` names one of several. A list of tensors is read as one; pictures of a list may differ in
///   size. In a dict without a key, a list
///   such as `ids` names the images (in an `.npz`, too), and so do the keys of a dict of single pictures.
/// - **A `.mat` file**: the only such matrix, or `file.mat:name`, with the images along the first axis (as SciPy writes NumPy's
///   arrays) or along the last (as MATLAB's users stack them).
/// - **An HDF5 dataset** (`nsd_stimuli.hdf5:/imgBrick`), in builds with HDF5: (N, H, W, 3) or (N, 3, H, W) of uint8 or
///   float32, read chunk by chunk as it is stored. NSD's numbers of images are its stems. The colour stimuli of
///   NSD-synthetic (those of subject 1) follow its other ones if both files are in one folder.
///
/// The stems of a stack are `"0"` to `"N-1"`. Floats are not rescaled, uint8 is divided by
/// 255. A stack is read by position: an image costs its own bytes (in a `.npy` file in Fortran
/// order it costs the span they are scattered over).
#[derive(Debug)]
pub struct ImageSource {
    path: PathBuf,
    stems: Vec<String>,
    /// The position of each image among those of the origin.
    places: Vec<usize>,
    origin: Origin,
    /// Decoded pixels of the origin, if requested and possible.
    decoded: OnceLock<Option<Decoded>>,
    /// How stored values become colours, once this is decided.
    reading: OnceLock<ImageReading>,
    /// The size of the largest of these images, once computed: this reads the headers of all files.
    largest_px: OnceLock<(usize, usize)>,
}

#[derive(Debug)]
enum Origin {
    Files {
        files: Vec<ImagePlace>,
        ffmpeg: Option<Ffmpeg>,
        grid: Option<PictureGrid>,
    },
    Stack {
        array: StackArray,
        layout: StackLayout,
        /// The key of the list that names the images.
        named_by: Option<String>,
    },
}

impl ImageSource {
    /// Can [`open`](Self::open) find this path: a folder, a folder with its subfolders (`folder/**`), or a file, with
    /// or without the name of a member or a grid?
    pub fn exists(path: &Path) -> bool {
        folder::deep(path).is_some() || split_member(path).0.exists() || !matches!(grid::asked(path), Ok(None))
    }

    /// Opens a folder, a `.npy` file, one of `.npz`, `.pt` or `.mat` with or without a key, or `file.hdf5:/dataset`.
    ///
    /// # Errors
    /// The file is missing or of another kind. For folders: it is empty, or a stem occurs twice. For stacks: another
    /// shape or element type, several stacks and no name, an unknown key, a build without HDF5, and errors of
    /// [`npy::open`](crate::npy::open) and [`pt::open`](crate::pt::open).
    pub fn open(path: &Path) -> Result<ImageSource, FormatError> {
        let (files, asked) = match grid::asked(path)? {
            Some((files, asked)) => (files, Some(asked)),
            None => (path.to_owned(), None),
        };
        let deep = folder::deep(&files);
        if files.is_dir() || deep.is_some() {
            let listed = folder::list(deep.unwrap_or(&files), deep.is_some())?;
            return Ok(ImageSource::of_files(path, images_of(&listed, asked)?));
        }
        if asked.is_some() {
            let stem = files.file_stem().unwrap_or_default();
            let picture = vec![(stem.to_string_lossy().into_owned(), files.clone())];
            return Ok(ImageSource::of_files(path, images_of(&picture, asked)?));
        }
        let FoundStack {
            array,
            channels_first,
            names,
        } = FoundStack::open(path)?;
        let layout = StackLayout::of(&array, channels_first)?;
        let n_items = array.shape()[0];
        let (named_by, mut stems) = match names {
            Some((key, names)) => (Some(key), names),
            None => (None, (0..n_items).map(|item| item.to_string()).collect()),
        };
        for &n in layout.parts(array.shape()) {
            let parts = stems.iter().flat_map(|stem| (0..n).map(move |part| format!("{stem}/{part}")));
            stems = parts.collect();
        }
        Ok(ImageSource {
            path: path.to_owned(),
            places: (0..stems.len()).collect(),
            stems,
            origin: Origin::Stack {
                array,
                layout,
                named_by,
            },
            decoded: OnceLock::new(),
            reading: OnceLock::new(),
            largest_px: OnceLock::new(),
        })
    }

    /// These image files, with one image each; `name` is for messages.
    pub fn of_paths(name: &Path, paths: &[PathBuf]) -> Self {
        ImageSource::of_files(name, Images::of_paths(paths))
    }

    fn of_files(path: &Path, images: Images) -> Self {
        ImageSource {
            path: path.to_owned(),
            places: (0..images.stems.len()).collect(),
            stems: images.stems,
            origin: Origin::Files {
                files: images.places,
                ffmpeg: images.ffmpeg,
                grid: images.grid,
            },
            decoded: images.decoded.map_or_else(OnceLock::new, |decoded| Some(decoded).into()),
            reading: OnceLock::new(),
            largest_px: OnceLock::new(),
        }
    }

    /// From now on, decodes each image file only once, even if it is loaded repeatedly: its pixels are kept in a
    /// temporary file while the source exists. Stacks need no decoding.
    pub fn keep_decoded(&self) {
        if let Origin::Files { files, .. } = &self.origin {
            self.decoded.get_or_init(|| {
                let none = files.iter().map(|_| None);
                PixelFile::new().map(|file| Decoded::new(file, none))
            });
        }
    }

    /// Does an image occur several times, so that it is loaded repeatedly?
    pub fn has_repeats(&self) -> bool {
        let mut seen = HashSet::with_capacity(self.places.len());
        !self.places.iter().all(|place| seen.insert(place))
    }

    /// Keeps only the images whose stems are wanted.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        let stems = self.stems.iter().enumerate();
        let kept = stems.filter(|(_, stem)| wanted(stem));
        let (items, stems): (Vec<usize>, Vec<String>) = kept.map(|(item, stem)| (item, stem.clone())).unzip();
        self.select(&items, stems);
    }

    /// Keeps only these images, in this order and under these stems. An image may be kept several times.
    pub fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.stems = stems;
        self.places = picked(&self.places, items);
        self.largest_px.take();
    }

    /// The stems, in natural order for a folder and `"0"`, `"1"`, ... for a stack.
    pub fn stems(&self) -> &[String] {
        &self.stems
    }

    /// The position of image number `index` before [a selection](Self::select): its row in a stack.
    pub fn place(&self, index: usize) -> Option<usize> {
        self.places.get(index).copied()
    }

    /// Number of images; at least 1 unless all were left out.
    pub fn len(&self) -> usize {
        self.stems.len()
    }

    /// Are all images left out? A source without images cannot be opened.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Pairs these images with their reconstructions; frames of clips by the times at which they are shown.
    pub fn paired_with(&self, recon: &ImageSource, pairing: &Pairing) -> Result<PairedStems, PairingError> {
        let times = Sides::new(self.frame_times(), recon.frame_times());
        pairing.pair_timed(&self.stems, &recon.stems, &times)
    }
}

impl ItemSource for ImageSource {
    fn stems(&self) -> &[String] {
        self.stems()
    }
    fn path(&self) -> &Path {
        self.path()
    }
    fn form(&self) -> String {
        self.form()
    }
    fn decoder(&self) -> Option<String> {
        self.decoder()
    }
    fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.content_hash(index)
    }
    fn select(&mut self, items: &[usize], stems: Vec<String>) {
        self.select(items, stems);
    }
}
