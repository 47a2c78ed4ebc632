//! Encodes pixels as a PNG file.

const METRES_PER_INCH: f64 = 0.0254;

/// Encodes rows of RGB, from the top, with the resolution if it is known. `rgb` must have three bytes per pixel;
/// otherwise the file is empty.
pub(super) fn encoded(width: usize, height: usize, rgb: &[u8], dpi: Option<f64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut info = png::Info::with_size(width as u32, height as u32);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Eight;
    info.pixel_dims = dpi.map(|dpi| {
        let per_metre = (dpi / METRES_PER_INCH).round() as u32;
        png::PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: png::Unit::Meter,
        }
    });
    let written = png::Encoder::with_info(&mut bytes, info)
        .and_then(|mut encoder| {
            // Better compression would take longer than drawing the figure.
            encoder.set_compression(png::Compression::Fast);
            encoder.write_header()
        })
        .and_then(|mut writer| {
            writer.write_image_data(rgb)?;
            writer.finish()
        });
    if written.is_err() {
        bytes.clear();
    }
    bytes
}
