//! Arrays with an axis of their own for the repeats of each image, such as (images, repeats, voxels).

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

const NAMES: [&str; 3] = ["images", "repeats", "voxels"];

/// Which axis of an array is which: the names in the order of the array's axes, as text `images, repeats, voxels`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrialAxes {
    pub(super) images: usize,
    pub(super) repeats: usize,
    pub(super) voxels: usize,
}

impl TrialAxes {
    /// The axes of an array of this shape, if one axis, and only one, has as many entries as there are images. Voxels are
    /// the last axis, and there are more of them than repeats.
    pub(super) fn of_shape(shape: [u64; 3], n_images: &[u64]) -> Option<TrialAxes> {
        let mut fitting = (0..3).filter(|&axis| n_images.contains(&shape[axis]));
        let (images, None) = (fitting.next()?, fitting.next()) else {
            return None;
        };
        let repeats = 1_usize.checked_sub(images)?;
        (shape[2] > shape[repeats]).then_some(TrialAxes {
            images,
            repeats,
            voxels: 2,
        })
    }

    /// The numbers of images, repeats and voxels of an array of this shape.
    pub(super) fn sizes(self, shape: [u64; 3]) -> [usize; 3] {
        [self.images, self.repeats, self.voxels].map(|axis| shape[axis] as usize)
    }

    /// The values in the order (images, repeats, voxels), which makes each image and repeat a row of trials.
    pub(super) fn in_rows(self, shape: [u64; 3], values: Vec<f64>) -> Vec<f64> {
        if [self.images, self.repeats, self.voxels] == [0, 1, 2] {
            return values;
        }
        let [_, b, c] = shape.map(|size| size as usize);
        let steps = [b * c, c, 1];
        let [of_images, of_repeats, of_voxels] = [self.images, self.repeats, self.voxels].map(|axis| steps[axis]);
        let [n_images, n_repeats, n_voxels] = self.sizes(shape);
        let mut rows = Vec::with_capacity(values.len());
        for image in 0..n_images {
            for repeat in 0..n_repeats {
                let start = image * of_images + repeat * of_repeats;
                rows.extend((0..n_voxels).map(|voxel| values[start + voxel * of_voxels]));
            }
        }
        rows
    }
}

impl Display for TrialAxes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let axes = [self.images, self.repeats, self.voxels];
        let at = |place: usize| axes.iter().zip(NAMES).find(|(axis, _)| **axis == place).map_or("", |(_, name)| name);
        write!(f, "{}, {}, {}", at(0), at(1), at(2))
    }
}

impl TryFrom<String> for TrialAxes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let given: Vec<&str> = text.split(',').map(str::trim).collect();
        let [Some(images), Some(repeats), Some(voxels)] = NAMES.map(|name| given.iter().position(|own| *own == name))
        else {
            return Err(wrong(&text));
        };
        match given.len() {
            3 => Ok(TrialAxes {
                images,
                repeats,
                voxels,
            }),
            _ => Err(wrong(&text)),
        }
    }
}

impl From<TrialAxes> for String {
    fn from(axes: TrialAxes) -> String {
        axes.to_string()
    }
}

fn wrong(text: &str) -> String {
    format!(
        "layout {text:?}: expected images, repeats and voxels, each once, in the order of the array's axes, such as {:?}",
        NAMES.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(text: &str) -> TrialAxes {
        TrialAxes::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn one_axis_must_have_as_many_entries_as_there_are_images() {
        let found = |shape, n_images: &[u64]| TrialAxes::of_shape(shape, n_images).map(|axes| axes.to_string());
        assert_eq!(found([200, 3, 300], &[200]).as_deref(), Some("images, repeats, voxels"));
        assert_eq!(found([3, 200, 300], &[200, 200]).as_deref(), Some("repeats, images, voxels"));
        // Nothing fits, several axes do, or voxels are not the last axis.
        for (shape, n_images) in [
            ([200, 3, 300], &[][..]),
            ([200, 3, 300], &[100]),
            ([200, 3, 200], &[200]),
            ([3, 300, 200], &[200]),
            ([200, 300, 3], &[200]),
        ] {
            assert_eq!(found(shape, n_images), None, "{shape:?} {n_images:?}");
        }
    }

    #[test]
    fn every_order_gives_the_same_rows() {
        // Image 0 to 1, repeat 0 to 2, voxel 0 to 3, as digits.
        let value = |image: usize, repeat: usize, voxel: usize| (100 * image + 10 * repeat + voxel) as f64;
        let rows: Vec<f64> = (0..24).map(|i| value(i / 12, i / 4 % 3, i % 4)).collect();
        assert_eq!(axes("images, repeats, voxels").in_rows([2, 3, 4], rows.clone()), rows);
        let repeats_first = (0..24).map(|i| value(i / 4 % 2, i / 8, i % 4)).collect();
        assert_eq!(axes("repeats, images,voxels").in_rows([3, 2, 4], repeats_first), rows);
        let voxels_first = (0..24).map(|i| value(i % 2, i / 2 % 3, i / 6)).collect();
        assert_eq!(axes("voxels, repeats, images").in_rows([4, 3, 2], voxels_first), rows);
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["", "images, repeats", "images, repeats, trials", "images, repeats, voxels, images"] {
            let words = TrialAxes::try_from(text.to_owned()).unwrap_err();
            assert!(words.ends_with("such as \"images, repeats, voxels\""), "{words}");
        }
    }
}
