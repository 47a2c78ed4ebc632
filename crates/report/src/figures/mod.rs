//! Figures as SVG, PNG and PDF: heatmaps, scatter plots, intervals, bars, curves, specification curves, grids and
//! sheets of images, and masks or boxes over them.
//!
//! Each type of figure is a plain struct with `draw`, which gives a [`Picture`]; inconsistent parts, numbers that are
//! not finite, and pictures too large for any viewer are refused. A picture becomes a file of a [`FigureFormat`] in a
//! [`FigureStyle`]: the same input gives the same bytes, and all formats show the same. Nothing here knows a metric by
//! name. The font is compiled in, so a picture needs no system font.

mod axis;
mod bars;
mod box_overlay;
mod checks;
mod colour_scale;
mod contact_sheet;
mod curves;
mod figure_style;
mod fitted_image;
mod font;
mod heatmap;
mod image_grid;
mod intervals;
mod mask_overlay;
mod page;
mod panels;
mod pdf;
mod pdf_font;
mod picture;
mod png_file;
mod point_labels;
mod raster;
mod region_map;
mod scatter;
mod scene;
mod specification_curve;
mod style;
mod svg;
mod system_comparison;

pub use bars::{Bar, Bars};
pub use box_overlay::{BoxOverlay, LabelledBox};
pub use colour_scale::ColourScale;
pub use contact_sheet::{ContactSheet, SheetRow};
pub use curves::{Band, Curve, CurvePanel, Curves};
pub use figure_style::{FigureFormat, FigureOptions, FigureStyle};
pub use heatmap::Heatmap;
pub use image_grid::{GridCell, GridRow, ImageGrid};
pub use intervals::{Dot, IntervalPanel, Intervals, Level};
pub use mask_overlay::{MaskOverlay, OverlayKind, OverlayMask, OverlayPanel, tinted_masks};
pub use picture::{Picture, jpeg};
pub use region_map::{RegionMap, RegionPanel};
pub use scatter::{Fit, Point, Scatter, ScatterPanel};
pub use specification_curve::{Factor, Specification, SpecificationCurve};
pub use system_comparison::{PairValues, SystemDifference, SystemFigures};

/// Parts of figures for the tests of this crate. They may change in any release.
#[doc(hidden)]
pub mod internals {
    pub use super::axis::Axis;
    pub use super::box_overlay::place;
    pub use super::colour_scale::{contrast, ink_on};
    pub use super::font::{Weight, face, shortened, width, wrapped};
    pub use super::heatmap::outline;
    pub use super::scatter::least_squares;
    pub use super::scene::{Anchor, Paint, Scene, Shape};
    pub use super::svg::{escaped, short};
}
