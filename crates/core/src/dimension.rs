//! The dimensions that elements of a scene graph belong to.

use crate::words::word_of;
use serde::{Deserialize, Serialize};

/// What an element of a scene graph is about: the dimensions of BASIC's Table 1, with the parts that it names. A rule
/// of this toolkit assigns them (convention `basic-dimensions`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Places, layout, geometry, events, actions and style.
    Scene,
    /// Every other object.
    Object,
    Colour,
    Texture,
    Material,
    Position,
    /// Attributes of quantity.
    Count,
    Size,
    /// Attributes of state, such as posture, age or wetness.
    State,
    /// Symbols and text, as attributes or objects.
    Text,
    OtherAttribute,
    /// Relations in space.
    Spatial,
    /// Relations of parts and wholes.
    Part,
    /// Interactions, postures and motion.
    Action,
    OtherRelation,
    /// Lighting, viewpoint and motion of the camera.
    Camera,
}

impl Dimension {
    /// Every dimension, in the order of tables.
    pub const ALL: [Dimension; 16] = [
        Dimension::Scene,
        Dimension::Object,
        Dimension::Colour,
        Dimension::Texture,
        Dimension::Material,
        Dimension::Position,
        Dimension::Count,
        Dimension::Size,
        Dimension::State,
        Dimension::Text,
        Dimension::OtherAttribute,
        Dimension::Spatial,
        Dimension::Part,
        Dimension::Action,
        Dimension::OtherRelation,
        Dimension::Camera,
    ];

    /// The name in files.
    pub fn id(self) -> String {
        word_of(&self).replace('-', "_")
    }

    /// The name in words.
    pub fn label(self) -> String {
        word_of(&self).replace('-', " ")
    }
}
