//! Masks: their overlap by level, and over an image.

use super::{keep, numbers};
use neurogauge_core::{Image, Mask};
use neurogauge_report::figures::{Bar, Bars, MaskOverlay, OverlayKind, OverlayMask, OverlayPanel};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let bar = |value: f64| Bar::estimate((value > 0.05).then_some(value), Some((value * 0.9, value * 1.15)));
    let values = numbers(15, 5);
    let bars = Bars {
        title: "Masks by level: overlap".into(),
        y_label: "overlap (IoU)".into(),
        groups: ["salient", "binary", "semantic", "instance", "part"].map(String::from).to_vec(),
        series: vec!["first".into(), "second".into(), "third".into()],
        bars: values.chunks(3).map(|three| three.iter().map(|&v| bar(v)).collect()).collect(),
        caption: "Hatched: no value.".into(),
    };
    keep(folder, "bars", &bars.draw()?)?;
    let disc = |x0: f64, y0: f64, radius: f64| {
        Mask::from_pixels(120, 160, |x, y| (f64::from(x) - x0).hypot(f64::from(y) - y0) < radius)
    };
    let overlay = |label: &str, kind: OverlayKind, mask: Mask| OverlayMask {
        label: label.into(),
        kind,
        mask,
    };
    let pixels = numbers(160 * 120 * 3, 8);
    let image = Image::new(160, 120, pixels.iter().map(|v| (v * 255.0) as u8).collect())?;
    let panel = |title: &str, masks: Vec<OverlayMask>| OverlayPanel {
        title: title.into(),
        size_px: (160, 120),
        image: Some(image.clone()),
        masks,
    };
    let figure = MaskOverlay {
        title: "Objects of 12".into(),
        panels: vec![
            panel(
                "stimulus",
                vec![
                    overlay("1 dog", OverlayKind::Right, disc(50.0, 60.0, 35.0)?),
                    overlay("fire hydrant", OverlayKind::Missing, disc(140.0, 30.0, 25.0)?),
                ],
            ),
            OverlayPanel {
                title: "reconstruction".into(),
                size_px: (160, 120),
                image: None,
                masks: vec![
                    overlay("1 dog 0.61", OverlayKind::Right, disc(62.0, 66.0, 33.0)?),
                    overlay("cat", OverlayKind::MadeUp, disc(10.0, 8.0, 20.0)?),
                ],
            },
        ],
        caption: "1 matched, 1 missing, 1 made up.".into(),
    };
    std::fs::write(folder.join("overlay.png"), figure.draw_png()?)?;
    Ok(())
}
