//! Writes a scene as a PDF of one page with embedded fonts.
//!
//! It contains no date and no machine name, so the same scene gives the same bytes.

use super::figure_style::FigureStyle;
use super::font::{self, Weight};
use super::pdf_font::EmbeddedFont;
use super::scene::{Paint, Scene, Shape, Words, Xy};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use neurogauge_core::Image;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const FIRST_FREE: i32 = 6;
/// Distance of a quarter circle's control points from its ends, as a share of the radius.
const QUARTER: f64 = 0.552_284_749_8;

/// The PDF file. The error is a sentence.
pub(super) fn document(scene: &Scene, title: &str, style: &FigureStyle) -> Result<Vec<u8>, String> {
    let mut page = PdfPage::new(scene, style.unit_pt());
    for shape in &scene.shapes {
        page.draw(shape);
    }
    page.file(title)
}

struct PdfPage<'a> {
    content: Content,
    /// Points per unit of the scene.
    unit: f64,
    size: Xy,
    regular: EmbeddedFont,
    bold: EmbeddedFont,
    /// Names of graphics states, by their opacity in thousandths.
    opacities: BTreeMap<u32, String>,
    images: Vec<&'a Image<u8>>,
    opacity: u32,
}

fn deflated(data: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).and_then(|()| encoder.finish()).map_err(|error| error.to_string())
}

impl<'a> PdfPage<'a> {
    fn new(scene: &Scene, unit: f64) -> Self {
        let mut content = Content::new();
        content.set_line_cap(LineCapStyle::ButtCap);
        content.set_line_join(LineJoinStyle::MiterJoin);
        // The limit of SVG and PNG.
        content.set_miter_limit(4.0);
        PdfPage {
            content,
            unit,
            size: (scene.width * unit, scene.height * unit),
            regular: EmbeddedFont::new(Weight::Regular),
            bold: EmbeddedFont::new(Weight::Bold),
            opacities: BTreeMap::new(),
            images: Vec::new(),
            opacity: 1000,
        }
    }

    /// Converts a point of the scene to points from the lower left corner of the page.
    fn at(&self, (x, y): Xy) -> (f32, f32) {
        (round(x * self.unit), round(self.size.1 - y * self.unit))
    }

    fn draw(&mut self, shape: &'a Shape) {
        match shape {
            Shape::Line { points, paint, width } => {
                self.set_opacity(*paint);
                let [r, g, b] = colour(*paint);
                self.content.set_stroke_rgb(r, g, b);
                self.content.set_line_width(round(width * self.unit));
                self.path(points);
                self.content.stroke();
            }
            Shape::Area { points, paint } => {
                self.set_fill(*paint);
                self.path(points);
                self.content.close_path().fill_nonzero();
            }
            Shape::Disc { centre, radius, paint } => self.disc(*centre, *radius, *paint),
            Shape::Words(words) => self.words(words),
            Shape::Photo {
                corner: (x, y),
                size: (width, height),
                image,
            } => {
                self.set_opacity(Paint::new(0, 0, 0));
                let (left, bottom) = self.at((*x, y + height));
                let (wide, high) = (round(width * self.unit), round(height * self.unit));
                // Equal images are stored once.
                let place = self.images.iter().position(|known| *known == image).unwrap_or_else(|| {
                    self.images.push(image);
                    self.images.len() - 1
                });
                let name = format!("I{place}");
                self.content
                    .save_state()
                    .transform([wide, 0.0, 0.0, high, left, bottom])
                    .x_object(Name(name.as_bytes()))
                    .restore_state();
            }
        }
    }

    fn path(&mut self, points: &[Xy]) {
        for (place, point) in points.iter().enumerate() {
            let (x, y) = self.at(*point);
            if place == 0 {
                self.content.move_to(x, y);
            } else {
                self.content.line_to(x, y);
            }
        }
    }

    fn disc(&mut self, (x, y): Xy, radius: f64, paint: Paint) {
        self.set_fill(paint);
        let near = QUARTER * radius;
        let (x0, y0) = self.at((x + radius, y));
        self.content.move_to(x0, y0);
        let quarters = [
            [(radius, near), (near, radius), (0.0, radius)],
            [(-near, radius), (-radius, near), (-radius, 0.0)],
            [(-radius, -near), (-near, -radius), (0.0, -radius)],
            [(near, -radius), (radius, -near), (radius, 0.0)],
        ];
        for quarter in quarters {
            let [(x1, y1), (x2, y2), (x3, y3)] = quarter.map(|(dx, dy)| self.at((x + dx, y + dy)));
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        self.content.close_path().fill_nonzero();
    }

    /// Draws text that is vertically centred on its position.
    fn words(&mut self, words: &Words) {
        self.set_fill(words.paint);
        let start = words.start();
        let baseline = font::X_HEIGHT / 2.0 * words.size;
        let (font, name) = match words.weight {
            Weight::Regular => (&mut self.regular, Name(b"R")),
            Weight::Bold => (&mut self.bold, Name(b"B")),
        };
        let glyphs = font.shown(&words.text);
        let (x, y) = words.at;
        let matrix = if words.upright {
            let (x, y) = self.at((x + baseline, y - start));
            [0.0, 1.0, -1.0, 0.0, x, y]
        } else {
            let (x, y) = self.at((x + start, y + baseline));
            [1.0, 0.0, 0.0, 1.0, x, y]
        };
        self.content
            .begin_text()
            .set_font(name, round(words.size * self.unit))
            .set_text_matrix(matrix)
            .show(Str(&glyphs))
            .end_text();
    }

    fn set_fill(&mut self, paint: Paint) {
        self.set_opacity(paint);
        let [r, g, b] = colour(paint);
        self.content.set_fill_rgb(r, g, b);
    }

    fn set_opacity(&mut self, paint: Paint) {
        let opacity = (paint.alpha * 1000.0).round() as u32;
        if opacity != self.opacity {
            let name = format!("A{opacity}");
            self.content.set_parameters(Name(name.as_bytes()));
            self.opacities.insert(opacity, name);
            self.opacity = opacity;
        }
    }

    fn file(self, title: &str) -> Result<Vec<u8>, String> {
        let mut free = FIRST_FREE;
        let mut next = || {
            free += 1;
            Ref::new(free - 1)
        };
        let mut pdf = Pdf::new();
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let fonts: Vec<_> = [(&self.regular, Name(b"R")), (&self.bold, Name(b"B"))]
            .into_iter()
            .filter(|(font, _)| font.is_used())
            .map(|(font, name)| (font, name, next()))
            .collect();
        let images: Vec<(Ref, &Image<u8>)> = self.images.iter().map(|image| (next(), *image)).collect();

        let mut page = pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, round(self.size.0), round(self.size.1)));
        page.parent(PAGES).contents(CONTENT);
        let mut resources = page.resources();
        let mut entries = resources.fonts();
        for (_, name, id) in &fonts {
            entries.pair(*name, *id);
        }
        entries.finish();
        let mut entries = resources.x_objects();
        for (place, (id, _)) in images.iter().enumerate() {
            entries.pair(Name(format!("I{place}").as_bytes()), *id);
        }
        entries.finish();
        let mut entries = resources.ext_g_states();
        for (opacity, name) in &self.opacities {
            let share = *opacity as f32 / 1000.0;
            entries
                .insert(Name(name.as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState<'_>>()
                .stroking_alpha(share)
                .non_stroking_alpha(share);
        }
        entries.finish();
        resources.finish();
        page.finish();

        let content = deflated(&self.content.finish())?;
        pdf.stream(CONTENT, &content).filter(Filter::FlateDecode);
        for (font, _, id) in fonts {
            font.write(&mut pdf, id, &mut next, deflated)?;
        }
        for (id, image) in images {
            let data = deflated(image.data())?;
            let mut object = pdf.image_xobject(id, &data);
            object.filter(Filter::FlateDecode);
            object.width(image.width_px() as i32).height(image.height_px() as i32);
            object.color_space().device_rgb();
            object.bits_per_component(8).interpolate(true);
        }
        let mut info = pdf.document_info(INFO);
        if !title.is_empty() {
            info.title(TextStr(title));
        }
        info.producer(TextStr("Neurogauge"));
        info.finish();
        Ok(pdf.finish())
    }
}

fn colour(paint: Paint) -> [f32; 3] {
    let (r, g, b) = paint.rgb;
    [r, g, b].map(|channel| ((f64::from(channel) / 255.0 * 1e4).round() / 1e4) as f32)
}

/// Rounds to a thousandth of a point.
fn round(points: f64) -> f32 {
    ((points * 1000.0).round() / 1000.0) as f32
}
