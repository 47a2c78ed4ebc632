//! Degrades a scene as a decoder might.

use super::chance::Chance;
use super::layout::fitted;
use super::scene::{Scene, SceneObject};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{Image, Seed};

/// A scene as it might be reconstructed: objects lost, replaced by another kind of their
/// supercategory (a semantic near miss), moved, resized and recoloured, the background mistaken for a
/// similar one.
///
/// At `strength` 0 it is the scene itself; at 1, three in ten objects are lost, half of the others are replaced, and
/// the background has changed with a probability of one half. Changes at a lower strength also occur at every higher
/// one. A strength that is not a positive number counts as 0, one above 1 as 1.
///
/// ```
/// use neurogauge_demo::{degrade, scenes};
/// use neurogauge::core::Seed;
/// let scene = &scenes(Seed(1), 1)[0];
/// assert_eq!(degrade(scene, 0.0, Seed(2)), *scene);
/// assert_ne!(degrade(scene, 1.0, Seed(2)), *scene);
/// ```
pub fn degrade(scene: &Scene, strength: f64, seed: Seed) -> Scene {
    let strength = share(strength);
    if strength == 0.0 {
        return scene.clone();
    }
    let objects = scene.objects.iter().enumerate().filter_map(|(place, object)| {
        let chance = Chance::new(seed, &format!("object {place} of {}", scene.stem));
        degrade_object(object, strength, chance)
    });
    let mut chance = Chance::new(seed, &format!("background of {}", scene.stem));
    let is_changed = chance.happens(0.5 * strength);
    let other = chance.one_of(scene.background.relatives());
    let background = other.filter(|_| is_changed).unwrap_or(scene.background);
    Scene::new(scene.stem.clone(), objects.collect(), background)
}

/// Every draw is made at any strength, so that a higher one only adds changes.
fn degrade_object(object: &SceneObject, strength: f64, mut chance: Chance) -> Option<SceneObject> {
    let is_lost = chance.happens(0.3 * strength);
    let is_replaced = chance.happens(0.5 * strength);
    let is_recoloured = chance.happens(0.8 * strength);
    let sibling = chance.one_of(&object.kind.siblings());
    let kind = sibling.filter(|_| is_replaced).unwrap_or(object.kind);

    let colours = kind.facts().colours;
    let keeps_colour = colours.contains(&object.colour) && !is_recoloured;
    let others: Vec<_> = colours.iter().copied().filter(|other| *other != object.colour).collect();
    let colour = chance.one_of(&others).filter(|_| !keeps_colour).unwrap_or(object.colour);

    let (width, height) = (object.bbox.x1 - object.bbox.x0, object.bbox.y1 - object.bbox.y0);
    // Another kind has other proportions: it gets about the same area.
    let (own, new) = (object.kind.facts().size_px, kind.facts().size_px);
    let wider = ((new.0 * own.1) / (new.1 * own.0)).sqrt();
    let scale = 1.0 + strength * chance.between(-0.3, 0.3);
    let centre = object.bbox.x0 + width / 2.0 + strength * chance.between(-48.0, 48.0);
    let bottom = object.bbox.y1 + strength * chance.between(-32.0, 32.0);
    (!is_lost).then(|| SceneObject {
        kind,
        bbox: fitted(centre, bottom, width * scale * wider, height * scale / wider),
        colour,
        is_mirrored: object.is_mirrored,
    })
}

/// An image out of focus and with noise.
///
/// At `strength` 0 it is the image itself; at 1 it is blurred over about 8 px and every value moves
/// by up to 40. Strengths outside [0, 1] count as in [`degrade`]. The noise depends on the seed and
/// the size alone: use a different seed for every image.
///
/// ```
/// use neurogauge_demo::{blur_and_noise, draw, scenes};
/// use neurogauge::core::Seed;
/// let image = draw(&scenes(Seed(1), 1)[0]);
/// assert_eq!(blur_and_noise(&image, 0.0, Seed(2)), image);
/// assert_eq!(blur_and_noise(&image, 1.0, Seed(2)).width_px(), 256);
/// ```
pub fn blur_and_noise(image: &Image<u8>, strength: f64, seed: Seed) -> Image<u8> {
    let strength = share(strength);
    let mut out = image.clone();
    if strength == 0.0 {
        return out;
    }
    let (width, height) = (image.width_px(), image.height_px());
    let channels = Image::<u8>::CHANNELS;
    let radius = (4.0 * strength).round() as usize;
    let mut values: Vec<f64> = image.data().iter().map(|&value| f64::from(value)).collect();
    // Two box means each way are close enough to a Gaussian, and exact on every platform.
    for _ in 0..2 {
        values = box_mean(&values, (width, channels), (height, width * channels), channels, radius);
        values = box_mean(&values, (height, width * channels), (width, channels), channels, radius);
    }
    let noise = Synthetic::new("noise of a reconstruction", seed.0);
    for (index, (pixel, value)) in out.data_mut().iter_mut().zip(values).enumerate() {
        let index = index as u64;
        // A sum of two uniform draws, between -1 and 1.
        let draw = f64::from(noise.uniform(2 * index) + noise.uniform(2 * index + 1)) - 1.0;
        *pixel = (value + 40.0 * strength * draw).round().clamp(0.0, 255.0) as u8;
    }
    out
}

/// The mean over `2 * radius + 1` neighbours along one direction, the edge repeated; `along` and
/// `across` are (count, step) of the two directions.
fn box_mean(values: &[f64], along: (usize, usize), across: (usize, usize), channels: usize, radius: usize) -> Vec<f64> {
    let mut out = vec![0.0; values.len()];
    let n = (2 * radius + 1) as f64;
    for line in 0..across.0 {
        for channel in 0..channels {
            let start = line * across.1 + channel;
            for place in 0..along.0 {
                let window = (0..=2 * radius).map(|step| {
                    let neighbour = (place + step).saturating_sub(radius).min(along.0 - 1);
                    values[start + neighbour * along.1]
                });
                out[start + place * along.1] = window.sum::<f64>() / n;
            }
        }
    }
    out
}

/// A strength as a number within [0, 1]; NaN is 0.
fn share(strength: f64) -> f64 {
    strength.clamp(0.0, 1.0).max(0.0)
}
