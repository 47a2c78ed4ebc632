//! The prompt of a mask: boxes and points.

use neurogauge_core::BoxXyxy;

/// The request for a mask, in pixels of the image before it was prepared.
#[derive(Debug, Clone, PartialEq)]
pub enum MaskPrompt {
    /// The thing within a box. It may reach beyond the image.
    Box(BoxXyxy),
    /// The thing that some points belong to and others do not.
    Points(Vec<MaskPoint>),
}

/// A point of a prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaskPoint {
    /// From the left edge.
    pub x: f64,
    /// From the upper edge.
    pub y: f64,
    /// Where it is.
    pub label: PointLabel,
}

/// Is a point within the thing?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointLabel {
    /// Within it.
    Object,
    /// Outside it.
    Background,
}

impl MaskPrompt {
    /// The error in it, if any.
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
