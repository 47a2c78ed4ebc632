//! Turns a figure into a file.

use super::figure_style::{FigureFormat, FigureStyle, Room};
use super::scene::Scene;
use super::{checks, pdf, raster, svg};
use crate::ReportError;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use neurogauge_core::Image;
use std::fmt;
use std::sync::Arc;

/// Maximum side of a figure, in units of its scene; viewers do not open larger PNG files.
const MAX_SIDE: f64 = 12_000.0;

/// A finished figure. The same input gives the same bytes, and all formats show the same.
#[derive(Clone)]
pub struct Picture {
    title: String,
    /// Lays out the figure in the given space.
    scene: Arc<dyn Fn(Room) -> Scene + Send + Sync>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({:?})", self.title)
    }
}

impl Picture {
    pub(super) fn of<F: Clone + Send + Sync + 'static>(
        title: &str,
        figure: &F,
        scene: fn(&F, Room) -> Scene,
    ) -> Result<Self, ReportError> {
        let figure = figure.clone();
        let picture = Picture {
            title: title.to_owned(),
            scene: Arc::new(move |room| scene(&figure, room)),
        };
        check_size(&picture.scene(&FigureStyle::default()), title)?;
        Ok(picture)
    }

    fn scene(&self, style: &FigureStyle) -> Scene {
        (self.scene)(style.room())
    }

    /// The SVG document in the default style.
    pub fn svg(&self) -> String {
        let style = FigureStyle::default();
        svg::document(&self.scene(&style), &style)
    }

    pub fn size_mm(&self, style: &FigureStyle) -> (f64, f64) {
        let scene = self.scene(style);
        let unit_mm = style.unit_pt() / 72.0 * 25.4;
        (scene.width * unit_mm, scene.height * unit_mm)
    }

    /// The figure as a file.
    ///
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
        let (scene, title) = (self.scene(style), self.title.as_str());
        check_size(&scene, title)?;
        let unit_mm = style.unit_pt() / 72.0 * 25.4;
        // Widths are sums of many numbers, so half a unit may be rounding.
        if scene.needed_width > scene.width + 0.5 {
            return Err(ReportError::Request(format!(
                "the figure {title:?} takes a width of {:.0} mm at least, and {:.0} mm were asked for; give it more width, or \
                 smaller letters",
                scene.needed_width * unit_mm,
                scene.width * unit_mm
            )));
        }
        match format {
            FigureFormat::Svg => Ok(svg::document(&scene, style).into_bytes()),
            FigureFormat::Png => png(&scene, title, style),
            FigureFormat::Pdf => {
                pdf::document(&scene, title, style).map_err(|reason| ReportError::not_drawn(title, reason))
            }
        }
    }
}

fn check_size(scene: &Scene, title: &str) -> Result<(), ReportError> {
    checks::size(title, (scene.width, scene.height), MAX_SIDE)
}

fn png(scene: &Scene, title: &str, style: &FigureStyle) -> Result<Vec<u8>, ReportError> {
    raster::png(scene, style).map_err(|reason| ReportError::not_drawn(title, reason))
}

/// The PNG file of a scene that is made of pixels.
pub(super) fn png_of(scene: &Scene, title: &str) -> Result<Vec<u8>, ReportError> {
    check_size(scene, title)?;
    png(scene, title, &FigureStyle::default())
}

/// An image as an 8-bit RGB JPEG file of this quality, 1 to 100.
///
/// # Errors
/// The image has no pixels, or more on a side than JPEG can have.
pub fn jpeg(image: &Image<u8>, quality: u8) -> Result<Vec<u8>, ReportError> {
    let refused = |reason: &dyn fmt::Display| ReportError::not_drawn("JPEG", reason);
    let size = |px: usize| u16::try_from(px).map(u32::from).map_err(|reason| refused(&reason));
    let (width, height) = (size(image.width_px())?, size(image.height_px())?);
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    let done = encoder.write_image(image.data(), width, height, ExtendedColorType::Rgb8);
    done.map_err(|reason| refused(&reason))?;
    Ok(bytes)
}
