//! Many images from one place: a folder, a `.npy` stack or a `.pt` stack.

use crate::element::ElementType;
use crate::pt::PtTensor;
use crate::stored_array::StoredArray;
use crate::{FormatError, content_hash, image_file, npy, pt};
use neurogauge_core::{Image, natural_cmp};
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff"];

/// A set of images with stems, loaded one at a time, from any number of threads.
///
/// - **A folder**: its image files (by extension, in any case; hidden files, folders and other
///   files are ignored); stems are file names without extension, in natural order.
/// - **A `.npy` file**: an array (N, H, W, 3), or else (N, 3, H, W), of uint8 or floats.
/// - **A `.pt` file**: a tensor (N, 3, H, W), or else (N, H, W, 3), of uint8 or floats, bare or as
///   the only such one of a dict; `file.pt#key` names one of several.
///
/// The stems of a stack are `"0"` to `"N-1"`. Floats are taken as they are, uint8 is divided by
/// 255. A stack is read by position: an image costs its own bytes (in a `.npy` file in Fortran
/// order it costs the span they are scattered over).
///
/// ```
/// use neurogauge_formats::{image_source::ImageSource, npy};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("recons.npy");
/// npy::write_f32(&path, &[2, 1, 1, 3], &[0.0, 0.0, 0.0, 0.25, 0.5, 1.0]).unwrap();
/// let recons = ImageSource::open(&path).unwrap();
/// assert_eq!(recons.stems(), ["0", "1"]);
/// assert_eq!(recons.load(1).unwrap().data(), [0.25, 0.5, 1.0]);
/// ```
#[derive(Debug)]
pub struct ImageSource {
    path: PathBuf,
    stems: Vec<String>,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Folder { files: Vec<PathBuf> },
    Stack { array: StoredArray, layout: Layout },
}

/// How the images of a stack lie in it.
#[derive(Debug, Clone, Copy)]
struct Layout {
    width_px: u64,
    height_px: u64,
    channels_first: bool,
}

impl ImageSource {
    /// Opens a folder, a `.npy` file, a `.pt` file or `file.pt#key`.
    ///
    /// # Errors
    /// [`FormatError::NotFound`], [`FormatError::NotAnImageSource`]; for folders
    /// [`FormatError::EmptyFolder`] and [`FormatError::DuplicateStem`]; for stacks
    /// [`FormatError::Shape`], [`FormatError::Dtype`], [`FormatError::AmbiguousStack`],
    /// [`FormatError::NoSuchTensor`] and whatever [`npy::open`] and [`pt::open`] return.
    pub fn open(path: &Path) -> Result<ImageSource, FormatError> {
        let (file, key) = split_key(path);
        if path.is_dir() {
            return Self::folder(path);
        }
        if !file.exists() {
            return Err(FormatError::NotFound {
                path: file,
                expected: "a folder of images, a .npy file or a .pt file".to_owned(),
            });
        }
        let (array, channels_first) = if has_extension(&file, "npy") {
            (npy::open(&file)?, false)
        } else if has_extension(&file, "pt") {
            (tensor(&file, key)?, true)
        } else {
            return Err(FormatError::NotAnImageSource { path: file });
        };
        let layout = Layout::of(&array, channels_first)?;
        Ok(ImageSource {
            path: path.to_owned(),
            stems: (0..array.shape()[0]).map(|i| i.to_string()).collect(),
            origin: Origin::Stack { array, layout },
        })
    }

    fn folder(path: &Path) -> Result<ImageSource, FormatError> {
        let failed = |source| FormatError::Io {
            path: path.to_owned(),
            action: "listing",
            source,
        };
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let hidden = file
                .file_name()
                .is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
            let is_image = EXTENSIONS.iter().any(|e| has_extension(&file, e));
            if let Some(stem) = file.file_stem()
                && is_image
                && !hidden
                && file.is_file()
            {
                files.push((stem.to_string_lossy().into_owned(), file));
            }
        }
        if files.is_empty() {
            return Err(FormatError::EmptyFolder {
                path: path.to_owned(),
                expected: "images (png, jpg, jpeg, webp, bmp, tif, tiff)",
            });
        }
        files.sort_by(|a, b| natural_cmp(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
        if let Some([first, second]) = files.array_windows().find(|[a, b]| a.0 == b.0) {
            let name = |file: &Path| {
                file.file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into()
            };
            return Err(FormatError::DuplicateStem {
                path: path.to_owned(),
                stem: first.0.clone(),
                first: name(&first.1),
                second: name(&second.1),
            });
        }
        let (stems, files) = files.into_iter().unzip();
        Ok(ImageSource {
            path: path.to_owned(),
            stems,
            origin: Origin::Folder { files },
        })
    }

    /// The stems, in natural order for a folder and `"0"`, `"1"`, ... for a stack.
    pub fn stems(&self) -> &[String] {
        &self.stems
    }

    /// Number of images; at least 1.
    pub fn len(&self) -> usize {
        self.stems.len()
    }

    /// Never true: a source without images does not open.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// What it was opened as.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Image number `index`: uint8 divided by 255, floats as they are, nominally within [0, 1].
    ///
    /// Values outside that range and non-finite ones are kept: a comparison reports them.
    ///
    /// # Errors
    /// [`FormatError::NoSuchImage`], those of [`image_file::read_rgb8`], [`FormatError::Io`].
    pub fn load(&self, index: usize) -> Result<Image<f32>, FormatError> {
        if let Some(image) = self.load_u8(index)? {
            return Ok(image.to_unit_float());
        }
        self.stacked(index, StoredArray::read_f32_at)
    }

    /// Image number `index` as it is stored, or `None` where the source holds floats.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_u8(&self, index: usize) -> Result<Option<Image<u8>>, FormatError> {
        self.check(index)?;
        match &self.origin {
            Origin::Folder { files } => image_file::read_rgb8(&files[index]).map(Some),
            Origin::Stack { array, .. } if array.element_type() == ElementType::U8 => {
                self.stacked(index, StoredArray::read_bytes_at).map(Some)
            }
            Origin::Stack { .. } => Ok(None),
        }
    }

    /// The file of image number `index`; `None` for stacks.
    pub fn file_path(&self, index: usize) -> Option<&Path> {
        match &self.origin {
            Origin::Folder { files } => files.get(index).map(PathBuf::as_path),
            Origin::Stack { .. } => None,
        }
    }

    /// SHA-256 of the image's file, or of its bytes within a stack (what NumPy gives as
    /// `stack[index].tobytes()`).
    ///
    /// # Errors
    /// [`FormatError::NoSuchImage`], [`FormatError::Io`].
    pub fn content_hash(&self, index: usize) -> Result<String, FormatError> {
        self.check(index)?;
        match &self.origin {
            Origin::Folder { files } => content_hash::of_file(&files[index]),
            Origin::Stack { array, layout } => {
                let n = layout.values();
                let bytes = array.read_bytes_at(index as u64 * n, n)?;
                Ok(content_hash::of_bytes(&bytes))
            }
        }
    }

    fn check(&self, index: usize) -> Result<(), FormatError> {
        if index < self.len() {
            return Ok(());
        }
        Err(FormatError::NoSuchImage {
            path: self.path.clone(),
            index,
            n_images: self.len(),
        })
    }

    fn stacked<T: Copy>(
        &self,
        index: usize,
        read: impl Fn(&StoredArray, u64, u64) -> Result<Vec<T>, FormatError>,
    ) -> Result<Image<T>, FormatError> {
        let Origin::Stack { array, layout } = &self.origin else {
            return Err(FormatError::NotAnImageSource {
                path: self.path.clone(),
            });
        };
        let n = layout.values();
        let mut values = read(array, index as u64 * n, n)?;
        if layout.channels_first {
            let plane = values.len() / 3;
            values = (0..plane)
                .flat_map(|p| [values[p], values[plane + p], values[2 * plane + p]])
                .collect();
        }
        let (width_px, height_px) = (layout.width_px as usize, layout.height_px as usize);
        Image::new(width_px, height_px, values).map_err(|source| FormatError::ImageSize {
            path: self.path.clone(),
            source,
        })
    }
}

impl Layout {
    /// Values per image.
    fn values(self) -> u64 {
        self.width_px * self.height_px * 3
    }

    /// `channels_first` says which reading wins where both fit, as in (N, 3, H, 3).
    fn of(array: &StoredArray, channels_first: bool) -> Result<Layout, FormatError> {
        let element = array.element_type();
        let Some(layout) = Layout::fit(array.shape(), channels_first) else {
            return Err(FormatError::Shape {
                path: array.path().to_owned(),
                found: array.shape().to_vec(),
                expected: "(n images, height, width, 3) or (n images, 3, height, width), none of \
                           them 0"
                    .to_owned(),
            });
        };
        if element != ElementType::U8 && !element.is_float() {
            return Err(FormatError::Dtype {
                path: array.path().to_owned(),
                found: element.to_string(),
                expected: "uint8, or floats between 0 and 1".to_owned(),
            });
        }
        Ok(layout)
    }

    fn fit(shape: &[u64], channels_first: bool) -> Option<Layout> {
        let &[_, a, b, c] = shape else { return None };
        let first = (a == 3).then_some((b, c, true));
        let last = (c == 3).then_some((a, b, false));
        let fit = if channels_first {
            first.or(last)
        } else {
            last.or(first)
        };
        let (height_px, width_px, channels_first) = fit.filter(|_| !shape.contains(&0))?;
        Some(Layout {
            width_px,
            height_px,
            channels_first,
        })
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

/// Takes `file.pt#key` apart, unless a file of that very name exists.
fn split_key(path: &Path) -> (PathBuf, Option<String>) {
    match path.to_str().and_then(|text| text.split_once(".pt#")) {
        Some((file, key)) if !path.exists() => {
            (PathBuf::from(format!("{file}.pt")), Some(key.to_owned()))
        }
        _ => (path.to_owned(), None),
    }
}

fn tensor(path: &Path, key: Option<String>) -> Result<StoredArray, FormatError> {
    let tensors = pt::open(path)?;
    let names = |tensors: &[PtTensor]| tensors.iter().filter_map(|t| t.name.clone()).collect();
    let (stacks, others): (Vec<_>, Vec<_>) = match key {
        Some(key) => {
            return match tensors.iter().find(|t| t.name.as_ref() == Some(&key)) {
                Some(tensor) => Ok(tensor.array.clone()),
                None => Err(FormatError::NoSuchTensor {
                    path: path.to_owned(),
                    key,
                    keys: names(&tensors),
                }),
            };
        }
        None => tensors
            .into_iter()
            .partition(|t| Layout::of(&t.array, true).is_ok()),
    };
    match (stacks.as_slice(), others.as_slice()) {
        // A lone tensor that is no stack: its shape or type is what there is to complain about.
        ([one], _) | ([], [one]) => Ok(one.array.clone()),
        ([], others) => Err(FormatError::Content {
            path: path.to_owned(),
            found: format!("{} tensors, none of them images", others.len()),
            expected: "a float or uint8 tensor (n images, 3, height, width)".to_owned(),
        }),
        (several, _) => Err(FormatError::AmbiguousStack {
            path: path.to_owned(),
            keys: names(several),
        }),
    }
}
