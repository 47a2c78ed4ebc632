//! Many images from one place: a folder, or a stack in a `.npy`, `.pt` or HDF5 file.

mod brick;
mod common_size;
mod decoded;
mod folder;
mod grid;
mod settled;
mod several;
mod stack;

pub use several::n_decoded;

use crate::element::ElementType;
use crate::item_source::{ItemSource, picked};
use crate::member::split_member;
use crate::stem_listing::has_ending;
use crate::video::Ffmpeg;
use crate::{AtPath, FormatError, Problem, content_hash, image_file, npy};
use brick::Brick;
use decoded::{Decoded, PixelFile};
use grid::PictureGrid;
use neurogauge_core::image::{Background, FloatScale, ImageReading};
use neurogauge_core::inspection::appearance::ImageFacts;
use neurogauge_core::pair::{FrameTimes, PairedStems, Pairing, PairingError};
use neurogauge_core::{Image, Sides};
use several::{ImagePlace, Images, images_of};
use stack::{StackArray, StackLayout};
use std::collections::{BTreeMap, BTreeSet, HashSet};
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
///   a second axis, the stems are `"0/0"`, `"0/1"`, ...
/// - **A `.pt` file**: a tensor (N, 3, H, W), or else (N, H, W, 3), of uint8 or floats, alone or as the only such
///   tensor of a dict; `file.pt#key` names one of several.
///
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
    },
}

impl ImageSource {
    /// Can [`open`](Self::open) find this path: a folder, a folder with its subfolders (`folder/**`), or a file, with
    /// or without the name of a member or a grid?
    pub fn exists(path: &Path) -> bool {
        folder::deep(path).is_some() || split_member(path).0.exists() || !matches!(grid::asked(path), Ok(None))
    }

    /// Opens a folder, a `.npy` file, a `.pt` file, `file.pt#key` or `file.hdf5:/dataset`.
    ///
    /// # Errors
    /// The file is missing or of another kind. For folders: it is empty, or a stem occurs twice. For stacks: another
    /// shape or element type, several stacks and no name, an unknown key, a build without HDF5, and errors of
    /// [`npy::open`] and [`pt::open`](crate::pt::open).
    pub fn open(path: &Path) -> Result<ImageSource, FormatError> {
        let (files, asked) = match grid::asked(path)? {
            Some((files, asked)) => (files, Some(asked)),
            None => (path.to_owned(), None),
        };
        let deep = folder::deep(&files);
        if files.is_dir() || deep.is_some() {
            let listed = folder::list(deep.unwrap_or(&files), deep.is_some())?;
            return Ok(ImageSource::of_files(path, images_of(listed, asked)?));
        }
        if asked.is_some() {
            let stem = files.file_stem().unwrap_or_default();
            let picture = vec![(stem.to_string_lossy().into_owned(), files.clone())];
            return Ok(ImageSource::of_files(path, images_of(picture, asked)?));
        }
        let (file, key) = split_member(path);
        if !file.exists() {
            return Err(Problem::not_found("a folder of images, a .npy, .pt or .hdf5 file").at(file));
        }
        let (array, channels_first) = if has_ending(&file, &["npy"]) {
            (StackArray::Stored(npy::open(&file)?), false)
        } else if has_ending(&file, &["pt"]) {
            (StackArray::Stored(stack::tensor(&file, key)?), true)
        } else if has_ending(&file, &["hdf5", "h5"]) {
            (StackArray::Hdf5(Brick::open(&file, key.as_deref())?), false)
        } else {
            return Err(Problem::not_an_image_source().at(file));
        };
        let layout = StackLayout::of(&array, channels_first)?;
        let (n_items, n_parts) = array.n_images();
        let mut stems: Vec<String> = (0..n_items).map(|item| item.to_string()).collect();
        for &n in n_parts {
            let parts = stems.iter().flat_map(|stem| (0..n).map(move |part| format!("{stem}/{part}")));
            stems = parts.collect();
        }
        Ok(ImageSource {
            path: path.to_owned(),
            places: (0..stems.len()).collect(),
            stems,
            origin: Origin::Stack { array, layout },
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

    /// Image number `index`: uint8 divided by 255, floats not rescaled, nominally within [0, 1].
    ///
    /// Values outside that range and non-finite ones are kept, so that a comparison can report them.
    pub fn load(&self, index: usize) -> Result<Image<f32>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image.to_unit_float());
        }
        let image = self.stored(index)?;
        let Some(scale) = self.reading().values else {
            return Ok(image);
        };
        let (width_px, height_px) = (image.width_px(), image.height_px());
        let values = image.into_data().into_iter().map(|value| scale.to_unit(value)).collect();
        Image::new(width_px, height_px, values).at(&self.path)
    }

    /// The stored floats of image number `index`.
    fn stored(&self, index: usize) -> Result<Image<f32>, FormatError> {
        self.check(index)?;
        self.stacked(index, StackArray::floats)
    }

    fn reading(&self) -> ImageReading {
        self.reading.get().copied().unwrap_or_default()
    }

    /// Image number `index` as stored, or `None` if the source has floats.
    pub fn load_u8(&self, index: usize) -> Result<Option<Image<u8>>, FormatError> {
        self.check(index)?;
        let place = self.places[index];
        match &self.origin {
            Origin::Files { files, ffmpeg, grid } => {
                let background = self.reading().alpha.unwrap_or(Background::AsStored);
                let decode = || files[place].decode(ffmpeg.as_ref(), background);
                match self.decoded.get() {
                    // The pictures of a grid were kept without blending.
                    Some(Some(kept)) if grid.is_none() || background == Background::AsStored => kept.get(place, decode),
                    _ => decode(),
                }
                .map(Some)
            }
            Origin::Stack { array, .. } if array.element_type() == ElementType::U8 => {
                self.stacked(index, StackArray::bytes).map(Some)
            }
            Origin::Stack { .. } => Ok(None),
        }
    }

    /// Facts about image number `index`, which is decoded: size, values, colours, and encoding.
    pub fn facts(&self, index: usize) -> Result<ImageFacts, FormatError> {
        self.check(index)?;
        let stem = self.stems[index].clone();
        if let Some(file) = self.file_path(index) {
            let found = image_file::read_described(file)?;
            return Ok(ImageFacts {
                stem,
                pixels: found.image.facts(),
                encoding: found.encoding,
                is_transparent: found.is_transparent,
            });
        }
        let pixels = match self.load_u8(index)? {
            Some(image) => image.facts(),
            None => self.stored(index)?.facts(),
        };
        Ok(ImageFacts {
            stem,
            pixels,
            encoding: match &self.origin {
                Origin::Files { files, .. } => files[self.places[index]].form(),
                Origin::Stack { .. } => self.stored_form(),
            },
            is_transparent: false,
        })
    }

    /// Image number `index` in 8 bits, for viewing: floats are clipped to [0, 1], NaN becomes black.
    pub fn load_shown(&self, index: usize) -> Result<Image<u8>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image);
        }
        let image = self.load(index)?;
        let (width, height) = (image.width_px(), image.height_px());
        let bytes = image.into_data().into_iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        Image::new(width, height, bytes.collect()).at(&self.path)
    }

    /// The image with this stem, in 8 bits for viewing; `None` if there is none.
    ///
    /// ```
    /// use neurogauge_formats::{image_source::ImageSource, npy};
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("recons.npy");
    /// npy::write_f32(&path, &[1, 1, 1, 3], &[-1.0, 0.2, 1.5]).unwrap();
    /// let recons = ImageSource::open(&path).unwrap();
    /// assert_eq!(recons.shown("0").unwrap().unwrap().data(), [0, 51, 255]);
    /// assert!(recons.shown("1").unwrap().is_none());
    /// ```
    pub fn shown(&self, stem: &str) -> Result<Option<Image<u8>>, FormatError> {
        let place = self.stems.iter().position(|known| known == stem);
        place.map(|place| self.load_shown(place)).transpose()
    }

    /// Are images arrays of floats, which may have values outside 0 to 1?
    pub fn holds_floats(&self) -> bool {
        match &self.origin {
            Origin::Files { .. } => false,
            Origin::Stack { array, .. } => array.element_type() != ElementType::U8,
        }
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

    /// Pairs these images with their reconstructions; frames of clips by the times at which they are shown.
    pub fn paired_with(&self, recon: &ImageSource, pairing: &Pairing) -> Result<PairedStems, PairingError> {
        let times = Sides::new(self.frame_times(), recon.frame_times());
        pairing.pair_timed(&self.stems, &recon.stems, &times)
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
            Origin::Stack { array, .. } => {
                let (_, n_parts) = array.n_images();
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

    /// Are they the rows of an array, which have no names?
    pub fn is_stack(&self) -> bool {
        matches!(self.origin, Origin::Stack { .. })
    }

    /// How its bytes become images: `files`, or element type and layout of a stack, e.g. `float32 3 x 256 x 256`, and
    /// [how values are read](Self::settle) unless they are read as stored. Together with
    /// [`content_hash`](Self::content_hash) it identifies an image.
    pub fn form(&self) -> String {
        let form = self.stored_form();
        match self.reading() {
            ImageReading {
                alpha: Some(background @ (Background::White | Background::Black)),
                ..
            } => format!("{form} on {}", background.word()),
            ImageReading {
                values: Some(FloatScale::Clipped),
                ..
            } => format!("{form} clipped"),
            ImageReading {
                values: Some(scale @ (FloatScale::Levels | FloatScale::Signed)),
                ..
            } => format!("{form} of {}", scale.word()),
            _ => form,
        }
    }

    fn stored_form(&self) -> String {
        match &self.origin {
            Origin::Files { .. } => "files".to_owned(),
            Origin::Stack { array, layout } => {
                let (width, height) = (layout.width_px, layout.height_px);
                let element = array.element_type();
                if layout.channels_first {
                    format!("{element} 3 x {height} x {width}")
                } else {
                    format!("{element} {height} x {width} x 3")
                }
            }
        }
    }

    /// SHA-256 of the image's file, or of its bytes within a stack (NumPy's `stack[index].tobytes()`). For a frame or a
    /// picture of a grid, the SHA-256 of its decoded pixels as a binary PPM file (`P6`, width and height, `255`, each
    /// on a line, then the RGB bytes).
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.check(index)?;
        if let Some(file) = self.file_path(index) {
            return content_hash::of_file(file);
        }
        let bytes = match &self.origin {
            Origin::Stack { array, layout } => array.bytes(self.places[index] as u64, layout.values())?,
            Origin::Files { .. } => {
                let image = self.load_shown(index)?;
                let size = format!("P6\n{} {}\n255\n", image.width_px(), image.height_px());
                [size.as_bytes(), image.data()].concat()
            }
        };
        Ok(content_hash::of_bytes(&bytes))
    }

    fn check(&self, index: usize) -> Result<(), FormatError> {
        if index < self.len() {
            return Ok(());
        }
        Err(Problem::no_such_image(index, self.len()).at(&self.path))
    }

    fn stacked<T: Copy>(
        &self,
        index: usize,
        read: impl Fn(&StackArray, u64, u64) -> Result<Vec<T>, FormatError>,
    ) -> Result<Image<T>, FormatError> {
        let Origin::Stack { array, layout } = &self.origin else {
            return Err(Problem::not_an_image_source().at(&self.path));
        };
        let mut values = read(array, self.places[index] as u64, layout.values())?;
        if layout.channels_first {
            let plane = values.len() / 3;
            values = (0..plane).flat_map(|p| [values[p], values[plane + p], values[2 * plane + p]]).collect();
        }
        let (width_px, height_px) = (layout.width_px as usize, layout.height_px as usize);
        Image::new(width_px, height_px, values).at(&self.path)
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
