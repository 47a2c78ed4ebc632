//! Masks over the images that they belong to, with labels or as tints.

use super::figure_style::Room;
use super::fitted_image::shown_size;
use super::font::{self, Weight};
use super::page::{Around, Swatch};
use super::scene::{Anchor, Paint, Scene};
use super::style::{GRID, INK, LABEL, LEADING, QUIET, TICK, WHITE, colour, width, words};
use super::{checks, picture};
use crate::ReportError;
use neurogauge_core::image::{Filter, resize_u8};
use neurogauge_core::{Image, Mask};

/// Length of an image's longer side.
const SIDE: f64 = 300.0;
const BETWEEN: f64 = 12.0;

/// Masks in three colours over dimmed images: matched, missing and invented.
///
/// - Shapes: one panel or more, side by side; masks of any size are scaled to their panel, whose proportions are those
///   of `size_px`. Without an image the background is grey. The picture is a PNG.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MaskOverlay {
    pub title: String,
    /// From the left.
    pub panels: Vec<OverlayPanel>,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct OverlayPanel {
    /// Its title, which distinguishes it from the other panels.
    pub title: String,
    /// Width and height of the masks' image, px.
    pub size_px: (u32, u32),
    pub image: Option<Image<u8>>,
    /// Later masks are drawn over earlier ones.
    pub masks: Vec<OverlayMask>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OverlayMask {
    pub label: String,
    pub kind: OverlayKind,
    pub mask: Mask,
}

/// On which side of a pair an object has a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayKind {
    /// The object is on both sides.
    Right,
    /// The object is only on the first side.
    Missing,
    /// The object is only on the second side.
    MadeUp,
}

impl OverlayKind {
    const ALL: [OverlayKind; 3] = [OverlayKind::Right, OverlayKind::Missing, OverlayKind::MadeUp];

    fn label(self) -> &'static str {
        match self {
            OverlayKind::Right => "right",
            OverlayKind::Missing => "missing",
            OverlayKind::MadeUp => "made up",
        }
    }

    fn paint(self) -> Paint {
        match self {
            OverlayKind::Right => Paint::new(0, 158, 115),
            OverlayKind::Missing => Paint::new(0, 114, 178),
            OverlayKind::MadeUp => Paint::new(213, 94, 0),
        }
    }
}

impl MaskOverlay {
    pub fn draw_png(&self) -> Result<Vec<u8>, ReportError> {
        checks::some(&self.title, "panels", self.panels.len())?;
        for panel in &self.panels {
            let (width, height) = panel.size_px;
            checks::some(&self.title, "pixels", width.min(height) as usize)?;
        }
        picture::png_of(&self.scene()?, &self.title)
    }

    #[doc(hidden)] // For tests.
    pub fn scene(&self) -> Result<Scene, ReportError> {
        let sizes: Vec<(f64, f64)> = self.panels.iter().map(OverlayPanel::shown_size).collect();
        let above = LABEL * LEADING + 4.0;
        let wide = sizes.iter().map(|size| size.0 + BETWEEN).sum::<f64>() - BETWEEN;
        let high = sizes.iter().map(|size| size.1).fold(0.0, f64::max);
        let legend = OverlayKind::ALL;
        let around = Around::of(
            &self.title,
            legend.map(|kind| (Swatch::Patch(kind.paint()), kind.label().to_owned())).to_vec(),
            &self.caption,
            Room::default(),
        );
        let mut page = around.page((wide, above + high));
        let (mut x, y) = page.body;
        for (panel, (wide, high)) in self.panels.iter().zip(sizes) {
            let scene = &mut page.scene;
            let at = (x + wide / 2.0, y + above / 2.0);
            let title = font::shortened(&panel.title, LABEL, Weight::Regular, wide);
            words(scene, &title, at, LABEL, Anchor::Middle, QUIET);
            let corner = (x, y + above);
            let pixels = panel.pixels((2.0 * wide) as usize, (2.0 * high) as usize);
            let pixels = pixels.map_err(|reason| ReportError::not_drawn(&self.title, reason))?;
            scene.photo(corner, (wide, high), pixels);
            scene.outline(corner, (wide, high), GRID);
            let mut taken = Vec::new();
            for mask in &panel.masks {
                draw_label(scene, mask, corner, (wide, high), &mut taken);
            }
            x += wide + BETWEEN;
        }
        Ok(page.scene)
    }
}

impl OverlayPanel {
    fn shown_size(&self) -> (f64, f64) {
        shown_size((self.size_px.0 as usize, self.size_px.1 as usize), SIDE)
    }

    /// The dimmed image with the masks over it, scaled to this size.
    fn pixels(&self, wide: usize, high: usize) -> Result<Image<u8>, String> {
        let masks = self.masks.iter().map(|overlay| (&overlay.mask, overlay.kind.paint()));
        tinted(self.image.as_ref(), (wide, high), masks)
    }
}

/// Draws a label on a light background. It is centred on the run of pixels at the mask's middle, and moved up or down
/// just far enough not to cover the labels in `taken` (left, right, middle). If every position is taken, it stays at
/// the middle.
fn draw_label(
    scene: &mut Scene,
    overlay: &OverlayMask,
    (left, top): (f64, f64),
    (wide, high): (f64, f64),
    taken: &mut Vec<(f64, f64, f64)>,
) {
    let mask = &overlay.mask;
    let mut before = mask.area_px2() / 2;
    let middle = mask.intervals().find_map(|(start, end)| {
        let length = u64::from(end - start);
        if before < length {
            return Some(start + (end - start) / 2);
        }
        before -= length;
        None
    });
    let (Some(position), false) = (middle, overlay.label.is_empty()) else {
        return;
    };
    let share = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of);
    let x = share(position / mask.height_px(), mask.width_px()) * wide;
    let y = share(position % mask.height_px(), mask.height_px()) * high;
    let label = font::shortened(&overlay.label, TICK, Weight::Regular, wide - 6.0);
    let half = (width(&label, TICK) / 2.0 + 3.0).min(wide / 2.0);
    let tall = TICK * 0.75;
    let x = left + x.clamp(half, wide - half);
    let highest = top + tall;
    let lowest = top + (high - tall).max(tall);
    let y = (top + y).clamp(highest, lowest);
    let step = 2.0 * tall + 2.0;
    let is_free = |y: &f64| {
        let covers =
            |(from, to, other): &(f64, f64, f64)| x - half < *to && *from < x + half && (y - other).abs() < step;
        (highest..=lowest).contains(y) && !taken.iter().any(covers)
    };
    // In steps of a quarter of a line, the nearest position first.
    let mut places = (0..=80).flat_map(|n| [1.0, -1.0].map(|side| y + side * f64::from(n) * step / 4.0));
    let y = places.find(is_free).unwrap_or(y);
    taken.push((x - half, x + half, y));
    let ground = (2.0 * half, 2.0 * tall);
    scene.rectangle((x - half, y - tall), ground, WHITE.faded(0.82));
    scene.line(&[(x - half, y + tall), (x + half, y + tall)], overlay.kind.paint(), 1.6);
    words(scene, &label, (x, y), TICK, Anchor::Middle, INK);
}

/// Opacity of a mask's colour over the image.
const COVER: f64 = 0.5;

/// An image in light greys with masks over it, each in the colour of its series; their borders are opaque.
///
/// - Shapes: `size_px` is the picture's width and height; image and masks of any size are scaled to it. Without an
///   image the background is grey. Later masks are drawn over earlier ones.
///
/// ```
/// use neurogauge_core::Mask;
/// use neurogauge_report::figures::tinted_masks;
/// let mask = Mask::from_pixels(2, 4, |x, _| x < 2)?;
/// let tinted = tinted_masks(None, (4, 2), &[(&mask, 0)])?;
/// let pixel = |x: usize| &tinted.data()[3 * x..][..3];
/// assert_ne!(pixel(0), pixel(3));
/// assert_eq!(pixel(3), [222, 222, 222]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tinted_masks(
    image: Option<&Image<u8>>,
    size_px: (usize, usize),
    masks: &[(&Mask, usize)],
) -> Result<Image<u8>, ReportError> {
    let not_drawn = |reason: String| ReportError::not_drawn("masks", reason);
    let fitted = image.map(|image| resize_u8(image, size_px.0, size_px.1, Filter::Bilinear)).transpose();
    let fitted = fitted.map_err(|error| not_drawn(error.to_string()))?;
    let masks = masks.iter().map(|(mask, series)| (*mask, colour(*series)));
    tinted(fitted.as_ref(), size_px, masks).map_err(not_drawn)
}

/// Tints masks in any colours. The image is scaled by picking pixels, without averaging.
pub(super) fn tinted<'a>(
    image: Option<&Image<u8>>,
    (wide, high): (usize, usize),
    masks: impl Iterator<Item = (&'a Mask, Paint)>,
) -> Result<Image<u8>, String> {
    let mut rgb = vec![0.0_f64; wide * high * 3];
    for y in 0..high {
        for x in 0..wide {
            let grey = image.map_or(200.0, |image| {
                let column = nearest(x, image.width_px(), wide);
                let at = (nearest(y, image.height_px(), high) * image.width_px() + column) * 3;
                let [r, g, b] = [0, 1, 2].map(|c| f64::from(image.data()[at + c]));
                0.299 * r + 0.587 * g + 0.114 * b
            });
            // The image is lightened, so that colours stand out.
            let dimmed = 255.0 - 0.6 * (255.0 - grey);
            rgb[(y * wide + x) * 3..][..3].fill(dimmed);
        }
    }
    for (mask, paint) in masks {
        cover(&mut rgb, (wide, high), mask, paint);
    }
    let bytes = rgb.iter().map(|value| value.round() as u8).collect();
    Image::new(wide, high, bytes).map_err(|error| error.to_string())
}

/// The pixel among `length` that is nearest to pixel `to` among `shown`.
fn nearest(to: usize, length: usize, shown: usize) -> usize {
    (2 * to + 1) * length / (2 * shown)
}

/// Tints the pixels of a mask; its border is opaque.
fn cover(rgb: &mut [f64], (wide, high): (usize, usize), mask: &Mask, paint: Paint) {
    let (width, height) = (mask.width_px() as usize, mask.height_px() as usize);
    let pixels = mask.pixels_by_column();
    let columns: Vec<usize> = (0..wide).map(|x| nearest(x, width, wide) * height).collect();
    let rows: Vec<usize> = (0..high).map(|y| nearest(y, height, high)).collect();
    let is_inside =
        |x: usize, y: usize| columns.get(x).zip(rows.get(y)).is_some_and(|(column, row)| pixels[column + row]);
    let (r, g, b) = paint.rgb;
    for y in 0..high {
        for x in 0..wide {
            if !is_inside(x, y) {
                continue;
            }
            let around = [(x.wrapping_sub(2), y), (x + 2, y), (x, y.wrapping_sub(2)), (x, y + 2)];
            let is_border = around.iter().any(|&(x, y)| !is_inside(x, y));
            let cover = if is_border { 1.0 } else { COVER };
            for (value, tint) in rgb[(y * wide + x) * 3..][..3].iter_mut().zip([r, g, b]) {
                *value += cover * (f64::from(tint) - *value);
            }
        }
    }
}
