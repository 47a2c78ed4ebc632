//! How the images of a stack lie in it, and which tensor of a file is the stack.

use crate::element::ElementType;
use crate::pt::PtTensor;
use crate::stored_array::StoredArray;
use crate::{FormatError, pt};
use std::path::Path;

/// How the images of a stack lie in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) width_px: u64,
    pub(super) height_px: u64,
    pub(super) channels_first: bool,
}

impl Layout {
    /// Values per image.
    pub(super) fn values(self) -> u64 {
        self.width_px * self.height_px * 3
    }

    /// `channels_first` says which reading wins where both fit, as in (N, 3, H, 3).
    pub(super) fn of(array: &StoredArray, channels_first: bool) -> Result<Layout, FormatError> {
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

pub(super) fn tensor(path: &Path, key: Option<String>) -> Result<StoredArray, FormatError> {
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
