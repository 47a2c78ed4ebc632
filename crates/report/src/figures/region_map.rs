//! Regions of the brain as boxes on a schematic of both hemispheres, each in the colour of its number.

use super::axis::{ends, minus};
use super::colour_scale::{ColourScale, ink_on};
use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, Swatch, hatch};
use super::scene::{Anchor, Scene, Xy};
use super::style::{INK, LABEL, LEADING, TICK, bold, words};
use super::{Picture, checks};
use crate::ReportError;
use crate::number::fixed;
use itertools::Itertools;

const BOX: Xy = (72.0, 38.0);
/// Space between the hemispheres, and between panels.
const BETWEEN: Xy = (18.0, 14.0);

/// Where regions of the visual cortex are drawn: steps from the back of the head to the front, and rows from parietal to
/// ventral cortex. This is a schematic; no atlas is behind it.
const PLACES: [(&str, usize, usize); 36] = [
    ("v1d", 0, 1),
    ("v1", 0, 2),
    ("early", 0, 2),
    ("v1v", 0, 3),
    ("v2d", 1, 1),
    ("v2", 1, 2),
    ("v2v", 1, 3),
    ("v3a", 2, 0),
    ("v3d", 2, 1),
    ("v3", 2, 2),
    ("v3v", 2, 3),
    ("v3b", 3, 0),
    ("midparietal", 3, 0),
    ("opa", 3, 1),
    ("lo", 3, 2),
    ("lo1", 3, 2),
    ("midlateral", 3, 2),
    ("v4", 3, 3),
    ("hv4", 3, 3),
    ("midventral", 3, 3),
    ("ips0", 4, 0),
    ("parietal", 4, 0),
    ("mt", 4, 1),
    ("to1", 4, 1),
    ("lo2", 4, 2),
    ("loc", 4, 2),
    ("lateral", 4, 2),
    ("vo1", 4, 3),
    ("ventral", 4, 3),
    ("ofa", 4, 4),
    ("rsc", 5, 0),
    ("eba", 5, 1),
    ("sts", 5, 2),
    ("vo2", 5, 3),
    ("ffa", 5, 4),
    ("ppa", 6, 4),
];

/// A number for each region of one or both hemispheres.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegionPanel {
    pub title: String,
    /// Name of the hemisphere (empty if none is given), name of the region, and its number.
    pub regions: Vec<(String, String, Option<f64>)>,
}

/// Panels of the same regions, one above the other, on one colour scale.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegionMap {
    pub title: String,
    pub panels: Vec<RegionPanel>,
    pub decimals: usize,
    pub caption: String,
}

impl RegionMap {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        checks::some(&self.title, "panels", self.panels.len())?;
        for panel in &self.panels {
            checks::some(&self.title, "regions", panel.regions.len())?;
        }
        checks::finite(&self.title, "values", self.present())?;
        Picture::of(&self.title, self, RegionMap::scene)
    }

    fn present(&self) -> impl Iterator<Item = f64> + '_ {
        self.panels.iter().flat_map(|panel| &panel.regions).filter_map(|(.., value)| *value)
    }

    fn scene(&self, room: Room) -> Scene {
        let (low, high) = ends(self.present());
        let is_open = self.panels.iter().flat_map(|panel| &panel.regions).any(|(.., value)| value.is_none());
        let legend = is_open.then(|| (Swatch::Hatch, "no value".to_owned()));
        let placed: Vec<Placed> = self.panels.iter().map(Placed::of).collect();
        let inner = room.inner().unwrap_or(f64::INFINITY);
        let title = LABEL * LEADING + 2.0;
        let columns = placed.iter().map(|own| own.columns).max().unwrap_or(1);
        let gaps = placed.iter().map(|own| own.gap).fold(0.0, f64::max);
        let wide = BOX.0.min((inner - gaps) / columns as f64);
        let heights = placed.iter().map(|own| title + own.rows as f64 * BOX.1 + BETWEEN.1);
        let around = Around::of(&self.title, legend, &self.caption, room);
        let mut page = around.page((wide * columns as f64 + gaps, heights.sum()));
        let (x0, mut y) = page.body;
        let scene = &mut page.scene;
        for (panel, placed) in self.panels.iter().zip(&placed) {
            bold(scene, &panel.title, (x0, y + title / 2.0), LABEL, Anchor::Start);
            y += title;
            for ((_, name, value), place) in panel.regions.iter().zip(&placed.boxes) {
                let gap = if place.is_right { placed.gap } else { 0.0 };
                let corner = (x0 + place.column as f64 * wide + gap, y + place.row as f64 * BOX.1);
                // Leaves a white line between boxes.
                let size = (wide - 2.0, BOX.1 - 2.0);
                let ink = match value {
                    Some(value) => {
                        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
                        let paint = ColourScale::Sequential.colour(share);
                        scene.rectangle(corner, size, paint);
                        ink_on(paint)
                    }
                    None => {
                        hatch(scene, corner, size);
                        INK
                    }
                };
                let name = font::shortened(name, TICK, Weight::Regular, size.0 - 4.0);
                let middle = corner.0 + size.0 / 2.0;
                words(scene, &name, (middle, corner.1 + 0.3 * size.1), TICK, Anchor::Middle, ink);
                let number = value.map_or(String::new(), |value| minus(&fixed(value, self.decimals)));
                words(scene, &number, (middle, corner.1 + 0.72 * size.1), TICK, Anchor::Middle, ink);
            }
            y += placed.rows as f64 * BOX.1 + BETWEEN.1;
        }
        page.scene
    }
}

/// A box in the grid of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BoxPlace {
    column: usize,
    row: usize,
    is_right: bool,
}

/// The boxes of a panel's regions, in their order.
#[derive(Debug, PartialEq)]
struct Placed {
    boxes: Vec<BoxPlace>,
    columns: usize,
    rows: usize,
    /// Space between the hemispheres.
    gap: f64,
}

impl Placed {
    /// The left hemisphere with the back of the head on its right, where the right hemisphere begins; a single hemisphere
    /// like the right one. Steps and rows without a region are left out. Regions that have no place, or one that is
    /// taken, stand below.
    fn of(panel: &RegionPanel) -> Self {
        let is_left = |name: &str| name.to_lowercase().starts_with('l');
        let sides = panel.regions.iter().map(|(side, ..)| side.as_str()).unique().collect_vec();
        let has_both = sides.len() == 2 && sides.iter().filter(|side| is_left(side)).count() == 1;
        let mut taken: Vec<Option<(bool, usize, usize)>> = Vec::new();
        for (side, name, _) in &panel.regions {
            let name = name.to_lowercase();
            let known = PLACES.iter().find(|(known, ..)| *known == name);
            let place = known.map(|&(_, step, row)| (has_both && is_left(side), step, row));
            taken.push(place.filter(|_| !taken.contains(&place)));
        }
        let steps = taken.iter().flatten().map(|(_, step, _)| *step).unique().sorted().collect_vec();
        let rows = taken.iter().flatten().map(|(.., row)| *row).unique().sorted().collect_vec();
        let of = |all: &[usize], own: usize| all.iter().position(|known| *known == own).unwrap_or_default();
        let n_steps = steps.len();
        let columns = if has_both { 2 * n_steps } else { n_steps.max(1) };
        let columns = columns.max(if n_steps == 0 { taken.len().min(6) } else { 1 });
        let mut below = 0;
        let boxes = taken.into_iter().map(|place| match place {
            Some((true, step, row)) => BoxPlace {
                column: n_steps - 1 - of(&steps, step),
                row: of(&rows, row),
                is_right: false,
            },
            Some((false, step, row)) => BoxPlace {
                column: of(&steps, step) + if has_both { n_steps } else { 0 },
                row: of(&rows, row),
                is_right: has_both,
            },
            None => {
                let (column, row) = (below % columns, rows.len() + below / columns);
                below += 1;
                BoxPlace {
                    column,
                    row,
                    is_right: has_both && column >= n_steps,
                }
            }
        });
        let boxes = boxes.collect_vec();
        Placed {
            rows: boxes.iter().map(|place| place.row + 1).max().unwrap_or(0),
            columns,
            gap: if has_both { BETWEEN.0 } else { 0.0 },
            boxes,
        }
    }
}
