//! The places of brain images, and whether two images have the same ones.

use crate::{FormatError, Problem};
use neurogauge_core::Finding;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The largest distance between the corners of two equal grids, in voxels, since headers are rounded.
const TOLERANCE: f64 = 0.01;

/// The places of a brain image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// (X, Y, Z); for a surface or a matrix, (n_places, 1, 1).
    pub size: [usize; 3],
    /// The coordinates of the places, as far as they are known.
    pub space: Space,
}

/// Values of a volume of (X, Y, Z) voxels; a surface has (vertices, 1, 1).
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    pub path: PathBuf,
    pub grid: Grid,
    /// The values; X varies fastest.
    pub values: Vec<f64>,
}

/// What a file says about the location of its places.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Space {
    /// Nothing, as in arrays, tables, and surfaces in formats of volumes.
    #[default]
    Unsaid,
    /// Only the size of its voxels, in mm.
    VoxelSize([f64; 3]),
    Voxels(Affine),
    /// The vertices of the surface with this name, such as `CortexLeft`.
    Surface(String),
    /// Places of CIFTI-2.
    Grayordinates(Grayordinates),
}

/// Maps the indices of a voxel to its centre in mm: three rows of four numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine(pub [[f64; 4]; 3]);

/// The places of a CIFTI-2 file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grayordinates {
    /// The structures, in the order of the file.
    pub structures: Vec<Structure>,
    /// Names of parcels, if the places are parcels.
    pub parcels: Vec<String>,
    /// The volume of the voxels, if there is one.
    pub volume: Option<([usize; 3], Affine)>,
}

/// A structure of the brain in a CIFTI-2 file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structure {
    /// The name without its prefix, such as `CORTEX_LEFT`.
    pub name: String,
    /// The positions of its places in the file.
    pub places: Range<usize>,
    /// Number of vertices of the whole surface; `None` for voxels.
    pub n_vertices: Option<u64>,
    /// Indices of vertices, or three indices for each voxel.
    pub indices: Vec<u64>,
}

/// How the axes of one volume map to those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The size of the source volume.
    from: [usize; 3],
    /// The size of the target volume.
    to: [usize; 3],
    /// For each axis of the target, the source axis along it.
    axes: [usize; 3],
    /// For each axis of the target, does the source axis run in the opposite direction?
    flipped: [bool; 3],
}

/// Orders of axes; the one that changes nothing comes first.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]];

impl Turn {
    /// Every order and direction of axes that turns one size into the other.
    fn all(from: [usize; 3], to: [usize; 3]) -> impl Iterator<Item = Turn> + Clone {
        let turns = ORDERS.into_iter().flat_map(move |axes| {
            (0..8).map(move |bits| Turn {
                from,
                to,
                axes,
                flipped: [0, 1, 2].map(|axis| bits >> axis & 1 == 1),
            })
        });
        turns.filter(move |turn| turn.axes.map(|axis| from[axis]) == to)
    }

    /// Do all places keep their positions?
    pub fn is_none(&self) -> bool {
        self.axes == ORDERS[0] && self.flipped == [false; 3]
    }

    /// The position in the target volume of a place in the source volume; the first axis varies fastest in both.
    pub fn place(&self, place: usize) -> usize {
        let [nx, ny, _] = self.from.map(|size| size.max(1));
        let own = [place % nx, place / nx % ny, place / nx / ny];
        let [x, y, z] = [0, 1, 2].map(|axis| match (self.flipped[axis], own[self.axes[axis]]) {
            (true, index) => self.to[axis] - 1 - index,
            (false, index) => index,
        });
        x + self.to[0] * (y + self.to[1] * z)
    }

    /// Do two affines map the corners of a volume to the same points if its axes are turned in this way?
    fn joins(&self, from: &Affine, to: &Affine) -> bool {
        let near = TOLERANCE * to.voxel_size().into_iter().fold(f64::INFINITY, f64::min);
        (0..8).all(|corner| {
            let own = [0, 1, 2].map(|axis| match corner >> axis & 1 {
                0 => -0.5,
                _ => self.from[axis] as f64 - 0.5,
            });
            let other = [0, 1, 2].map(|axis| match (self.flipped[axis], own[self.axes[axis]]) {
                (true, index) => self.to[axis] as f64 - 1.0 - index,
                (false, index) => index,
            });
            let points = from.point(own).into_iter().zip(to.point(other));
            points.map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt() <= near
        })
    }
}

impl Affine {
    fn point(&self, index: [f64; 3]) -> [f64; 3] {
        self.0.map(|[x, y, z, origin]| x * index[0] + y * index[1] + z * index[2] + origin)
    }

    /// The size of a voxel along each axis of the file, in mm.
    pub fn voxel_size(&self) -> [f64; 3] {
        let along = |axis: usize| self.0.iter().map(move |row| row[axis] * row[axis]);
        [0, 1, 2].map(|axis| along(axis).sum::<f64>().sqrt())
    }

    /// The direction of each axis: `RAS` is to the right, to the front and up.
    fn directions(&self) -> String {
        let ends = [['L', 'R'], ['P', 'A'], ['I', 'S']];
        let letter = |axis: usize| {
            let steepest = (0..3).max_by(|&one, &other| {
                let sizes = [one, other].map(|row| self.0[row][axis].abs());
                sizes[0].total_cmp(&sizes[1])
            });
            let row = steepest.unwrap_or(axis);
            ends[row][usize::from(self.0[row][axis] > 0.0)]
        };
        (0..3).map(letter).collect()
    }
}

impl Display for Affine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Prints only as many digits as distinguish voxels.
        write!(f, "{:?}", self.0.map(|row| row.map(|value: f64| (value * 1e4).round() / 1e4 + 0.0)))
    }
}

impl Grid {
    /// A grid of this many places without coordinates.
    pub fn of_places(n_places: usize) -> Grid {
        Grid {
            size: [n_places, 1, 1],
            space: Space::Unsaid,
        }
    }

    /// Maps the places of this image to those of another. This is the only way in which two brain images are aligned.
    /// Axes in another order or direction are turned, which the finding reports; a finding also reports a volume
    /// without orientation.
    ///
    /// # Errors
    /// The places are not those of the other image.
    pub fn laid_on(&self, path: &Path, (other, on): (&Path, &Grid)) -> Result<(Turn, Option<Finding>), FormatError> {
        let other = other.display();
        let refused = |found: String, expected: String| Problem::content(found, expected).at(path);
        let resample = "resample the one to the other (nilearn.image.resample_to_img, a mask with interpolation=\"nearest\"), or \
                        correct the header that is wrong";
        let mut turns = Turn::all(self.size, on.size);
        if let (Space::Voxels(own), Space::Voxels(wanted)) = (&self.space, &on.space) {
            match turns.clone().find(|turn| turn.joins(own, wanted)) {
                Some(turn) => {
                    let [from, to] = [own, wanted].map(Affine::directions);
                    let message = format!("its axes ({from}) are turned to those of {other} ({to})");
                    let finding = Finding::note("turned_axes", path.display().to_string(), message)
                        .on_evidence("the affines put the same voxels at the same points");
                    return Ok((turn, (!turn.is_none()).then_some(finding)));
                }
                None if self.size == on.size => {
                    return Err(refused(
                        format!("other voxels than {other}: its affine is {own}"),
                        format!("{wanted}; {resample}"),
                    ));
                }
                None => {}
            }
        }
        let Some(turn) = turns.next().filter(|_| self.size == on.size) else {
            return Err(refused(
                format!("{:?} places", self.size),
                format!("one value for each place of {other}: {:?}", on.size),
            ));
        };
        let by_index = |lacks: &str| {
            let message = format!("voxels are taken to be those of {other} in the order of the file");
            Finding::warning("no_orientation", path.display().to_string(), message)
                .on_evidence(lacks)
                .or_else("voxels in another order, such as with left and right exchanged")
                .advise("a NIfTI file with its sform or qform decides")
        };
        let finding = match (&self.space, &on.space) {
            (Space::Unsaid, Space::Unsaid | Space::Surface(_) | Space::Grayordinates(_)) => None,
            (Space::Surface(_) | Space::Grayordinates(_), Space::Unsaid) => None,
            (Space::Unsaid, Space::Voxels(_) | Space::VoxelSize(_))
            | (Space::Voxels(_) | Space::VoxelSize(_), Space::Unsaid) => {
                Some(by_index("only one of the files has voxels"))
            }
            (Space::Surface(own), Space::Surface(wanted)) => match own == wanted {
                true => None,
                false => {
                    return Err(refused(format!("vertices of {own}"), format!("those of {wanted}, as {other} has")));
                }
            },
            (Space::Grayordinates(own), Space::Grayordinates(wanted)) => match own.differs(wanted) {
                None => None,
                Some((found, expected)) => {
                    let expected = format!(
                        "{expected}, as {other} has; resample the one to the other (wb_command -cifti-resample)"
                    );
                    return Err(refused(found, expected));
                }
            },
            (own, wanted) => match (own.voxel_size(), wanted.voxel_size()) {
                (Some(sizes), Some(expected)) => {
                    let near = |(own, other): (&f64, &f64)| (own - other).abs() <= TOLERANCE * other.abs();
                    if !sizes.iter().zip(&expected).all(near) {
                        return Err(refused(
                            format!("voxels of {sizes:?} mm"),
                            format!("{expected:?} mm, as {other} has; {resample}"),
                        ));
                    }
                    Some(by_index("a header has neither sform nor qform, and voxels are of one size"))
                }
                _ => {
                    let [found, expected] = [own, wanted].map(Space::kind);
                    return Err(refused(found.to_owned(), format!("{expected}, as {other} has")));
                }
            },
        };
        Ok((turn, finding))
    }
}

impl Space {
    fn voxel_size(&self) -> Option<[f64; 3]> {
        match self {
            Space::VoxelSize(size) => Some(*size),
            Space::Voxels(affine) => Some(affine.voxel_size()),
            Space::Unsaid | Space::Surface(_) | Space::Grayordinates(_) => None,
        }
    }

    /// The kind of space, in words.
    fn kind(&self) -> &'static str {
        match self {
            Space::Unsaid => "values without places",
            Space::VoxelSize(_) | Space::Voxels(_) => "the voxels of a volume",
            Space::Surface(_) => "the vertices of a surface",
            Space::Grayordinates(_) => "places of CIFTI-2",
        }
    }
}

impl Grayordinates {
    /// The first difference, as found and as expected.
    fn differs(&self, wanted: &Grayordinates) -> Option<(String, String)> {
        let said =
            |structure: Option<&Structure>| structure.map_or("no further structure".to_owned(), ToString::to_string);
        let n = self.structures.len().max(wanted.structures.len());
        for place in 0..n {
            let [own, other] = [self, wanted].map(|whole| whole.structures.get(place));
            if own != other {
                let (found, mut expected) = (said(own), said(other));
                if found == expected {
                    expected.insert_str(0, "the same places in the same order: ");
                }
                return Some((found, expected));
            }
        }
        if self.parcels != wanted.parcels {
            let mut other = self.parcels.iter().zip(&wanted.parcels).filter(|(own, wanted)| own != wanted);
            return Some(match other.next() {
                Some((own, wanted)) => (format!("the parcel {own}"), wanted.clone()),
                None => (format!("{} parcels", self.parcels.len()), wanted.parcels.len().to_string()),
            });
        }
        let (&Some((size, own)), &Some((expected, other))) = (&self.volume, &wanted.volume) else {
            return None;
        };
        match Turn::all(size, expected).filter(Turn::is_none).any(|turn| turn.joins(&own, &other)) {
            true => None,
            false => Some((
                format!("voxels of a volume of {size:?} with the affine {own}"),
                format!("{expected:?} with {other}"),
            )),
        }
    }
}

impl Display for Structure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, n) = (&self.name, self.places.len());
        match self.n_vertices {
            Some(of) => write!(f, "{name} with {n} of {of} vertices"),
            None => write!(f, "{name} with {n} voxels"),
        }
    }
}
