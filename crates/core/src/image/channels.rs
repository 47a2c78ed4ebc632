//! The channels of stored images as colours.

/// How the channels of an image are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// One value for each pixel.
    Grey,
    /// Red, green and blue of each pixel in turn.
    Colours,
    /// The same, each followed by its alpha.
    WithAlpha,
    /// All of red, then green, then blue.
    Planes,
}

/// `u8` or `f32`: a value of a stored image.
pub trait PixelValue: Copy {
    /// The colours of pixels, and their alpha if there is any; grey is copied to three channels.
    ///
    /// ```
    /// use neurogauge_core::image::{Channels, PixelValue};
    /// assert_eq!(u8::colours(vec![1, 2, 3, 4, 5, 6], Channels::Planes).0, [1, 3, 5, 2, 4, 6]);
    /// ```
    fn colours(values: Vec<Self>, channels: Channels) -> (Vec<Self>, Option<Vec<Self>>);
}

// Both are compiled here, where loops are optimised in tests too.
impl PixelValue for u8 {
    fn colours(values: Vec<Self>, channels: Channels) -> (Vec<Self>, Option<Vec<Self>>) {
        colours(values, channels)
    }
}

impl PixelValue for f32 {
    fn colours(values: Vec<Self>, channels: Channels) -> (Vec<Self>, Option<Vec<Self>>) {
        colours(values, channels)
    }
}

fn colours<T: Copy>(values: Vec<T>, channels: Channels) -> (Vec<T>, Option<Vec<T>>) {
    match channels {
        Channels::Grey => (values.into_iter().flat_map(|value| [value; 3]).collect(), None),
        Channels::Colours => (values, None),
        Channels::WithAlpha => {
            let (pixels, _) = values.as_chunks::<4>();
            let colours = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]);
            (colours.collect(), Some(pixels.iter().map(|pixel| pixel[3]).collect()))
        }
        Channels::Planes => {
            let plane = values.len() / 3;
            let pixel = |p: usize| [values[p], values[plane + p], values[2 * plane + p]];
            ((0..plane).flat_map(pixel).collect(), None)
        }
    }
}
