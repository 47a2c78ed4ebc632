//! The prompt of a mask: a box or points.

use neurogauge_core::BoxXyxy;

/// What a mask is wanted of, in pixels of the image before preprocessing.
#[derive(Debug, Clone, PartialEq)]
pub enum MaskPrompt {
    /// The object within a box, which may extend beyond the image.
    Box(BoxXyxy),
    /// The object that contains some points but not others.
    Points(Vec<MaskPoint>),
}

/// A point of a prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaskPoint {
    /// Distance from the left edge.
    pub x: f64,
    /// Distance from the upper edge.
    pub y: f64,
    pub label: PointLabel,
}

/// Is a point on the object?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointLabel {
    /// On the object.
    Object,
    /// Outside the object.
    Background,
}

impl MaskPrompt {
    /// What is wrong with the prompt, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        match self {
            MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 }) => {
                let sound = [x0, y0, x1, y1].iter().all(|edge| edge.is_finite());
                let box_is = || format!("the box is [{x0}, {y0}, {x1}, {y1}]");
                (!sound || x0 > x1 || y0 > y1).then(box_is)
            }
            MaskPrompt::Points(points) if points.is_empty() => Some("it has no points".to_owned()),
            MaskPrompt::Points(points) => {
                let unsound = |point: &&MaskPoint| !point.x.is_finite() || !point.y.is_finite();
                let point = points.iter().find(unsound)?;
                Some(format!("a point is ({}, {})", point.x, point.y))
            }
        }
    }
}
