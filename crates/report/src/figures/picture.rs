//! A figure becomes a file.

use super::figure_style::{FigureFormat, FigureStyle};
use super::scene::Scene;
use super::{Bars, ContactSheet, Curves, Heatmap, ImageGrid, Intervals, Scatter, SpecificationCurve, pdf, raster, svg};
use crate::ReportError;

/// Either side of a figure, in units of its scene; beyond, no viewer opens the PNG.
const MAX_SIDE: f64 = 12_000.0;

/// A figure, laid out: the same input gives the same bytes, and files of all formats show the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    figure: Figure,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Figure {
    Bars(Bars),
    ContactSheet(ContactSheet),
    Curves(Curves),
    Heatmap(Heatmap),
    ImageGrid(ImageGrid),
    Intervals(Intervals),
    Scatter(Scatter),
    SpecificationCurve(SpecificationCurve),
}

impl Figure {
    fn title(&self) -> &str {
        match self {
            Figure::Bars(figure) => &figure.title,
            Figure::ContactSheet(figure) => &figure.title,
            Figure::Curves(figure) => &figure.title,
            Figure::Heatmap(figure) => &figure.title,
            Figure::ImageGrid(figure) => &figure.title,
            Figure::Intervals(figure) => &figure.title,
            Figure::Scatter(figure) => &figure.title,
            Figure::SpecificationCurve(figure) => &figure.title,
        }
    }

    fn scene(&self, style: &FigureStyle) -> Scene {
        let room = style.room();
        match self {
            Figure::Bars(figure) => figure.scene(room),
            Figure::ContactSheet(figure) => figure.scene(room),
            Figure::Curves(figure) => figure.scene(room),
            Figure::Heatmap(figure) => figure.scene(room),
            Figure::ImageGrid(figure) => figure.scene(room),
            Figure::Intervals(figure) => figure.scene(room),
            Figure::Scatter(figure) => figure.scene(room),
            Figure::SpecificationCurve(figure) => figure.scene(room),
        }
    }
}

impl Picture {
    /// - Errors: [`ReportError::FigureTooLarge`].
    pub(super) fn of(figure: Figure) -> Result<Self, ReportError> {
        let scene = figure.scene(&FigureStyle::default());
        check_size(&scene, figure.title())?;
        Ok(Picture { figure })
    }

    /// The SVG document as it is where nothing else is asked for.
    pub fn svg(&self) -> String {
        let style = FigureStyle::default();
        svg::document(&self.figure.scene(&style), &style)
    }

    /// Width and height in millimetres.
    pub fn size_mm(&self, style: &FigureStyle) -> (f64, f64) {
        let scene = self.figure.scene(style);
        let unit_mm = style.unit_pt() / 72.0 * 25.4;
        (scene.width * unit_mm, scene.height * unit_mm)
    }

    /// The file.
    ///
    /// - Errors: [`ReportError::FigureTooNarrow`], [`ReportError::FigureTooLarge`], [`ReportError::NotDrawn`].
    ///
    /// ```
    /// use neurogauge_report::figures::{Bar, Bars, FigureFormat, FigureStyle};
    /// let bars = Bars {
    ///     groups: vec!["salient".into()],
    ///     series: vec!["a".into()],
    ///     bars: vec![vec![Bar { value: Some(0.4), ..Bar::default() }]],
    ///     ..Bars::default()
    /// };
    /// let style = FigureStyle { width_mm: Some(89.0), ..FigureStyle::default() };
    /// let pdf = bars.draw()?.file(FigureFormat::Pdf, &style)?;
    /// assert!(pdf.starts_with(b"%PDF-1.7"));
    /// # Ok::<(), neurogauge_report::ReportError>(())
    /// ```
    pub fn file(&self, format: FigureFormat, style: &FigureStyle) -> Result<Vec<u8>, ReportError> {
        let (scene, title) = (self.figure.scene(style), self.figure.title());
        check_size(&scene, title)?;
        let unit_mm = style.unit_pt() / 72.0 * 25.4;
        // The widths are sums of many: half a unit is rounding.
        if scene.needed_width > scene.width + 0.5 {
            return Err(ReportError::FigureTooNarrow {
                title: title.to_owned(),
                width_mm: scene.width * unit_mm,
                needed_mm: scene.needed_width * unit_mm,
            });
        }
        match format {
            FigureFormat::Svg => Ok(svg::document(&scene, style).into_bytes()),
            FigureFormat::Png => png(&scene, title, style),
            FigureFormat::Pdf => pdf::document(&scene, title, style).map_err(|reason| not_drawn(title, reason)),
        }
    }
}

fn check_size(scene: &Scene, title: &str) -> Result<(), ReportError> {
    if scene.width > MAX_SIDE || scene.height > MAX_SIDE {
        return Err(ReportError::FigureTooLarge {
            title: title.to_owned(),
            width_px: scene.width,
            height_px: scene.height,
            limit_px: MAX_SIDE,
        });
    }
    Ok(())
}

fn not_drawn(title: &str, reason: String) -> ReportError {
    ReportError::NotDrawn {
        title: title.to_owned(),
        reason,
    }
}

fn png(scene: &Scene, title: &str, style: &FigureStyle) -> Result<Vec<u8>, ReportError> {
    raster::png(scene, style).map_err(|reason| not_drawn(title, reason))
}

/// The PNG file of a scene that is made of pixels.
pub(super) fn png_of(scene: &Scene, title: &str) -> Result<Vec<u8>, ReportError> {
    check_size(scene, title)?;
    png(scene, title, &FigureStyle::default())
}
