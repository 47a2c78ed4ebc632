//! The font of figures: DejaVu Sans, which has glyphs from Greek letters to arrows.
//!
//! An SVG names it and falls back to any sans-serif; widths, outlines in a PNG and glyphs in a PDF come from the font
//! that is compiled in.

use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font's name in SVG.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Height of the letter x, as a share of the font size.
pub(super) const X_HEIGHT: f64 = 0.547;

/// Weight of the letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

static REGULAR: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).ok());
static BOLD: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(dejavu::sans::bold(), 0).ok());

pub fn face(weight: Weight) -> Option<&'static Face<'static>> {
    match weight {
        Weight::Regular => REGULAR.as_ref(),
        Weight::Bold => BOLD.as_ref(),
    }
}

pub(super) fn bytes(weight: Weight) -> &'static [u8] {
    match weight {
        Weight::Regular => dejavu::sans::regular(),
        Weight::Bold => dejavu::sans::bold(),
    }
}

/// The font's name in PDF.
pub(super) fn postscript_name(weight: Weight) -> &'static str {
    match weight {
        Weight::Regular => "DejaVuSans",
        Weight::Bold => "DejaVuSans-Bold",
    }
}

/// The glyph of each letter, and its width as a share of the font size.
pub(super) fn glyphs(text: &str, weight: Weight) -> impl Iterator<Item = (GlyphId, f64)> {
    let face = face(weight);
    let letters = face.map(|face| text.chars().map(move |letter| (face, letter)));
    letters.into_iter().flatten().map(|(face, letter)| {
        // Glyph 0 is the box for missing characters.
        let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
        let advance = face.glyph_hor_advance(glyph).unwrap_or_default();
        (glyph, f64::from(advance) / f64::from(face.units_per_em().max(1)))
    })
}

/// Width of `text` in the unit of `size`.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    glyphs(text, weight).map(|(_, advance)| advance).sum::<f64>() * size
}

/// The outlines of `text`, whose baseline starts at (0, 0).
pub(super) fn outlines(text: &str, size: f64, weight: Weight) -> Option<Path> {
    let face = face(weight)?;
    let scale = (size / f64::from(face.units_per_em().max(1))) as f32;
    let mut whole = PathBuilder::new();
    let mut x = 0.0;
    for (glyph, advance) in glyphs(text, weight) {
        let mut outline = Outline(PathBuilder::new());
        if face.outline_glyph(glyph, &mut outline).is_some() {
            let place = Transform::from_row(scale, 0.0, 0.0, -scale, (x * size) as f32, 0.0);
            if let Some(path) = outline.0.finish().and_then(|path| path.transform(place)) {
                whole.push_path(&path);
            }
        }
        x += advance;
    }
    whole.finish()
}

/// `text`, shortened with an ellipsis to be at most `max_width` wide.
pub fn shortened(text: &str, size: f64, weight: Weight, max_width: f64) -> String {
    if width(text, size, weight) <= max_width {
        return text.to_owned();
    }
    let mut letters: Vec<char> = text.chars().collect();
    while letters.pop().is_some() {
        let cut: String = letters.iter().chain(&['…']).collect();
        if width(&cut, size, weight) <= max_width {
            return cut;
        }
    }
    "…".to_owned()
}

/// `text` in lines at most `max_width` wide; a longer word is shortened.
pub fn wrapped(text: &str, size: f64, weight: Weight, max_width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, size, weight, max_width);
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, weight) <= max_width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}
