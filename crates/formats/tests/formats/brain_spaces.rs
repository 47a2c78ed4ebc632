//! Brain images on a common grid: with the same positions or reordered axes; all else is refused.

use crate::files;
use crate::prelude::*;
use neurogauge_formats::brain_space::{Affine, Grid, Space};
use neurogauge_formats::target_files::{OneOrMore, TargetArrays};

const SIZE: [usize; 3] = [4, 3, 2];
/// An oblique affine, in mm.
const AFFINE: [[f64; 4]; 3] = [[1.8, 0.3, 0.0, -40.0], [-0.3, 1.8, 0.1, 12.5], [0.0, -0.1, 2.0, 7.0]];

/// A volume, and the positions of its voxels.
#[derive(Clone)]
struct Written {
    size: [usize; 3],
    affine: [[f64; 4]; 3],
    /// Frame after frame; the first axis varies fastest.
    values: Vec<f64>,
}

impl Written {
    fn new(n_frames: usize, value: impl Fn(usize) -> f64) -> Written {
        let n: usize = SIZE.iter().product();
        Written {
            size: SIZE,
            affine: AFFINE,
            values: (0..n * n_frames).map(value).collect(),
        }
    }

    /// The same voxels at the same points, stored with other axes: `order` of the axes, and whether each is stored
    /// backwards.
    fn stored(&self, order: [usize; 3], backwards: [bool; 3]) -> Written {
        let size = order.map(|axis| self.size[axis]);
        let mut affine = self.affine;
        for (row, new) in self.affine.iter().zip(&mut affine) {
            new[3] = row[3];
            for (place, &axis) in order.iter().enumerate() {
                let step = if backwards[place] { -row[axis] } else { row[axis] };
                new[place] = step;
                if backwards[place] {
                    new[3] += row[axis] * (self.size[axis] - 1) as f64;
                }
            }
        }
        let n: usize = self.size.iter().product();
        let mut values = Vec::new();
        for frame in self.values.chunks(n) {
            for place in 0..n {
                let new = [place % size[0], place / size[0] % size[1], place / size[0] / size[1]];
                let mut old = [0; 3];
                for (at, &axis) in order.iter().enumerate() {
                    old[axis] = if backwards[at] { size[at] - 1 - new[at] } else { new[at] };
                }
                values.push(frame[old[0] + self.size[0] * (old[1] + self.size[1] * old[2])]);
            }
        }
        Written { size, affine, values }
    }

    /// Writes NIfTI-1 of doubles with an sform, which `change` may alter.
    fn write(&self, path: &Path, change: impl Fn(&mut [u8])) -> PathBuf {
        let mut header = vec![0; 352];
        let n_frames = self.values.len() / self.size.iter().product::<usize>();
        let axes = [4, self.size[0], self.size[1], self.size[2], n_frames, 1, 1, 1];
        put(&mut header, 0, &348_i32.to_le_bytes());
        for (place, size) in axes.into_iter().enumerate() {
            put(&mut header, 40 + 2 * place, &(size as i16).to_le_bytes());
        }
        put(&mut header, 70, &64_i16.to_le_bytes());
        put(&mut header, 72, &64_i16.to_le_bytes());
        put(&mut header, 108, &352_f32.to_le_bytes());
        put(&mut header, 254, &1_i16.to_le_bytes());
        for (place, value) in self.affine.iter().flatten().enumerate() {
            put(&mut header, 280 + 4 * place, &(*value as f32).to_le_bytes());
        }
        put(&mut header, 344, b"n+1\0");
        change(&mut header);
        header.extend(self.values.iter().flat_map(|value| value.to_le_bytes()));
        std::fs::write(path, header).unwrap();
        path.to_owned()
    }
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Writes floats into a header.
fn put_floats(bytes: &mut [u8], at: usize, values: &[f32]) {
    for (place, value) in values.iter().enumerate() {
        put(bytes, at + 4 * place, &value.to_le_bytes());
    }
}

/// Every order and direction of three axes.
fn every_storage() -> Vec<([usize; 3], [bool; 3])> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let directions: Vec<[bool; 3]> = (0..8).map(|bits| [0, 1, 2].map(|axis| bits >> axis & 1 == 1)).collect();
    orders.into_iter().flat_map(|order| directions.iter().map(move |of| (order, *of))).collect()
}

fn masked(trials: &Path, mask: &Path) -> Result<brain_image::Responses, String> {
    let region = Region {
        mask: Some(mask.to_owned()),
        ..Region::default()
    };
    brain_image::read(trials, &region).map_err(|error| error.to_string())
}

#[test]
fn a_mask_selects_the_same_points_however_its_axes_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let trials = Written::new(3, |at| at as f64).write(&folder.path().join("trials.nii"), |_| {});
    // One end of the first axis, and a single voxel at the other end.
    let mask = Written::new(1, |at| f64::from(u8::from(at % 4 == 0 || at == 7)));
    let path = folder.path().join("mask.nii");
    let expected = masked(&trials, &mask.write(&path, |_| {})).unwrap();
    assert_eq!(expected.places, [0, 4, 7, 8, 12, 16, 20]);
    assert_eq!(expected.findings, []);
    let all = every_storage();
    assert_eq!(all.len(), 48);
    for (order, backwards) in all {
        let found = masked(&trials, &mask.stored(order, backwards).write(&path, |_| {})).unwrap();
        assert_eq!(found.places, expected.places, "{order:?} {backwards:?}");
        assert_eq!(found.values, expected.values);
        let said: Vec<&str> = found.findings.iter().map(|finding| finding.code.as_str()).collect();
        match (order, backwards) {
            ([0, 1, 2], [false, false, false]) => assert_eq!(said, [""; 0]),
            _ => assert_eq!(said, ["turned_axes"]),
        }
    }
    let left = mask.stored([0, 1, 2], [true, false, false]).write(&path, |_| {});
    let said = masked(&trials, &left).unwrap().findings[0].to_string();
    assert!(said.contains("mask.nii: its axes (LAS) are turned to those of") && said.contains("(RAS)"), "{said}");
}

#[test]
fn sessions_that_are_stored_otherwise_give_the_same_responses() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (one, two) = (Written::new(2, |at| at as f64), Written::new(3, |at| 1e3 + at as f64));
    one.write(&at("ses-1.nii"), |_| {});
    std::fs::write(at("stimuli.txt"), "a\n").unwrap();
    let responses = |second: &Written, mask: &Written| {
        second.write(&at("ses-2.nii"), |_| {});
        mask.write(&at("mask.nii"), |_| {});
        let target = TargetArrays {
            subject: OneOrMore::One("a".to_owned()),
            roi: OneOrMore::One("V1".to_owned()),
            trials: OneOrMore::One(at("ses-{1..2}.nii")),
            stimuli: Some(at("stimuli.txt")),
            mask: Some(at("mask.nii")),
            ..TargetArrays::default()
        };
        let found = target.targets().unwrap()[0].responses();
        found.map(|found| found.responses).map_err(|error| error.to_string())
    };
    let mask = Written::new(1, |at| f64::from(u8::from([1, 6, 22].contains(&at))));
    let expected = responses(&two, &mask).unwrap();
    assert_eq!(expected.values[..3], [1.0, 6.0, 22.0]);
    assert_eq!(expected.values[6..9], [1001.0, 1006.0, 1022.0]);
    for (order, backwards) in every_storage() {
        let found = responses(&two.stored(order, backwards), &mask.stored([2, 0, 1], backwards)).unwrap();
        assert_eq!((found.places, found.values), (expected.places.clone(), expected.values.clone()));
    }
    let mut moved = two.clone();
    moved.affine[0][3] += 1.8;
    let error = responses(&moved, &mask).unwrap_err();
    assert!(error.contains("mask.nii") && error.contains("ses-2.nii"), "{error}");
}

#[test]
fn other_voxels_are_refused_with_both_affines() {
    let folder = tempfile::tempdir().unwrap();
    let trials = Written::new(2, |at| at as f64).write(&folder.path().join("trials.nii"), |_| {});
    let refused = |change: &dyn Fn(&mut Written)| {
        let mut mask = Written::new(1, |_| 1.0);
        change(&mut mask);
        let error = masked(&trials, &mask.write(&folder.path().join("mask.nii"), |_| {})).unwrap_err();
        for part in ["mask.nii", "trials.nii", "[1.8, 0.3, 0.0, -40.0]", "resample_to_img"] {
            assert!(error.contains(part), "{error}");
        }
    };
    refused(&|mask| mask.affine[1][3] += 0.9);
    refused(&|mask| {
        mask.affine.iter_mut().flatten().for_each(|value| *value *= 1.1);
    });
    refused(&|mask| mask.affine[2][2] *= -1.0);
    refused(&|mask| mask.affine.swap(0, 1));
    refused(&|mask| mask.affine = [[f64::NAN; 4]; 3]);
    refused(&|mask| mask.affine = [[0.0; 4]; 3]);
    // Rounding in a header does not change the voxel.
    let mut mask = Written::new(1, |_| 1.0);
    mask.affine[0][3] += 0.005;
    assert!(masked(&trials, &mask.write(&folder.path().join("mask.nii"), |_| {})).is_ok());
}

#[test]
fn the_affine_is_that_of_the_sform_else_of_the_qform_else_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nii");
    let mask = Written::new(1, |_| 1.0);
    let of_qform = |bytes: &mut [u8]| {
        put(bytes, 254, &0_i16.to_le_bytes());
        put(bytes, 252, &1_i16.to_le_bytes());
        put_floats(bytes, 76, &[-1.0, 1.5, 2.0, 2.5]);
        put_floats(bytes, 256, &[0.1, 0.2, 0.3, 1.0, 2.0, 3.0]);
    };
    let space = |change: &dyn Fn(&mut [u8])| volume::read(&mask.write(&path, change)).unwrap().grid.space;
    let Space::Voxels(Affine(found)) = space(&of_qform) else {
        panic!("no voxels");
    };
    // Expected: `Nifti1Header.get_best_affine` of nibabel 5.4.2 for this header.
    let expected = [
        [1.1099999749660487, -1.0328342557035766, -1.07736186690416, 1.0],
        [0.8946256953539611, 1.599999970197677, 0.16368091296298318, 2.0],
        [-0.4664171103077296, 0.6109447565964305, -2.2499999925494194, 3.0],
    ];
    for (own, other) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((own - other).abs() < 1e-6, "{own} {other}");
    }
    assert!(matches!(space(&|_| {}), Space::Voxels(_)));
    let unoriented = |bytes: &mut [u8]| {
        put(bytes, 254, &0_i16.to_le_bytes());
        put_floats(bytes, 76, &[1.0, 1.8248, 1.8276, 2.0025]);
    };
    assert!(matches!(space(&unoriented), Space::VoxelSize(_)));

    // Only the voxel size is known: voxels are matched by their order, with a warning, or refused if their sizes
    // differ.
    let trials = Written::new(2, |at| at as f64).write(&folder.path().join("trials.nii"), |_| {});
    let found = masked(&trials, &mask.write(&path, unoriented)).unwrap();
    assert_eq!(found.findings[0].code, "no_orientation");
    assert!(found.findings[0].is_warning());
    let other_size = |bytes: &mut [u8]| {
        unoriented(bytes);
        put_floats(bytes, 80, &[2.5]);
    };
    refused(masked(&trials, &mask.write(&path, other_size)), "voxels of [2.5");
}

#[test]
fn an_array_without_places_is_taken_in_its_order_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let trials = Written::new(2, |at| at as f64).write(&folder.path().join("trials.nii"), |_| {});
    let mask = folder.path().join("mask.npy");
    npy::write_f64(&mask, &[4, 3, 2], &[1.0; 24]).unwrap();
    let found = masked(&trials, &mask).unwrap();
    assert_eq!((found.places.len(), found.findings[0].code.as_str()), (24, "no_orientation"));
    // Arrays and surfaces have no space that could differ.
    let (_, said) = Grid::of_places(5).laid_on(&mask, (&trials, &Grid::of_places(5))).unwrap();
    assert_eq!(said, None);
}

fn golden(name: &str) -> PathBuf {
    files::golden("brain_images").join(name)
}

/// A golden with some text replaced; in binary files, the lengths must be equal.
fn changed(folder: &Path, name: &str, from: &str, to: &str) -> PathBuf {
    let bytes = std::fs::read(golden(name)).unwrap();
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes());
    let at = at.unwrap_or_else(|| panic!("{name} has no {from}"));
    let changed = [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat();
    let path = folder.join(name);
    std::fs::write(&path, changed).unwrap();
    path
}

#[test]
fn places_of_cifti_must_be_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (trials, mask) = (golden("trials.dtseries.nii"), "areas.dlabel.nii");
    for (from, to, expected) in [
        ("0 2 3 7", "0 2 3 6", "the same places in the same order: CORTEX_LEFT with 4 of 8 vertices"),
        ("Vertices=\"8\"", "Vertices=\"9\"", "CORTEX_LEFT with 4 of 8 vertices"),
        ("CORTEX_RIGHT", "PUTAMEN_LEFT", "CORTEX_RIGHT with 3 of 9 vertices"),
        ("2 1 0<", "2 1 1<", "THALAMUS_LEFT with 2 voxels"),
        (">1.0000000000", ">2.0000000000", "[4, 3, 2] with [[1.0, 0.0, 0.0, 0.0]"),
    ] {
        let error = masked(&trials, &changed(folder.path(), mask, from, to)).unwrap_err();
        assert!(error.contains(expected) && error.contains("trials.dtseries.nii"), "{error}");
    }
}

#[test]
fn lists_that_contradict_the_number_of_places_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        ("0 2 3 7", "0 2 3  ", "CORTEX_LEFT has 3 numbers; expected 4, its IndexCount"),
        ("0 2 3 7", "0 2 3 3", "CORTEX_LEFT has [3] twice; expected each once"),
        ("0 2 3 7", "0 2 3 8", "CORTEX_LEFT has [8]; expected indices below [8]"),
        ("0 2 3 7", "0 2 3 x", "\"x\" is not a place number"),
        ("2 1 0<", "1 1 0<", "THALAMUS_LEFT has [1, 1, 0] twice"),
        ("2 1 0<", "2 3 0<", "THALAMUS_LEFT has [2, 3, 0]; expected indices below [4, 3, 2]"),
        ("2 1 0<", "2 1  <", "THALAMUS_LEFT has 5 numbers, three of each; expected 2, its IndexCount"),
    ] {
        let path = changed(folder.path(), "trials.dtseries.nii", from, to);
        refused(brain_image::read(&path, &Region::default()), expected);
    }
}

#[test]
fn a_surface_of_the_other_hemisphere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str, surface: &str| {
        let metadata = format!(
            "<MetaData><MD><Name><![CDATA[AnatomicalStructurePrimary]]></Name><Value><![CDATA[{surface}]]></Value></MD></MetaData>"
        );
        changed(folder.path(), name, "<MetaData />", &metadata)
    };
    let trials = named("gzip.func.gii", "CortexLeft");
    assert!(masked(&trials, &named("labels.label.gii", "CortexLeft")).is_ok());
    assert!(masked(&trials, &golden("labels.label.gii")).is_ok());
    refused(
        masked(&trials, &named("labels.label.gii", "CortexRight")),
        "vertices of CortexRight; expected those of CortexLeft",
    );
}
