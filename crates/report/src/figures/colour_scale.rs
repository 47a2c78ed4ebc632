//! Colours of numbers.

use super::scene::Paint;
use plotters::style::RGBColor;
use plotters::style::colors::colormaps::{ColorMap, DerivedColorMap, ViridisRGB};

/// How the numbers of a heatmap become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourScale {
    /// From the lowest to the highest: viridis, whose steps look equally large.
    #[default]
    Sequential,
    /// Around zero, which is white: blue below, red above, equally far to both sides.
    Diverging,
}

/// Blue over white to red in steps of equal lightness on both sides.
const DIVERGING: [RGBColor; 9] = [
    RGBColor(33, 88, 160),
    RGBColor(78, 133, 195),
    RGBColor(137, 178, 219),
    RGBColor(197, 218, 236),
    RGBColor(247, 247, 247),
    RGBColor(243, 208, 196),
    RGBColor(228, 157, 139),
    RGBColor(203, 105, 92),
    RGBColor(165, 53, 56),
];

impl ColourScale {
    /// The values at the ends of the scale, for values with these ends.
    pub(super) fn ends(self, (low, high): (f64, f64)) -> (f64, f64) {
        match self {
            ColourScale::Sequential => (low, high),
            ColourScale::Diverging => {
                let reach = low.abs().max(high.abs());
                (-reach, reach)
            }
        }
    }

    /// The colour at a share of the way along the scale.
    pub(super) fn colour(self, share: f64) -> Paint {
        let share = share.clamp(0.0, 1.0);
        let RGBColor(r, g, b) = match self {
            ColourScale::Sequential => ViridisRGB.get_color(share),
            ColourScale::Diverging => DerivedColorMap::new(&DIVERGING).get_color(share),
        };
        Paint::new(r, g, b)
    }
}

/// Whether white letters are easier to read on a colour than dark ones.
pub(super) fn is_dark(paint: Paint) -> bool {
    let (r, g, b) = paint.rgb;
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    luminance < 0.3
}
