//! FreeSurfer's MGH volumes (`.mgh`, and gzipped `.mgz`), such as single-trial betas on a surface or labels of regions.

mod header;

use crate::brain_space::{Grid, Space};
use crate::budget::{Budget, collect};
use crate::{FormatError, Problem, atomic_file, gzip};
use header::{Element, MghHeader};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of memory per byte of a file; labels of regions compress well.
const PER_BYTE: u64 = 1000;

/// An open MGH file, read frame by frame.
///
/// - Shape: (n_frames, n_places). The places are those of a volume (width, height, depth), with the width varying
///   fastest; a file on a surface has one place for each vertex.
/// - Units: as stored. NSD's betas on fsaverage are already percent signal change.
/// - Memory: one frame, regardless of the file's size.
/// - Errors: a missing file, an invalid header, a file that ends before its last frame.
/// - Reference: nibabel's `MGHImage`.
pub struct MghReader {
    path: PathBuf,
    source: Box<dyn Read + Send>,
    header: MghHeader,
    frame: Vec<u8>,
    n_read: usize,
}

impl std::fmt::Debug for MghReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = &self.path;
        f.debug_struct("MghReader")
            .field("path", path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl MghReader {
    /// Opens a file; if its name ends in `.mgz` or `.gz`, it is decompressed while reading.
    pub fn open(path: &Path) -> Result<MghReader, FormatError> {
        let mut source = gzip::open(path, "an MGH file (.mgh or .mgz)")?;
        let header = MghHeader::read(path, &mut source)?;
        Ok(MghReader {
            path: path.to_owned(),
            source,
            header,
            frame: Vec::new(),
            n_read: 0,
        })
    }

    /// Number of frames; for betas, trials.
    pub fn n_frames(&self) -> usize {
        self.header.n_frames
    }

    /// Number of places of a frame; on a surface, vertices.
    pub fn n_places(&self) -> usize {
        self.header.n_places()
    }

    /// Width, height and depth.
    pub fn size(&self) -> [usize; 3] {
        self.header.size
    }

    /// The places of a frame.
    pub fn grid(&self) -> Grid {
        Grid {
            size: self.header.size,
            space: self.header.space.clone(),
        }
    }

    /// Reads the next frame and returns the values at `places`, in their order. `None` after the last frame.
    ///
    /// # Errors
    /// The file was cut short; a frame does not have a place.
    pub fn next_frame(&mut self, places: &[usize]) -> Result<Option<Vec<f32>>, FormatError> {
        if self.n_read == self.header.n_frames {
            return Ok(None);
        }
        let n_places = self.n_places();
        if let Some(place) = places.iter().find(|&&place| place >= n_places) {
            let reason = format!("a frame has {n_places} of them, counted from 0");
            return Err(Problem::invalid(format!("place {place}"), reason).at(&self.path));
        }
        let n_bytes = n_places * self.header.element.bytes();
        let place = format!("frame {} of {}", self.n_read + 1, self.header.n_frames);
        let mut budget = Budget::of_file(&self.path, PER_BYTE);
        let source = (&mut self.source).take(n_bytes as u64);
        self.frame = budget.read(source, &self.path, &place)?;
        if self.frame.len() < n_bytes {
            return Err(Problem::truncated(place, n_bytes as u64, self.frame.len() as u64).at(&self.path));
        }
        self.n_read += 1;
        if self.n_read == self.header.n_frames {
            gzip::check_end(&self.path, &mut self.source)?;
        }
        let element = self.header.element;
        let values = places.iter().map(|&place| element.value(&self.frame, place));
        collect(places.len(), values, &self.path, "a frame").map(Some)
    }

    /// All values of a file with a single frame, such as labels of regions.
    pub fn single_frame(mut self) -> Result<Vec<f32>, FormatError> {
        if self.header.n_frames != 1 {
            return Err(
                Problem::content(format!("{} frames", self.header.n_frames), "one value for each place").at(&self.path)
            );
        }
        let n_places = self.n_places();
        let places = collect(n_places, 0..n_places, &self.path, "its places")?;
        Ok(self.next_frame(&places)?.unwrap_or_default())
    }
}

/// Writes an `.mgh` file of floats on a surface, frame by frame.
pub fn write<F: AsRef<[f32]>>(path: &Path, n_places: usize, frames: &[F]) -> Result<(), FormatError> {
    if let Some(frame) = frames.iter().find(|frame| frame.as_ref().len() != n_places) {
        return Err(Problem::value_count(&[n_places as u64], frame.as_ref().len()).at(path));
    }
    let header = MghHeader {
        size: [n_places, 1, 1],
        n_frames: frames.len(),
        element: Element::F32,
        space: Space::Unsaid,
    };
    atomic_file::write_with(path, |file| {
        file.write_all(&header.bytes())?;
        for value in frames.iter().flat_map(AsRef::as_ref) {
            file.write_all(&value.to_be_bytes())?;
        }
        Ok(())
    })
}
