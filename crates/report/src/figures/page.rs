//! What surrounds every figure: title, legend and caption.

use super::figure_style::Room;
use super::font::{self, Weight};
use super::scene::{Anchor, Paint, Scene, Xy};
use super::style::{GAP, INK, LABEL, LEADING, QUIET, TICK, TITLE, bold, marker, width, words};

const SWATCH: f64 = 22.0;
const BETWEEN: f64 = 16.0;
/// Minimum width for the title, if the figure may choose its width.
const NARROWEST: f64 = 300.0;
const LINE: f64 = LABEL * LEADING + 2.0;

/// How the legend draws a thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Swatch {
    /// The marker of series n.
    Marker(usize, Paint),
    /// A line with these dashes.
    Stroke(&'static [f64], Paint),
    /// A line with the marker of series n, as at its points.
    MarkedStroke(usize, &'static [f64], Paint),
    /// A dashed line.
    Dashes(Paint, f64),
    /// A short upright stroke.
    Notch(Paint),
    /// A filled area.
    Patch(Paint),
    /// A faint area between the edges of band n.
    Band(usize, Paint),
    /// A line around an area.
    Outline(Paint),
    Hatch,
}

/// Splits a legend into lines: the horizontal position of each entry, its swatch and its label.
fn legend_lines(entries: &[(Swatch, String)], available: f64) -> Vec<Vec<(f64, Swatch, &str)>> {
    let mut lines: Vec<Vec<_>> = Vec::new();
    let mut x = 0.0;
    for (swatch, label) in entries {
        let wide = SWATCH + 4.0 + width(label, LABEL);
        if lines.is_empty() || (x > 0.0 && x + wide > available) {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, *swatch, label.as_str()));
        }
        x += wide + BETWEEN;
    }
    lines
}

/// A figure with space for its body.
pub(super) struct Page {
    pub(super) scene: Scene,
    /// Upper left corner of the body.
    pub(super) body: Xy,
}

pub(super) struct Around<'a> {
    title: &'a str,
    legend: Vec<(Swatch, String)>,
    caption: &'a str,
    pub(super) room: Room,
}

impl<'a> Around<'a> {
    pub(super) fn of(
        title: &'a str,
        legend: impl IntoIterator<Item = (Swatch, String)>,
        caption: &'a str,
        room: Room,
    ) -> Self {
        let legend = legend.into_iter().collect();
        Around {
            title,
            legend,
            caption,
            room,
        }
    }

    /// A page with title and legend above a body of this size, and the caption below.
    pub(super) fn page(&self, (body_width, body_height): Xy) -> Page {
        let inner = self.room.inner().unwrap_or(body_width.max(NARROWEST));
        let margin = self.room.margin();
        let shown = |text| if self.room.has_words { text } else { "" };
        let title = font::wrapped(shown(self.title), TITLE, Weight::Bold, inner);
        let caption = font::wrapped(shown(self.caption), TICK, Weight::Regular, inner);
        let legend = legend_lines(&self.legend, inner);

        let title_height = title.len() as f64 * TITLE * LEADING;
        let legend_height = legend.len() as f64 * LINE;
        let caption_height = caption.len() as f64 * TICK * LEADING;
        let mut body_top = margin + title_height + legend_height;
        if body_top > margin {
            body_top += GAP;
        }
        let mut height = body_top + body_height + margin;
        if !caption.is_empty() {
            height += GAP + caption_height;
        }
        let wide = self.room.width;
        let mut scene = Scene::new(wide.unwrap_or((inner + 2.0 * margin).ceil()), height);
        scene.needed_width = body_width + 2.0 * margin;

        let mut y = margin;
        for line in &title {
            let at = (margin, y + TITLE * LEADING / 2.0);
            bold(&mut scene, line, at, TITLE, Anchor::Start);
            y += TITLE * LEADING;
        }
        for line in &legend {
            for (x, swatch, label) in line {
                let at = (margin + x, y + LINE / 2.0);
                draw_swatch(&mut scene, at, *swatch);
                let label = font::shortened(label, LABEL, Weight::Regular, inner - SWATCH - 4.0);
                let at = (at.0 + SWATCH + 4.0, at.1);
                words(&mut scene, &label, at, LABEL, Anchor::Start, INK);
            }
            y += LINE;
        }
        y = body_top + body_height + GAP;
        for line in &caption {
            let at = (margin, y + TICK * LEADING / 2.0);
            words(&mut scene, line, at, TICK, Anchor::Start, QUIET);
            y += TICK * LEADING;
        }
        let spare = (inner - body_width) / 2.0;
        Page {
            scene,
            body: (margin + spare, body_top),
        }
    }
}

fn draw_swatch(scene: &mut Scene, (x, y): Xy, swatch: Swatch) {
    let (right, middle) = (x + SWATCH, x + SWATCH / 2.0);
    match swatch {
        Swatch::Marker(series, paint) => marker(scene, (middle, y), series, 4.0, paint),
        Swatch::Stroke(dashes, paint) => {
            scene.dashed(&[(x, y), (right, y)], paint, 2.0, dashes);
        }
        Swatch::MarkedStroke(series, dashes, paint) => {
            draw_swatch(scene, (x, y), Swatch::Stroke(dashes, paint));
            marker(scene, (middle, y), series, 3.0, paint);
        }
        Swatch::Dashes(paint, width) => {
            scene.dashed(&[(x, y), (right, y)], paint, width, &[4.0, 3.0]);
        }
        Swatch::Notch(paint) => scene.line(&[(middle, y - 6.0), (middle, y + 6.0)], paint, 2.0),
        Swatch::Patch(paint) => scene.rectangle((x, y - 6.0), (SWATCH, 12.0), paint),
        Swatch::Band(place, paint) => {
            scene.rectangle((x, y - 6.0), (SWATCH, 12.0), paint.faded(0.16));
            for edge in [y - 6.0, y + 6.0] {
                scene.dashed(&[(x, edge), (right, edge)], paint, 1.0, band_dashes(place));
            }
        }
        Swatch::Outline(paint) => {
            let (low, high) = (y - 5.0, y + 5.0);
            let around = [(x, low), (right, low), (right, high), (x, high), (x, low)];
            scene.line(&around, paint, 2.4);
        }
        Swatch::Hatch => hatch(scene, (x, y - 6.0), (SWATCH, 12.0)),
    }
}

/// The dashes of the edges of band `place`.
pub(super) fn band_dashes(place: usize) -> &'static [f64] {
    [&[][..], &[4.0, 2.5], &[1.5, 2.0], &[7.0, 2.0, 1.5, 2.0]][place % 4]
}

/// A grey area with slanted lines, which stands for a missing value.
pub(super) fn hatch(scene: &mut Scene, (x, y): Xy, (wide, high): Xy) {
    use super::style::{AXIS, NOTHING};
    scene.rectangle((x, y), (wide, high), NOTHING);
    let step = 6.0;
    let mut along = step;
    // Each line goes from the upper or right edge down to the left or lower one.
    while along < wide + high {
        let from = if along <= wide {
            (x + along, y)
        } else {
            (x + wide, y + along - wide)
        };
        let to = if along <= high {
            (x, y + along)
        } else {
            (x + along - high, y + high)
        };
        scene.line(&[from, to], AXIS.faded(0.6), 0.8);
        along += step;
    }
}
