//! Responses of trials in brain images, and masks that select a region.

use crate::brain_space::{Grid, Space};
use crate::budget::{collect, reserve};
use crate::mgh::MghReader;
use crate::nifti::NiftiFile;
use crate::{FormatError, Problem, gifti, volume};
use neurogauge_core::Finding;
use std::path::{Path, PathBuf};

/// What the values are, for messages.
const RESPONSES: &str = "the responses";

/// The selected places of an image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// One value for each place, in any format that [`volume::read`] reads. Default: all places.
    pub mask: Option<PathBuf>,
    /// The mask's values that form the region; if empty, all values other than 0.
    pub labels: Vec<i64>,
    /// A structure of a CIFTI-2 file, such as `CORTEX_LEFT`; default: all.
    pub structure: Option<String>,
}

/// Responses at the places of a region.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Responses {
    /// Number of trials, which are the frames of the image.
    pub n_trials: usize,
    /// The position of each column in the image, counted from 0, in ascending order.
    pub places: Vec<usize>,
    /// (n_trials, n_places), row-major.
    pub values: Vec<f64>,
    /// All places of the image.
    pub grid: Grid,
    /// How the mask was aligned with the image.
    pub findings: Vec<Finding>,
}

/// Does the file have an extension of brain images (`.nii`, `.nii.gz`, `.gii`, `.mgh`, `.mgz`)?
pub fn is_brain_image(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let endings = [".nii", ".nii.gz", ".gii", ".gii.gz", ".mgh", ".mgh.gz", ".mgz"];
    endings.iter().any(|ending| name.ends_with(ending))
}

/// The voxels of a NIfTI volume; `None` for a surface, and for other files.
///
/// # Errors
/// The header cannot be read.
pub fn grid_of_volume(path: &Path) -> Result<Option<Grid>, FormatError> {
    if !path.to_string_lossy().to_ascii_lowercase().contains(".nii") {
        return Ok(None);
    }
    let grid = NiftiFile::open(path)?.grid();
    Ok(matches!(grid.space, Space::Voxels(_) | Space::VoxelSize(_)).then_some(grid))
}

/// Reads the responses of a region from an image with one frame per trial: the fourth axis of NIfTI, the maps or times
/// of CIFTI-2, the arrays of GIfTI, or the frames of MGH.
///
/// - Shapes: (n_trials, n_places); places in the order of the file, whose first axis runs fastest.
/// - Units: as stored, scaled if the file has a scale.
/// - Memory: the region's responses and one frame; for GIfTI, the whole file.
/// - Errors: those of the formats and of [`Grid::laid_on`]; an empty region; a structure that the file does not have.
/// - Reference: nibabel's `get_fdata`, indexed by the mask.
pub fn read(path: &Path, region: &Region) -> Result<Responses, FormatError> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    if name.contains(".nii") {
        let file = NiftiFile::open(path)?;
        let within = region.structure.as_deref().map(|name| file.places_of(name)).transpose()?;
        let grid = file.grid();
        let (places, findings) = match region.mask {
            Some(_) => region.places(path, &grid)?,
            None => (file.all_places()?, Vec::new()),
        };
        let is_within = |place: &usize| within.as_ref().is_none_or(|within| within.contains(place));
        let places: Vec<usize> = places.into_iter().filter(is_within).collect();
        let places = not_empty(path, region, places)?;
        return Ok(Responses {
            n_trials: file.n_frames(),
            values: file.frames_at(Some(&places))?,
            places,
            grid,
            findings,
        });
    }
    if let Some(structure) = &region.structure {
        let expected = format!("a CIFTI-2 file with the structure {structure}");
        return Err(Problem::content("no names of structures of the brain", expected).at(path));
    }
    if name.contains(".gii") {
        let gifti = gifti::read(path)?;
        let grid = gifti.grid();
        let (places, findings) = region.places(path, &grid)?;
        let places = not_empty(path, region, places)?;
        let frames = gifti.values.chunks_exact(gifti.n_vertices);
        let values = frames.flat_map(|frame| places.iter().map(|&place| frame[place]));
        return Ok(Responses {
            n_trials: gifti.n_frames,
            values: collect(gifti.n_frames.saturating_mul(places.len()), values, path, RESPONSES)?,
            places,
            grid,
            findings,
        });
    }
    let mut file = MghReader::open(path)?;
    let grid = file.grid();
    let (places, findings) = region.places(path, &grid)?;
    let places = not_empty(path, region, places)?;
    let mut values = Vec::new();
    while let Some(frame) = file.next_frame(&places)? {
        reserve(&mut values, frame.len()).map_err(|exceeded| exceeded.of(path, RESPONSES))?;
        values.extend(frame.into_iter().map(f64::from));
    }
    Ok(Responses {
        n_trials: file.n_frames(),
        places,
        values,
        grid,
        findings,
    })
}

impl Region {
    /// The places that the mask selects in an image with these places, ascending, and how the mask was aligned with it.
    pub fn places(&self, image: &Path, grid: &Grid) -> Result<(Vec<usize>, Vec<Finding>), FormatError> {
        let Some(path) = &self.mask else {
            let size = grid.size;
            let n = size.iter().fold(1, |n: usize, &size| n.saturating_mul(size));
            let places = collect(n, 0..n, image, &format!("an image of {size:?} places"))?;
            return Ok((places, Vec::new()));
        };
        let mask = volume::read(path)?;
        let (turn, finding) = mask.grid.laid_on(path, (image, grid))?;
        let is_in = |value: f64| match self.labels.as_slice() {
            [] => value != 0.0 && value.is_finite(),
            labels => labels.iter().any(|&label| value == label as f64),
        };
        let n_not_finite = mask.values.iter().filter(|value| !value.is_finite()).count();
        let not_finite = (n_not_finite > 0).then(|| {
            let message = format!(
                "{n_not_finite} of its {} values are NaN or infinite, and count as outside of the region",
                mask.values.len()
            );
            Finding::note("non_finite_mask", path.display().to_string(), message)
        });
        let n = mask.values.iter().filter(|value| is_in(**value)).count();
        let places = (0..mask.values.len()).filter(|&place| is_in(mask.values[place])).map(|place| turn.place(place));
        let mut places = collect(n, places, path, "a mask")?;
        places.sort_unstable();
        Ok((places, finding.into_iter().chain(not_finite).collect()))
    }
}

pub(crate) fn not_empty(path: &Path, region: &Region, places: Vec<usize>) -> Result<Vec<usize>, FormatError> {
    if !places.is_empty() {
        return Ok(places);
    }
    let expected = match region.labels.as_slice() {
        [] => "at least one value other than 0".to_owned(),
        labels => format!("at least one of the labels {labels:?}"),
    };
    Err(Problem::content("no place of the region", expected).at(region.mask.clone().unwrap_or_else(|| path.to_owned())))
}
