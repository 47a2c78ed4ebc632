//! The objects of a scene, and their positions.

use super::chance::Chance;
use super::kind::Kind;
use super::scene::{Background, SIZE_PX, Scene, SceneObject};
use super::stage::Stage;
use neurogauge::core::{BoxXyxy, Seed};

/// The first `n` scenes of a seed; scene `i` does not depend on `n`, and eight consecutive scenes show eight
/// backgrounds. Stems are `scene-1`, `scene-2`, ...
///
/// ```
/// use neurogauge_demo::scenes;
/// use neurogauge::core::Seed;
/// let eight = scenes(Seed(1), 8);
/// assert_eq!(eight.len(), 8);
/// assert_eq!(eight[..3], scenes(Seed(1), 3));
/// assert_eq!(eight[7].stem, "scene-8");
/// ```
pub fn scenes(seed: Seed, n: usize) -> Vec<Scene> {
    let backgrounds = Background::ALL.into_iter().cycle();
    let scenes = backgrounds.take(n).enumerate();
    scenes
        .map(|(place, background)| {
            let stem = format!("scene-{}", place + 1);
            let objects = objects(seed, &stem, background);
            Scene::new(stem, objects, background)
        })
        .collect()
}

fn objects(seed: Seed, stem: &str, background: Background) -> Vec<SceneObject> {
    let mut chance = Chance::new(seed, &format!("objects of {stem}"));
    let stage = Stage::of(background);
    let mut objects: Vec<SceneObject> = Vec::new();
    let n_standing = match stage.standing {
        [] => 0,
        _ => chance.one_of(&[1, 2, 2, 3]).unwrap_or(1),
    };
    let mut previous = None;
    for slot in 0..n_standing {
        let repeated = previous.filter(|_| chance.happens(0.25));
        previous = repeated.or_else(|| chance.one_of(stage.standing));
        let spot = Spot {
            across: (0.42, 0.58),
            rows: stage.floor,
            slot: (slot, n_standing),
            size: if n_standing == 1 { 1.2 } else { 1.0 },
        };
        let object = previous.and_then(|kind| spot.place(&mut chance, kind, &objects));
        objects.extend(object);
    }
    let n_hanging = match (stage.standing, stage.hanging) {
        (_, []) => 0,
        ([], _) => 1 + usize::from(chance.happens(0.6)),
        _ => usize::from(chance.happens(0.6)),
    };
    for slot in 0..n_hanging {
        let spot = Spot {
            across: stage.across,
            rows: stage.air,
            slot: (slot, n_hanging),
            size: if n_standing == 0 { 1.0 } else { 0.75 },
        };
        let kind = chance.one_of(stage.hanging);
        let object = kind.and_then(|kind| spot.place(&mut chance, kind, &objects));
        objects.extend(object);
    }
    objects
}

/// A part of the picture in which an object is wanted.
struct Spot {
    /// The range of its centre, as a fraction of the slot.
    across: (f64, f64),
    /// The range of its lower edge, px.
    rows: (f64, f64),
    /// Which of how many slots side by side.
    slot: (usize, usize),
    /// Size, 1 is usual.
    size: f64,
}

impl Spot {
    /// Places an object where it hides as little as possible of those already there.
    fn place(&self, chance: &mut Chance, kind: Kind, there: &[SceneObject]) -> Option<SceneObject> {
        const N_TRIALS: usize = 6;
        let colour = chance.one_of(kind.facts().colours)?;
        let is_mirrored = chance.happens(0.5);
        let trials: Vec<BoxXyxy> = (0..N_TRIALS).map(|_| self.trial(chance, kind)).collect();
        let hidden_px2 = |bbox: &BoxXyxy| -> f64 { there.iter().map(|other| overlap_px2(bbox, &other.bbox)).sum() };
        let best = trials.into_iter().min_by(|a, b| hidden_px2(a).total_cmp(&hidden_px2(b)));
        best.map(|bbox| SceneObject {
            kind,
            bbox,
            colour,
            is_mirrored,
        })
    }

    /// An object further down is closer and larger.
    fn trial(&self, chance: &mut Chance, kind: Kind) -> BoxXyxy {
        let (slot, n_slots) = self.slot;
        let slot_px = SIZE_PX as f64 / n_slots as f64;
        let (width, height) = kind.facts().size_px;
        let depth = chance.share();
        let wanted = self.size * (0.85 + 0.35 * depth);
        let scale = wanted.min(0.96 * slot_px / width);
        let share = chance.between(self.across.0, self.across.1);
        let centre = slot_px * (slot as f64 + share);
        let bottom = self.rows.0 + (self.rows.1 - self.rows.0) * depth;
        fitted(centre, bottom, width * scale, height * scale)
    }
}

fn overlap_px2(a: &BoxXyxy, b: &BoxXyxy) -> f64 {
    let width = a.x1.min(b.x1) - a.x0.max(b.x0);
    let height = a.y1.min(b.y1) - a.y0.max(b.y0);
    width.max(0.0) * height.max(0.0)
}

/// A box of whole pixels with about this centre, lower edge and size, inside the image.
pub(super) fn fitted(centre: f64, bottom: f64, width: f64, height: f64) -> BoxXyxy {
    /// Smaller objects cannot be recognised.
    const MIN_PX: f64 = 16.0;
    let size = SIZE_PX as f64;
    let width = width.clamp(MIN_PX, size).round();
    let height = height.clamp(MIN_PX, size).round();
    let x0 = (centre - width / 2.0).round().clamp(0.0, size - width);
    let y0 = (bottom - height).round().clamp(0.0, size - height);
    BoxXyxy {
        x0,
        y0,
        x1: x0 + width,
        y1: y0 + height,
    }
}
