//! NIfTI volumes of version 1 or 2 in one file (`.nii`, and gzipped `.nii.gz`), and CIFTI-2 matrices in the same file
//! format, such as labels of regions or responses of trials.

mod cifti;
mod header;
mod write;

pub use write::write;

use crate::brain_space::{Grid, Space, Volume};
use crate::budget::{Budget, collect, reserve};
use crate::element::Real;
use crate::{FormatError, IoResult, Problem, gzip};
use cifti::Cifti;
use header::NiftiHeader;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of memory per byte of a file; labels of regions compress well.
const PER_BYTE: u64 = 1000;

/// Reads a volume with a single frame, or a single map of a CIFTI-2 file as (places, 1, 1).
///
/// - Values: as stored, times slope plus intercept if the header has a slope other than 0, as in nibabel's `get_fdata`.
///   Voxels stay in the order of the file; the grid has their location: from the sform if its code is above 0,
///   otherwise from the qform, otherwise only the size of a voxel is known.
/// - Sizes: in version 1, also those that FreeSurfer writes for surfaces with more than 32767 places.
/// - Element types: (u)int of 8 to 64 bits, float of 32 and 64 bits, either byte order.
/// - Errors: the file is missing, has another format (including pairs of files), another element type or several
///   frames, or was cut short.
/// - Reference: nibabel's `Nifti1Image`, `Nifti2Image` and `Cifti2Image`, exactly.
pub fn read(path: &Path) -> Result<Volume, FormatError> {
    let file = NiftiFile::open(path)?;
    let grid = file.grid();
    if file.n_frames() != 1 {
        return Err(Problem::shape(file.axes(), "one volume, (X, Y, Z)").at(path));
    }
    Ok(Volume {
        path: path.to_owned(),
        grid,
        values: file.frames_at(None)?,
    })
}

/// An open file, positioned after its header.
pub(crate) struct NiftiFile {
    path: PathBuf,
    header: NiftiHeader,
    cifti: Option<Cifti>,
    source: Box<dyn Read + Send>,
}

impl NiftiFile {
    pub(crate) fn open(path: &Path) -> Result<NiftiFile, FormatError> {
        let mut source = gzip::open(path, "a NIfTI file (.nii or .nii.gz)")?;
        let header = NiftiHeader::read(path, &mut source)?;
        let before = (&mut source).take(header.before);
        let cifti = if header.is_cifti {
            let extensions = Budget::of_file(path, PER_BYTE).read(before, path, "its extensions")?;
            Some(Cifti::read(path, &header, &extensions)?)
        } else {
            std::io::copy(&mut { before }, &mut std::io::sink()).when("reading", path)?;
            None
        };
        Ok(NiftiFile {
            path: path.to_owned(),
            header,
            cifti,
            source,
        })
    }

    fn axes(&self) -> &[usize] {
        &self.header.axes
    }

    /// (X, Y, Z); for a CIFTI-2 file, (places, 1, 1).
    pub(crate) fn size(&self) -> [usize; 3] {
        match &self.cifti {
            Some(cifti) => [cifti.n_places, 1, 1],
            None => [0, 1, 2].map(|axis| self.axes().get(axis).copied().unwrap_or(1)),
        }
    }

    pub(crate) fn grid(&self) -> Grid {
        let size = self.size();
        let space = match &self.cifti {
            Some(cifti) => Space::Grayordinates(cifti.grayordinates.clone()),
            // This is a surface in a format for volumes.
            None if size[1..] == [1, 1] => Space::Unsaid,
            None => self.header.space.clone(),
        };
        Grid { size, space }
    }

    pub(crate) fn n_frames(&self) -> usize {
        self.cifti.as_ref().map_or_else(|| self.axes().iter().skip(3).product(), |cifti| cifti.n_maps)
    }

    /// The places of a brain structure, such as `CORTEX_LEFT`; only CIFTI-2 files have structures.
    pub(crate) fn places_of(&self, structure: &str) -> Result<std::ops::Range<usize>, FormatError> {
        let models = self.cifti.as_ref().map_or(&[][..], |cifti| &cifti.grayordinates.structures);
        let wanted = structure.trim_start_matches(cifti::PREFIX);
        let found = models.iter().find(|model| model.name.eq_ignore_ascii_case(wanted));
        found.map(|model| model.places.clone()).ok_or_else(|| {
            let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
            Problem::content(
                match names.as_slice() {
                    [] => "no structures by name, which CIFTI-2 files have".to_owned(),
                    names => format!("the structures {}", names.join(", ")),
                },
                format!("the structure {structure}"),
            )
            .at(&self.path)
        })
    }

    /// All places, if a list of them fits into memory.
    pub(crate) fn all_places(&self) -> Result<Vec<usize>, FormatError> {
        let size = self.size();
        let n = size.iter().product();
        let places = Budget::of_file(&self.path, PER_BYTE).vector(n);
        let place = format!("a volume of {size:?} voxels");
        let mut places = places.map_err(|exceeded| exceeded.of(&self.path, place))?;
        places.extend(0..n);
        Ok(places)
    }

    /// The values at these places (in ascending order; `None` for all), frame after frame. Memory: these values and one
    /// frame.
    pub(crate) fn frames_at(mut self, places: Option<&[usize]>) -> Result<Vec<f64>, FormatError> {
        if self.cifti.as_ref().is_some_and(|cifti| cifti.maps_run_fastest) {
            return self.maps_at(places);
        }
        let (n_frames, size) = (self.n_frames(), self.size());
        let mut values = Vec::new();
        for frame in 0..n_frames {
            let of_frame = self.next(size.iter().product(), || match n_frames {
                1 => format!("a volume of {size:?} voxels"),
                _ => format!("frame {} of {n_frames}", frame + 1),
            })?;
            if places.is_none() && n_frames == 1 {
                self.check_end()?;
                return Ok(of_frame);
            }
            let n_values = places.map_or(of_frame.len(), <[usize]>::len);
            reserve(&mut values, n_values).map_err(|exceeded| exceeded.of(&self.path, "its frames"))?;
            match places {
                Some(places) => values.extend(places.iter().map(|&place| of_frame[place])),
                None => values.extend(of_frame),
            }
        }
        self.check_end()?;
        Ok(values)
    }

    /// Reads a file in which all maps of a place are contiguous.
    fn maps_at(mut self, places: Option<&[usize]>) -> Result<Vec<f64>, FormatError> {
        let (n_maps, n_places) = (self.n_frames(), self.size()[0]);
        let mut of_places = Vec::new();
        let mut wanted = places.map(|places| places.iter().peekable());
        for place in 0..n_places {
            let maps = self.next(n_maps, || format!("place {place} of {n_places}"))?;
            let is_wanted = match &mut wanted {
                Some(wanted) => wanted.next_if(|&&wanted| wanted == place).is_some(),
                None => true,
            };
            if is_wanted {
                reserve(&mut of_places, maps.len()).map_err(|exceeded| exceeded.of(&self.path, "its maps"))?;
                of_places.extend(maps);
            }
        }
        self.check_end()?;
        let maps = (0..n_maps).flat_map(|map| of_places.iter().skip(map).step_by(n_maps.max(1)));
        collect(of_places.len(), maps.copied(), &self.path, "its maps")
    }

    /// Checks the end of the file. The description of a CIFTI-2 file has a separate length: if a part of it is lost or
    /// added, the values are not at the position in the header.
    fn check_end(&mut self) -> Result<(), FormatError> {
        let n_after = gzip::check_end(&self.path, &mut self.source)?;
        if n_after > 0 && self.cifti.is_some() {
            return Err(
                Problem::new("more bytes follow its values; expected that the file ends with them").at(&self.path)
            );
        }
        Ok(())
    }

    /// Reads the next `n` values.
    fn next(&mut self, n: usize, place: impl Fn() -> String) -> Result<Vec<f64>, FormatError> {
        let needed = n as u64 * self.header.element.size() as u64;
        let mut budget = Budget::of_file(&self.path, PER_BYTE);
        let bytes = budget.read((&mut self.source).take(needed), &self.path, &place())?;
        if (bytes.len() as u64) < needed {
            return Err(Problem::truncated(place(), needed, bytes.len() as u64).at(&self.path));
        }
        let mut values: Vec<f64> = budget.vector(n).map_err(|e| e.of(&self.path, place()))?;
        Real::decode_into(&bytes, self.header.element, self.header.order, &mut values);
        if let Some((slope, intercept)) = self.header.scaling {
            for value in &mut values {
                *value = *value * slope + intercept;
            }
        }
        Ok(values)
    }
}
