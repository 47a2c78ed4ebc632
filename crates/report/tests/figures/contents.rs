//! Contents of figures: words, pixels, the same bytes.

use super::kinds::{heatmap, refused};
use neurogauge_core::{Image, Mask};
use neurogauge_report::figures::*;

#[test]
fn the_same_input_gives_the_same_bytes() {
    let figure = heatmap(12, Some(0.5));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let figure = figure.clone();
            std::thread::spawn(move || figure.draw().unwrap().svg())
        })
        .collect();
    let expected = figure.draw().unwrap().svg();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[test]
fn words_are_text_and_escaped() {
    let svg = heatmap(1, Some(0.5)).draw().unwrap().svg();
    assert!(svg.contains("metric &lt;0&gt; &amp; &quot;co&quot;"), "{svg}");
    assert!(svg.contains("sans-serif"));
}

#[test]
fn a_contact_sheet_shows_the_pixels() {
    let red = Image::new(8, 8, [200, 10, 20].repeat(64)).unwrap();
    let sheet = ContactSheet {
        columns: vec!["a".into(), "b".into()],
        rows: vec![SheetRow {
            images: vec![Some(red.clone()), None],
            lines: vec!["one".into(); 30],
        }],
        ..ContactSheet::default()
    };
    assert_eq!(sheet.draw().unwrap().svg().matches("<image").count(), 1);
    let uneven = ContactSheet {
        rows: vec![SheetRow {
            images: vec![Some(red)],
            lines: Vec::new(),
        }],
        ..sheet.clone()
    };
    refused(uneven.draw(), "1 images in a row where 2 belong");
    let tall = ContactSheet {
        rows: vec![sheet.rows[0].clone(); 200],
        ..sheet
    };
    refused(tall.draw(), "viewers open at most");
}

#[test]
fn overlays_of_any_size_are_drawn() {
    for (width, height) in [(1, 1), (1, 900), (640, 3), (40, 30)] {
        let mask = |left: u32| Mask::from_pixels(height, width, |x, _| x >= left).unwrap();
        let masks = [OverlayKind::Right, OverlayKind::Missing, OverlayKind::MadeUp];
        let masks = masks.iter().zip([0, 1, width]).map(|(&kind, left)| OverlayMask {
            label: "a name that is longer than there is room for in a picture as small as this one is".into(),
            kind,
            mask: mask(left),
        });
        let panel = OverlayPanel {
            size_px: (width, height),
            image: Some(Image::new(2, 1, vec![0, 0, 0, 255, 255, 255]).unwrap()),
            masks: masks.collect(),
            ..OverlayPanel::default()
        };
        let figure = MaskOverlay {
            panels: vec![panel.clone(), OverlayPanel { image: None, ..panel }],
            ..MaskOverlay::default()
        };
        assert_eq!(&figure.draw_png().unwrap()[1..4], b"PNG");
    }
    let nothing = MaskOverlay {
        panels: vec![OverlayPanel::default()],
        ..MaskOverlay::default()
    };
    refused(nothing.draw_png(), "has no pixels");
}

#[test]
fn panels_of_one_quantity_share_their_axis() {
    let circles = |shared_axis: bool| -> Vec<f64> {
        let panel = |value: f64| IntervalPanel {
            dots: [0.0, value]
                .into_iter()
                .enumerate()
                .map(|(row, value)| Dot {
                    row,
                    value,
                    ..Dot::default()
                })
                .collect(),
            ..IntervalPanel::default()
        };
        let picture = Intervals {
            rows: vec!["a".into(), "b".into()],
            panels: vec![panel(1.0), panel(2.0)],
            shared_axis,
            ..Intervals::default()
        };
        let svg = picture.draw().unwrap().svg();
        let circles = svg.split("<circle cx=\"").skip(1);
        circles.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
    };
    let widths = |places: Vec<f64>| [places[1] - places[0], places[3] - places[2]];
    // With separate axes, both panels extend equally far; with one axis, 2 is twice as far from 0 as 1 is.
    let [one, two] = widths(circles(false));
    assert!((one - two).abs() < 0.02, "{one} {two}");
    let [one, two] = widths(circles(true));
    assert!((two - 2.0 * one).abs() < 0.02, "{one} {two}");
}
