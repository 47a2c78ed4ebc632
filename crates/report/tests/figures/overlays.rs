//! Words of overlays stay within their picture, and labels beside each other.

use neurogauge_core::{BoxXyxy, Image, Mask};
use neurogauge_report::figures::internals::{Anchor, Shape, Weight, place, width};
use neurogauge_report::figures::{BoxOverlay, LabelledBox, MaskOverlay, OverlayKind, OverlayMask, OverlayPanel};

const PICTURE: (f64, f64) = (100.0, 100.0);

#[test]
fn a_label_goes_above_its_box_or_where_it_covers_nothing() {
    let bounds = (20.0, 30.0, 80.0, 90.0);
    let first = place((30.0, 10.0), bounds, PICTURE, &[]);
    assert_eq!(first, (20.0, 20.0, 50.0, 30.0));
    let second = place((30.0, 10.0), bounds, PICTURE, &[first]);
    assert_eq!(second, (50.0, 20.0, 80.0, 30.0));
    let third = place((30.0, 10.0), bounds, PICTURE, &[first, second]);
    assert_eq!(third, (20.0, 30.0, 50.0, 40.0));
}

#[test]
fn a_label_stays_within_the_picture() {
    let bounds = (95.0, 0.0, 100.0, 5.0);
    let at_corner = place((30.0, 10.0), bounds, PICTURE, &[]);
    assert_eq!(at_corner, (70.0, 0.0, 100.0, 10.0));
    // A label wider than the picture begins at its left edge.
    assert_eq!(place((300.0, 10.0), bounds, PICTURE, &[]).0, 0.0);
}

#[test]
fn no_label_is_cut_by_the_edge() {
    let bbox = BoxXyxy::of([3.0, 0.0, 4.0, 2.0]);
    let label = "a thing whose name is far too long for a picture of this width, whatever its height, 0.93";
    let boxes = [label, "dog 0.75"].map(|label| LabelledBox {
        label: label.repeat(2),
        series: 0,
        bbox,
    });
    let image = Image::new(4, 2, vec![128; 24]).unwrap();
    let scene = BoxOverlay {
        image,
        boxes: boxes.to_vec(),
    }
    .scene()
    .unwrap();
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Words(words) => Some(words),
        _ => None,
    });
    let mut n = 0;
    for words in words {
        let right = words.at.0 + width(&words.text, words.size, Weight::Regular);
        assert!(words.at.0 >= 0.0 && right <= scene.width, "{words:?}");
        n += 1;
    }
    assert_eq!(n, 2);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let draw = |side: usize, x0: f64| {
        let bbox = BoxXyxy::of([x0, 0.0, 1.0, 1.0]);
        let boxes = vec![LabelledBox {
            label: String::new(),
            series: 0,
            bbox,
        }];
        let image = Image::new(side, side, vec![0; side * side * 3]).unwrap();
        BoxOverlay { image, boxes }.draw_png()
    };
    assert_eq!(&draw(2, 0.0).unwrap()[1..4], b"PNG");
    assert!(draw(2, f64::NAN).is_err() && draw(0, 0.0).is_err());
}

#[test]
fn no_words_are_cut_by_the_edge_of_their_panel() {
    let long = "a name that is far longer than there is room for beside a narrow picture of a thing";
    let panel = |title: &str| OverlayPanel {
        title: title.to_owned(),
        size_px: (40, 60),
        image: None,
        masks: vec![OverlayMask {
            label: long.to_owned(),
            kind: OverlayKind::Right,
            mask: Mask::from_pixels(60, 40, |x, _| x > 30).unwrap(),
        }],
    };
    let overlay = MaskOverlay {
        title: "Objects".to_owned(),
        panels: vec![panel(long), panel("short")],
        caption: String::new(),
    };
    let scene = overlay.scene().unwrap();
    let photos = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Photo { corner, size, .. } => Some((corner.0, corner.0 + size.0)),
        _ => None,
    });
    let photos: Vec<(f64, f64)> = photos.collect();
    let mut n = 0;
    for shape in &scene.shapes {
        if let Shape::Words(words) = shape
            && words.anchor == Anchor::Middle
        {
            let half = width(&words.text, words.size, Weight::Regular) / 2.0;
            let (left, right) = (words.at.0 - half, words.at.0 + half);
            let is_within = |(from, to): &(f64, f64)| left >= from - 0.5 && right <= to + 0.5;
            assert!(photos.iter().any(is_within), "{words:?} {photos:?}");
            n += 1;
        }
    }
    assert_eq!(n, 4);
}
