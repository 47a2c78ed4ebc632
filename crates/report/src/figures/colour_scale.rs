//! Maps numbers to colours.

use super::scene::Paint;

/// How the numbers of a heatmap become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourScale {
    /// From the lowest to the highest value: viridis, whose steps look equally large.
    #[default]
    Sequential,
    /// Symmetric around zero, which is white: blue below, red above.
    Diverging,
}

/// Viridis at nine equidistant points.
const SEQUENTIAL: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 45, 123],
    [59, 82, 139],
    [44, 114, 142],
    [33, 145, 140],
    [40, 174, 128],
    [94, 201, 98],
    [173, 220, 48],
    [253, 231, 37],
];

/// From blue over white to red, in steps of equal lightness on both sides.
const DIVERGING: [[u8; 3]; 9] = [
    [33, 88, 160],
    [78, 133, 195],
    [137, 178, 219],
    [197, 218, 236],
    [247, 247, 247],
    [243, 208, 196],
    [228, 157, 139],
    [203, 105, 92],
    [165, 53, 56],
];

impl ColourScale {
    /// The values at the ends of the scale, for data with these ends.
    pub(super) fn ends(self, (low, high): (f64, f64)) -> (f64, f64) {
        match self {
            ColourScale::Sequential => (low, high),
            ColourScale::Diverging => {
                let reach = low.abs().max(high.abs());
                (-reach, reach)
            }
        }
    }

    /// The colour at a position along the scale, 0..1.
    #[doc(hidden)] // For tests.
    pub fn colour(self, share: f64) -> Paint {
        let stops = match self {
            ColourScale::Sequential => &SEQUENTIAL,
            ColourScale::Diverging => &DIVERGING,
        };
        let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let below = (place as usize).min(stops.len() - 2);
        let beyond = place - below as f64;
        let channel = |c: usize| {
            let (from, to) = (f64::from(stops[below][c]), f64::from(stops[below + 1][c]));
            (from + beyond * (to - from)).round() as u8
        };
        Paint::new(channel(0), channel(1), channel(2))
    }
}

/// Black or white, whichever is easier to read on this colour.
pub fn ink_on(ground: Paint) -> Paint {
    let [black, white] = [Paint::new(0, 0, 0), Paint::new(255, 255, 255)];
    if contrast(white, ground) > contrast(black, ground) {
        white
    } else {
        black
    }
}

/// The contrast of two colours by WCAG 2, from 1 to 21.
pub fn contrast(a: Paint, b: Paint) -> f64 {
    let linear = |channel: u8| match f64::from(channel) / 255.0 {
        small if small <= 0.04045 => small / 12.92,
        large => ((large + 0.055) / 1.055).powf(2.4),
    };
    let luminance = |paint: Paint| {
        let (r, g, b) = paint.rgb;
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}
