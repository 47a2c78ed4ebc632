//! Prepares a model's input.

use super::record::{PreparedAs, PublishedInput, Statistics};
use super::subject::Subject;
use crate::observers::detection::DetectorPreprocessing;
use crate::observers::preprocess::{CLIP, HALVES, IMAGENET, Preprocessing, ResizeStep, by_pillow};
use crate::observers::segmentation::{SegmenterInput, SegmenterPreprocessing};
use crate::torch_random::TorchGenerator;
use crate::{ImagePreset, ModelError};
use neurogauge_core::Image;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{array_file, image_file};
use neurogauge_kernels::pixels::normalise;
use std::path::{Path, PathBuf};

pub(super) enum Prepared {
    Texts(Vec<String>),
    /// Texts given as token ids.
    Ids(Vec<Vec<u32>>),
    Image(Image<f32>),
    ForMasks(SegmenterInput),
    Pairs {
        pairs: Vec<[Image<f32>; 2]>,
        heads: Option<PathBuf>,
    },
    Classes(LabelledPictures),
}

/// Pictures whose class is known.
pub(super) struct LabelledPictures {
    /// Each picture with the index of its class.
    pub(super) pictures: Vec<(PathBuf, usize)>,
    pub(super) n_classes: usize,
    pub(super) steps: Preprocessing,
}

/// Prepares an input for a model. `files` has the paths of its files in the order of [`PublishedInput::files`], or of
/// its folder.
pub(super) fn prepare(
    input: &PublishedInput,
    files: &[PathBuf],
    model: &str,
    subject: &Subject,
) -> Result<Prepared, ModelError> {
    let path = files.first().map_or(Path::new(""), PathBuf::as_path);
    Ok(match input {
        PublishedInput::Texts(texts) => Prepared::Texts(texts.clone()),
        PublishedInput::TokenIds(ids) => Prepared::Ids(ids.clone()),
        PublishedInput::SeededIds {
            seed,
            behind_px,
            vocabulary,
            length,
        } => {
            let mut generator = TorchGenerator::manual_seed(*seed);
            for side_px in behind_px {
                generator.normal(3 * side_px * side_px, 0.0, 1.0);
            }
            Prepared::Ids(vec![generator.integers(*length, *vocabulary)])
        }
        &PublishedInput::SeededBytes {
            seed,
            width_px,
            height_px,
            statistics,
        } => {
            let bytes = TorchGenerator::manual_seed(seed).integers(3 * width_px * height_px, 255);
            let values: Vec<f32> = bytes.iter().map(|&byte| byte as f32 / 255.0).collect();
            let image = channels_first(width_px, height_px, &values)?;
            Prepared::Image(normalised(image, statistics))
        }
        &PublishedInput::SeededNormal {
            seed,
            width_px,
            height_px,
        } => {
            let values = TorchGenerator::manual_seed(seed).normal(3 * width_px * height_px, 0.0, 1.0);
            Prepared::Image(channels_first(width_px, height_px, &values)?)
        }
        PublishedInput::Picture { prepared, .. } => {
            let picture = picture(path)?;
            let original_px = (picture.width_px(), picture.height_px());
            if let Subject::Segmenter(_) = subject {
                return Ok(Prepared::ForMasks(match prepared {
                    Some(prepared) => SegmenterInput {
                        image: steps(prepared).apply(&picture)?,
                        original_px,
                    },
                    None => SegmenterPreprocessing::sam2().apply(&picture)?,
                }));
            }
            Prepared::Image(match (prepared, subject) {
                (Some(prepared), _) => steps(prepared).apply(&picture)?,
                (None, Subject::Detector(_)) => DetectorPreprocessing::mmdetection().apply(&picture)?.image,
                (None, _) => ImagePreset::Published.preprocessing(model, None)?.apply(&picture)?,
            })
        }
        PublishedInput::Frames { prepared, .. } => {
            let source = ImageSource::open(path).map_err(|error| ModelError::malformed(path, error))?;
            let frames = (0..source.len()).map(|place| source.load(place));
            let frames = frames.collect::<Result<Vec<_>, _>>();
            let frames = frames.map_err(|error| ModelError::malformed(path, error))?;
            Prepared::Image(steps(prepared).apply_to_frames(&frames)?)
        }
        PublishedInput::Array {
            channels_last,
            statistics,
            ..
        } => {
            let array = array_file::open(path).map_err(|error| ModelError::malformed(path, error))?;
            let values = array.read_f32().map_err(|error| ModelError::malformed(path, error))?;
            let sides: Vec<usize> = array.shape().iter().map(|&n| n as usize).collect();
            let image = match (channels_last, &sides[..]) {
                (false, &[1, 3, height_px, width_px]) => channels_first(width_px, height_px, &values)?,
                (true, &[1, height_px, width_px, 3]) => Image::new(width_px, height_px, values)?,
                _ => {
                    return Err(ModelError::malformed(
                        path,
                        format!("its shape is {sides:?}, expected that of one image"),
                    ));
                }
            };
            Prepared::Image(match statistics {
                Some(statistics) => normalised(image, *statistics),
                None => image,
            })
        }
        PublishedInput::PicturePairs { pairs, .. } => {
            let (pictures, heads) = files.split_at(files.len().min(2 * pairs.len()));
            let (pairs, _) = pictures.as_chunks::<2>();
            let both = |[a, b]: &[PathBuf; 2]| Ok([picture(a)?, picture(b)?]);
            Prepared::Pairs {
                pairs: pairs.iter().map(both).collect::<Result<_, ModelError>>()?,
                heads: heads.first().cloned(),
            }
        }
        PublishedInput::Classes { .. } => {
            let steps = ImagePreset::Published.preprocessing(model, None)?;
            Prepared::Classes(labelled_pictures(path, steps)?)
        }
    })
}

fn picture(path: &Path) -> Result<Image<f32>, ModelError> {
    Ok(image_file::read_rgb8(path).map_err(|error| ModelError::malformed(path, error))?.to_unit_float())
}

/// The pictures in a folder of folders, which are the classes in the order of their names.
pub(super) fn labelled_pictures(folder: &Path, steps: Preprocessing) -> Result<LabelledPictures, ModelError> {
    let classes: Vec<PathBuf> = sorted(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    let mut pictures = Vec::new();
    for (class, folder) in classes.iter().enumerate() {
        pictures.extend(sorted(folder)?.into_iter().map(|path| (path, class)));
    }
    if pictures.is_empty() {
        return Err(ModelError::malformed(folder, "it holds no pictures, expected a folder of them for each class"));
    }
    Ok(LabelledPictures {
        pictures,
        n_classes: classes.len(),
        steps,
    })
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, ModelError> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| ModelError::malformed(folder, error))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}

fn channels_first(width_px: usize, height_px: usize, values: &[f32]) -> Result<Image<f32>, ModelError> {
    let n_places = width_px * height_px;
    let pixels = (0..n_places).flat_map(|place| (0..3).map(move |c| values[c * n_places + place]));
    Ok(Image::new(width_px, height_px, pixels.collect())?)
}

fn normalised(mut image: Image<f32>, statistics: Statistics) -> Image<f32> {
    let (mean, std) = numbers(statistics);
    normalise(image.data_mut(), mean, std);
    image
}

fn numbers(statistics: Statistics) -> ([f32; 3], [f32; 3]) {
    match statistics {
        Statistics::Imagenet => IMAGENET,
        Statistics::Clip => CLIP,
        Statistics::Halves => HALVES,
    }
}

fn steps(prepared: &PreparedAs) -> Preprocessing {
    let side_px = prepared.shorter_px;
    let resize = match prepared.squashed {
        true => ResizeStep::Squash(side_px, side_px),
        false => ResizeStep::ShorterSide(side_px),
    };
    by_pillow(resize, prepared.filter, prepared.crop_px, numbers(prepared.statistics))
}
