//! Draws a scene as pixels with antialiasing.

use super::figure_style::FigureStyle;
use super::font;
use super::png_file;
use super::scene::{Paint, Scene, Shape, Words, Xy};
use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_u8};
use tiny_skia::{FillRule, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform};

/// The PNG file. The error is a sentence.
pub(super) fn png(scene: &Scene, style: &FigureStyle) -> Result<Vec<u8>, String> {
    let scale = style.pixels_per_unit();
    let side = |length: f64| (length * scale).round().max(1.0) as u32;
    let (width, height) = (side(scene.width), side(scene.height));
    let mut pixels = Pixmap::new(width, height).ok_or("no room for its pixels")?;
    pixels.fill(tiny_skia::Color::WHITE);
    let mut raster = Raster { pixels, scale };
    for shape in &scene.shapes {
        raster.draw(shape)?;
    }
    // Everything is drawn on white, so no pixel is transparent.
    let rgb: Vec<u8> = raster.pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    let dpi = Some(style.dpi());
    Ok(png_file::encoded(width as usize, height as usize, &rgb, dpi))
}

struct Raster {
    pixels: Pixmap,
    /// Pixels per unit of the scene.
    scale: f64,
}

fn ink(paint: Paint) -> tiny_skia::Paint<'static> {
    let (r, g, b) = paint.rgb;
    let mut ink = tiny_skia::Paint::default();
    ink.set_color_rgba8(r, g, b, (paint.alpha * 255.0).round() as u8);
    ink
}

fn joined(points: &[Xy]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for &(x, y) in points {
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
    fn draw(&mut self, shape: &Shape) -> Result<(), String> {
        match shape {
            Shape::Line { points, paint, width } => self.stroke(joined(points).finish(), *paint, *width),
            Shape::Area { points, paint } => {
                let mut path = joined(points);
                path.close();
                self.fill(path.finish(), *paint);
            }
            Shape::Disc {
                centre: (x, y),
                radius,
                paint,
            } => {
                let path = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                self.fill(path, *paint);
            }
            Shape::Words(words) => self.words(words),
            Shape::Photo { corner, size, image } => return self.photo(*corner, *size, image),
        }
        Ok(())
    }

    fn to_pixels(&self) -> Transform {
        Transform::from_scale(self.scale as f32, self.scale as f32)
    }

    fn fill(&mut self, path: Option<Path>, paint: Paint) {
        if let Some(path) = path {
            let to_pixels = self.to_pixels();
            self.pixels.fill_path(&path, &ink(paint), FillRule::Winding, to_pixels, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, paint: Paint, width: f64) {
        if let Some(path) = path {
            let to_pixels = self.to_pixels();
            let stroke = Stroke {
                width: width as f32,
                ..Stroke::default()
            };
            self.pixels.stroke_path(&path, &ink(paint), &stroke, to_pixels, None);
        }
    }

    /// Draws text that is vertically centred on its position.
    fn words(&mut self, words: &Words) {
        let start = words.start();
        let degrees = if words.upright { 270.0 } else { 0.0 };
        let baseline = font::X_HEIGHT / 2.0 * words.size;
        let placed = Transform::from_translate(start as f32, baseline as f32)
            .post_rotate(degrees)
            .post_translate(words.at.0 as f32, words.at.1 as f32);
        let path = font::outlines(&words.text, words.size, words.weight);
        self.fill(path.and_then(|path| path.transform(placed)), words.paint);
    }

    /// Draws an image with its own pixels if their number fits, otherwise resized with antialiasing.
    fn photo(&mut self, (x, y): Xy, size: Xy, image: &Image<u8>) -> Result<(), String> {
        let at = |place: f64| (place * self.scale).round() as i64;
        let (left, top) = (at(x), at(y));
        let (right, bottom) = (at(x + size.0), at(y + size.1));
        let (width, height) = ((right - left).max(1) as usize, (bottom - top).max(1) as usize);
        let resized;
        let image = if (image.width_px(), image.height_px()) == (width, height) {
            image
        } else {
            resized = resize_u8(image, width, height, Filter::Bilinear).map_err(|error| error.to_string())?;
            &resized
        };
        let (wide, high) = (i64::from(self.pixels.width()), i64::from(self.pixels.height()));
        let all = self.pixels.pixels_mut();
        for (place, pixel) in image.data().chunks_exact(3).enumerate() {
            let (x, y) = (left + (place % width) as i64, top + (place / width) as i64);
            let opaque = PremultipliedColorU8::from_rgba(pixel[0], pixel[1], pixel[2], 255);
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
