//! The demo's pictures and their contents.

use neurogauge::Error;
use neurogauge::core::Image;
use serde::Deserialize;

/// Width and height of every scene, px.
const SIZE_PX: usize = 256;

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SceneObject {
    /// The name of a COCO category.
    pub category: String,
    /// The box that the object fills, in whole px: left, top, right, bottom.
    pub bbox: [f64; 4],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub stem: String,
    pub image: Image<u8>,
    /// A description as a person would give it.
    pub caption: String,
    /// From back to front.
    pub objects: Vec<SceneObject>,
}

#[derive(Deserialize)]
struct Content {
    caption: String,
    objects: Vec<SceneObject>,
}

/// Twelve stimuli: people, animals, vehicles and things before eight backgrounds. Stems are `scene-1`, `scene-2`, ...
///
/// # Errors
/// None, see [`read`].
pub fn stimuli() -> Result<Vec<Scene>, Error> {
    read(include_bytes!("../scenes/stimuli.png"), include_str!("../scenes/stimuli.json"))
}

/// The first eight stimuli as a decoder might render them: objects are lost, replaced by another category of their
/// supercategory (a semantic near miss), moved, resized or recoloured, and backgrounds mistaken for similar ones.
///
/// # Errors
/// None, see [`read`].
pub fn reconstructions() -> Result<Vec<Scene>, Error> {
    read(include_bytes!("../scenes/reconstructions.png"), include_str!("../scenes/reconstructions.json"))
}

/// Reads the scenes from a sheet (a PNG file with the pictures one above the other) and a JSON list of their contents.
///
/// # Errors
/// [`Error::Usage`] if the files are not of this form; this crate's own are.
pub fn read(sheet: &[u8], contents: &str) -> Result<Vec<Scene>, Error> {
    let refused = |error: &dyn std::fmt::Display| Error::Usage(format!("scenes: {error}"));
    let pixels = image::load_from_memory(sheet).map_err(|error| refused(&error))?.into_rgb8().into_raw();
    let contents: Vec<Content> = serde_json::from_str(contents).map_err(|error| refused(&error))?;
    (pixels.chunks(SIZE_PX * SIZE_PX * Image::<u8>::CHANNELS).zip(contents).zip(1..))
        .map(|((pixels, content), number)| {
            Ok(Scene {
                stem: format!("scene-{number}"),
                image: Image::new(SIZE_PX, SIZE_PX, pixels.to_vec()).map_err(|error| refused(&error))?,
                caption: content.caption,
                objects: content.objects,
            })
        })
        .collect()
}
