//! Files with several images: the frames of clips, and the pictures of a grid.

use super::decoded::{Decoded, PixelFile, PixelPlace};
use super::grid::{AskedGrid, Cell, PictureGrid};
use crate::stem_listing::has_ending;
use crate::video::{self, Ffmpeg};
use crate::{FormatError, Problem, gif_frames, image_file};
use neurogauge_core::Image;
use neurogauge_core::image::Background;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

static N_DECODED: AtomicUsize = AtomicUsize::new(0);

/// Number of image files and clips that this process has decoded.
pub fn n_decoded() -> usize {
    N_DECODED.load(Ordering::Relaxed)
}

/// An image file, or one image of a file with several.
#[derive(Debug, Clone)]
pub(super) struct ImagePlace {
    pub(super) path: PathBuf,
    /// The number of the frame, from 0; `None` for a file without frames.
    frame: Option<usize>,
    /// How long the frame is shown, in microseconds, if known.
    pub(super) shown_for: Option<u32>,
    /// The part of the picture, if the picture shows several images.
    cell: Option<Cell>,
}

impl ImagePlace {
    fn of_file(path: PathBuf) -> Self {
        ImagePlace {
            path,
            frame: None,
            shown_for: None,
            cell: None,
        }
    }

    /// Is the whole file this image?
    pub(super) fn is_file(&self) -> bool {
        self.frame.is_none() && self.cell.is_none()
    }

    pub(super) fn is_frame(&self) -> bool {
        self.frame.is_some()
    }

    /// How the image is contained in its file, in words.
    pub(super) fn form(&self) -> String {
        let kind = self.path.extension().unwrap_or_default().to_string_lossy().to_uppercase();
        match (&self.cell, self.frame) {
            (Some(_), _) => format!("{kind}, in a grid"),
            (None, Some(_)) => format!("{kind}, frame"),
            (None, None) => kind,
        }
    }

    /// Decodes the image, with the transparent pixels of an image file blended over this background.
    pub(super) fn decode(&self, ffmpeg: Option<&Ffmpeg>, background: Background) -> Result<Image<u8>, FormatError> {
        if !is_clip(&self.path) {
            N_DECODED.fetch_add(1, Ordering::Relaxed);
            let image = image_file::read_rgb8_on(&self.path, background)?;
            return Ok(match &self.cell {
                Some(cell) => cell.cut(&image),
                None => image,
            });
        }
        let wanted = self.frame.unwrap_or(0);
        let (mut found, mut n_before) = (None, 0);
        visit(&self.path, ffmpeg, &mut |image, _| {
            if n_before == wanted {
                found = Some(match &self.cell {
                    Some(cell) => cell.cut(&image),
                    None => image,
                });
            }
            n_before += 1;
            Ok(())
        })?;
        found
            .ok_or_else(|| Problem::image(format!("frame {} is gone; the file has changed", wanted + 1)).at(&self.path))
    }
}

/// The images of several files.
pub(super) struct Images {
    pub(super) stems: Vec<String>,
    pub(super) places: Vec<ImagePlace>,
    /// The pixels of clips and grids, which are decoded once, when they are opened.
    pub(super) decoded: Option<Decoded>,
    pub(super) ffmpeg: Option<Ffmpeg>,
    pub(super) grid: Option<PictureGrid>,
}

impl Images {
    /// One image of each file.
    pub(super) fn of_paths(paths: &[PathBuf]) -> Self {
        let stems = paths.iter().map(|path| path.display().to_string());
        Images {
            stems: stems.collect(),
            places: paths.iter().cloned().map(ImagePlace::of_file).collect(),
            decoded: None,
            ffmpeg: None,
            grid: None,
        }
    }
}

/// The images of files. The frames of `stem` are called `stem/0001`, `stem/0002`, ..., and so are the pictures in a
/// grid of several.
pub(super) fn images_of(files: &[(String, PathBuf)], asked: Option<AskedGrid>) -> Result<Images, FormatError> {
    let mut paths = files.iter().map(|(_, path)| path);
    let ffmpeg = paths.find(|path| is_video(path)).map(|path| Ffmpeg::find(path)).transpose()?;
    let grid = asked.map(|asked| {
        let paths = files.iter().map(|(_, path)| path.as_path());
        asked.find(paths, |path, take| visit(path, ffmpeg.as_ref(), take))
    });
    let grid = grid.transpose()?;
    let has_several = |path: &Path| grid.is_some() || is_clip(path);
    let file = files.iter().any(|(_, path)| has_several(path)).then(PixelFile::new).flatten();
    let images = parallel::try_map_each(files, |(stem, path)| {
        if !has_several(path) {
            return Ok(vec![(stem.clone(), ImagePlace::of_file(path.clone()), None)]);
        }
        stop_if_asked();
        several(stem, path, ffmpeg.as_ref(), grid.as_ref(), file.as_ref())
    })?;
    let (mut stems, mut places, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (stem, place, pixels) in images.into_iter().flatten() {
        stems.push(stem);
        places.push(place);
        kept.push(pixels);
    }
    Ok(Images {
        stems,
        places,
        decoded: file.map(|file| Decoded::new(file, kept.into_iter())),
        ffmpeg,
        grid,
    })
}

/// The images of one file, with their stems and the locations of their pixels.
fn several(
    stem: &str,
    path: &Path,
    ffmpeg: Option<&Ffmpeg>,
    grid: Option<&PictureGrid>,
    file: Option<&PixelFile>,
) -> Result<Vec<(String, ImagePlace, Option<PixelPlace>)>, FormatError> {
    // The numbers of the frame and of the picture in it, both from 0.
    let mut found: Vec<(usize, usize, ImagePlace, Option<PixelPlace>)> = Vec::new();
    let mut n_frames = 0;
    visit(path, ffmpeg, &mut |image, shown_for| {
        let cells = match grid {
            Some(grid) => grid.cells(path, &image, !is_clip(path))?.into_iter(),
            None => vec![None].into_iter(),
        };
        for (number, cell) in cells.enumerate() {
            let cut = cell.as_ref().map(|cell: &Cell| cell.cut(&image));
            let kept = file.and_then(|file| file.write(cut.as_ref().unwrap_or(&image)));
            let place = ImagePlace {
                path: path.to_owned(),
                frame: is_clip(path).then_some(n_frames),
                shown_for,
                cell,
            };
            found.push((n_frames, number, place, kept));
        }
        n_frames += 1;
        Ok(())
    })?;
    found.sort_by_key(|(frame, number, ..)| (*number, *frame));
    let has_numbers = found.iter().any(|(_, number, ..)| *number > 0);
    let named = found.into_iter().map(|(frame, number, mut place, kept)| {
        let mut name = stem.to_owned();
        if has_numbers {
            name.push_str(&format!("/{:04}", number + 1));
        }
        if n_frames > 1 {
            name.push_str(&format!("/{:04}", frame + 1));
        } else if !is_video(path) {
            // A GIF file with one frame is a still.
            (place.frame, place.shown_for) = (None, None);
        }
        (name, place, kept)
    });
    Ok(named.collect())
}

/// Decodes every frame of a file in order, each with how long it is shown, in microseconds.
fn visit(
    path: &Path,
    ffmpeg: Option<&Ffmpeg>,
    frame: &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    N_DECODED.fetch_add(1, Ordering::Relaxed);
    match ffmpeg {
        Some(ffmpeg) if is_video(path) => ffmpeg.visit(path, frame),
        _ if has_ending(path, &["gif"]) => gif_frames::visit(path, frame),
        _ => frame(image_file::read_rgb8(path)?, None),
    }
}

fn is_video(path: &Path) -> bool {
    has_ending(path, &video::EXTENSIONS)
}

fn is_clip(path: &Path) -> bool {
    is_video(path) || has_ending(path, &["gif"])
}
