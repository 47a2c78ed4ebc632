//! The content of a scene.

use super::caption::caption;
use super::kind::{Colour, Kind};
use neurogauge::core::BoxXyxy;

/// Width and height of every scene, px.
pub(super) const SIZE_PX: usize = 256;

/// Where a scene plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Background {
    /// Grass under a blue sky.
    Meadow,
    /// A road between houses.
    Street,
    /// Open water.
    Sea,
    /// A room with a window.
    Room,
    /// Mountains in winter.
    Snow,
    /// Sand and a strip of sea.
    Beach,
    Table,
    /// Only clouds.
    Sky,
}

impl Background {
    /// All backgrounds, in the order in which [`scenes`](super::scenes) goes through them.
    pub const ALL: [Background; 8] = [
        Background::Meadow,
        Background::Street,
        Background::Sea,
        Background::Room,
        Background::Snow,
        Background::Beach,
        Background::Table,
        Background::Sky,
    ];

    /// Backgrounds that it might be taken for.
    pub(super) fn relatives(self) -> &'static [Background] {
        match self {
            Background::Meadow => &[Background::Snow, Background::Beach, Background::Street],
            Background::Street => &[Background::Meadow, Background::Snow],
            Background::Sea => &[Background::Beach, Background::Sky],
            Background::Room => &[Background::Table],
            Background::Snow => &[Background::Meadow, Background::Street],
            Background::Beach => &[Background::Sea, Background::Meadow],
            Background::Table => &[Background::Room],
            Background::Sky => &[Background::Sea],
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct SceneObject {
    pub kind: Kind,
    /// The box it fills, whole pixels.
    pub bbox: BoxXyxy,
    pub colour: Colour,
    /// Drawn from right to left?
    pub is_mirrored: bool,
}

impl SceneObject {
    /// Its category, by COCO's name.
    pub fn category(&self) -> &'static str {
        self.kind.category()
    }
}

/// A picture before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub stem: String,
    /// Width, px.
    pub width_px: usize,
    /// Height, px.
    pub height_px: usize,
    /// The objects, back to front.
    pub objects: Vec<SceneObject>,
    /// Where it plays.
    pub background: Background,
    /// A person's description of it.
    pub caption: String,
}

impl Scene {
    /// A scene with its objects sorted back to front and its caption written.
    pub(super) fn new(stem: String, mut objects: Vec<SceneObject>, background: Background) -> Self {
        objects.sort_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1));
        Scene {
            stem,
            width_px: SIZE_PX,
            height_px: SIZE_PX,
            caption: caption(&objects, background),
            objects,
            background,
        }
    }
}
