//! Labelled boxes over the image in which they were found.

use super::fitted_image::{sharp, shown_size};
use super::font::{self, Weight};
use super::scene::{Anchor, Bounds, Paint, Scene, Xy};
use super::style::{INK, TICK, WHITE, colour, width, words};
use super::{checks, picture};
use crate::ReportError;
use neurogauge_core::{BoxXyxy, Image};

/// Length of the image's longer side.
const SIDE: f64 = 480.0;
const LINE: f64 = 1.8;
const HIGH: f64 = TICK * 1.4;
/// Margins between a label's edge and its words; the left one contains a patch of colour.
const LEFT: f64 = 7.0;
const RIGHT: f64 = 3.0;

/// A detector's boxes over an image, in colours. Labels are placed so that they overlap as little as possible.
///
/// - Shapes: boxes in pixels of the image, in descending order of importance: earlier boxes are drawn over later ones,
///   and their labels are placed first. The picture is a PNG with a longer side of 960 px, regardless of the   image's
///   size.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxOverlay {
    pub image: Image<u8>,
    /// The most important first.
    pub boxes: Vec<LabelledBox>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LabelledBox {
    pub label: String,
    /// The series, which determines the colour.
    pub series: usize,
    /// The box in px of the image.
    pub bbox: BoxXyxy,
}

const TITLE: &str = "detections";

impl BoxOverlay {
    pub fn draw_png(&self) -> Result<Vec<u8>, ReportError> {
        checks::some(TITLE, "pixels", self.image.data().len())?;
        checks::finite(TITLE, "boxes", self.boxes.iter().flat_map(|item| item.bbox.edges()))?;
        picture::png_of(&self.scene()?, TITLE)
    }

    #[doc(hidden)] // For tests.
    pub fn scene(&self) -> Result<Scene, ReportError> {
        let size = (self.image.width_px(), self.image.height_px());
        let scale = SIDE / size.0.max(size.1) as f64;
        let (wide, high) = shown_size(size, SIDE);
        let mut scene = Scene::new(wide, high);
        let photo = sharp(&self.image, (wide, high), TITLE)?;
        scene.photo((0.0, 0.0), (wide, high), photo);

        let bounds: Vec<Bounds> = self
            .boxes
            .iter()
            .map(|item| {
                let across = |x: f64| (x * scale).clamp(0.0, wide);
                let down = |y: f64| (y * scale).clamp(0.0, high);
                let bbox = item.bbox.upright();
                (across(bbox.x0), down(bbox.y0), across(bbox.x1), down(bbox.y1))
            })
            .collect();
        for (item, bounds) in self.boxes.iter().zip(&bounds).rev() {
            outline(&mut scene, *bounds, colour(item.series));
        }
        let mut taken: Vec<Bounds> = Vec::new();
        for (item, bounds) in self.boxes.iter().zip(&bounds) {
            if !item.label.is_empty() {
                let most = wide - LEFT - RIGHT;
                let words = font::shortened(&item.label, TICK, Weight::Regular, most);
                let place = place((width(&words, TICK) + LEFT + RIGHT, HIGH), *bounds, (wide, high), &taken);
                taken.push(place);
                draw_label(&mut scene, &words, place, colour(item.series));
            }
        }
        Ok(scene)
    }
}

fn outline(scene: &mut Scene, (left, top, right, bottom): Bounds, paint: Paint) {
    // Moved inside the picture by half a line width, so that boxes along its edge are visible.
    let inset = LINE / 2.0;
    let (left, top) = (left + inset, top + inset);
    let (right, bottom) = ((right - inset).max(left), (bottom - inset).max(top));
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    scene.line(&corners, WHITE.faded(0.55), LINE + 1.6);
    scene.line(&corners, paint, LINE);
}

/// The position at which a label of this size covers the least of the other labels: above its box; within it along its
/// left or right edge, further and further down; or below it.
pub fn place((wide, high): Xy, (left, top, right, bottom): Bounds, picture: Xy, taken: &[Bounds]) -> Bounds {
    let steps = ((bottom - top) / high).max(0.0) as usize + 2;
    let rows = (0..=steps).map(|step| top + (step as f64 - 1.0) * high);
    let mut best = ((0.0, 0.0, wide, high), f64::INFINITY);
    for y in rows {
        for x in [left, right - wide] {
            let x = x.clamp(0.0, (picture.0 - wide).max(0.0));
            let y = y.clamp(0.0, (picture.1 - high).max(0.0));
            let own = (x, y, x + wide, y + high);
            let covered: f64 = taken.iter().map(|other| shared(own, *other)).sum();
            if covered < best.1 {
                best = (own, covered);
            }
        }
    }
    best.0
}

/// The area that two rectangles share.
fn shared(a: Bounds, b: Bounds) -> f64 {
    let wide = a.2.min(b.2) - a.0.max(b.0);
    let high = a.3.min(b.3) - a.1.max(b.1);
    wide.max(0.0) * high.max(0.0)
}

fn draw_label(scene: &mut Scene, label: &str, (left, top, right, bottom): Bounds, paint: Paint) {
    let size = (right - left, bottom - top);
    scene.rectangle((left, top), size, WHITE.faded(0.85));
    scene.rectangle((left, top), (4.0, size.1), paint);
    let at = (left + LEFT, (top + bottom) / 2.0);
    words(scene, label, at, TICK, Anchor::Start, INK);
}
