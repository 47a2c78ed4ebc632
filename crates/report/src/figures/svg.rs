//! Writes a scene as an SVG document.

use super::figure_style::FigureStyle;
use super::font::{self, Weight};
use super::png_file;
use super::scene::{Anchor, Paint, Scene, Shape, Words, Xy};
use super::style::WHITE;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use itertools::Itertools;

/// The SVG document. Coordinates are the scene's; the size is in pixels, or in millimetres if a width was given.
pub(super) fn document(scene: &Scene, style: &FigureStyle) -> String {
    let (width, height) = (scene.width, scene.height);
    let size = |units: f64| match style.width_mm {
        Some(_) => format!("{}mm", short(units * style.unit_pt() / 72.0 * 25.4)),
        // An inch has 96 pixels and 72 points.
        None => short(units * style.unit_pt() * 96.0 / 72.0),
    };
    let mut out = format!(
        "<svg width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
        size(width),
        size(height),
        short(width),
        short(height)
    );
    let white = hex(WHITE);
    let whole = format!("width=\"{}\" height=\"{}\"", short(width), short(height));
    out += &format!("<rect x=\"0\" y=\"0\" {whole} fill=\"{white}\"/>\n");
    out.extend(scene.shapes.iter().map(element));
    out.push_str("</svg>\n");
    out
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, paint, width } => format!(
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} points=\"{}\"/>\n",
            hex(*paint),
            short(*width),
            opacity("stroke-opacity", *paint),
            joined(points)
        ),
        Shape::Area { points, paint } => {
            format!("<polygon {} points=\"{}\"/>\n", fill(*paint), joined(points))
        }
        Shape::Disc {
            centre: (x, y),
            radius,
            paint,
        } => format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", short(*x), short(*y), short(*radius), fill(*paint)),
        Shape::Words(words) => text(words),
        Shape::Photo {
            corner: (x, y),
            size: (width, height),
            image,
        } => {
            let bytes = png_file::encoded(image.width_px(), image.height_px(), image.data(), None);
            format!(
                "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>\n",
                short(*x),
                short(*y),
                short(*width),
                short(*height),
                STANDARD.encode(bytes)
            )
        }
    }
}

fn text(words: &Words) -> String {
    let (x, y) = words.at;
    let anchor = match words.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let weight = match words.weight {
        Weight::Regular => "",
        Weight::Bold => " font-weight=\"bold\"",
    };
    let turned = if words.upright {
        format!(" transform=\"rotate(270 {} {})\"", short(x), short(y))
    } else {
        String::new()
    };
    // The shift follows the text's own vertical axis, so that vertical text moves sideways.
    let baseline = font::X_HEIGHT / 2.0 * words.size;
    format!(
        "<text x=\"{}\" y=\"{}\" dy=\"{}\" text-anchor=\"{anchor}\" font-family=\"{}\" font-size=\"{}\"{weight} {}{turned}>\n{}\n</text>\n",
        short(x),
        short(y),
        short(baseline),
        font::FAMILY,
        short(words.size),
        fill(words.paint),
        escaped(&words.text)
    )
}

fn fill(paint: Paint) -> String {
    format!("fill=\"{}\"{}", hex(paint), opacity("fill-opacity", paint))
}

fn opacity(name: &str, paint: Paint) -> String {
    if paint.alpha < 1.0 {
        format!(" {name}=\"{}\"", short(paint.alpha))
    } else {
        String::new()
    }
}

fn hex(paint: Paint) -> String {
    let (r, g, b) = paint.rgb;
    format!("#{r:02X}{g:02X}{b:02X}")
}

fn joined(points: &[Xy]) -> String {
    points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).join(" ")
}

/// The number with at most three decimals.
pub fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Characters that XML does not allow.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            _ => out.push(letter),
        }
    }
    out
}
