//! Figures as SVG and PNG: heatmaps, scatter plots, intervals, bars, curves, sheets of images, and masks or
//! boxes over them.
//!
//! Each type of figure is a plain struct with `draw`, which gives a [`Picture`]: the same input gives
//! the same bytes, and the SVG and the PNG show the same. Nothing here knows a metric by name. The
//! font is compiled in, so a picture needs none of the system.

mod axis;
mod bars;
mod box_overlay;
mod checks;
mod colour_scale;
mod contact_sheet;
mod curves;
mod font;
mod heatmap;
mod intervals;
mod mask_overlay;
mod outline;
mod page;
mod panels;
mod picture;
mod point_labels;
mod raster;
mod scatter;
mod scene;
mod style;

pub use bars::{Bar, Bars};
pub use box_overlay::{BoxOverlay, LabelledBox};
pub use colour_scale::ColourScale;
pub use contact_sheet::{ContactSheet, SheetRow};
pub use curves::{Band, Curve, CurvePanel, Curves};
pub use heatmap::Heatmap;
pub use intervals::{Dot, IntervalPanel, Intervals, Level};
pub use mask_overlay::{MaskOverlay, OverlayKind, OverlayMask, OverlayPanel};
pub use picture::Picture;
pub use scatter::{Fit, Point, Scatter, ScatterPanel};
