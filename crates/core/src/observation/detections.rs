//! Labelled, scored boxes.

/// A box in pixels: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxXyxy {
    /// Left edge, px.
    pub x0: f64,
    /// Top edge, px.
    pub y0: f64,
    /// Right edge, px.
    pub x1: f64,
    /// Bottom edge, px.
    pub y1: f64,
}

impl BoxXyxy {
    /// The box with this left, top, right and bottom edge.
    pub fn of([x0, y0, x1, y1]: [f64; 4]) -> Self {
        BoxXyxy { x0, y0, x1, y1 }
    }

    /// Left, top, right and bottom edge.
    pub fn edges(&self) -> [f64; 4] {
        [self.x0, self.y0, self.x1, self.y1]
    }

    /// Width times height, px².
    pub fn area_px2(&self) -> f64 {
        (self.x1 - self.x0) * (self.y1 - self.y0)
    }

    /// Is the right edge left of the left one, or the bottom above the top? The area is then negative, or positive if
    /// both hold.
    pub fn is_inverted(&self) -> bool {
        self.x1 < self.x0 || self.y1 < self.y0
    }

    /// The same corners in order: left before right, top before bottom.
    ///
    /// ```
    /// use neurogauge_core::BoxXyxy;
    /// let bbox = BoxXyxy::of([30.0, 5.0, 10.0, 8.0]);
    /// assert!(bbox.is_inverted() && !bbox.upright().is_inverted());
    /// assert_eq!((bbox.area_px2(), bbox.upright().area_px2()), (-60.0, 60.0));
    /// ```
    #[must_use]
    pub fn upright(&self) -> BoxXyxy {
        BoxXyxy::of([self.x0.min(self.x1), self.y0.min(self.y1), self.x0.max(self.x1), self.y0.max(self.y1)])
    }
}

/// One detected object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detection {
    /// Index of the category in the label list that the run uses.
    pub category: usize,
    /// Confidence, 0 to 1.
    pub score: f64,
    pub bbox: BoxXyxy,
}

/// All objects detected in one image, in the order of their file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Detections {
    pub items: Vec<Detection>,
    /// Width and height of the image in px, if known (the size and location variants of Object F1 need them).
    pub image_size_px: Option<(f64, f64)>,
}

impl Detections {
    pub fn of(items: Vec<Detection>, image_size_px: Option<(f64, f64)>) -> Self {
        Detections { items, image_size_px }
    }

    /// Are the scores in descending order, as detectors write them?
    pub fn is_descending(&self) -> bool {
        self.items.windows(2).all(|pair| pair[0].score >= pair[1].score)
    }
}
