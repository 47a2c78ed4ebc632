//! What figures are made of: colours, text, lines and edges.

use neurogauge_report::figures::internals::{
    Paint, Scene, Shape, Weight, contrast, escaped, face, ink_on, least_squares, outline, short, shortened, width,
    wrapped,
};
use neurogauge_report::figures::{ColourScale, Point};

#[test]
fn numbers_can_be_read_on_every_colour() {
    for scale in [ColourScale::Sequential, ColourScale::Diverging] {
        for place in 0..=1000 {
            let ground = scale.colour(f64::from(place) / 1000.0);
            let contrast = contrast(ink_on(ground), ground);
            assert!(contrast >= 4.5, "{scale:?} {place} {ground:?}: {contrast}");
        }
    }
    let white = Paint::new(255, 255, 255);
    assert!((contrast(white, Paint::new(0, 0, 0)) - 21.0).abs() < 1e-9);
}

#[test]
fn a_scale_goes_from_its_first_colour_to_its_last() {
    assert_eq!(ColourScale::Sequential.colour(-1.0).rgb, (68, 1, 84));
    assert_eq!(ColourScale::Sequential.colour(1.0).rgb, (253, 231, 37));
    assert_eq!(ColourScale::Diverging.colour(0.5).rgb, (247, 247, 247));
}

#[test]
fn letters_of_figures_are_in_the_font() {
    for weight in [Weight::Regular, Weight::Bold] {
        let face = face(weight).unwrap();
        for letter in "Aßρτεα↑↓−×≤…·²†±".chars() {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
    }
}

#[test]
fn text_is_cut_and_wrapped_to_a_width() {
    let size = 10.0;
    let fits = |text: &str, max| width(text, size, Weight::Regular) <= max;
    let cut = shortened("a_rather_long_name", size, Weight::Regular, 60.0);
    assert!(cut.ends_with('…') && fits(&cut, 60.0), "{cut}");
    assert_eq!(shortened("short", size, Weight::Regular, 60.0), "short");
    let lines = wrapped("one two three four five", size, Weight::Regular, 60.0);
    assert!(lines.len() > 1 && lines.iter().all(|line| fits(line, 60.0)));
    assert_eq!(lines.join(" "), "one two three four five");
}

#[test]
fn edges_between_two_cells_are_not_drawn() {
    assert_eq!(outline(&[(0, 0)]).len(), 4);
    let pair = outline(&[(0, 0), (0, 1), (0, 1)]);
    assert_eq!(pair.len(), 6);
    assert!(!pair.contains(&((1, 0), (1, 1))));
    assert!(pair.contains(&((2, 0), (2, 1))));
    assert!(outline(&[]).is_empty());
    // Cells that touch only at a corner keep all their edges.
    assert_eq!(outline(&[(0, 0), (1, 1)]).len(), 8);
}

#[test]
fn a_line_through_points_on_a_line() {
    let points: Vec<Point> = (0..5).map(|i| Point::at(f64::from(i), 3.0 - 2.0 * f64::from(i))).collect();
    let (slope, offset) = least_squares(&points).unwrap();
    assert!((slope + 2.0).abs() < 1e-12 && (offset - 3.0).abs() < 1e-12);
    assert_eq!(least_squares(&points[..1]), None);
    let upright = [Point::at(1.0, 1.0), Point::at(1.0, 2.0)];
    assert_eq!(least_squares(&upright), None);
}

#[test]
fn dashes_go_round_corners_and_have_their_lengths() {
    let mut scene = Scene::new(10.0, 10.0);
    let paint = Paint::new(0, 0, 0);
    scene.dashed(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], paint, 1.0, &[4.0, 2.0]);
    let lines: Vec<Vec<(f64, f64)>> = scene
        .shapes
        .iter()
        .filter_map(|shape| match shape {
            Shape::Line { points, .. } => Some(points.clone()),
            _ => None,
        })
        .collect();
    // The path is 10 long: a dash to 4, a gap to 6, a dash to 10.
    let expected = [vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]];
    assert_eq!(lines, expected);
}

#[test]
fn numbers_are_short_and_words_are_escaped() {
    for (number, expected) in [(1.0, "1"), (-0.0001, "0"), (0.1234, "0.123"), (120.0, "120")] {
        assert_eq!(short(number), expected);
    }
    assert_eq!(escaped("<a & 'b'>\u{1}"), "&lt;a &amp; &apos;b&apos;&gt;\u{fffd}");
}
