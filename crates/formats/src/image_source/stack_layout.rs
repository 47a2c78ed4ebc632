//! Which axes of an array are pictures, and what to write in NumPy if none fit.

use super::ImageSource;
use super::stack::{StackArray, is_read};
use crate::element::ElementType;
use crate::{FormatError, Problem};
use neurogauge_core::Finding;
use neurogauge_core::image::Channels;
use std::path::Path;

/// The axis of an image's channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelAxis {
    /// (height, width), grey.
    None,
    First,
    Last,
}

/// The layout of images in a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StackLayout {
    pub(super) width_px: u64,
    pub(super) height_px: u64,
    /// 3 for colours, 1 for grey, and 4 for colours with alpha.
    n_channels: u64,
    axis: ChannelAxis,
}

/// The shapes of stacks, for messages.
const SHAPES: &str = "(n images, height, width, 3) or (n images, 3, height, width), the same with 1 for grey or with a last axis of 4 for \
                      alpha, with one or two axes of parts after the first, or (n images, height, width) for grey, none of them 0";

/// The axis of the channels of pictures in an array of this shape, which has the name or path `path`; `channels_first`
/// decides if both readings fit, as for (N, 3, H, 3).
///
/// # Errors
/// The shape is not that of pictures, with what to write in NumPy.
pub fn channel_axis(path: &Path, shape: &[u64], channels_first: bool) -> Result<ChannelAxis, FormatError> {
    match StackLayout::fit(shape, channels_first) {
        Some(layout) => Ok(layout.axis),
        None => Err(refused(shape).at(path)),
    }
}

fn refused(shape: &[u64]) -> Problem {
    Problem::shape(shape, format_args!("{SHAPES}{}", remedy(shape)))
}

impl StackLayout {
    /// The layout of an array; `channels_first` decides if both readings fit, as for (N, 3, H, 3).
    pub(super) fn of(array: &StackArray, channels_first: bool) -> Result<StackLayout, FormatError> {
        let (path, shape, element) = (array.path(), array.shape(), array.element_type());
        let is_brick = matches!(array, StackArray::Hdf5(_));
        let layout = StackLayout::fit(shape, channels_first);
        let Some(layout) = layout.filter(|layout| !is_brick || layout.parts(shape).is_empty()) else {
            return Err(refused(shape).at(path));
        };
        if is_read(element) && (!is_brick || [ElementType::U8, ElementType::F32].contains(&element)) {
            return Ok(layout);
        }
        let floats = if is_brick { "float32" } else { "floats" };
        let mut expected = format!("uint8, or {floats} between 0 and 1");
        if !element.is_float() {
            expected.push_str("; `x.astype(np.uint8)` makes uint8 of whole numbers from 0 to 255");
        }
        Err(Problem::dtype(element.to_string(), expected).at(path))
    }

    /// The layout of an array of this shape, if it can be images.
    pub(super) fn fit(shape: &[u64], channels_first: bool) -> Option<StackLayout> {
        if shape.contains(&0) {
            return None;
        }
        let (a, b, c) = match *shape {
            // Three channels or a single line are a picture or features rather than grey pictures.
            [n, height_px, width_px] if n != 3 && height_px > 1 && width_px > 4 => {
                return Some(StackLayout {
                    width_px,
                    height_px,
                    n_channels: 1,
                    axis: ChannelAxis::None,
                });
            }
            [_, a, b, c] | [_, _, a, b, c] | [_, _, _, a, b, c] => (a, b, c),
            _ => return None,
        };
        let first = |n_channels: u64| {
            (a == n_channels).then_some(StackLayout {
                width_px: c,
                height_px: b,
                n_channels,
                axis: ChannelAxis::First,
            })
        };
        let last = |n_channels: u64| {
            (c == n_channels).then_some(StackLayout {
                width_px: b,
                height_px: a,
                n_channels,
                axis: ChannelAxis::Last,
            })
        };
        let either = |n: u64| match channels_first {
            true => first(n).or(last(n)),
            false => last(n).or(first(n)),
        };
        // Four channels in front are the latents of a diffusion model.
        either(3).or(either(1)).or(last(4))
    }

    /// The number and the axis of channels of an array of one picture.
    pub(super) fn channels_of(picture: &[u64], channels_first: bool) -> Option<(u64, ChannelAxis)> {
        let layout = StackLayout::fit(&[&[1], picture].concat(), channels_first)?;
        Some((layout.n_channels, layout.axis))
    }

    /// The same for a picture of this shape.
    pub(super) fn of_picture(self, shape: &[u64]) -> StackLayout {
        let (height_px, width_px) = match (self.axis, shape) {
            (ChannelAxis::First, &[_, height_px, width_px]) | (_, &[height_px, width_px, _]) => (height_px, width_px),
            _ => (self.height_px, self.width_px),
        };
        StackLayout {
            width_px,
            height_px,
            ..self
        }
    }

    /// How certain a shape is that of images: 0 for colours, then other axes of channels, then no such axis.
    pub(super) fn doubt(self) -> u8 {
        match (self.n_channels, self.axis) {
            (3, _) => 0,
            (_, ChannelAxis::None) => 2,
            _ => 1,
        }
    }

    /// Width and height, px.
    pub(super) fn size_px(self) -> Option<(usize, usize)> {
        Some((usize::try_from(self.width_px).ok()?, usize::try_from(self.height_px).ok()?))
    }

    /// Values per image.
    pub(super) fn values(self) -> u64 {
        self.width_px * self.height_px * self.n_channels
    }

    /// The axes between the items and the image, as in (N, samples, frames, H, W, 3).
    pub(super) fn parts(self, shape: &[u64]) -> &[u64] {
        let n_axes = if self.axis == ChannelAxis::None { 2 } else { 3 };
        &shape[1..shape.len() - n_axes]
    }

    pub(super) fn has_alpha(self) -> bool {
        self.n_channels == 4
    }

    /// The element type and the axes of an image, such as `float32 3 x 256 x 256`.
    pub(super) fn form(self, element: ElementType) -> String {
        let StackLayout {
            width_px,
            height_px,
            n_channels,
            axis,
        } = self;
        match axis {
            ChannelAxis::None => format!("{element} {height_px} x {width_px}"),
            ChannelAxis::First => format!("{element} {n_channels} x {height_px} x {width_px}"),
            ChannelAxis::Last => format!("{element} {height_px} x {width_px} x {n_channels}"),
        }
    }

    /// How the channels of its images are stored.
    pub(super) fn channels(self) -> Channels {
        match (self.n_channels, self.axis) {
            (1, _) => Channels::Grey,
            (4, _) => Channels::WithAlpha,
            (_, ChannelAxis::First) => Channels::Planes,
            _ => Channels::Colours,
        }
    }

    /// The axes in words, if they are not those of colours.
    fn in_words(self) -> Option<&'static str> {
        Some(match (self.n_channels, self.axis) {
            (1, ChannelAxis::None) => "(n images, height, width)",
            (1, ChannelAxis::First) => "(n images, 1, height, width)",
            (1, ChannelAxis::Last) => "(n images, height, width, 1)",
            (4, _) => "(n images, height, width, 4)",
            _ => return None,
        })
    }
}

impl ImageSource {
    /// What the images of a stack were taken for, unless they are colours called by their numbers.
    pub(super) fn taken_for(&self, layout: StackLayout, named_by: Option<&str>, subject: &str) -> Option<Finding> {
        let what = match layout.n_channels {
            1 => "grey pictures",
            4 => "pictures with alpha",
            _ => "pictures",
        };
        let size = match self.common_layout() {
            Some(layout) => format!("{} x {} px", layout.width_px, layout.height_px),
            None => "several sizes".to_owned(),
        };
        let mut words = format!("{} {what} of {size}", self.len());
        if let Some(axes) = layout.in_words() {
            words.push_str(&format!(" from {axes}"));
        }
        if layout.n_channels == 1 {
            words.push_str(", copied to three channels");
        }
        if let Some(key) = named_by {
            words.push_str(&format!(", named by the {key} in the file"));
        }
        let is_usual = layout.in_words().is_none() && named_by.is_none();
        (!is_usual).then(|| Finding::note("taken_for", subject, words))
    }
}

/// What to write in NumPy (or PyTorch) so that an array of this shape fits, after a semicolon; empty if nothing is
/// likely.
fn remedy(shape: &[u64]) -> String {
    let side = |n_pixels: u64| {
        let side = n_pixels.isqrt();
        (side > 1 && side * side == n_pixels).then_some(side)
    };
    let words = match *shape {
        _ if shape.contains(&0) => return String::new(),
        [n, width] => match (side(width / 3).filter(|_| width % 3 == 0), side(width)) {
            (Some(s), _) => format!("`x.reshape({n}, {s}, {s}, 3)` if each row is a picture in colour"),
            (None, Some(s)) => format!("`x.reshape({n}, {s}, {s})` if each row is a grey picture"),
            (None, None) => "`x[None]` if it is one grey picture".to_owned(),
        },
        [_, _, 1 | 3 | 4] => "`x[None]` if it is one picture".to_owned(),
        [3, _, _] => "`x[None]` if it is one picture in colour, `x[:, None]` if it is three grey ones".to_owned(),
        [_, 4, _, _] => {
            "latents of a diffusion model are no pictures: decode them, and save what the decoder gives".to_owned()
        }
        [_, _, 3, _] => "`x.transpose(3, 0, 1, 2)` if the pictures are along the last axis".to_owned(),
        [3, _, _, _] => "`x.transpose(1, 2, 3, 0)` if the channels are along the first axis".to_owned(),
        [_, _, _, _] | [_, _, _, _, _] => "`x[..., None]` if these are grey pictures with parts".to_owned(),
        _ => return String::new(),
    };
    format!("; {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(shape: &[u64]) -> Option<String> {
        let layout = StackLayout::fit(shape, false)?;
        Some(format!("{} parts {:?}", layout.form(ElementType::U8), layout.parts(shape)))
    }

    #[test]
    fn axes_are_found_by_their_sizes() {
        for (shape, expected) in [
            (&[9, 8, 7, 3][..], "uint8 8 x 7 x 3 parts []"),
            (&[9, 3, 8, 7], "uint8 3 x 8 x 7 parts []"),
            (&[9, 8, 7], "uint8 8 x 7 parts []"),
            (&[1, 8, 7], "uint8 8 x 7 parts []"),
            (&[9, 1, 8, 7], "uint8 1 x 8 x 7 parts []"),
            (&[9, 8, 7, 1], "uint8 8 x 7 x 1 parts []"),
            (&[9, 8, 7, 4], "uint8 8 x 7 x 4 parts []"),
            (&[9, 2, 8, 7, 3], "uint8 8 x 7 x 3 parts [2]"),
            (&[9, 2, 5, 1, 8, 7], "uint8 1 x 8 x 7 parts [2, 5]"),
            (&[9, 1, 3, 8, 7], "uint8 3 x 8 x 7 parts [1]"),
        ] {
            assert_eq!(form(shape).as_deref(), Some(expected), "{shape:?}");
        }
    }

    #[test]
    fn other_shapes_have_the_line_that_mends_them() {
        for (shape, expected) in [
            (&[2, 48][..], "x.reshape(2, 4, 4, 3)"),
            (&[2, 784], "x.reshape(2, 28, 28)"),
            (&[20, 30], "x[None]"),
            (&[20, 30, 3], "x[None]"),
            (&[3, 20, 30], "x[:, None]"),
            (&[9, 4, 64, 64], "latents"),
            (&[20, 30, 3, 9], "x.transpose(3, 0, 1, 2)"),
            (&[3, 9, 20, 30], "x.transpose(1, 2, 3, 0)"),
            (&[9, 5, 20, 30], "x[..., None]"),
        ] {
            assert_eq!(form(shape), None, "{shape:?}");
            let found = remedy(shape);
            assert!(found.contains(expected), "{shape:?}: {found}");
        }
        assert_eq!((remedy(&[5]), remedy(&[0, 8, 8, 3])), (String::new(), String::new()));
    }
}
