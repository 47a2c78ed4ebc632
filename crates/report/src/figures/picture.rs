//! A scene becomes a file.

use super::font::{self, Weight};
use super::raster::Raster;
use super::scene::{Anchor, Paint, Point, Scene, Shape, Words};
use super::style::WHITE;
use crate::ReportError;
use plotters::backend::SVGBackend;
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle, FontTransform,
};
use std::convert::Infallible;
use tiny_skia::Pixmap;

/// Steps of the plotting library's whole-numbered coordinates in a pixel.
const STEPS: f64 = 8.0;
/// Pixels of a PNG for each of the figure's.
const PNG_SCALE: f64 = 2.0;
/// Either side of a figure, in its pixels; beyond, no viewer opens the PNG.
const MAX_SIDE: f64 = 12_000.0;

/// A figure, drawn: the same input gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// An SVG document. Its words are text in DejaVu Sans, or the reader's sans-serif.
    pub svg: String,
    /// A PNG of twice the size.
    pub png: Vec<u8>,
}

impl Picture {
    pub(super) fn of(scene: &Scene, title: &str) -> Result<Self, ReportError> {
        Ok(Picture {
            svg: svg(scene, title)?,
            png: png(scene, title)?,
        })
    }
}

fn check_size(scene: &Scene, title: &str) -> Result<(), ReportError> {
    if scene.width > MAX_SIDE || scene.height > MAX_SIDE {
        return Err(ReportError::FigureTooLarge {
            title: title.to_owned(),
            width_px: scene.width,
            height_px: scene.height,
            limit_px: MAX_SIDE,
        });
    }
    Ok(())
}

fn not_drawn(title: &str, reason: &dyn std::fmt::Display) -> ReportError {
    ReportError::NotDrawn {
        title: title.to_owned(),
        reason: reason.to_string(),
    }
}

/// The SVG document of a scene.
pub(super) fn svg(scene: &Scene, title: &str) -> Result<String, ReportError> {
    check_size(scene, title)?;
    let (width, height) = (scene.width * STEPS, scene.height * STEPS);
    let mut text = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut text, (width as u32, height as u32));
        play(scene, &mut backend).map_err(|error| not_drawn(title, &error))?;
        backend
            .present()
            .map_err(|error| not_drawn(title, &error))?;
    }
    // Shown at its size in pixels, though drawn in finer steps.
    let fine = format!("width=\"{width}\" height=\"{height}\"");
    let shown = format!("width=\"{}\" height=\"{}\"", scene.width, scene.height);
    Ok(text.replacen(&fine, &shown, 1))
}

/// The PNG file of a scene.
pub(super) fn png(scene: &Scene, title: &str) -> Result<Vec<u8>, ReportError> {
    check_size(scene, title)?;
    let side = |length: f64| (length * PNG_SCALE).round() as u32;
    let pixels = Pixmap::new(side(scene.width), side(scene.height))
        .ok_or_else(|| not_drawn(title, &"no room for its pixels"))?;
    let mut raster = Raster {
        pixels,
        scale: (PNG_SCALE / STEPS) as f32,
    };
    play(scene, &mut raster).map_err(|error| not_drawn(title, &error))?;
    let encoded = raster.pixels.encode_png();
    encoded.map_err(|error| not_drawn(title, &error))
}

fn steps((x, y): Point) -> BackendCoord {
    ((x * STEPS).round() as i32, (y * STEPS).round() as i32)
}

impl From<Paint> for BackendColor {
    fn from(paint: Paint) -> Self {
        BackendColor {
            alpha: paint.alpha,
            rgb: paint.rgb,
        }
    }
}

struct Stroke {
    paint: Paint,
    width: f64,
}

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        self.paint.into()
    }

    fn stroke_width(&self) -> u32 {
        (self.width * STEPS).round() as u32
    }
}

fn play<B: DrawingBackend>(
    scene: &Scene,
    backend: &mut B,
) -> Result<(), DrawingErrorKind<B::ErrorType>> {
    backend.draw_rect(
        (0, 0),
        steps((scene.width, scene.height)),
        &BackendColor::from(WHITE),
        true,
    )?;
    for shape in &scene.shapes {
        match shape {
            Shape::Line {
                points,
                paint,
                width,
            } => {
                let stroke = Stroke {
                    paint: *paint,
                    width: *width,
                };
                backend.draw_path(points.iter().copied().map(steps), &stroke)?;
            }
            Shape::Area { points, paint } => {
                let fill = BackendColor::from(*paint);
                backend.fill_polygon(points.iter().copied().map(steps), &fill)?;
            }
            Shape::Disc {
                centre,
                radius,
                paint,
            } => {
                let radius = (radius * STEPS).round() as u32;
                backend.draw_circle(steps(*centre), radius, &BackendColor::from(*paint), true)?;
            }
            Shape::Words(words) => backend.draw_text(&words.text, words, steps(words.at))?,
            Shape::Photo { corner, image } => {
                let size = (image.width_px() as u32, image.height_px() as u32);
                backend.blit_bitmap(steps(*corner), size, image.data())?;
            }
        }
    }
    Ok(())
}

impl BackendTextStyle for Words {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.paint.into()
    }

    fn size(&self) -> f64 {
        // The library's sizes are those of lines, 1.24 times those of letters.
        self.size * STEPS * 1.24
    }

    fn transform(&self) -> FontTransform {
        if self.upright {
            FontTransform::Rotate270
        } else {
            FontTransform::None
        }
    }

    fn style(&self) -> FontStyle {
        match self.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::Bold => FontStyle::Bold,
        }
    }

    fn anchor(&self) -> Pos {
        let horizontal = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(horizontal, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(font::FAMILY)
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let width = font::width(text, self.size * STEPS, self.weight);
        Ok(((0, 0), (width as i32, (self.size * STEPS) as i32)))
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: BackendCoord,
        _: F,
    ) -> Result<Result<(), E>, Infallible> {
        // Both back ends draw words themselves.
        Ok(Ok(()))
    }
}
