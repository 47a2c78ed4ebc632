//! Pixels: a back end of the plotting library that smooths every edge.

use super::font::{self, Weight};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontStyle, FontTransform,
};
use std::convert::Infallible;
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A picture being drawn; coordinates are multiplied by `scale` to give pixels.
pub(super) struct Raster {
    pub(super) pixels: Pixmap,
    pub(super) scale: f32,
}

fn ink(color: BackendColor) -> Paint<'static> {
    let (r, g, b) = color.rgb;
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (color.alpha * 255.0).round() as u8);
    paint
}

fn joined(points: impl IntoIterator<Item = BackendCoord>) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (x, y) in points {
        let (x, y) = (x as f32, y as f32);
        if path.is_empty() {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    path
}

impl Raster {
    fn fill(&mut self, path: Option<Path>, color: BackendColor) {
        if let Some(path) = path {
            let to_pixels = Transform::from_scale(self.scale, self.scale);
            let rule = FillRule::Winding;
            self.pixels
                .fill_path(&path, &ink(color), rule, to_pixels, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) {
        if let Some(path) = path {
            let to_pixels = Transform::from_scale(self.scale, self.scale);
            let stroke = Stroke {
                width: style.stroke_width() as f32,
                ..Stroke::default()
            };
            let paint = ink(style.color());
            self.pixels
                .stroke_path(&path, &paint, &stroke, to_pixels, None);
        }
    }
}

impl DrawingBackend for Raster {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let side = |pixels: u32| (pixels as f32 / self.scale) as u32;
        (side(self.pixels.width()), side(self.pixels.height()))
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        if fill {
            return self.fill_polygon(corners, style);
        }
        self.draw_path(corners.into_iter().chain([(left, top)]), style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke(joined(path).finish(), style);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let path = PathBuilder::from_circle(x as f32, y as f32, radius as f32);
        if fill {
            self.fill(path, style.color());
        } else {
            self.stroke(path, style);
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        let mut path = joined(points);
        path.close();
        self.fill(path.finish(), style.color());
        Ok(())
    }

    /// Words with their vertical middle at `at`, as figures place them.
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let weight = match style.style() {
            FontStyle::Bold => Weight::Bold,
            _ => Weight::Regular,
        };
        // The plotting library's sizes are those of lines, 1.24 times those of letters.
        let size = style.size() / 1.24;
        let width = font::width(text, size, weight);
        let start = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let degrees = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let baseline = font::X_HEIGHT / 2.0 * size;
        let placed = Transform::from_translate(start as f32, baseline as f32)
            .post_rotate(degrees)
            .post_translate(at.0 as f32, at.1 as f32);
        let path = font::outlines(text, size, weight).and_then(|path| path.transform(placed));
        self.fill(path, style.color());
        Ok(())
    }

    /// Pixels as they are, unscaled.
    fn blit_bitmap(&mut self, at: BackendCoord, (width, height): (u32, u32), rgb: &[u8]) -> Drawn {
        let left = (at.0 as f32 * self.scale).round() as i64;
        let top = (at.1 as f32 * self.scale).round() as i64;
        let (wide, high) = (self.pixels.width() as i64, self.pixels.height() as i64);
        let all = self.pixels.pixels_mut();
        for (place, pixel) in rgb.chunks_exact(3).enumerate() {
            let place = place as u32;
            if place / width.max(1) >= height {
                break;
            }
            let x = left + i64::from(place % width);
            let y = top + i64::from(place / width);
            let opaque =
                tiny_skia::PremultipliedColorU8::from_rgba(pixel[0], pixel[1], pixel[2], 255);
            if let Some(opaque) = opaque
                && (0..wide).contains(&x)
                && (0..high).contains(&y)
            {
                all[(y * wide + x) as usize] = opaque;
            }
        }
        Ok(())
    }
}
