//! Scenes as images.

use super::backdrop;
use super::canvas::{Brush, Canvas};
use super::scene::Scene;
use super::shapes;
use neurogauge::core::Image;

/// Draws a scene. Every object fills its box to the pixel.
///
/// ```
/// use neurogauge_demo::{draw, scenes};
/// use neurogauge::core::Seed;
/// let image = draw(&scenes(Seed(1), 1)[0]);
/// assert_eq!((image.width_px(), image.height_px()), (256, 256));
/// ```
pub fn draw(scene: &Scene) -> Image<u8> {
    let mut canvas = Canvas::new(scene.width_px, scene.height_px);
    backdrop::draw(&mut canvas, scene.background, &scene.stem);
    for object in &scene.objects {
        let mut brush = Brush::new(&mut canvas, object.bbox, object.is_mirrored);
        shapes::draw(&mut brush, object.kind, object.colour.rgb);
    }
    canvas.into_image()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Background, Kind, SceneObject};
    use neurogauge::core::BoxXyxy;

    /// The box around all pixels in which two images differ.
    fn difference(a: &Image<u8>, b: &Image<u8>) -> BoxXyxy {
        let mut found = BoxXyxy {
            x0: f64::INFINITY,
            y0: f64::INFINITY,
            x1: 0.0,
            y1: 0.0,
        };
        for y in 0..a.height_px() {
            for x in 0..a.width_px() {
                if (0..3).any(|channel| a.at(x, y, channel) != b.at(x, y, channel)) {
                    found.x0 = found.x0.min(x as f64);
                    found.y0 = found.y0.min(y as f64);
                    found.x1 = found.x1.max(x as f64 + 1.0);
                    found.y1 = found.y1.max(y as f64 + 1.0);
                }
            }
        }
        found
    }

    #[test]
    fn every_kind_fills_its_box_to_the_pixel() {
        let empty = draw(&Scene::new("s".into(), vec![], Background::Meadow));
        for kind in Kind::ALL {
            let (width, height) = kind.facts().size_px;
            for (scale, is_mirrored) in [(0.4, false), (1.0, false), (1.0, true), (1.3, true)] {
                let bbox = BoxXyxy {
                    x0: 30.0,
                    y0: 90.0,
                    x1: 30.0 + (scale * width).round(),
                    y1: 90.0 + (scale * height).round(),
                };
                let object = SceneObject {
                    kind,
                    bbox,
                    colour: kind.facts().colours[0],
                    is_mirrored,
                };
                let scene = Scene::new("s".into(), vec![object], Background::Meadow);
                let found = difference(&draw(&scene), &empty);
                assert_eq!(found, bbox, "{kind:?} {scale} {is_mirrored}");
            }
        }
    }
}
